//! The envelope: outcomes over two knobs, coloured by what the cases show at each place, with the boundary as wide as its uncertainty.
//!
//! Of a grid with one case at each node, the squares between nodes are drawn: kept or broken where all four corners agree, open where they do not, because there the boundary runs.
//! Of all else, cells with the cases in them: kept or broken where these show which side of one half the share lies on, open where they differ and do not show it.

use super::figures::{BAD, GOOD, UNSURE, figure, numeric, unit};
use super::table::{Table, input_names};
use crate::case::Status;
use crate::plan::Plan;
use crate::stats::binomial::Rule;
use maud::{Markup, html};
use touchdown_record::figures::{Layer, Marks, Plot, Scale};

const NONE: [u8; 3] = [0x7a, 0x7f, 0x87];
const FEW: [u8; 3] = [0xd0, 0xd4, 0xda];
/// Confidence with which the cases of a cell show a side.
const CONFIDENCE: f64 = 0.9;

/// What is known of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Kept,
    Broken,
    Open,
    Few,
    NoAnswer,
}

impl Known {
    const ALL: [(Known, &str, [u8; 3]); 5] = [
        (Known::Kept, "kept", GOOD),
        (Known::Broken, "broken", BAD),
        (Known::Open, "open: the boundary runs here", UNSURE),
        (Known::Few, "too few cases", FEW),
        (Known::NoAnswer, "no answer", NONE),
    ];
}

/// Left, bottom, right, top of a place, and what is known of it.
type Place = ([f64; 4], Known);

/// A map of outcomes over the first two knobs, for each requirement: its name, what it shows, and the plot.
pub(super) fn maps(table: &Table, plan: &Plan) -> Vec<(String, String, Plot)> {
    let inputs = numeric(table);
    let [(i, x), (j, y), ..] = inputs.as_slice() else { return Vec::new() };
    let names = input_names(plan);
    let lattice = Lattice::of(x, y);
    let maps = plan.requirements.iter().filter_map(|r| {
        let k = plan.quantities.iter().position(|q| q.name == r.quantity)?;
        let outcome = |n: usize| match table.status[n] {
            Status::Ok if !table.quantities[k][n].is_nan() => Some(r.bound.holds(table.quantities[k][n])),
            _ => None,
        };
        let (places, nodes) = match &lattice {
            Some(lattice) => (lattice.squares(&outcome), lattice.nodes(&outcome)),
            None => (cells(x, y, &outcome), Vec::new()),
        };
        let plot = Plot {
            title: format!("{} over {} and {}", r.name, names[*i], names[*j]),
            x: Scale { label: names[*i].into(), unit: unit(plan, *i) },
            y: Scale { label: names[*j].into(), unit: unit(plan, *j) },
            layers: layers(&places).into_iter().chain(nodes).collect(),
            height: 420.0,
        };
        Some((r.name.clone(), format!("{}: {} {}", r.name, r.quantity, r.bound.words()), plot))
    });
    maps.collect()
}

/// The maps on the page.
pub(super) fn section(table: &Table, plan: &Plan) -> Markup {
    let maps = maps(table, plan);
    let of_nodes = matches!(numeric(table).as_slice(), [(_, x), (_, y), ..] if Lattice::of(x, y).is_some());
    html! {
        @if !maps.is_empty() { section {
            h2 { "Envelope" }
            p.note {
                @if of_nodes {
                    "Dots are cases. A square is kept or broken where the cases at its four corners agree, and open where they do not: the boundary runs through it, known to the distance of the cases."
                } @else {
                    "Cells of the two first knobs, over all the others: kept or broken where the cases of a cell show which side of one half the share lies on (90 % each), open where they differ and do not show it: there runs the boundary."
                }
            }
            @for (_, caption, map) in &maps { (figure(caption, map)) }
        } }
    }
}

fn layers(places: &[Place]) -> Vec<Layer> {
    let of = |known: Known| places.iter().filter(|p| p.1 == known).map(|p| p.0).collect::<Vec<_>>();
    let all = Known::ALL.into_iter().map(|(known, label, colour)| (label, colour, of(known)));
    all.filter(|(_, _, boxes)| !boxes.is_empty())
        .map(|(label, colour, boxes)| Layer { label: label.into(), colour, marks: Marks::Boxes(boxes) })
        .collect()
}

/// Different values, in order.
fn distinct(values: &[f64]) -> Vec<f64> {
    let mut out = values.to_vec();
    out.sort_by(f64::total_cmp);
    out.dedup();
    out
}

/// A grid with one case at each node; of a campaign that is under way, its last line may be cut.
struct Lattice {
    x: Vec<f64>,
    y: Vec<f64>,
    /// The case of each node, row by row.
    cases: Vec<Option<usize>>,
}

impl Lattice {
    fn of(x: &[f64], y: &[f64]) -> Option<Lattice> {
        let (xs, ys) = (distinct(x), distinct(y));
        let missing = (xs.len() * ys.len()).checked_sub(x.len())?;
        if xs.len() < 2 || ys.len() < 2 || missing >= xs.len().max(ys.len()) {
            return None;
        }
        let place = |list: &[f64], v: f64| list.partition_point(|w| *w < v);
        let mut cases = vec![None; xs.len() * ys.len()];
        for n in 0..x.len() {
            let node = &mut cases[place(&ys, y[n]) * xs.len() + place(&xs, x[n])];
            if node.replace(n).is_some() {
                return None;
            }
        }
        Some(Lattice { x: xs, y: ys, cases })
    }

    fn squares(&self, outcome: &dyn Fn(usize) -> Option<bool>) -> Vec<Place> {
        let wide = self.x.len();
        let at = |i: usize, j: usize| self.cases[j * wide + i].map(outcome);
        let mut places = Vec::new();
        for (j, v) in self.y.windows(2).enumerate() {
            for (i, u) in self.x.windows(2).enumerate() {
                let corners = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
                let [Some(a), Some(b), Some(c), Some(d)] = corners else { continue };
                let corners = [a, b, c, d];
                let has = |which| corners.contains(&Some(which));
                let known = match (has(true), has(false)) {
                    (true, true) => Known::Open,
                    _ if corners.contains(&None) => Known::NoAnswer,
                    (kept, _) => {
                        if kept {
                            Known::Kept
                        } else {
                            Known::Broken
                        }
                    }
                };
                places.push(([u[0], v[0], u[1], v[1]], known));
            }
        }
        places
    }

    /// The cases themselves, darker than what they stand for.
    fn nodes(&self, outcome: &dyn Fn(usize) -> Option<bool>) -> Vec<Layer> {
        let kinds = [(Some(true), GOOD), (Some(false), BAD), (None, NONE)];
        let of = |kind: Option<bool>| {
            let nodes = self.cases.iter().enumerate().filter(|(_, n)| n.map(outcome) == Some(kind));
            nodes.map(|(k, _)| [self.x[k % self.x.len()], self.y[k / self.x.len()]]).collect::<Vec<_>>()
        };
        let all = kinds.map(|(kind, colour)| Layer {
            label: String::new(),
            colour: colour.map(|c| c / 3),
            marks: Marks::Dots(of(kind)),
        });
        all.into_iter().filter(|layer| layer.marks != Marks::Dots(Vec::new())).collect()
    }
}

/// Cells with the cases in them.
fn cells(x: &[f64], y: &[f64], outcome: &dyn Fn(usize) -> Option<bool>) -> Vec<Place> {
    let (ex, ey) = (edges(x), edges(y));
    let width = ex.len() - 1;
    let mut counts = vec![[0u64; 3]; width * (ey.len() - 1)];
    for n in 0..x.len() {
        let which = outcome(n).map_or(2, |kept| usize::from(!kept));
        counts[cell_of(y[n], &ey) * width + cell_of(x[n], &ex)][which] += 1;
    }
    let mut places = Vec::new();
    for (at, [kept, broken, none]) in counts.into_iter().enumerate() {
        let n = kept + broken;
        let shows = |s: u64| Rule::FixedCount.shows_above(s, n, 0.5, CONFIDENCE);
        let known = match () {
            () if n + none == 0 => continue,
            () if n == 0 => Known::NoAnswer,
            () if shows(kept) => Known::Kept,
            () if shows(broken) => Known::Broken,
            () if kept > 0 && broken > 0 => Known::Open,
            () => Known::Few,
        };
        let (c, r) = (at % width, at / width);
        places.push(([ex[c], ey[r], ex[c + 1], ey[r + 1]], known));
    }
    places
}

/// Edges of cells: around each value of a list, else equal parts, so many that a cell of the map holds some cases.
fn edges(values: &[f64]) -> Vec<f64> {
    /// Cases of a cell on average: four that agree show a side of one half with 90 %.
    const CASES: f64 = 8.0;
    let parts = ((values.len() as f64 / CASES).sqrt() as usize).clamp(4, 16);
    let distinct = distinct(values);
    let (low, high) = (distinct[0], distinct[distinct.len() - 1]);
    if distinct.len() <= 60 && distinct.len() > 1 && distinct.len() * 2 <= values.len() {
        let between = distinct.windows(2).map(|w| 0.5 * (w[0] + w[1]));
        let first = low - 0.5 * (distinct[1] - low);
        let last = high + 0.5 * (high - distinct[distinct.len() - 2]);
        return std::iter::once(first).chain(between).chain([last]).collect();
    }
    (0..=parts).map(|k| low + (high - low) * k as f64 / parts as f64).collect()
}

fn cell_of(x: f64, edges: &[f64]) -> usize {
    edges.partition_point(|e| *e <= x).saturating_sub(1).min(edges.len() - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a grid, the boundary of a quarter circle runs through the squares whose corners it divides, and through no other; a square with a corner without an answer has none.
    #[test]
    fn the_boundary_of_a_grid_runs_between_cases_that_differ() {
        let n = 11;
        let at = |k: usize| [(k % n) as f64 / 10.0, (k / n) as f64 / 10.0];
        let (x, y): (Vec<f64>, Vec<f64>) = (0..n * n).map(at).map(|[x, y]| (x, y)).unzip();
        let inside = |x: f64, y: f64| x.hypot(y) < 0.75;
        let lattice = Lattice::of(&x, &y).expect("a grid");
        let places = lattice.squares(&|k| Some(inside(x[k], y[k])));
        assert_eq!(places.len(), (n - 1) * (n - 1));
        for ([l, b, r, t], known) in places {
            let expected = match (inside(l, b), inside(r, t)) {
                (true, true) => Known::Kept,
                (false, false) => Known::Broken,
                _ => Known::Open,
            };
            assert_eq!(known, expected, "{l} {b}");
        }
        let no_answer = |k: usize| (k != 0).then_some(true);
        let unknown: Vec<Place> =
            lattice.squares(&no_answer).into_iter().filter(|p| p.1 != Known::Kept).collect();
        assert_eq!(unknown, [([0.0, 0.0, 0.1, 0.1], Known::NoAnswer)]);
        // While it is under way its last line is cut: squares whose cases are not there yet are not drawn.
        let cut = Lattice::of(&x[..n * n - 4], &y[..n * n - 4]).expect("a grid");
        assert_eq!(cut.squares(&|_| Some(true)).len(), (n - 1) * (n - 1) - 4);
        // A node twice, or a line that is missing, is no such grid.
        assert!(
            Lattice::of(&[0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 2.0], &[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0]).is_none()
        );
        assert!(Lattice::of(&[0.0, 1.0, 0.0, 0.0], &[0.0, 0.0, 1.0, 1.0]).is_none());
    }

    /// Three cases that agree do not show a side of one half with 90 % (a half to the third is one eighth); four do. Where both kinds are and neither is shown, the boundary may run.
    #[test]
    fn a_cell_is_open_until_its_cases_show_a_side() {
        let known = |n: usize, kept: usize| {
            let mut x = vec![0.1; n];
            let mut y = x.clone();
            x.push(1.0);
            y.push(1.0);
            cells(&x, &y, &|k| Some(k < kept))[0].1
        };
        let found = [known(3, 3), known(4, 4), known(4, 0), known(6, 3), known(20, 19)];
        assert_eq!(found, [Known::Few, Known::Kept, Known::Broken, Known::Open, Known::Kept]);
    }
}
