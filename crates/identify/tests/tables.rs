//! Bad data: each mistake is named with its row, none is fitted.

use touchdown_identify::problem::Prediction;
use touchdown_identify::{
    FitOptions, Measure, Parameter, Problem, ProblemError, Series, Table, TableError, fit,
};

const GOOD: &str = "# a comment\ntime_s,force [N],z (mm)\n0,1,0.1\n0.1,2,0.2\n0.2,3,0.4\n";

fn said(text: &str, column: &str, kind: Measure) -> String {
    match Table::from_csv(text) {
        Err(error) => error.to_string(),
        Ok(table) => table.si(column, kind, None).expect_err("a mistake").to_string(),
    }
}

/// Units stand in the header in three ways and come out in SI.
#[test]
fn units_are_read() {
    let table = Table::from_csv(GOOD).expect("good");
    assert_eq!(table.si("z", Measure::Length, None).expect("a length"), [0.1e-3, 0.2e-3, 0.4e-3]);
    assert_eq!(table.si("force", Measure::Force, Some("kN")).expect("a force"), [1e3, 2e3, 3e3]);
    assert_eq!(table.si("time", Measure::Time, None).expect("a time"), [0.0, 0.1, 0.2]);
    let semicolons = Table::from_csv("time_ms;force_kN\n0;1\n20;\"2\"\n").expect("good");
    assert_eq!(semicolons.si("time", Measure::Time, None).expect("a time"), [0.0, 0.02]);
}

/// Each mistake is named, with row and line.
#[test]
fn mistakes_are_named_with_their_row() {
    let missing = said(GOOD, "displacement", Measure::Length);
    assert!(missing.contains("displacement") && missing.contains("z (mm)"), "{missing}");
    let nan = said("t_s,f_N\n0,1\n0.1,NaN\n0.2,3\n", "f", Measure::Force);
    assert!(nan.contains("row 2 (line 3)"), "{nan}");
    let empty = said("t_s,f_N\n0,1\n0.1,\n0.2,3\n", "f", Measure::Force);
    assert!(empty.contains("row 2 (line 3)"), "{empty}");
    let word = said("t_s,f_N\n0,1\n0.1,big\n", "f", Measure::Force);
    assert!(word.contains("row 2") && word.contains("big"), "{word}");
    let cell = said("t_s,z_mm\n0,1\n0.1,0.002 m\n", "z", Measure::Length);
    assert!(cell.contains("row 2") && cell.contains("header mm"), "{cell}");
    let jump = said("t_s,z_mm\n0,10\n1,11\n2,12\n3,0.013\n4,0.014\n5,0.015\n6,0.016\n", "z", Measure::Length);
    assert!(jump.contains("row 4") && jump.contains("mixed"), "{jump}");
    let kind = said(GOOD, "force", Measure::Length);
    assert!(kind.contains("\"N\"") && kind.contains("mm"), "{kind}");
    let none = said("t,f\n0,1\n", "f", Measure::Force);
    assert!(none.contains("no unit"), "{none}");
    let ragged = said("t_s,f_N\n0,1\n0.1\n", "f", Measure::Force);
    assert!(ragged.contains("row 2 (line 3): the header has 2 cells, this row 1"), "{ragged}");
    assert_eq!(Table::from_csv("t_s,f_N\n"), Err(TableError::Empty));
    assert_eq!(Table::from_csv(""), Err(TableError::Empty));
    assert_eq!(Table::from_csv("a_s,a_s\n1,2\n"), Err(TableError::Twice { name: "a_s".into() }));
}

/// Time that does not grow, columns that do not vary, and too few rows are refused.
#[test]
fn order_variation_and_number_are_checked() {
    let table = Table::from_csv("t_s,f_N\n0,5\n0.2,5\n0.1,5\n").expect("readable");
    let unsorted = table.check_time("t").expect_err("unsorted").to_string();
    assert!(unsorted.contains("row 3 (line 4)") && unsorted.contains("0.1"), "{unsorted}");
    let constant = table.check_varies("f").expect_err("constant").to_string();
    assert!(constant.contains("constant (5)"), "{constant}");
    assert_eq!(table.check_rows(10), Err(TableError::TooFew { found: 3, least: 10 }));
    let (kept, left) = Table::from_csv("t_s,f_N\n0,1\n1,NaN\n2,3\n")
        .expect("readable")
        .without_missing(&["f"])
        .expect("a column");
    assert_eq!((kept.rows(), left, kept.lines), (2, 1, vec![2, 4]));
}

/// A fit refuses what makes no sense: more parameters than values, starts outside bounds, models that fail, values that are not numbers.
#[test]
fn senseless_problems_are_refused() {
    let line = |x: &[f64]| Some(vec![vec![x[0], 2.0 * x[0]]]);
    let nothing = |_: &[f64]| None;
    let free = |n: usize| (0..n).map(|_| Parameter::new("a", 1.0, 0.0, 2.0)).collect::<Vec<_>>();
    let measured = |v: [f64; 2]| vec![Series::new("y", v.to_vec())];
    let options = FitOptions::default();
    let refuse = |parameters, series, model: &dyn Fn(&[f64]) -> Prediction| {
        Problem { parameters, series, model }.check().expect_err("senseless")
    };
    assert_eq!(refuse(free(0), measured([1.0, 2.0]), &line), ProblemError::NothingFree);
    assert_eq!(refuse(free(2), measured([1.0, 2.0]), &line), ProblemError::TooFew { rows: 2, free: 2 });
    assert_eq!(refuse(free(1), measured([1.0, 2.0]), &nothing), ProblemError::NoStart);
    assert!(matches!(
        refuse(free(1), measured([1.0, f64::NAN]), &line),
        ProblemError::NotFinite { index: 2, .. }
    ));
    assert!(matches!(
        refuse(vec![Parameter::new("a", 3.0, 0.0, 2.0)], measured([1.0, 2.0]), &line),
        ProblemError::Bounds { .. }
    ));
    let short = |_: &[f64]| Some(vec![vec![1.0]]);
    assert_eq!(refuse(free(1), measured([1.0, 2.0]), &short), ProblemError::Shape { found: 1, expected: 2 });
    let good = Problem { parameters: free(1), series: measured([1.5, 3.1]), model: &line };
    assert!((fit(&good, &options).expect("a line").values()[0] - 1.54).abs() < 1e-9);
}
