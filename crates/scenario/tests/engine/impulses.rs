//! Pushes that act at once, against the balance of momentum.

use super::common::{Checks, run_text};
use super::{NONE, others_agree, scenario};

/// A free box struck off its centre, at a time that is no row's.
const STRUCK: &str = "[body.box]\nmass_kg = 2\ninertia_kg_m2 = [1, 2, 3]\n[joint.free]\ntype = \"free\"\nchild = \"box\"\n\
    velocity_m_per_s = [1, 0, 0]\n[impulse.blow]\non = { body = \"box\", position_m = [0.5, 0, 0] }\ntime = \"0.3005 s\"\nimpulse_n_s = [0, 6, -1]\n";

/// Momentum jumps by p and angular momentum by r × p, at the very time, with every method; the work is the kinetic energy gained, exactly.
#[test]
fn a_blow_changes_momentum_at_once() {
    let mut checks = Checks::default();
    let text = scenario(0.6, NONE, STRUCK);
    for set in [
        "integrator=explicit",
        "integrator={name=\"explicit\", step=\"2 ms\"}",
        "integrator={name=\"implicit\", step=\"2 ms\"}",
        "integrator=implicit",
        "integrator={name=\"realtime\", step=\"2 ms\"}",
    ] {
        let run = run_text(&text, &[set]);
        // Just before and just after: r × p = (0.5, 0, 0) × (0, 6, −1) = (0, 0.5, 3).
        for (column, before, after) in [
            ("body.box.vx_m_per_s", 1.0, 1.0),
            ("body.box.vy_m_per_s", 0.0, 3.0),
            ("body.box.vz_m_per_s", 0.0, -0.5),
            ("body.box.wx_rad_per_s", 0.0, 0.0),
        ] {
            checks.below(&format!("{set}, {column} before"), (run.at(column, 0.3) - before).abs(), 1e-12);
            // Methods with a fixed step meet the rows half a step late.
            let row = run.rows.iter().position(|r| r[0] > 0.3005).unwrap_or(0);
            let t = run.rows[row][0];
            let tolerance = if column.contains('w') { 1e-2 } else { 1e-9 };
            checks.below(&format!("{set}, {column} after"), (run.at(column, t) - after).abs(), tolerance);
        }
        let travelled = run.end("body.box.y_m");
        checks.below(&format!("{set}, y at the end, m"), (travelled - 3.0 * 0.2995).abs(), 1e-9);
        // ½ p²/m of the new part, and ½ L²/I about both axes.
        let work = 0.5 * (36.0 + 1.0) / 2.0 + 0.5 * (0.25 / 2.0 + 9.0 / 3.0);
        checks.below(&format!("{set}, work, J"), (run.end("energy.load_work_j") - work).abs(), 1e-12);
        let angular = (run.quantity("angular_momentum_change_max_n_m_s") - 9.25f64.sqrt()).abs();
        // About the origin, to which the blow comes at x = 0.8005 m.
        let about_origin = (0.8005f64 * 6.0).hypot(0.8005);
        checks.below(
            &format!("{set}, angular momentum"),
            (angular + 9.25f64.sqrt() - about_origin).abs(),
            1e-4,
        );
    }
    checks.finish();
}

/// A rod held at one end by a joint, and by a constraint: both answer with ω = p L/I about that end, and the constraint stays closed.
#[test]
fn joints_and_constraints_take_their_share() {
    let mut checks = Checks::default();
    let rod =
        "[body.rod]\nmass_kg = 3\ncentre_of_mass_m = [0.5, 0, 0]\nuniform = { box_m = [1, 0.05, 0.05] }\n";
    let blow = "[impulse.blow]\non = { body = \"rod\", position_m = [1, 0, 0] }\ntime = \"0.1 s\"\nimpulse_n_s = [2, 4, 0]\n";
    let hinge = "[joint.hinge]\ntype = \"revolute\"\nchild = \"rod\"\naxis = [0, 0, 1]\n";
    let closed = "[joint.free]\ntype = \"free\"\nchild = \"rod\"\n[constraint.pin]\ntype = \"hinge\"\nbetween = [\"world\", \"rod\"]\nat_m = [0, 0, 0]\naxis = [0, 0, 1]\n";
    for (label, joint) in [("joint", hinge), ("constraint", closed)] {
        let text = scenario(0.5, NONE, &format!("{rod}{joint}{blow}"));
        let run = super::run_checked(label, &text, &mut checks);
        // I = 3/12 (1 + 0.05²) + 3/4 kg m², ω = 4/I; along the rod the pin takes it all.
        let inertia = 0.25 * (1.0 + 0.05 * 0.05) + 0.75;
        checks.below(
            &format!("{label}, rad/s"),
            (run.end("body.rod.wz_rad_per_s") - 4.0 / inertia).abs(),
            1e-9,
        );
        checks.below(
            &format!("{label}, work, J"),
            (run.end("energy.load_work_j") - 8.0 / inertia).abs(),
            1e-12,
        );
        others_agree(label, &text, &["body.rod.wz_rad_per_s", "body.rod.qz"], &run, &mut checks);
    }
    checks.finish();
}

/// At zero seconds it acts before the first step; several at the same time add up; one after the end never acts.
#[test]
fn impulses_at_the_ends_of_a_run() {
    let body = "[body.ball]\nmass_kg = 2\nuniform = { sphere = \"0.1 m\" }\n[joint.free]\ntype = \"free\"\nchild = \"ball\"\n";
    let blow = |name: &str, t: f64| {
        format!("[impulse.{name}]\non = \"ball\"\ntime_s = {t}\nimpulse_n_s = [1, 0, 0]\n")
    };
    let blows = [blow("a", 0.0), blow("b", 0.0), blow("c", 0.5), blow("d", 1.0), blow("e", 2.0)].concat();
    let run = run_text(&scenario(1.0, NONE, &format!("{body}{blows}")), &[]);
    assert_eq!(run.at("body.ball.vx_m_per_s", 0.0), 0.0);
    assert_eq!(run.at("body.ball.vx_m_per_s", 0.5), 1.0);
    assert_eq!(run.at("body.ball.vx_m_per_s", 0.51), 1.5);
    // The last row shows the moment before the one at the end; the ledger has it.
    assert_eq!(run.end("body.ball.vx_m_per_s"), 1.5);
    assert!((run.quantity("kinetic_end_j") - 4.0).abs() < 1e-12);
    assert!(run.quantity("energy_residual_relative") < 1e-14);
}
