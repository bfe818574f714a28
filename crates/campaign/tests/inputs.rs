//! Inputs of cases from elsewhere: a table of cases (CSV, Parquet), the posterior of an identification, knobs that belong together.

use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::path::Path;
use std::sync::Arc;
use touchdown_campaign::{CampaignError, Planned, Setting, make, read_study_text};

fn planned(text: &str, folder: &Path) -> Result<Planned, CampaignError> {
    make(&read_study_text("study.toml", text, folder)?, "1", Default::default())
}

/// What is wrong with a study.
fn mistakes(text: &str, folder: &Path) -> String {
    match planned(text, folder) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("nothing is wrong with\n{text}"),
    }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    dir
}

fn number(x: f64) -> Setting {
    Setting::Number(x)
}

fn word(text: &str) -> Setting {
    Setting::Text(text.into())
}

const TABLE: &str = "scenario = \"pendulum\"\n[table]\nfile = \"cases.csv\"\n";

/// Rows of a table are cases, in their order: numbers in the knob's unit, words (with units of their own) as they were written.
#[test]
fn rows_of_a_csv_file_are_cases() {
    let text = "# made by hand\nduration_s,body.bob.mass_kg,joint.hinge.position\n0.5,1,\"-90 deg\"\n\n1.5,2.5,0.25 rad\n";
    let dir = folder(&[("cases.csv", text)]);
    let plan = planned(TABLE, dir.path()).expect("a plan");
    assert_eq!(plan.input_names(), ["duration_s", "body.bob.mass_kg", "joint.hinge.position"]);
    assert_eq!(plan.plan.cases, 2);
    assert_eq!(plan.inputs(0), [number(0.5), number(1.0), word("-90 deg")]);
    assert_eq!(plan.inputs(1), [number(1.5), number(2.5), word("0.25 rad")]);
    // A spreadsheet's: byte-order mark, semicolons, quotes around what holds a divider; columns named by the study.
    let text = "\u{feff}T;\"a \"\"name\"\"; and more\"\r\n0.5;7\r\n1.5;8\r\n";
    let dir = folder(&[("cases.csv", text)]);
    let study = format!("{TABLE}columns = {{ duration_s = \"T\" }}\n");
    let plan = planned(&study, dir.path()).expect("a plan");
    assert_eq!((plan.inputs(1), plan.input_names()), (vec![number(1.5)], vec!["duration_s"]));
    // What a column that is no knob lacks does not matter.
    let dir = folder(&[("cases.csv", "duration_s,note\n0.5,\n1.5,good\n")]);
    let study = format!("{TABLE}columns = {{ duration_s = \"duration_s\" }}\n");
    assert_eq!(planned(&study, dir.path()).expect("a plan").plan.cases, 2);
    let dir = folder(&[("cases.csv", text)]);
    let study = format!("{TABLE}columns = {{ duration_s = \"a 'name'; and more\" }}\n");
    assert!(mistakes(&study, dir.path()).contains("did you mean a \"name\"; and more?"));
}

/// A table beside a list is the product of both; drawn from by another sampling, every row comes equally often.
#[test]
fn a_table_combines_with_lists_and_samplings() {
    let dir = folder(&[("cases.csv", "body.bob.mass_kg\n1\n2\n4\n")]);
    let study = format!("{TABLE}[vary]\nduration_s = [0.5, 1.0]\n");
    let plan = planned(&study, dir.path()).expect("a plan");
    let all: Vec<Vec<Setting>> = (0..plan.plan.cases).map(|k| plan.inputs(k)).collect();
    assert_eq!(all[..3], [1.0, 2.0, 4.0].map(|m| vec![number(0.5), number(m)]));
    assert_eq!(all.len(), 6);
    let study = format!("cases = 300\nsampling = \"latin-hypercube\"\n{TABLE}");
    let plan = planned(&study, dir.path()).expect("a plan");
    for mass in [1.0, 2.0, 4.0] {
        assert_eq!((0..300).filter(|k| plan.inputs(*k) == [number(mass)]).count(), 100);
    }
}

#[test]
fn a_table_that_holds_no_cases_is_refused() {
    let refused = |text: &str, words: &str| {
        let said = mistakes(TABLE, folder(&[("cases.csv", text)]).path());
        assert!(said.contains(words), "no {words:?} in {said}");
    };
    refused("duration_s\n", "cases.csv has no rows");
    refused("duration_s,body.bob.mass_kg\n1,2\n\n3\n", "has 1 cells in line 4, 2 in its heading");
    refused("duration_s,body.bob.mass_kg\n1,2\n3,\n", "has no value for body.bob.mass_kg in row 2");
    refused("duration_s\n1\nNaN\n", "has no value for duration_s in row 2");
    refused("duration_s,duration_s\n1,2\n", "has the column duration_s twice");
    refused("duration_s,x\n1,\n", "has no value for x in row 1");
    // Mistakes of single cells: a word for a number, and a number that leaves the range of the key.
    refused("duration_s\n1\nO.5\n", "O.5");
    refused("duration_s\n1\n2\n-3\n4\n", "-3");
    refused("duration_x\n1\n", "duration_x");
    assert!(mistakes(TABLE, folder(&[]).path()).contains("cases.csv cannot be read"));
    let twice = format!("{TABLE}[vary]\nduration_s = [1, 2]\n");
    let said = mistakes(&twice, folder(&[("cases.csv", "duration_s\n1\n")]).path());
    assert!(said.contains("duration_s varies by itself, too"), "{said}");
}

fn parquet(path: &Path, columns: Vec<(&str, ArrayRef)>, compression: Compression) {
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true)))
        .expect("columns of one length");
    let properties = WriterProperties::builder().set_compression(compression).build();
    let file = std::fs::File::create(path).expect("created");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
}

/// Numbers of any width, words and flags, packed as pandas and DuckDB do by default (Snappy) or as Polars does (ZSTD).
#[test]
fn rows_of_a_parquet_file_are_cases() {
    let study = TABLE.replace(".csv", ".parquet");
    for compression in [Compression::SNAPPY, Compression::ZSTD(Default::default()), Compression::UNCOMPRESSED]
    {
        let dir = folder(&[]);
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("duration_s", Arc::new(Float32Array::from(vec![0.5, 1.5]))),
            ("body.bob.mass_kg", Arc::new(Int64Array::from(vec![1, 3]))),
            ("joint.hinge.position", Arc::new(StringArray::from(vec!["-90 deg", "0.25 rad"]))),
            ("body.bob.point_mass", Arc::new(BooleanArray::from(vec![true, true]))),
        ];
        parquet(&dir.path().join("cases.parquet"), columns, compression);
        let plan = planned(&study, dir.path()).expect("a plan");
        assert_eq!(plan.inputs(1), [number(1.5), number(3.0), word("0.25 rad"), word("true")]);
    }
    let dir = folder(&[]);
    let path = dir.path().join("cases.parquet");
    let missing: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), Some(2.0), None]));
    parquet(&path, vec![("duration_s", missing)], Compression::SNAPPY);
    assert!(mistakes(&study, dir.path()).contains("has no value for duration_s in row 3"));
    std::fs::write(&path, "PAR1 but nothing else").expect("written");
    assert!(mistakes(&study, dir.path()).contains("cases.parquet cannot be read"));
}

/// What `touchdown identify` writes, as far as it matters: two estimates of one stage, one of the next, and one that the data do not determine.
const SUMMARY: &str = r#"{
    "quantities": {
        "k": { "value": 12000.0, "unit": "N/m" },
        "k_ci95_low": { "value": 10040.04, "unit": "N/m" }, "k_ci95_high": { "value": 13959.96, "unit": "N/m" },
        "weight": { "value": 50.0, "unit": "N" },
        "weight_ci95_low": { "value": 30.4004, "unit": "N" }, "weight_ci95_high": { "value": 69.5996, "unit": "N" },
        "b": { "value": 200.0, "unit": "N s/m^2.3" },
        "b_ci95_low": { "value": 180.4004, "unit": "N s/m^2.3" }, "b_ci95_high": { "value": 219.5996, "unit": "N s/m^2.3" },
        "p": { "value": 1.0, "unit": "1" },
        "p_ci95_low": { "value": null, "unit": "1" }, "p_ci95_high": { "value": null, "unit": "1" }
    },
    "tables": [
        { "columns": [{ "name": "parameter" }, { "name": "k" }, { "name": "weight" }], "rows": [["k", 1.0, -0.8], ["weight", -0.8, 1.0]] },
        { "columns": [{ "name": "parameter" }, { "name": "b" }, { "name": "p" }], "rows": [["b", 1.0, 0.9], ["p", 0.9, 1.0]] }
    ]
}"#;

/// A bob on a spring.
const WORLD: &str = r#"
title = "A bob on a spring"
duration = "0.1 s"
gravity = "none"
integrator = "explicit"
[body.bob]
mass = "1 kg"
point_mass = true
[joint.slide]
type = "prismatic"
child = "bob"
axis = [0, 0, 1]
[spring.coil]
between = ["bob", "ground"]
stiffness = "10 kN/m"
"#;

fn moments(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    [mean, (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt()]
}

fn numbers(plan: &Planned, input: usize) -> Vec<f64> {
    (0..plan.plan.cases).map(|k| plan.inputs(k)[input].number().expect("a number")).collect()
}

fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let ([mx, sx], [my, sy]) = (moments(x), moments(y));
    x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / (x.len() as f64 * sx * sy)
}

/// The posterior has the means, deviations (interval over 2 · 1.96) and correlations of the identification; units come along; parameters of different stages are independent.
#[test]
fn a_posterior_is_the_distribution_that_was_identified() {
    let dir = folder(&[("runs/identify-foot/summary.json", SUMMARY), ("bob.toml", WORLD)]);
    let study = r#"
scenario = "bob.toml"
cases = 4096
seed = 3
sampling = "sobol"
[posterior]
from = "runs/identify-foot"
knobs = { "spring.coil.stiffness" = "k", "body.bob.mass_kg" = { parameter = "b", within = [150.0, 250.0] } }
"#;
    let plan = planned(study, dir.path()).expect("a plan");
    assert!(plan.sets(0)[0].ends_with(" N/m\""), "{:?}", plan.sets(0));
    // No key has the unit of b: its number is taken as it is.
    assert_eq!(plan.sets(0)[1], format!("body.bob.mass_kg={:?}", numbers(&plan, 1)[0]));
    let (k, b) = (numbers(&plan, 0), numbers(&plan, 1));
    // A net of 4,096 points has the mean to far less than a random sample (σ/64) and the deviation to 1 %.
    let ([mk, sk], [mb, sb]) = (moments(&k), moments(&b));
    assert!((mk - 12000.0).abs() < 1000.0 / 64.0 && (sk / 1000.0 - 1.0).abs() < 0.01, "{mk} {sk}");
    assert!((mb - 200.0).abs() < 10.0 / 64.0 && (sb / 10.0 - 1.0).abs() < 0.01, "{mb} {sb}");
    // Independent: five standard errors of a random sample, 5/√n.
    assert!(correlation(&k, &b).abs() < 5.0 / 64.0, "{}", correlation(&k, &b));
    assert!(b.iter().all(|b| (150.0..=250.0).contains(b)));
    let study = study.replace(
        "\"body.bob.mass_kg\" = { parameter = \"b\", within = [150.0, 250.0] }",
        "\"body.bob.mass\" = \"weight\"",
    );
    // A weight in newtons is no mass.
    assert!(mistakes(&study, dir.path()).contains("body.bob.mass"));
    let summary =
        SUMMARY.replace("\"N\"", "\"kg\"").replace("30.4004", "45.1001").replace("69.5996", "54.8999");
    let dir = folder(&[("runs/identify-foot/summary.json", &summary), ("bob.toml", WORLD)]);
    let plan = planned(&study, dir.path()).expect("a plan");
    let r = correlation(&numbers(&plan, 0), &numbers(&plan, 1));
    // Standard error (1 − r²)/√n of a random sample; a net is better.
    assert!((r + 0.8).abs() < 5.0 * (1.0 - 0.64) / 64.0, "{r}");
}

#[test]
fn a_posterior_that_is_none_is_refused() {
    let dir = folder(&[("runs/identify-foot/summary.json", SUMMARY), ("bob.toml", WORLD)]);
    let study = |knobs: &str| {
        format!(
            "scenario = \"bob.toml\"\ncases = 8\n[posterior]\nfrom = \"runs/identify-foot\"\nknobs = {{ {knobs} }}\n"
        )
    };
    let refused = |knobs: &str, words: &str| {
        let said = mistakes(&study(knobs), dir.path());
        assert!(said.contains(words), "no {words:?} in {said}");
    };
    refused("\"body.bob.mass_kg\" = \"p\"", "has no identifiable parameter p");
    refused("\"spring.coil.stiffness\" = \"kk\"", "did you mean k?");
    refused("\"spring.coil.stiffness\" = 3", "must name a parameter");
    refused(
        "\"spring.coil.stiffness\" = { parameter = \"k\", within = [1e6, 2e6] }",
        "within leaves nothing",
    );
    // Half of a distribution is below zero, where no stiffness is: said, with what cuts it.
    let wide = SUMMARY.replace("10040.04", "-150000").replace("13959.96", "174000");
    std::fs::write(dir.path().join("runs/identify-foot/summary.json"), wide).expect("written");
    refused("\"spring.coil.stiffness\" = \"k\"", "within = [LOW, HIGH]");
    let gone = study("\"spring.coil.stiffness\" = \"k\"").replace("identify-foot", "identify-feet");
    assert!(mistakes(&gone, dir.path()).contains("identify-feet"));
}

/// Groups of knobs keep each knob's own distribution and the correlation of their normal scores.
#[test]
fn correlated_knobs_keep_their_own_distributions() {
    let study = r#"
scenario = "pendulum"
cases = 4096
seed = 5
sampling = "sobol"
[vary]
duration_s = { uniform = [0.5, 1.5] }
"body.bob.mass_kg" = { log_normal = [2.0, 0.1] }
"joint.hinge.position" = { triangular = [-90.0, -60.0, 0.0], unit = "deg" }
[[correlated]]
knobs = ["duration_s", "joint.hinge.position", "body.bob.mass_kg"]
matrix = [[1.0, 0.7, 0.0], [0.7, 1.0, -0.5], [0.0, -0.5, 1.0]]
"#;
    let plan = planned(study, Path::new(".")).expect("a plan");
    let [time, mass, angle] = [0, 1, 2].map(|k| numbers(&plan, k));
    let ([mt, st], [mm, sm], [ma, sa]) =
        (moments(&time), moments(&mass.iter().map(|m| m.ln()).collect::<Vec<_>>()), moments(&angle));
    assert!((mt - 1.0).abs() < 0.01 && (st - (1.0f64 / 12.0).sqrt()).abs() < 0.005, "{mt} {st}");
    assert!((mm - 2.0f64.ln()).abs() < 0.005 && (sm - 0.1).abs() < 0.002, "{mm} {sm}");
    // Mean (a + b + c)/3; variance (a² + b² + c² − ab − ac − bc)/18.
    assert!((ma + 50.0).abs() < 0.5 && (sa - (6300.0f64 / 18.0).sqrt()).abs() < 0.3, "{ma} {sa}");
    // Spearman's correlation of a Gaussian copula: 6/π · asin(r/2).
    let spearman = |r: f64| 6.0 / std::f64::consts::PI * (0.5 * r).asin();
    let rank =
        |v: &[f64]| -> Vec<f64> { v.iter().map(|x| v.iter().filter(|y| *y < x).count() as f64).collect() };
    let ranks = [&time, &angle, &mass].map(|v| rank(v));
    for (a, b, r) in [(0, 1, 0.7), (1, 2, -0.5), (0, 2, 0.0)] {
        let found = correlation(&ranks[a], &ranks[b]);
        assert!((found - spearman(r)).abs() < 5.0 / 64.0 * (1.0 - r * r), "{a} {b}: {found}");
    }
    let refused = |from: &str, to: &str, words: &str| {
        let said = mistakes(&study.replace(from, to), Path::new("."));
        assert!(said.contains(words), "no {words:?} in {said}");
    };
    refused("0.7, 0.0]", "0.6, 0.0]", "must be symmetric and positive definite");
    refused("\"body.bob.mass_kg\"]", "\"body.bob.mass_k\"]", "did you mean body.bob.mass_kg?");
    refused("{ uniform = [0.5, 1.5] }", "[0.5, 1.5]", "only distributions can be correlated");
}
