//! Bodies that deform: moved as a rigid body they are the rigid body; what pushes them adds up, and does the
//! work that is booked.

use super::*;
use touchdown_geometry::TriangleMesh;
use touchdown_math::Mat6;

const CELLS: usize = 6;
const SIDE: f64 = 0.1;

/// A square sheet of triangles that looks down, in its own frame.
fn sheet() -> TriangleMesh {
    let at = |k: usize| SIDE * (k as f64 / CELLS as f64 - 0.5);
    let vertices = (0..=CELLS).flat_map(|i| (0..=CELLS).map(move |j| Vec3::new(at(i), at(j), 0.0))).collect();
    let corner = |i: usize, j: usize| (i * (CELLS + 1) + j) as u32;
    let cells = (0..CELLS).flat_map(|i| (0..CELLS).map(move |j| (i, j)));
    let triangles = cells
        .flat_map(|(i, j)| {
            let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
            [[a, c, b], [a, d, c]]
        })
        .collect();
    TriangleMesh { vertices, triangles }
}

/// Corners of the sheet as a rigid body at a motion.
fn rigid(motion: &SurfaceMotion) -> Vec<SurfaceCorner> {
    let normal = motion.X_WS.R * -Vec3::z();
    let at = |p: &Vec3| {
        let place = motion.X_WS.R * p;
        SurfaceCorner { place, velocity: motion.v_WS + motion.w_WS.cross(&place), normal }
    };
    sheet().vertices.iter().map(at).collect()
}

/// The sheet tilted, sinking and sliding. It does not turn: where a node lies beside it, the deforming sheet
/// moves as its nearest place does.
fn motion(t: f64) -> SurfaceMotion {
    let (v, w) = (Vec3::new(0.03, 0.01, -0.02), Vec3::zeros());
    let (s, c) = 0.05_f64.sin_cos();
    let R = Mat3::new(c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c);
    SurfaceMotion { X_WS: Pose { R, p: Vec3::new(0.0013, 0.0031, 0.001) + v * t }, v_WS: v, w_WS: w }
}

/// Positions of a deforming contact are in world axes.
fn seen(motion: &SurfaceMotion) -> SurfaceMotion {
    SurfaceMotion { X_WS: Pose { R: Mat3::identity(), p: motion.X_WS.p }, ..*motion }
}

fn bench(friction: FrictionLaw) -> Bench {
    let soil = SoilParameters { damping: 2e4, ..sand() };
    Bench::new(0.005, soil, SoilOptions { friction, ..full() }, &[])
}

/// A rigid motion of a deforming sheet does to the soil what the rigid sheet does, and the soil does the same
/// to it: forces, power, tangents, and all that is left behind.
#[test]
fn moved_rigidly_it_is_the_rigid_body() {
    for friction in [FrictionLaw::Coulomb { speed: 0.01 }, FrictionLaw::Janosi] {
        let surface = SoilSurface { shape: SoilShape::Mesh(sheet()), carried_layer: 0.001, bedded: false };
        let on = |body| Bench::on(bench(friction).soil, vec![body]);
        let mut one = on(SoilContact::new(&surface));
        let mut two = on(SoilContact::deforming(sheet(), 0.001));
        let h = 0.01;
        for k in 1..60 {
            let at = motion(h * f64::from(k));
            two.bodies[0].deform(&rigid(&at));
            let (a, b) = (one.step(h, &[at]), two.step(h, &[seen(&at)]));
            assert_eq!(a.nodes, b.nodes);
            assert!((a.wrench_C.f - b.wrench_C.f).norm() < 1e-9 * a.wrench_C.f.norm(), "{friction:?} {k}");
            assert!((a.dissipated_power - b.dissipated_power).abs() < 1e-9 * a.dissipated_power.abs());
        }
        for ((_, _, a), (_, _, b)) in one.heights(30).zip(two.heights(30)) {
            assert!((a - b).abs() < 1e-9, "{friction:?}: {a} {b}");
        }
        assert_eq!(two.soil.volume_error_relative(), 0.0);
    }
}

/// Pushes add up to the wrench's force, do the power that is booked, and change with a corner's velocity as
/// their slopes say.
#[test]
fn pushes_add_up_and_have_slopes() {
    for friction in [FrictionLaw::Coulomb { speed: 0.01 }, FrictionLaw::Janosi] {
        let mut bench = bench(friction);
        let mut body = SoilContact::deforming(sheet(), 0.0);
        let at = motion(0.2);
        // Not rigid: corners move on their own.
        let mut corners = rigid(&at);
        for (k, corner) in corners.iter_mut().enumerate() {
            let x = k as f64;
            corner.velocity += Vec3::new((0.7 * x).sin(), (1.3 * x).cos(), (0.3 * x).sin()) * 0.003;
            corner.place.z += 2e-4 * (0.9 * x).sin();
        }
        let weights = TangentWeights { q: 0.0, v: 1.0 };
        let mut evaluate = |corners: &[SurfaceCorner]| {
            body.deform(corners);
            let force = body.evaluate(
                (&bench.soil, &ContactState::default()),
                &seen(&at),
                0.01,
                Some((weights, &mut Mat6::zeros())),
            );
            (force, body.pushes().to_vec())
        };
        let (force, pushes) = evaluate(&corners);
        let sum: Vec3 = pushes.iter().map(|p| p.force).sum();
        assert!((sum - force.wrench_C.f).norm() < 1e-12 * sum.norm());
        let triangles = sheet().triangles;
        let velocity = |p: &NodePush| -> Vec3 {
            let triangle = triangles[p.triangle as usize];
            (0..3).map(|k| corners[triangle[k] as usize].velocity * p.share[k]).sum()
        };
        let power: f64 = -pushes.iter().map(|p| p.force.dot(&velocity(p))).sum::<f64>();
        assert!((power - force.dissipated_power).abs() < 1e-9 * power.abs(), "{power} {force:?}");
        let (corner, step) = (24u32, 1e-7);
        for axis in 0..3 {
            let mut moved = corners.clone();
            moved[corner as usize].velocity[axis] += step;
            let (after, _) = evaluate(&moved);
            let by_difference = (after.wrench_C.f - force.wrench_C.f) / step;
            let share = |p: &NodePush| -> f64 {
                let triangle = triangles[p.triangle as usize];
                (0..3).filter(|k| triangle[*k] == corner).map(|k| p.share[k]).sum()
            };
            let by_slope: Vec3 = pushes.iter().map(|p| p.slope.column(axis) * share(p)).sum();
            let error = (by_difference - by_slope).norm();
            // In a fresh contact anchors lie along the motion, where the slopes are exact.
            let bound = 1e-5;
            assert!(error < bound * by_slope.norm(), "{friction:?} {axis}: {by_difference} {by_slope}");
        }
        bench.t += 0.01;
    }
}
