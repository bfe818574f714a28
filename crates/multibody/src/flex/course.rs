//! The shell obstacle course: curved shells with published deflections, on n × n elements of a symmetric part. Tests and the study `shell-course` use it.
//!
//! # References
//! T. Belytschko, H. Stolarski, W. K. Liu, N. Carpenter, J. S.-J. Ong: Stress projection for membrane and shear locking in shell finite elements. Computer Methods in
//! Applied Mechanics and Engineering 51 (1985): the course. R. H. MacNeal, R. L. Harder: A proposed standard set of problems to test finite element accuracy. Finite
//! Elements in Analysis and Design 1 (1985): roof, hemisphere with a hole.

use super::FlexError;
use super::material::{Locking, Material};
use super::mesh::{Fix, FlexMesh, MeshBuilder, PlateElement};
use super::statics::{DeadLoad, Search, solve};
use std::f64::consts::PI;
use touchdown_math::{Elementary, Mat3, Vec3};

/// A shell of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// A cylinder whose ends keep their round form, pinched in the middle by two forces: an eighth of it.
    Cylinder,
    /// The roof of Scordelis and Lo under its weight, on stiff end walls: a quarter of it.
    Roof,
    /// A hemisphere with a hole of 18° around its pole, pulled and pressed at its equator: a quarter of it.
    Hemisphere,
}

/// Share of the published loads, small enough that the deflection is proportional to them.
const SHARE: f64 = 1e-3;

/// Sizes, material and load of a shell, in the units of its source.
struct Shell {
    radius: f64,
    thickness: f64,
    young: f64,
    poisson: f64,
    /// Ends of the first and of the second coordinate: angles, or a length.
    from: [f64; 2],
    to: [f64; 2],
}

/// A place of a shell with its tangents over the two coordinates.
type Place = (Vec3, [Vec3; 2]);

impl Course {
    /// Deflection in the source.
    pub fn published(self) -> f64 {
        match self {
            Course::Cylinder => 1.8248e-5,
            Course::Roof => 0.3024,
            Course::Hemisphere => 0.0940,
        }
    }

    fn shell(self) -> Shell {
        let (quarter, radian) = (0.5 * PI, PI / 180.0);
        match self {
            Course::Cylinder => Shell {
                radius: 300.0,
                thickness: 3.0,
                young: 3e6,
                poisson: 0.3,
                from: [0.0, 0.0],
                to: [quarter, 300.0],
            },
            Course::Roof => Shell {
                radius: 25.0,
                thickness: 0.25,
                young: 4.32e8,
                poisson: 0.0,
                from: [0.0, 0.0],
                to: [40.0 * radian, 25.0],
            },
            Course::Hemisphere => Shell {
                radius: 10.0,
                thickness: 0.04,
                young: 6.825e7,
                poisson: 0.3,
                from: [0.0, 0.0],
                to: [quarter, 72.0 * radian],
            },
        }
    }

    /// Place at (u, v): the cylinder's axis is y, its top z; the hemisphere's equator lies in the plane xy.
    fn place(self, radius: f64, [u, v]: [f64; 2]) -> Place {
        let ((sin_u, cos_u), (sin_v, cos_v)) = (u.sine_cosine(), v.sine_cosine());
        match self {
            Course::Cylinder | Course::Roof => {
                let out = Vec3::new(sin_u, 0.0, cos_u) * radius;
                (out + Vec3::y() * v, [Vec3::new(cos_u, 0.0, -sin_u) * radius, Vec3::y()])
            }
            Course::Hemisphere => (
                Vec3::new(cos_u * cos_v, sin_u * cos_v, sin_v) * radius,
                [
                    Vec3::new(-sin_u * cos_v, cos_u * cos_v, 0.0) * radius,
                    Vec3::new(-cos_u * sin_v, -sin_u * sin_v, cos_v) * radius,
                ],
            ),
        }
    }

    /// Deflection at the published place under the published load, on n × n elements.
    pub fn deflection(self, n: usize, locking: Locking) -> Result<f64, FlexError> {
        let shell = self.shell();
        let mut builder = MeshBuilder::new();
        let material =
            builder.material(Material { locking, ..Material::elastic(shell.young, shell.poisson, 1.0) });
        let step = [0, 1].map(|d| (shell.to[d] - shell.from[d]) / n as f64);
        let at =
            |i: usize, j: usize| [shell.from[0] + i as f64 * step[0], shell.from[1] + j as f64 * step[1]];
        // Tangents of an arc for which a cubic approximates a circle best; straight lines need no factor.
        let arc = |angle: f64| 4.0 * (0.25 * angle).tangent() / angle;
        let factor = [arc(step[0]), if self == Course::Hemisphere { arc(step[1]) } else { 1.0 }];
        let node = |i: usize, j: usize| i * (n + 1) + j;
        for i in 0..=n {
            for j in 0..=n {
                builder.node(self.place(shell.radius, at(i, j)).0);
            }
        }
        for i in 0..n {
            for j in 0..n {
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                let tangents = corners.map(|(k, l)| self.place(shell.radius, at(k, l)).1);
                let mean = |d: usize| 0.25 * step[d] * tangents.iter().map(|t| t[d].norm()).sum::<f64>();
                let sizes = [mean(0), mean(1), shell.thickness];
                let gradients = tangents.map(|t| {
                    let [x, y] = [0, 1].map(|d| t[d] * (step[d] / sizes[d] * factor[d]));
                    Mat3::from_columns(&[x, y, x.cross(&y).normalize()])
                });
                let nodes = corners.map(|(k, l)| node(k, l));
                builder.plate(PlateElement { nodes, sizes, gradients, material });
            }
        }
        self.support(&mut builder, n, node);
        let mut mesh = builder.build()?;
        let load = self.load(&mesh, n, node);
        let mut q = mesh.reference().to_vec();
        solve(&mut mesh, &mut q, &mut DeadLoad(load), &Search::default())?;
        let (target, direction) = self.watched(n, node);
        let moved = mesh.node_position(&q, target) - mesh.nodes()[target].position;
        Ok(moved.dot(&direction) / SHARE)
    }

    fn support(self, builder: &mut MeshBuilder, n: usize, node: impl Fn(usize, usize) -> usize) {
        // No displacement crosses a plane of symmetry with normal `a`, and components along `a` are decoupled
        // from the others.
        let mirror = |a: usize| {
            Fix::Components(std::array::from_fn(|k| {
                let (vector, c) = (k / 3, k % 3);
                if vector == 0 { c == a } else { (c == a) != (vector - 1 == a) }
            }))
        };
        // A wall across y holds the form of the edge, but not its tilt: x and z, and their changes along x
        // and z.
        let wall = Fix::Components(std::array::from_fn(|k| k % 3 != 1 && k / 3 != 2));
        let fix = Fix::Components(std::array::from_fn(|k| k == 2));
        for k in 0..=n {
            match self {
                Course::Cylinder => {
                    builder.fix(node(0, k), mirror(0));
                    builder.fix(node(n, k), mirror(2));
                    builder.fix(node(k, 0), mirror(1));
                    builder.fix(node(k, n), wall);
                }
                Course::Roof => {
                    builder.fix(node(0, k), mirror(0));
                    builder.fix(node(k, 0), mirror(1));
                    builder.fix(node(k, n), wall);
                }
                Course::Hemisphere => {
                    builder.fix(node(0, k), mirror(1));
                    builder.fix(node(n, k), mirror(0));
                }
            }
        }
        if self == Course::Hemisphere {
            // Free edges leave it free to move along its axis.
            builder.fix(node(0, 0), fix);
        }
    }

    /// Generalised forces of the load on the part.
    fn load(self, mesh: &FlexMesh, n: usize, node: impl Fn(usize, usize) -> usize) -> Vec<f64> {
        let mut force = vec![0.0; mesh.coordinates()];
        let mut push = |node: usize, component: usize, by: f64| {
            if let super::mesh::Slot::Free(i) = mesh.slot(node, 0, component) {
                force[i] += by * SHARE;
            }
        };
        match self {
            // An eighth of the cylinder carries a quarter of the force.
            Course::Cylinder => push(node(0, 0), 2, -0.25),
            Course::Hemisphere => {
                push(node(0, 0), 0, 1.0);
                push(node(n, 0), 1, -1.0);
            }
            // 90 per area of the roof: its density is one, its thickness makes the rest.
            Course::Roof => mesh.add_gravity(&(Vec3::z() * (-90.0 / 0.25 * SHARE)), &mut force),
        }
        force
    }

    /// Node and direction of the published deflection.
    fn watched(self, n: usize, node: impl Fn(usize, usize) -> usize) -> (usize, Vec3) {
        match self {
            Course::Cylinder => (node(0, 0), -Vec3::z()),
            Course::Roof => (node(n, 0), -Vec3::z()),
            Course::Hemisphere => (node(0, 0), Vec3::x()),
        }
    }
}
