//! Polygonal contact in the loop: two free bodies keep their momentum, methods agree, a block holds, runs resume to the bit.

mod common;

use common::{Checks, Run, built_in, run, run_text, world};

/// A ball flies at a free cone-shaped cup, off centre and spinning: both sides move.
fn meeting(integrator: &str) -> Run {
    let text = format!(
        "title = \"t\"\nduration = \"60 ms\"\ngravity = \"none\"\nintegrator = {integrator}\nrecord = {{ series_every = \"1 ms\" }}\n\
         [body.ball]\nmass = \"0.5 kg\"\nuniform = {{ sphere = \"50 mm\" }}\n\
         [body.cup]\nmass = \"0.8 kg\"\ninertia_kg_m2 = [2e-3, 2e-3, 1e-3]\n\
         [joint.ball]\ntype = \"free\"\nchild = \"ball\"\nplaced = {{ position_m = [0.004, -0.003, 0.056] }}\n\
         velocity_m_per_s = [0.02, 0, -0.3]\nangular_velocity_rad_per_s = [1, -2, 3]\n\
         [joint.cup]\ntype = \"free\"\nchild = \"cup\"\nangular_velocity_rad_per_s = [0.5, 0.3, -1]\n\
         [polygonal.ball]\nbody = \"ball\"\nsphere = \"50 mm\"\nresolution = 180\nother = \"cup\"\n\
         other_side = {{ cone_m = [0.02, 0.09, 0.07], cavity = true }}\nmodulus = \"2 MPa\"\ndepth = \"5 mm\"\n\
         damping_n_s_per_m3 = 2e5\ndamping_depth = \"0.2 mm\"\nfriction_law = \"regularised\"\nfriction = 0.3\nfriction_speed = \"10 mm/s\"\n"
    );
    run_text(&text, &[])
}

fn ledger(run: &Run, name: &str) -> f64 {
    run.outcome.ledger.iter().find(|entry| entry.name == name).unwrap().value
}

/// Action is reaction, about one point: momentum and angular momentum stay; the implicit method, which uses the derivatives of both sides, agrees with the
/// explicit one, and the books close.
#[test]
fn two_free_bodies_keep_their_momentum() {
    let mut checks = Checks::default();
    let explicit = meeting("{ name = \"explicit\", tolerance = 1e-9 }");
    let implicit = meeting("{ name = \"implicit\", tolerance = 1e-8 }");
    for (name, run) in [("explicit", &explicit), ("implicit", &implicit)] {
        let touched = run.at("polygonal.ball.touches", 0.06);
        assert!(touched >= 1.0, "{name} never touched");
        checks.below(&format!("{name}, energy residual"), run.quantity("energy_residual_relative"), 5e-4);
        // p = 0.15 N s; angular momentum is about 2e-3 N m s.
        checks.below(
            &format!("{name}, change of momentum, N s"),
            ledger(run, "momentum_change_max_n_s"),
            1e-6,
        );
        let spin = ledger(run, "angular_momentum_change_max_n_m_s");
        checks.below(&format!("{name}, change of angular momentum, N m s"), spin, 1e-7);
    }
    for column in
        ["body.ball.vx_m_per_s", "body.ball.vz_m_per_s", "body.cup.vz_m_per_s", "body.cup.wy_rad_per_s"]
    {
        let (a, b) = (explicit.at(column, 0.06), implicit.at(column, 0.06));
        checks.below(&format!("{column}: implicit less explicit"), (a - b).abs(), 5e-4);
    }
    checks.finish();
}

/// Under nine tenths of the break-away force the block stays where it is, to the bit, once its springs have taken the load.
#[test]
fn a_block_under_load_does_not_creep() {
    let run = run(
        "stick-slip-block",
        &[
            "constraint.pull.motion={ ramp = [\"0 m\", \"44.145 mm\"], from = \"0.5 s\", to = \"1.5 s\" }",
            "duration=4 s",
        ],
    );
    let pull = run.at("spring.pull.force_n", 4.0);
    assert!((pull / (0.9 * 0.5 * 9.81) - 1.0).abs() < 1e-3, "{pull}");
    let creep = run.at("joint.along.position_m", 4.0) - run.at("joint.along.position_m", 3.0);
    assert!(creep.abs() < 1e-15, "{creep}");
}

/// A run that goes on from a checkpoint, anchors and all, is the run that was never interrupted.
#[test]
fn runs_resume_to_the_bit() {
    let scenario = built_in("rock-drop", &[]);
    let mut whole = world(&scenario);
    whole.advance_steps(500).unwrap();
    let bytes = whole.checkpoint();
    whole.advance_steps(200).unwrap();
    let mut resumed = world(&scenario);
    resumed.restore(&bytes).unwrap();
    resumed.advance_steps(200).unwrap();
    assert_eq!(whole.checkpoint(), resumed.checkpoint());
    // A checkpoint of another model is refused.
    assert!(world(&built_in("stick-slip-block", &[])).restore(&bytes).is_err());
}
