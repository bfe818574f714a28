//! Feet under the explicit integrator: dropped, they stop, hold their load, and the energy ledger balances.

use std::convert::Infallible;
use touchdown_contact::foot::*;
use touchdown_contact::law::hunt_crossley::HuntCrossley;
use touchdown_contact::law::shear::Mobilisation;
use touchdown_contact::law::sinkage::PressureLaw;
use touchdown_solve::explicit::{Control, Explicit, Ode};

struct Fall {
    foot: Foot,
    mass: f64,
    load: f64,
}

impl Fall {
    fn force(&self, y: &[f64]) -> FootForce {
        let mut motion = SurfaceMotion {
            X_WS: touchdown_math::Pose::identity(),
            v_WS: touchdown_math::Vec3::new(0.0, 0.0, -y[1]),
            w_WS: touchdown_math::Vec3::zeros(),
        };
        motion.X_WS.p.z = self.foot.params().shape.round().unwrap_or(0.0) - y[0];
        let ground = GroundPlane { point: touchdown_math::Vec3::zeros(), normal: touchdown_math::Vec3::z() };
        self.foot.calc_force(&motion, &ground, &[y[2], y[3], 0.0, 0.0, 0.0])
    }

    fn energy(&self, y: &[f64]) -> f64 {
        0.5 * self.mass * y[1] * y[1] - self.load * y[0] + self.force(y).elastic_energy + y[4]
    }
}

impl Ode for Fall {
    type Error = Infallible;

    fn dim(&self) -> usize {
        5
    }

    /// Depth, its rate, pressed sinkage, spring, heat.
    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        let f = self.force(y);
        dy[0] = y[1];
        dy[1] = (self.load - f.normal_force) / self.mass;
        dy[2] = f.state_rate[0];
        dy[3] = f.state_rate[1];
        dy[4] = f.dissipated_power;
        Ok(())
    }

    fn project(&mut self, _: f64, _: &mut [f64]) -> Result<(), Infallible> {
        Ok(())
    }

    fn scales(&self) -> &[f64] {
        &[1e-3, 1e-2, 1e-3, 1e-3, 1e-2]
    }

    fn event_count(&self) -> usize {
        3
    }

    /// The rate turns, the sole leaves the bottom of its footprint, soil begins or ceases to yield.
    fn events(&mut self, _: f64, y: &[f64], out: &mut [f64]) -> Result<(), Infallible> {
        let FootGround::Soil(soil) = self.foot.params().ground else {
            out.copy_from_slice(&[y[1], y[0], 1.0]);
            return Ok(());
        };
        let (depth, rate) = (y[0] - y[3], y[1] - self.force(y).state_rate[1]);
        out.copy_from_slice(&[
            y[1],
            depth - (1.0 - soil.recovery) * y[2],
            depth + soil.relaxation * rate - y[2],
        ]);
        Ok(())
    }
}

fn foot(shape: FootShape, spring: Option<HuntCrossley>, damping: f64) -> Foot {
    Foot::new(FootParameters {
        shape,
        spring,
        ground: FootGround::Soil(FootSoil {
            law: PressureLaw::Bekker { cohesive: 990.0, frictional: 1_528_430.0 },
            exponent: 1.1,
            cohesion: 1040.0,
            friction_angle: 28f64.to_radians(),
            shear_length: 0.025,
            model: FootModel::Exact,
            stress: Stress::Symmetric,
            damping: HuntCrossley { k: 0.0, n: 1.0, b: damping, p: 0.096, q: 0.75 },
            recovery: 1e-3,
            relaxation: 5e-3,
        }),
        curve: Mobilisation::Janosi,
        tangential_stiffness: 2e4,
        tangential_relaxation: 1e-4,
    })
    .expect("valid parameters")
}

/// Energy of a drop balances to 1e-6 of what fell; the foot ends at rest under its load, deeper than its static sinkage, and hardly above its deepest point.
#[test]
fn a_drop_closes_its_books() {
    let ball = FootShape::Spherical { radius: 0.06 };
    let plate = FootShape::FlatRectangular { width: 0.06, length: 0.1 };
    let spring = HuntCrossley { k: 11_945.0, n: 1.0, b: 398.21, p: 0.25, q: 0.76 };
    for (foot, springy) in [
        (foot(ball, None, 0.0), false),
        (foot(plate, None, 100.0), false),
        (foot(ball, Some(spring), 0.0), true),
    ] {
        let mut fall = Fall { foot, mass: 25.0, load: 250.0 };
        let (mut t, mut y) = (0.0, [0.0, 0.31, 0.0, 0.0, 0.0]);
        let start = fall.energy(&y);
        let control = Control::Adaptive { relative: 1e-9, absolute: 1e-9, longest: 0.01 };
        let mut solver = Explicit::new(5, 3, control);
        let end = if springy { 4.0 } else { 1.0 };
        let mut memory = solver.start(&mut fall, t, &y, end).expect("a start");
        let (mut steps, mut deepest) = (0, 0.0f64);
        while t < end {
            solver.step(&mut fall, &mut memory, &mut t, &mut y, end).expect("a step");
            deepest = deepest.max(y[0] - y[3]);
            steps += 1;
        }
        let fell = 0.5 * 25.0 * 0.31 * 0.31 + 250.0 * y[0];
        let residual = (fall.energy(&y) - start).abs() / fell;
        println!(
            "{steps} steps, residual {residual:.1e}, sole {} deepest {deepest}, force {}",
            y[0] - y[3],
            fall.force(&y).normal_force
        );
        assert!(residual < 1e-6, "{residual}");
        assert!((fall.force(&y).normal_force / 250.0 - 1.0).abs() < if springy { 1e-2 } else { 1e-6 });
        assert!(deepest - (y[0] - y[3]) < 1e-3 * deepest);
        assert!(y[2] > fall.foot.bearing().expect("soil").sinkage(250.0));
    }
}
