//! Identification of feet: the paper's tables, and its simulation recovered from exact and from noisy data.

use touchdown_contact::law::hunt_crossley::HuntCrossley;
use touchdown_contact::law::shear::Mobilisation;
use touchdown_identify::models::{Drag, Drop, Strength, press};
use touchdown_identify::{FitOptions, Measure, Parameter, Problem, Series, Table, Verdict, fit, hold_out};

const STEADY: &str = include_str!("../../../studies/feet/foot_group1_steady.csv");

const MEANS: &str = include_str!("../../../studies/feet/foot_group1_means.csv");

/// Group 1 of the test bed: k = 11 945.2 N/m and m_F g = 52.994 N on the printed means, 11 945.6 and 52.958 on all 25 rows, 11 946.3 and 52.947 on their means
/// (ordinary regression, computed elsewhere).
#[test]
fn the_spring_of_group_1() {
    let rows = Table::from_csv(STEADY).expect("the table of the paper");
    let means = Table::from_csv(MEANS).expect("the table of the paper");
    let cases = [
        (means, 11_945.240_4, 52.994_369),
        (rows.clone(), 11_945.619_2, 52.957_522),
        (rows.averaged_by("test").expect("a column"), 11_946.298_5, 52.947_120),
    ];
    for (table, k, weight) in cases {
        let force = table.si("force_measured", Measure::Force, None).expect("newtons");
        let sinkage = table.si("sinkage", Measure::Length, None).expect("millimetres");
        let model = |x: &[f64]| Some(vec![press(&sinkage, x[0], 1.0, x[1])]);
        let parameters =
            vec![Parameter::new("k", 1e4, 0.0, 1e6), Parameter::new("weight", 10.0, 0.0, 1000.0)];
        let problem = Problem { parameters, series: vec![Series::new("force", force)], model: &model };
        let found = fit(&problem, &FitOptions::default()).expect("a minimum");
        let [first, second] = [&found.estimates[0], &found.estimates[1]];
        assert!((first.value - k).abs() < 1e-4 && (second.value - weight).abs() < 1e-6, "{found:?}");
        assert!(first.interval[0] < k && k < first.interval[1]);
    }
}

const TRUTH: HuntCrossley = HuntCrossley { k: 1e4, n: 1.3, b: 500.0, p: 0.3, q: 1.1 };

fn drop(b: f64, p: f64, q: f64) -> Drop {
    Drop { mass: 30.0, load: 294.0, speed: 0.0, law: HuntCrossley { b, p, q, ..TRUTH }, plastic: false }
}

/// 50 Hz over two seconds.
fn times() -> Vec<f64> {
    (0..=100).map(|i| i as f64 * 0.02).collect()
}

fn free() -> Vec<Parameter> {
    vec![
        Parameter::new("b", 200.0, 0.0, 5000.0),
        Parameter::new("p", 0.5, 0.0, 2.0),
        Parameter::new("q", 0.8, 0.2, 2.5),
    ]
}

/// The simulation of section 4.2 (from contact at rest): static deformation 66.3446 mm, peak 94.962 mm at 0.238 s, peak force 490.70 N.
#[test]
fn the_simulation_of_section_4_2() {
    let fine: Vec<f64> = (0..=4000).map(|i| i as f64 * 1e-3).collect();
    let path = drop(TRUTH.b, TRUTH.p, TRUTH.q).trajectory(&fine).expect("integrated");
    let peak =
        path.iter().enumerate().max_by(|a, b| a.1.deformation.total_cmp(&b.1.deformation)).expect("rows");
    assert!((peak.1.deformation - 94.962e-3).abs() < 1e-6 && (peak.0 as f64 * 1e-3 - 0.238).abs() < 1.1e-3);
    let force = path.iter().map(|m| m.force).fold(0.0, f64::max);
    assert!((force - 490.70).abs() < 5e-3, "{force}");
    assert!((path[4000].deformation - 66.3446e-3).abs() < 2e-4);
}

/// From exact forces at 50 Hz b, p and q come back to 1e-6, also from a start far away.
#[test]
fn exact_data_give_the_parameters_back() {
    let times = times();
    let force = |x: &[f64]| {
        Some(vec![drop(x[0], x[1], x[2]).trajectory(&times)?.iter().map(|m| m.force).collect::<Vec<f64>>()])
    };
    let measured = force(&[TRUTH.b, TRUTH.p, TRUTH.q]).expect("integrated").remove(0);
    let problem = Problem { parameters: free(), series: vec![Series::new("force", measured)], model: &force };
    let found = fit(&problem, &FitOptions { starts: 8, ..FitOptions::default() }).expect("a minimum");
    for (estimate, truth) in found.estimates.iter().zip([TRUTH.b, TRUTH.p, TRUTH.q]) {
        assert!((estimate.value / truth - 1.0).abs() < 1e-6, "{found:?}");
        assert_eq!(estimate.verdict, Verdict::Determined);
    }
}

/// Random numbers of a fixed sequence in (−1, 1): splitmix64.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// With ± 10 N of uniform noise at 50 Hz each interval covers the truth for at least 90 of 100 seeds, and predictions stay within 3.5 % of full scale.
#[test]
fn noisy_data_give_honest_intervals() {
    let times = times();
    let trajectory = |x: &[f64]| drop(x[0], x[1], x[2]).trajectory(&times);
    let force = |x: &[f64]| Some(vec![trajectory(x)?.iter().map(|m| m.force).collect::<Vec<f64>>()]);
    let exact = trajectory(&[TRUTH.b, TRUTH.p, TRUTH.q]).expect("integrated");
    let mut covered = [0; 3];
    let mut worst = [0.0f64; 3];
    for seed in 0..100 {
        let mut noise = Noise(seed);
        let measured = exact.iter().map(|m| m.force + 10.0 * noise.next()).collect();
        let problem =
            Problem { parameters: free(), series: vec![Series::new("force", measured)], model: &force };
        let found = fit(&problem, &FitOptions::default()).expect("a minimum");
        for (k, truth) in [TRUTH.b, TRUTH.p, TRUTH.q].into_iter().enumerate() {
            let [low, high] = found.estimates[k].interval;
            covered[k] += usize::from(low <= truth && truth <= high);
        }
        let predicted = trajectory(&found.values()).expect("integrated");
        let of = |f: fn(&touchdown_identify::models::Moment) -> f64| {
            let scale = exact.iter().map(|m| f(m).abs()).fold(0.0, f64::max);
            exact.iter().zip(&predicted).map(|(a, b)| (f(a) - f(b)).abs()).fold(0.0, f64::max) / scale
        };
        for (w, e) in worst.iter_mut().zip([of(|m| m.deformation), of(|m| m.force), of(|m| m.rate)]) {
            *w = w.max(e);
        }
    }
    println!("covered {covered:?}, largest errors {worst:?}");
    assert!(covered.iter().all(|c| *c >= 90), "{covered:?}");
    assert!(worst.iter().all(|w| *w < 0.035), "{worst:?}");
}

/// Two stages (section 4.2): k and n from slow pressing, then b, p, q from a drop with these k and n; noise of 1 % in both.
#[test]
fn two_stages_find_all_five() {
    let mut noise = Noise(7);
    let depth: Vec<f64> = (1..=60).map(|i| i as f64 * 1.5e-3).collect();
    let slow: Vec<f64> =
        press(&depth, TRUTH.k, TRUTH.n, 0.0).iter().map(|f| f + 3.0 * noise.next()).collect();
    let model = |x: &[f64]| Some(vec![press(&depth, x[0], x[1], 0.0)]);
    let parameters = vec![Parameter::new("k", 3e3, 100.0, 1e5), Parameter::new("n", 1.0, 0.3, 3.0)];
    let problem = Problem { parameters, series: vec![Series::new("force", slow)], model: &model };
    let first = fit(&problem, &FitOptions::default()).expect("a minimum");
    assert!(
        (first.values()[0] / TRUTH.k - 1.0).abs() < 0.03 && (first.values()[1] / TRUTH.n - 1.0).abs() < 0.01
    );
    // k and n of such fits go together, as Table 12 of the paper shows.
    assert!(first.correlations[0][1] > 0.95);
    let times = times();
    let exact = drop(TRUTH.b, TRUTH.p, TRUTH.q).trajectory(&times).expect("integrated");
    let measured: Vec<f64> = exact.iter().map(|m| m.force + 3.0 * noise.next()).collect();
    let deformation: Vec<f64> = exact.iter().map(|m| m.deformation + 2e-4 * noise.next()).collect();
    let [k, n] = [first.values()[0], first.values()[1]];
    let model = |x: &[f64]| {
        let law = HuntCrossley { k, n, b: x[0], p: x[1], q: x[2] };
        let path = Drop { law, ..drop(0.0, 0.0, 1.0) }.trajectory(&times)?;
        Some(vec![path.iter().map(|m| m.force).collect(), path.iter().map(|m| m.deformation).collect()])
    };
    let series = vec![Series::new("force", measured), Series::new("deformation", deformation)];
    let problem = Problem { parameters: free(), series, model: &model };
    let second = fit(&problem, &FitOptions::default()).expect("a minimum");
    let values = second.values();
    assert!(
        (values[0] / 500.0 - 1.0).abs() < 0.15
            && (values[1] - 0.3).abs() < 0.05
            && (values[2] - 1.1).abs() < 0.05
    );
    // Noise is measured for each series: 3 N and 0.2 mm of uniform noise have standard deviations smaller by √3; 200 values measure it to 10 %, the errors of k and n
    // of the first stage add a little.
    assert!((second.sigma[0] / (3.0 / 3f64.sqrt()) - 1.0).abs() < 0.25, "{:?}", second.sigma);
    assert!((second.sigma[1] / (2e-4 / 3f64.sqrt()) - 1.0).abs() < 0.4, "{:?}", second.sigma);
    let unseen = hold_out(&problem, &FitOptions::default(), 5).expect("a fit");
    assert!(unseen.rows == 20 && unseen.rms.iter().all(|e| *e < 0.01), "{unseen:?}");
}

/// Dragging: μ and K of Eq. 61 for both curves; c, φ and K of Eq. 62 where the load varies; where it does not, c and φ are one number and that is reported.
#[test]
fn dragging_finds_friction_and_says_what_it_cannot() {
    let j: Vec<f64> = (0..200).map(|i| i as f64 * 5e-4).collect();
    let constant = vec![120.7; 200];
    let area = vec![4e-3; 200];
    for (curve, mu, length) in
        [(Mobilisation::Janosi, 0.634, 23.32e-3), (Mobilisation::Tanh, 0.618, 20.023e-3)]
    {
        let drag = Drag { displacement: &j, normal: &constant, area: &area, curve };
        let measured = drag.force(&Strength::Friction { mu }, length);
        let model = |x: &[f64]| Some(vec![drag.force(&Strength::Friction { mu: x[0] }, x[1])]);
        let parameters = vec![Parameter::new("mu", 0.3, 0.0, 2.0), Parameter::new("K", 0.01, 1e-4, 0.3)];
        let problem = Problem { parameters, series: vec![Series::new("force", measured)], model: &model };
        let found = fit(&problem, &FitOptions::default()).expect("a minimum").values();
        assert!((found[0] / mu - 1.0).abs() < 1e-8 && (found[1] / length - 1.0).abs() < 1e-8);
    }
    let parameters = || {
        vec![
            Parameter::new("c", 1000.0, 0.0, 1e4),
            Parameter::new("tan_phi", 0.5, 0.0, 2.0),
            Parameter::new("K", 0.05, 1e-3, 0.5),
        ]
    };
    let truth = Strength::Soil { cohesion: 460.0, tan_phi: 0.852 };
    let rising: Vec<f64> = (0..200).map(|i| 40.0 + 0.3 * i as f64).collect();
    for (normal, known) in [(&rising, true), (&constant, false)] {
        let drag = Drag { displacement: &j, normal, area: &area, curve: Mobilisation::Janosi };
        let measured = drag.force(&truth, 0.03);
        let model =
            |x: &[f64]| Some(vec![drag.force(&Strength::Soil { cohesion: x[0], tan_phi: x[1] }, x[2])]);
        let problem =
            Problem { parameters: parameters(), series: vec![Series::new("force", measured)], model: &model };
        let found = fit(&problem, &FitOptions::default()).expect("a minimum");
        if known {
            assert!(
                (found.values()[0] / 460.0 - 1.0).abs() < 1e-6
                    && (found.values()[1] / 0.852 - 1.0).abs() < 1e-6
            );
        } else {
            assert_eq!(found.estimates[0].verdict, Verdict::Combined(vec!["tan_phi".into()]));
            assert_eq!(found.estimates[1].verdict, Verdict::Combined(vec!["c".into()]));
            assert!(
                (found.values()[2] / 0.03 - 1.0).abs() < 1e-6
                    && found.estimates[2].verdict == Verdict::Determined
            );
            assert!(found.remarks.iter().any(|r| r.contains("not identifiable")), "{:?}", found.remarks);
        }
    }
}

/// Two minima: the global start finds the deeper one, from a start in the other.
#[test]
fn many_starts_find_the_deeper_minimum() {
    let t: Vec<f64> = (0..80).map(|i| i as f64 * 0.05).collect();
    let wave = |x: &[f64]| Some(vec![t.iter().map(|t| (x[0] * t).sin()).collect::<Vec<f64>>()]);
    let measured = wave(&[7.3]).expect("a wave").remove(0);
    let one = |starts: usize| {
        let parameters = vec![Parameter::new("rate", 2.0, 0.1, 12.0)];
        let problem =
            Problem { parameters, series: vec![Series::new("wave", measured.clone())], model: &wave };
        fit(&problem, &FitOptions { starts, ..FitOptions::default() }).expect("a minimum")
    };
    assert!((one(0).values()[0] - 7.3).abs() > 0.1);
    let many = one(64);
    assert!((many.values()[0] - 7.3).abs() < 1e-8 && many.minima > 1, "{many:?}");
}

/// Wild values decide nothing under the soft loss.
#[test]
fn wild_values_do_not_decide() {
    let depth: Vec<f64> = (1..=50).map(|i| i as f64 * 1e-3).collect();
    let mut noise = Noise(3);
    let mut force: Vec<f64> = press(&depth, 1.2e4, 1.0, 50.0).iter().map(|f| f + noise.next()).collect();
    force[10] += 400.0;
    force[33] -= 500.0;
    let model = |x: &[f64]| Some(vec![press(&depth, x[0], 1.0, x[1])]);
    let parameters = vec![Parameter::new("k", 1e4, 0.0, 1e6), Parameter::new("weight", 10.0, -100.0, 1000.0)];
    let sigma = Some(0.6);
    let series = vec![Series { sigma, ..Series::new("force", force) }];
    let problem = Problem { parameters, series, model: &model };
    let plain = fit(&problem, &FitOptions::default()).expect("a minimum").values();
    let soft = FitOptions { loss: touchdown_identify::Loss::Soft { scale: 2.0 }, ..FitOptions::default() };
    let robust = fit(&problem, &soft).expect("a minimum").values();
    assert!(
        (plain[0] / 1.2e4 - 1.0).abs() > 0.01 && (robust[0] / 1.2e4 - 1.0).abs() < 0.002,
        "{plain:?} {robust:?}"
    );
}
