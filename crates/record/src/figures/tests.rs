//! Figures as written: titles, units, data; gaps, single rows, missing columns; and no text that escapes its element.

use super::*;
use crate::series::SeriesColumn;
use touchdown_sim::figure::{Points, Trace};

const HOSTILE: &str = "</text><script>alert(1)</script>\"'&]]>\u{1}";

fn series(columns: &[(&str, &[f64])]) -> Series {
    let column = |(name, values): &(&str, &[f64])| SeriesColumn {
        name: name.to_string(),
        unit: "m".into(),
        frame: "world".into(),
        about: String::new(),
        values: values.to_vec(),
    };
    Series { columns: columns.iter().map(column).collect() }
}

fn figure(traces: &[(&str, &str)]) -> Figure {
    Figure {
        name: "sinkage".into(),
        title: "Sinkage of the wheels".into(),
        source: "A paper, Fig. 18".into(),
        kind: FigureKind::Lines {
            x: "time_s".into(),
            x_label: "time".into(),
            x_unit: "min".into(),
            x_scale: 1.0 / 60.0,
            y_label: "sinkage".into(),
            y_unit: "mm".into(),
            y_scale: 1e3,
            traces: traces
                .iter()
                .map(|(c, l)| Trace { column: c.to_string(), label: l.to_string(), measured: false })
                .collect(),
            points: Vec::new(),
        },
    }
}

fn phases() -> Vec<PhaseSpan> {
    vec![PhaseSpan { label: "settles".into(), from: 0.0, to: 90.0 }]
}

fn drawn(figure: &Figure, series: &Series, surface: &[SoilNode]) -> Result<String, Undrawn> {
    let phases = phases();
    svg(figure, &Data { series, surface, phases: &phases }, Paper::White)
}

/// Every point of every line in an SVG.
fn points(svg: &str) -> Vec<Vec<[f64; 2]>> {
    let lines = svg.split("points=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let pair = |text: &str| {
        let (x, y) = text.split_once(',').unwrap();
        [x.parse().unwrap(), y.parse().unwrap()]
    };
    lines.map(|line| line.split(' ').map(pair).collect()).collect()
}

/// The lines of data, which alone are cut off at the frame.
fn data_lines(svg: &str) -> Vec<Vec<[f64; 2]>> {
    svg.split("overflow=\"hidden\">").skip(1).flat_map(|rest| points(rest).into_iter().take(1)).collect()
}

/// A figure says what it shows, in which unit, where it comes from, which line is which and what happens when.
#[test]
fn a_figure_has_title_units_legend_and_phases() {
    let time: Vec<f64> = (0..=180).map(f64::from).collect();
    let (a, b): (Vec<f64>, Vec<f64>) = time.iter().map(|t| (1e-4 * t, 0.018 - 1e-4 * t)).unzip();
    let series = series(&[("time_s", &time), ("a", &a), ("b", &b)]);
    let text =
        drawn(&figure(&[("a", "front left"), ("b", "rear right")]), &series, &[]).expect("it has data");
    for said in [
        "Sinkage of the wheels",
        "after A paper, Fig. 18",
        "time, min",
        "sinkage, mm",
        "front left",
        "rear right",
        "settles",
    ] {
        assert!(text.contains(&format!(">{said}<")), "{said}");
    }
    // From 0 to 3 min and from 0 to 18 mm: one line rises from corner to corner of the data, the other falls.
    let lines = data_lines(&text);
    assert_eq!(lines.len(), 2);
    let (first, last) = (lines[0][0], lines[0][lines[0].len() - 1]);
    assert!(first[0] < 1.0 && last[0] > 600.0 && first[1] > last[1] + 250.0, "{first:?} {last:?}");
    assert_eq!((lines[1][0][1], lines[1][lines[1].len() - 1][1]), (last[1], first[1]));
}

/// The same data give the same bytes, and the PNG is a picture of the SVG's size, twice as fine, that is not blank.
#[test]
fn a_figure_is_the_same_each_time_and_has_pixels() {
    let series = series(&[("time_s", &[0.0, 60.0, 120.0]), ("a", &[0.0, 0.01, 0.005])]);
    let figure = figure(&[("a", "wheel")]);
    let data = Data { series: &series, surface: &[], phases: &[] };
    assert_eq!(svg(&figure, &data, Paper::White), svg(&figure, &data, Paper::White));
    let bytes = png(&figure, &data).expect("it has data");
    assert_eq!(bytes, png(&figure, &data).expect("it has data"));
    let picture = tiny_skia::Pixmap::decode_png(&bytes).expect("a PNG file");
    assert_eq!(f64::from(picture.width()), 2.0 * chart::WIDTH);
    let blue = picture.pixels().iter().filter(|p| p.blue() > 150 && p.red() < 60).count();
    assert!(blue > 1_000, "the line has {blue} pixels");
}

/// What is not a number is a gap, not a line to nowhere; what lies alone between gaps is a dot.
#[test]
fn numbers_that_are_none_make_gaps() {
    let nan = f64::NAN;
    let time: Vec<f64> = (0..8).map(|i| 60.0 * f64::from(i)).collect();
    let a = [0.0, 0.01, nan, 0.02, f64::INFINITY, 0.01, 0.02, 0.03];
    let text =
        drawn(&figure(&[("a", "wheel")]), &series(&[("time_s", &time), ("a", &a)]), &[]).expect("some data");
    let lines = data_lines(&text);
    assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(text.matches("<circle").count(), 1);
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

/// A run of a single row is a dot; columns that are all the same are a level line within the frame.
#[test]
fn little_data_are_drawn_as_well() {
    let one = drawn(&figure(&[("a", "wheel")]), &series(&[("time_s", &[0.0]), ("a", &[0.01])]), &[])
        .expect("a row");
    assert_eq!(one.matches("<circle").count(), 1);
    let level =
        drawn(&figure(&[("a", "wheel")]), &series(&[("time_s", &[0.0, 9.0]), ("a", &[0.0, 0.0])]), &[]);
    let lines = data_lines(&level.expect("two rows"));
    assert!(lines[0][0][1] == lines[0][1][1] && (50.0..300.0).contains(&lines[0][0][1]), "{lines:?}");
}

/// A column that was not recorded is left out; if none was, the reason is reported.
#[test]
fn missing_columns_are_named() {
    let series = series(&[("time_s", &[0.0, 60.0]), ("a", &[0.0, 0.01]), ("none", &[f64::NAN, f64::NAN])]);
    let part = drawn(&figure(&[("a", "wheel"), ("lost", "other")]), &series, &[]).expect("one is there");
    assert_eq!(data_lines(&part).len(), 1);
    assert_eq!(drawn(&figure(&[("lost", "other")]), &series, &[]), Err(Undrawn::NoColumn("lost".into())));
    assert_eq!(drawn(&figure(&[("none", "empty")]), &series, &[]), Err(Undrawn::NoData));
    assert_eq!(drawn(&figure(&[]), &series, &[]), Err(Undrawn::NoData));
    let mut against = figure(&[("a", "wheel")]);
    if let FigureKind::Lines { x, .. } = &mut against.kind {
        *x = "slip".into();
    }
    assert_eq!(drawn(&against, &series, &[]), Err(Undrawn::NoColumn("slip".into())));
}

/// Titles, labels and units are text, whatever stands in them.
#[test]
fn hostile_texts_stay_texts() {
    let series = series(&[("time_s", &[0.0, 60.0]), ("a", &[0.0, 0.01]), ("b", &[0.0, 0.02])]);
    let mut figure = figure(&[("a", HOSTILE), ("b", HOSTILE)]);
    (figure.title, figure.source) = (HOSTILE.into(), HOSTILE.into());
    if let FigureKind::Lines { y_label, x_unit, .. } = &mut figure.kind {
        (*y_label, *x_unit) = (HOSTILE.into(), HOSTILE.into());
    }
    let phases = [PhaseSpan { label: HOSTILE.into(), from: 0.0, to: 60.0 }];
    for paper in [Paper::White, Paper::Page] {
        let text = svg(&figure, &Data { series: &series, surface: &[], phases: &phases }, paper)
            .expect("it has data");
        assert!(!text.contains("<script") && !text.contains('\u{1}'));
        assert_eq!(text.matches("<text").count(), text.matches("</text>").count());
    }
    for name in ["../../etc/passwd", "a/b", "", "grüße", &"x".repeat(9999)] {
        let file = file_name(name);
        assert!((1..=100).contains(&file.len()) && !file.contains(['/', '.', '\\']), "{file}");
    }
}

/// A figure on a page takes the page's colours and leaves the heading to it.
#[test]
fn a_figure_on_a_page_follows_the_page() {
    let series = series(&[("time_s", &[0.0, 60.0]), ("a", &[0.0, 0.01])]);
    let data = Data { series: &series, surface: &[], phases: &[] };
    let text = svg(&figure(&[("a", "wheel")]), &data, Paper::Page).expect("it has data");
    assert!(text.contains("currentColor") && !text.contains("#ffffff") && !text.contains("after A paper"));
}

/// Level ground of 10 mm nodes with a rut of 20 mm along x, of the width and length given in nodes.
fn ground() -> Vec<SoilNode> {
    let mut nodes = Vec::new();
    for (i, j) in (0..=200).flat_map(|i| (-50..=50).map(move |j| (i, j))) {
        let rut = (50..=150).contains(&i) && (-5..=5).contains(&j);
        let undisturbed = 0.3;
        let (x, y) = (f64::from(i) * 0.01, f64::from(j) * 0.01);
        nodes.push(SoilNode { x, y, height: undisturbed - if rut { 0.02 } else { 0.0 }, undisturbed });
    }
    nodes
}

fn soil_figure(kind: FigureKind) -> Figure {
    Figure { name: "rut".into(), title: "The rut".into(), source: String::new(), kind }
}

/// A section across the rut is 20 mm deep over eleven nodes, on nodes and between them; outside the ground there is none.
#[test]
fn a_section_shows_the_rut() {
    let none = Series::default();
    for at in [1.0, 1.004] {
        let figure = soil_figure(FigureKind::SoilSection { along_x: false, at });
        let text = drawn(&figure, &none, &ground()).expect("there is soil");
        for said in ["y, m", "height, mm", "at the end", "undisturbed"] {
            assert!(text.contains(&format!(">{said}<")), "{said}");
        }
        let lines = data_lines(&text);
        let lowest = lines[0].iter().map(|p| p[1]).fold(0.0, f64::max);
        let deep = lines[0].iter().filter(|p| p[1] > lowest - 1.0).count();
        assert_eq!(deep, 11, "{:?}", lines[0]);
        assert!(lines[1].iter().all(|p| p[1] == lines[1][0][1]), "undisturbed ground is level");
        // Changed from -0.05 m to 0.05 m, and 0.1 m of ground on either side.
        assert_eq!(lines[0].len(), 31);
    }
    let outside = soil_figure(FigureKind::SoilSection { along_x: true, at: 3.0 });
    assert_eq!(drawn(&outside, &none, &ground()), Err(Undrawn::OutsideSoil));
    assert_eq!(drawn(&outside, &none, &[]), Err(Undrawn::NoSoil));
}

/// A map has one scale for both axes, a bar with its unit, and the rut in blue; a single node makes no map.
#[test]
fn a_map_shows_the_rut_to_scale() {
    let figure = soil_figure(FigureKind::SoilMap);
    let text = drawn(&figure, &Series::default(), &ground()).expect("there is soil");
    assert!(text.contains("change of height, mm") && text.contains("x, m") && text.contains("y, m"));
    let image = text.split("<image ").nth(1).expect("the map");
    let number = |key: &str| -> f64 {
        image.split(&format!("{key}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    // The rut, 1.01 m by 0.11 m, with 0.1 m around it: 121 by 31 nodes.
    assert!((number("width") / number("height") - 121.0 / 31.0).abs() < 1e-3);
    let data = Data { series: &Series::default(), surface: &ground(), phases: &[] };
    let picture = tiny_skia::Pixmap::decode_png(&png(&figure, &data).expect("pixels")).expect("a PNG file");
    let blue =
        picture.pixels().iter().filter(|p| p.red() == 33 && p.green() == 102 && p.blue() == 172).count();
    // 101 by 11 of 121 by 31 nodes are at the lowest.
    let part = blue as f64 / (4.0 * number("width") * number("height"));
    assert!((part - 101.0 * 11.0 / (121.0 * 31.0)).abs() < 0.01, "{part}");
    assert_eq!(drawn(&figure, &Series::default(), &ground()[..1]), Err(Undrawn::NoSoil));
    let untouched: Vec<SoilNode> =
        ground().into_iter().map(|n| SoilNode { height: n.undisturbed, ..n }).collect();
    assert!(drawn(&figure, &Series::default(), &untouched).is_ok());
}

/// Surfaces from damaged files: numbers that are none, places far apart. Nothing panics, and nothing fills the memory.
#[test]
fn broken_surfaces_are_refused() {
    let node = |x: f64, y: f64| SoilNode { x, y, height: f64::NAN, undisturbed: f64::NAN };
    let figures = [
        FigureKind::SoilMap,
        FigureKind::SoilSection { along_x: true, at: 0.0 },
        FigureKind::SoilSection { along_x: true, at: f64::NAN },
    ];
    let surfaces = [
        vec![node(f64::NAN, 0.0); 3],
        vec![node(0.0, 0.0), node(1e9, 1e9), node(0.01, 0.0)],
        vec![node(0.0, 0.0), node(0.01, 0.01)],
    ];
    for surface in &surfaces {
        for kind in &figures {
            assert!(drawn(&soil_figure(kind.clone()), &Series::default(), surface).is_err());
        }
    }
}

/// Published points are dots with error bars and a name in the legend; the axes hold their bars; a measured column is a row of dots, never a line.
#[test]
fn measured_points_are_dots_with_bars_and_never_joined() {
    let series = series(&[("time_s", &[0.0, 60.0, 120.0]), ("a", &[0.0, 0.01, 0.005])]);
    let mut figure = figure(&[("a", "wheel")]);
    if let FigureKind::Lines { points, .. } = &mut figure.kind {
        points.push(Points {
            label: "test bed".into(),
            source: "Table 9".into(),
            x: vec![0.5, 1.5, f64::NAN],
            y: vec![20.0, 5.0, 1.0],
            x_error: vec![],
            y_error: vec![4.0, 0.0],
        });
    }
    let text = drawn(&figure, &series, &[]).expect("it has data");
    // Two points and the sample of the legend; the bar of the first alone.
    assert_eq!(text.matches("<circle").count(), 3, "{text}");
    assert!(text.contains(">test bed<") && text.contains(">wheel<"));
    // The bar reaches 24 mm: beyond the line, which ends at 10 mm.
    assert!(text.contains(">20<") && data_lines(&text).len() == 1);
    if let FigureKind::Lines { points, traces, .. } = &mut figure.kind {
        points.clear();
        traces[0].measured = true;
    }
    let text = drawn(&figure, &series, &[]).expect("it has data");
    assert_eq!((text.matches("<circle").count(), data_lines(&text).len()), (3, 0));
}

/// A line of a hundred thousand points is drawn with as many as the eye can tell apart, and its one peak is among them.
#[test]
fn long_lines_of_plots_keep_their_peaks() {
    let mut points: Vec<[f64; 2]> = (0..100_000).map(|i| [f64::from(i), 1.0]).collect();
    points[54_321][1] = 3.0;
    let layer = Layer { label: "run".into(), colour: [0, 0, 0], marks: Marks::Line(points) };
    let scale = || Scale { label: "time".into(), unit: "s".into() };
    let plot = Plot { title: "t".into(), x: scale(), y: scale(), layers: vec![layer], height: 240.0 };
    let text = plot_svg(&plot, Paper::White).expect("it has data");
    let lines = data_lines(&text);
    assert!(lines.len() == 1 && lines[0].len() < 5_000, "{} points", lines[0].len());
    let level = lines[0][0][1];
    assert_eq!(lines[0].iter().filter(|point| point[1] < level - 50.0).count(), 1, "the peak, one point");
}
