//! Data sets are complete, errors are what they are by hand, and goals can fail.

use super::super::claim::Reading;
use super::super::read::Measured;
use super::super::report::Verdict;
use super::*;

/// All rows of the published tests are there: 36 with each of two wheels, and 6 with each of two.
#[test]
fn data_sets_are_complete() {
    let sets = built_in().expect("they are sound");
    let counts: Vec<(&str, Vec<usize>)> = sets
        .iter()
        .map(|set| (set.name.as_str(), set.part.iter().map(|part| part.rows.len()).collect()))
        .collect();
    assert_eq!(counts, [("cmu", vec![36, 36]), ("ding-2011", vec![6, 6])]);
    for row in sets.iter().flat_map(|set| &set.part).flat_map(|part| &part.rows) {
        assert!(row.load_n > 10.0 && row.measured.pull_n.is_finite() && row.measured.sinkage_m > 0.0);
        // Slip and rim speed are means over trials, of which one was at another speed: the slip of the mean is not quite the mean of the slips.
        if row.rim_speed_m_per_s.is_finite() {
            let (rim, v) = (row.rim_speed_m_per_s, 0.01);
            assert!(((rim - v) / rim.max(v) - row.slip).abs() < 2e-3, "{row:?}");
        }
    }
}

/// A program that gives exactly what was measured has no error and meets all goals; one that gives twice the sinkage and a pull off by 0.3 of the load meets none of these.
#[test]
fn errors_and_goals_follow_the_predictions() {
    for mut set in built_in().expect("sound") {
        set.knobs = ["slip_angle_deg", "rim_speed_m_per_s", "shear_length_m", "stress_law"]
            .map(String::from)
            .to_vec();
        let rows: Vec<_> = set.part.iter().flat_map(|part| &part.rows).copied().collect();
        let number = |set: &[String], name: &str| -> f64 {
            let found = set.iter().find_map(|s| s.strip_prefix(name)?.strip_prefix('='));
            found.map_or(0.0, |text| text.parse().expect("a number"))
        };
        let answer = |off: f64, deeper: f64| {
            let rows = &rows;
            move |_: &str, set: &[String], reading: &Reading| -> Result<Measured, String> {
                let bars = set.iter().any(|s| s.starts_with("grousers=") && s != "grousers=0");
                let half = rows.len() / 2;
                let same = |(place, row): &(usize, &super::set::Tested)| {
                    (*place >= half) == bars
                        && row.load_n == number(set, "load_n")
                        && row.slip_angle_deg == number(set, "slip_angle_deg")
                        && (row.rim_speed_m_per_s == number(set, "rim_speed_m_per_s")
                            || row.slip == number(set, "slip"))
                };
                let (_, row) = rows.iter().enumerate().find(same).ok_or("no such row")?;
                let m = row.measured;
                let value = match reading.value.as_deref() {
                    Some("drawbar_pull_n") => m.pull_n + off * row.load_n,
                    Some("side_force_n") => m.side_n,
                    Some("torque_n_m") => m.torque_n_m,
                    _ => deeper * m.sinkage_m,
                };
                Ok(Measured { value, unit: String::new() })
            }
        };
        let exact = compare(&set, &answer(0.0, 1.0));
        let verdicts = goals(&set, &exact);
        assert!(!verdicts.is_empty() && verdicts.iter().all(|row| row.measured == Some(0.0)), "{verdicts:?}");
        let wrong = compare(&set, &answer(0.3, 2.0));
        for group in &wrong.groups {
            let ours = &group.errors[0];
            assert!((ours.pull_rms - 0.3).abs() < 1e-12 && (ours.pull_worst - 0.3).abs() < 1e-12);
            assert!((ours.sinkage_median - 2.0).abs() < 1e-12);
        }
        let failed = goals(&set, &wrong);
        let pull = failed.iter().filter(|row| row.what.contains("pull"));
        assert!(pull.clone().count() > 0 && pull.clone().all(|row| row.verdict != Verdict::Pass));
    }
}

/// The zero guess errs by the measured pull itself, and Wong & Reece's integral answers every row whose rim turns and which stays above its axle.
#[test]
fn references_stand_beside() {
    let set =
        built_in().expect("sound").into_iter().find(|set| set.name == "ding-2011").expect("it is there");
    let none = |_: &str, _: &[String], _: &Reading| -> Result<Measured, String> { Err("was not run".into()) };
    let compared = compare(&set, &none);
    let zero = compared.place(Rule::Zero).expect("compared");
    let by_integral = compared.place(Rule::WongReece).expect("compared");
    for part in &compared.parts {
        let sum: f64 = part.rows.iter().map(|row| (row.measured.pull_n / row.load_n).powi(2)).sum();
        let group = compared.groups.iter().find(|group| group.name.starts_with(&part.name)).expect("a group");
        assert!((group.errors[zero].pull_rms - (sum / part.rows.len() as f64).sqrt()).abs() < 1e-12);
        assert_eq!(group.errors[by_integral].rows, part.rows.len());
    }
    assert!(goals(&set, &compared).iter().all(|row| row.verdict != Verdict::Pass));
}

/// Figures show measured points as points: no line passes through them.
#[test]
fn measured_points_are_not_joined() {
    let set =
        built_in().expect("sound").into_iter().find(|set| set.name == "ding-2011").expect("it is there");
    let none = |_: &str, _: &[String], _: &Reading| -> Result<Measured, String> { Err("was not run".into()) };
    let figures = figures(&compare(&set, &none), touchdown_record::figures::Paper::White);
    let (_, svg) = figures.iter().find(|(name, _)| name == "wheels-ding-2011-smooth-0-pull").expect("drawn");
    assert_eq!(svg.matches("<circle").count(), 6 + 1, "six points and that of the legend");
    assert!(figures.iter().all(|(name, _)| !name.contains("side")), "no side force was measured");
}
