//! The mechanisms, and balls on smooth surfaces, against their reference solutions.

use super::column;
use crate::Case;
use crate::validate::read::larger;
use touchdown_oracle as oracle;

/// What is compared: columns of the series at times, and the reference for them.
struct Reference {
    scenario: &'static str,
    times: &'static [f64],
    columns: &'static [&'static str],
    solve: fn(&[f64]) -> Vec<Vec<f64>>,
}

const REFERENCES: [Reference; 11] = [
    Reference {
        scenario: "ball-in-bowl",
        times: &[0.5, 1.0, 2.0, 2.2, 3.0, 5.0, 10.0, 15.0, 20.0, 25.0],
        columns: &[
            "body.ball.x_m",
            "body.ball.y_m",
            "body.ball.z_m",
            "surface.ball.gap_m",
            "surface.ball.u_m",
            "surface.ball.v_m",
        ],
        solve: |t| ball(oracle::ball::Ball::in_bowl().at(t, oracle::ball::bowl)),
    },
    Reference {
        scenario: "ball-on-waves",
        times: &[0.1, 0.2, 0.5, 1.0],
        columns: &[
            "body.ball.x_m",
            "body.ball.y_m",
            "body.ball.z_m",
            "surface.ball.gap_m",
            "surface.ball.u_m",
            "surface.ball.v_m",
        ],
        solve: |t| ball(oracle::ball::Ball::on_waves().at(t, oracle::ball::waves)),
    },
    Reference {
        scenario: "pendulum",
        times: &[1.0, 2.0, 5.0, 9.99, 10.0],
        columns: &["point.bob.x_m", "point.bob.y_m", "joint.hinge.position_rad"],
        solve: |t| {
            t.iter().map(|t| oracle::pendulum::at(*t)).map(|s| vec![s.x_m, s.y_m, s.angle_rad]).collect()
        },
    },
    Reference {
        scenario: "double-pendulum",
        times: &[0.5, 1.0, 1.5, 2.0],
        columns: &["point.bob.x_m", "point.bob.y_m", "joint.inner.position_rad", "joint.outer.position_rad"],
        solve: |t| {
            let all = oracle::double_pendulum::trajectory(t);
            all.iter().map(|s| vec![s.x_m, s.y_m, s.angle_1_rad, s.angle_2_rad]).collect()
        },
    },
    Reference {
        scenario: "slider-crank",
        times: &[1.0, 2.0, 3.5, 5.0, 7.0, 10.0],
        columns: &["point.slider.x_m", "joint.crank.position_rad", "joint.pin.position_rad"],
        solve: |t| {
            let all = t.iter().map(|t| oracle::slider_crank::at(*t));
            all.map(|s| vec![s.x_m, s.crank_rad, s.rod_rad - s.crank_rad]).collect()
        },
    },
    Reference {
        scenario: "four-bar",
        times: &[1.0, 2.0, 4.0, 5.0, 10.0],
        columns: &["point.b0.x_m", "point.b0.y_m", "joint.a_0.position_rad"],
        solve: |t| {
            t.iter().map(|t| oracle::four_bar::at(*t)).map(|s| vec![s.x_m, s.y_m, -s.angle_rad]).collect()
        },
    },
    Reference {
        scenario: "andrews-squeezer",
        times: &[0.005, 0.01, 0.02, 0.03],
        columns: &[
            "joint.beta.position_rad",
            "joint.theta.position_rad",
            "joint.gamma.position_rad",
            "joint.phi.position_rad",
            "joint.delta.position_rad",
            "joint.omega.position_rad",
            "joint.epsilon.position_rad",
        ],
        solve: |t| oracle::andrews_squeezer::trajectory(t).iter().map(|s| s.angles_rad.to_vec()).collect(),
    },
    Reference {
        scenario: "bricard",
        times: &[0.5, 1.0, 2.0, 3.0, 5.0, 10.0],
        columns: &[
            "point.p3.x_m",
            "point.p3.y_m",
            "point.p3.z_m",
            "joint.p0.position_rad",
            "joint.p1.position_rad",
            "joint.p2.position_rad",
            "joint.p3.position_rad",
            "joint.p4.position_rad",
        ],
        solve: |t| {
            let all = oracle::bricard::trajectory(t);
            all.iter().map(|s| s.p3_m().iter().chain(&s.angles_rad[..5]).copied().collect()).collect()
        },
    },
    Reference {
        scenario: "flyball-governor",
        times: &[0.5, 1.0, 2.0, 5.0, 10.0],
        columns: &[
            "joint.slider.position_m",
            "joint.spin.position_rad",
            "joint.rod_right.position_rad",
            "joint.rod_left.position_rad",
        ],
        solve: |t| {
            let all = oracle::flyball_governor::trajectory(t);
            all.iter().map(|s| vec![s.slider_m, s.spin_angle_rad, s.rod_rad, -s.rod_rad]).collect()
        },
    },
    Reference {
        scenario: "spinning-top",
        times: &[5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0],
        columns: &["point.marker.x_m", "point.marker.y_m", "point.marker.z_m"],
        solve: |t| oracle::spinning_top::trajectory(t).iter().map(|s| s.marker_m.to_vec()).collect(),
    },
    Reference {
        scenario: "pendulum-chain",
        times: &[0.5, 1.0, 1.5, 2.0],
        columns: &["point.rods/tip.x_m", "point.rods/tip.y_m", "joint.rods/1.position_rad"],
        solve: |t| {
            let all = oracle::pendulum_chain::trajectory(oracle::pendulum_chain::LINKS, t);
            all.iter().map(|s| vec![s.x_m, s.y_m, s.angles_rad[0]]).collect()
        },
    },
];

fn ball(samples: Vec<oracle::ball::Sample>) -> Vec<Vec<f64>> {
    let row = |s: &oracle::ball::Sample| {
        let ([x, y, z], [u, v, _]) = (s.position_m, s.contact_m);
        vec![x, y, z, s.gap_m, u, v]
    };
    samples.iter().map(row).collect()
}

/// Largest distance of the run from its reference, at the end or at the reference's times up to it.
pub(super) fn distance(case: &Case, at_end: bool) -> Result<f64, String> {
    let name = &case.scenario.name;
    let reference = REFERENCES.iter().find(|reference| reference.scenario == name);
    let reference = reference.ok_or_else(|| format!("there is no reference solution for {name}"))?;
    let time = column(case, "time_s")?;
    let end = case.outcome.sim_time;
    let times: Vec<f64> = match at_end {
        true => vec![end],
        false => reference.times.iter().copied().filter(|t| *t <= end + 1e-9).collect(),
    };
    if times.is_empty() {
        return Err(format!("{name} ends before the first time of its reference"));
    }
    let columns: Vec<Vec<f64>> =
        reference.columns.iter().map(|name| column(case, name)).collect::<Result<_, _>>()?;
    let mut most: f64 = 0.0;
    for (t, wanted) in times.iter().zip((reference.solve)(&times)) {
        let row = time.iter().position(|row| (row - t).abs() < 1e-9);
        let row = row.ok_or_else(|| format!("{name} has no row at {t} s"))?;
        for (column, wanted) in columns.iter().zip(wanted) {
            most = larger(most, (column[row] - wanted).abs());
        }
    }
    Ok(most)
}
