//! Forms: plates against Bekker, wheels as meshes, soils of regions, ground that is not there.

use super::*;
use touchdown_oracle::soil::plate::{bekker_plate_sinkage, width_from_perimeter, width_short_side};

/// A plate pressed to the depth at which Bekker carries 100 N carries 100 N, with each rule of the width:
/// exactly when its edges lie midway between nodes, and shifted by any part of a cell, because a cell counts
/// with what is covered of it.
#[test]
fn plates_carry_what_bekker_says() {
    for (a, b) in [(0.1, 0.1), (0.05, 0.2)] {
        let short = width_short_side(a, b);
        let perimeter = width_from_perimeter(a * b, 2.0 * (a + b));
        let rules = [
            (BekkerWidth::Given(0.1), 0.1),
            (BekkerWidth::Footprint, short),
            (BekkerWidth::Perimeter, perimeter),
        ];
        for (rule, width) in rules {
            let options = SoilOptions { width: rule, ..bare() };
            let sinkage = bekker_plate_sinkage(2370.0, 60_300.0, 0.63, 100.0, a * b, width);
            for shift in [0.0, 0.0023, 0.005, 0.0071] {
                let mut bench = Bench::new(0.01, sand(), options, &[plate(a, b)]);
                // Edges midway: an even number of cells about a place midway between nodes, an odd number
                // about a node.
                let even = |size: f64| if (size / 0.01).round() as i64 % 2 == 0 { 0.005 } else { 0.0 };
                let p = Vec3::new(even(a) + shift, even(b) - 0.6 * shift, 0.01 - sinkage);
                let force = bench.look(&sliding(p, Vec3::zeros())).wrench_C;
                let error = force.f.z / 100.0 - 1.0;
                println!("{a} x {b}, {rule:?}, shifted {shift}: {error:+.1e}");
                assert!(error.abs() < 1e-9);
                // Without a shift it also acts in the middle.
                assert!(shift > 0.0 || force.t.norm() < 1e-9);
            }
        }
    }
}

/// A wheel given as a mesh of 400 facets around feels what the wheel itself feels, at any yaw: facets stand
/// back by r(1 − cos(π/400)) = 4 µm,
/// 1e-4 of the sinkage. When it leans, the flat side of the mesh pushes too and that of the wheel does not: a
/// tenth of the force at 0.1 rad, which is why bodies that lean much should be meshes.
#[test]
fn wheels_as_meshes_agree_with_upright_wheels() {
    let mut mesh = Shape::Cylinder { radius: RADIUS, length: WIDTH }.triangulate(400);
    mesh.vertices.iter_mut().for_each(|p| *p = Vec3::new(p.x, -p.z, p.y));
    let as_mesh = SoilSurface { shape: SoilShape::Mesh(mesh), carried_layer: 0.0, bedded: false };
    for (yaw, camber, apart) in [(0.0, 0.0, 5e-4), (0.5, 0.0, 5e-4), (1.2, 0.1, 0.2f64)] {
        let lean = touchdown_math::Quat::from_scaled_axis(Vec3::x() * camber).to_rotation_matrix();
        let R = turned(yaw) * lean.matrix();
        let motion = SurfaceMotion {
            X_WS: Pose { R, p: Vec3::new(0.0013, 0.0031, RADIUS - 0.03) },
            v_WS: R * Vec3::x() * SPEED,
            w_WS: R * Vec3::y() * 0.3,
        };
        let forces = [smooth_wheel(), as_mesh.clone()].map(|surface| {
            let mut bench = Bench::new(0.00625, sand(), full(), &[surface]);
            bench.look(&motion).wrench_C
        });
        let force = (forces[0].f - forces[1].f).norm() / forces[0].f.z;
        let torque = (forces[0].t - forces[1].t).norm() / (forces[0].f.z * RADIUS);
        println!("yaw {yaw}, camber {camber}: force {force:.1e}, torque {torque:.1e} apart");
        assert!(force < apart && torque < apart);
    }
}

/// Bars press deeper than the rim: by their volume, whatever their place over the cells.
#[test]
fn grousers_carry_and_turn_smoothly() {
    let bars = Grousers { count: 12, height: 0.01, thickness: 0.004 };
    let shape = SoilShape::Wheel { radius: RADIUS, width: WIDTH, grousers: Some(bars) };
    let surface = SoilSurface { shape, carried_layer: 0.01, bedded: false };
    let load = |surface: &SoilSurface, angle: f64| {
        let mut bench = Bench::new(0.005, sand(), bare(), std::slice::from_ref(surface));
        let mut motion = rolling(0.0, Vec3::new(0.0011, 0.0, RADIUS - 0.02), 0.0, 0.0);
        motion.X_WS.R =
            *touchdown_math::Quat::from_scaled_axis(Vec3::y() * angle).to_rotation_matrix().matrix();
        bench.look(&motion).wrench_C.f.z
    };
    let smooth = load(&smooth_wheel(), 0.0);
    let turn = std::f64::consts::TAU / 12.0;
    let loads: Vec<f64> = (0..=240).map(|k| load(&surface, turn * f64::from(k) / 240.0)).collect();
    let least = loads.iter().copied().fold(f64::INFINITY, f64::min);
    // A turn by 1/240 of a pitch moves a bar by 0.27 mm, 1/18 of a cell: its share changes by as much, never
    // at once.
    let jump = loads.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
    println!("smooth {smooth:.1} N; bars at least {least:.1} N, steps of at most {jump:.2} N");
    assert!(least > smooth && jump < 0.05 * smooth);
    // One pitch further it looks the same.
    assert!((loads[0] - loads[240]).abs() < 1e-9 * loads[0]);
}

/// A region of another soil carries with its own numbers: a plate half on each feels the mean of both.
#[test]
fn regions_have_their_own_soil() {
    let firm = SoilParameters { law: PressureLaw::Bekker { cohesive: 0.0, frictional: 1e6 }, ..sand() };
    let region = Region { from: [0.0, -1.0], to: [1.0, 1.0], soil: 1 };
    let soil = Soil::new(flat(), 0.01, vec![sand(), firm], vec![region], bare());
    let mut body = SoilContact::new(&plate(0.1, 0.1));
    // Nodes from 0 on are firm: the border of the two soils lies half a cell before.
    let force = body.evaluate(
        (&soil, &ContactState::default()),
        &sliding(Vec3::new(-0.005, 0.005, 0.0), Vec3::zeros()),
        0.0,
        None,
    );
    let mean = 0.5 * (84_000.0 + 1e6) * 0.01f64.powf(0.63);
    assert!((force.wrench_C.f.z / (mean * 0.01) - 1.0).abs() < 1e-12);
}

/// Beyond the edge of a map there is no ground: the body reports the place, carries nothing there, and
/// nothing panics when the step is accepted.
#[test]
fn missing_ground_is_reported() {
    let map = touchdown_geometry::Raster::new([0.0, 0.0], 0.1, 11, 11, vec![0.0; 121]).unwrap();
    let soil = || Soil::new(Relief::Raster(map.clone()), 0.01, vec![sand()], vec![], full());
    let inside = sliding(Vec3::new(0.5, 0.5, RADIUS - 0.02), Vec3::zeros());
    let over_the_edge = sliding(Vec3::new(0.98, 0.5, RADIUS - 0.02), Vec3::zeros());
    let off = sliding(Vec3::new(1.2, 0.5, RADIUS - 0.02), Vec3::zeros());
    let mut bench = Bench::on(soil(), vec![SoilContact::new(&smooth_wheel())]);
    assert_eq!(bench.step(0.01, &[inside]).missing, None);
    let force = bench.step(0.01, &[over_the_edge]);
    assert!(force.missing.is_some_and(|[x, _]| x > 1.0) && force.wrench_C.f.z > 0.0);
    let saved = bench.state();
    let force = bench.step(0.01, &[off]);
    assert!(force.missing == Some([1.2, 0.5]) && force.wrench_C == Wrench::default());
    assert_eq!(bench.soil.volume_error_relative(), 0.0);
    // The same from a restart, whose body has evaluated nothing yet.
    let mut again = Bench { t: bench.t, ..Bench::on(soil(), vec![SoilContact::new(&smooth_wheel())]) };
    again.restore(saved);
    assert_eq!(again.step(0.01, &[off]).missing, Some([1.2, 0.5]));
    assert_eq!(again.soil.volume_error_relative(), 0.0);
}

/// Whatever the attitude and the place in the grid, every node that carries has its four neighbours in the
/// window: the ends of the contact need them.
#[test]
fn nodes_that_carry_have_neighbours() {
    let mut mesh = Shape::Cylinder { radius: RADIUS, length: WIDTH }.triangulate(24);
    mesh.vertices.iter_mut().for_each(|p| *p = Vec3::new(p.x, -p.z, p.y));
    let bars = Grousers { count: 12, height: 0.01, thickness: 0.004 };
    let shapes = [
        SoilShape::Wheel { radius: RADIUS, width: WIDTH, grousers: None },
        SoilShape::Wheel { radius: RADIUS, width: WIDTH, grousers: Some(bars) },
        SoilShape::Mesh(mesh),
    ];
    for shape in shapes {
        let surface = SoilSurface { shape, carried_layer: 0.0, bedded: false };
        let mut bench = Bench::new(0.01, sand(), bare(), &[surface]);
        for k in 0..600 {
            // Irrational steps visit all phases.
            let part = |step: f64| (f64::from(k) * step).fract();
            let (yaw, camber) = (6.3 * part(0.618), 0.6 * part(0.414) - 0.3);
            let lean = touchdown_math::Quat::from_scaled_axis(Vec3::x() * camber).to_rotation_matrix();
            let mut motion = rolling(yaw, Vec3::zeros(), 0.0, 0.0);
            motion.X_WS.R *= lean.matrix();
            motion.X_WS.p = Vec3::new(0.01 * part(0.732), 0.01 * part(0.236), RADIUS - 0.06 * part(0.317));
            bench.look(&motion);
            let body = &bench.bodies[0];
            let (nx, ny) = (body.columns.nx, body.columns.ny);
            for touch in &body.touches {
                let (i, j) = (touch.cell as usize % nx, touch.cell as usize / nx);
                assert!(0 < i && i + 1 < nx && 0 < j && j + 1 < ny, "{k}: node {i}, {j} of {nx} x {ny}");
            }
        }
    }
}

/// On a slope, sinkage is the depth along the normal, in whichever direction the slope rises: r − d for a
/// wheel whose centre is d from the plane.
#[test]
fn sinkage_is_measured_along_the_normal() {
    for (along_x, along_y) in [(0.0, 0.0), (0.3, 0.0), (-0.2, 0.1)] {
        let relief = Relief::Plane { height: 0.4, gradient: [along_x, along_y] };
        let soil = Soil::new(relief.clone(), 0.01, vec![sand()], vec![], bare());
        let mut bench = Bench::on(soil, vec![SoilContact::new(&smooth_wheel())]);
        let (normal, _) = relief.over(&Vec3::zeros()).expect("a plane has no edge");
        // The axle in the plane: no camber.
        let axle = normal.cross(&Vec3::x()).normalize();
        let R = Mat3::from_columns(&[axle.cross(&normal), axle, normal]);
        let depth = 0.02;
        let p = Vec3::new(0.0, 0.0, 0.4) + normal * (RADIUS - depth);
        let force = bench.look(&SurfaceMotion::at_rest(Pose { R, p }));
        assert!((force.sinkage - depth).abs() < 1e-14, "{} {depth}", force.sinkage);
    }
}
