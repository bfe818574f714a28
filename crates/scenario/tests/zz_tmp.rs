mod common;
use common::run;
#[test]
fn tmp() {
    let cases = std::env::var("CASES").unwrap_or_default();
    for case in cases.split(';') {
        let sets: Vec<&str> = case.split_whitespace().collect();
        let start = std::time::Instant::now();
        let r = run("wheel-ancf-on-soil", &sets);
        println!("== {case}: {:?} {:?} {:?}", start.elapsed(), r.outcome.stopped_because, r.outcome.warnings);
        for q in &r.outcome.quantities { println!("  {} = {}", q.name, q.value); }
        for c in ["lowered_m","force_n","sinkage_m","deflection_m","area_m2","pressure_max_pa","nodes","elastic_energy_j","soil_work_j","energy_error_j","soil_volume_m3","rigid.force_n","rigid.sinkage_m","cylinder.force_n","hard_ground.force_n"] {
            let v = r.column(c);
            let pick: Vec<String> = (0..=5).map(|k| v[(v.len()-1)*k/5]).map(|x| format!("{x:.5}")).collect();
            println!("  {c:22} {}", pick.join("  "));
        }
    }
}
