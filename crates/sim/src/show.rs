//! What a picture of a world shows beside its frames: the geometry that touches (not the pretty one) and the ground around the start.

use crate::deform;
use crate::description::{
    ContactSide, FootContact, Ground, PolygonalContact, SmoothContact, SoilBody, Tyre, Visual,
};
pub use crate::forms::shape as form_shape;
use crate::world::World;
use touchdown_contact::soil::{Grousers, SoilShape};
use touchdown_geometry::surface::{HeightForm, HeightSurface};
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::rigid::{Cache, kinematics};

/// Colour of the geometry that touches.
const CONTACT_COLOUR: [f32; 4] = [0.93, 0.42, 0.13, 1.0];
/// Colour of booms.
const BOOM_COLOUR: [f32; 4] = [0.85, 0.78, 0.55, 1.0];
/// Nodes of a relief's sample along each side, at most.
const MOST_SAMPLES: f64 = 128.0;
/// Ground shown beyond the bodies at the start, m: always, for each second of the run (most rovers are slower than that), and at most.
const MARGIN: f64 = 3.0;
const MARGIN_PER_SECOND: f64 = 0.05;
const MARGIN_MAX: f64 = 12.0;
/// Finest sample of a rigid surface, m; its nodes along each side and its margin, at most: it does not change, and is sent once.
const SURFACE_SPACING: f64 = 0.01;
const SURFACE_SAMPLES: f64 = 256.0;
const SURFACE_MARGIN_MAX: f64 = 40.0;

/// A contact of the frames: its name and the body that it pushes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactName {
    /// Its name.
    pub name: String,
    /// Index in the mechanism's bodies; `None` if nobody knows.
    pub body: Option<usize>,
    /// Whether the body touches soil.
    pub soil: bool,
}

/// The ground as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundView {
    /// A rigid plane.
    Plane {
        /// A point of it, m.
        point: Vec3,
        /// Its unit normal, out of the ground.
        normal: Vec3,
    },
    /// A rigid surface.
    Relief {
        /// Its heights around the start.
        relief: ReliefSample,
    },
    /// Soil that deforms.
    Soil {
        /// Distance of its nodes, m.
        spacing: f64,
        /// Its undisturbed surface around the start.
        relief: ReliefSample,
    },
}

/// A coarse sample of the undisturbed ground. Its nodes are nodes of the soil, a power of two of them apart, and lie at whole multiples of
/// that, so that its cells and the patches of soil cover each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReliefSample {
    /// First node, m.
    pub x0: f64,
    /// First node, m.
    pub y0: f64,
    /// Distance of the nodes, m.
    pub spacing: f64,
    /// Nodes along x.
    pub nx: usize,
    /// Nodes along y.
    pub ny: usize,
    /// nx·ny heights, m, x fastest; not a number where there is no ground.
    pub heights: Vec<f32>,
}

impl World {
    /// The contacts in the order of a frame's: tyres, bodies in soil, smooth contacts, polygonal contacts, flexible bodies that touch, feet.
    pub fn contact_names(&self) -> Vec<ContactName> {
        let d = &self.description;
        let tyre = |t: &Tyre| ContactName { name: t.name.clone(), body: Some(t.body), soil: false };
        let body = |b: &SoilBody| ContactName { name: b.name.clone(), body: Some(b.body), soil: true };
        let smooth =
            |c: &SmoothContact| ContactName { name: c.name.clone(), body: Some(c.two.body), soil: false };
        let others = d.contacts.iter().map(smooth);
        let polygonal = d.polygonal.iter().map(|c| {
            let body = c.sides[usize::from(c.tells_reference)].body;
            ContactName { name: c.name.clone(), body, soil: false }
        });
        let flexible = d.flexible.iter().filter(|f| f.contact.is_some()).map(|f| ContactName {
            name: f.name.clone(),
            body: f.carrier.as_ref().map(|on| on.body),
            soil: false,
        });
        let feet = d.feet.iter().filter(|f| f.soil_body.is_none());
        let feet = feet.map(|f| ContactName { name: f.name.clone(), body: Some(f.body), soil: false });
        d.tyres
            .iter()
            .map(tyre)
            .chain(d.soil_bodies.iter().map(body))
            .chain(others)
            .chain(polygonal)
            .chain(flexible)
            .chain(feet)
            .collect()
    }

    /// The geometry of every contact, named after it.
    pub fn contact_forms(&self) -> Vec<Visual> {
        // Those that change come first: `World::deforming_forms`.
        let mut forms: Vec<Visual> = self.description.tyres.iter().map(tyre_form).collect();
        for (flexible, drawn) in self.description.flexible.iter().zip(self.drawn.iter()) {
            let (body, X_BG) = match &flexible.carrier {
                None => (None, flexible.X_WM),
                Some(on) => (Some(on.body), on.X_BM),
            };
            let shape = Shape::Mesh(drawn.mesh());
            forms.push(Visual { name: flexible.name.clone(), body, X_BG, shape, colour: CONTACT_COLOUR });
        }
        for (boom, tube) in self.description.booms.iter().zip(self.tubes.iter()) {
            let (body, X_BG) = (boom.root.body, boom.root.X_BF);
            let shape = Shape::Mesh(tube.clone());
            forms.push(Visual { name: boom.name.clone(), body, X_BG, shape, colour: BOOM_COLOUR });
        }
        let form = |contact: &PolygonalContact, k: usize, mesh: &TriangleMesh| {
            let (side, other) = (&contact.sides[k], (k == 1) != contact.tells_reference);
            Visual {
                name: format!("{}{}", contact.name, if other { "/other" } else { "" }),
                body: side.body,
                X_BG: side.X_BS,
                shape: Shape::Mesh(mesh.clone()),
                colour: CONTACT_COLOUR,
            }
        };
        let told = &self.description.polygonal;
        forms.extend(self.opening.iter().map(|opening| form(&told[opening.contact], 1, &opening.mesh)));
        for body in self.description.soil_bodies.iter().filter(|b| b.skin.is_none()) {
            forms.extend(soil_forms(body));
        }
        for contact in &self.description.contacts {
            forms.extend(contact.one.iter().map(|side| side_form(format!("{}/other", contact.name), side)));
            forms.push(side_form(contact.name.clone(), &contact.two));
        }
        for contact in told {
            for (k, side) in contact.sides.iter().enumerate() {
                let is_drawn = k == 1 && contact.opening.is_some();
                if side.body.is_some() && !side.mesh.triangles.is_empty() && !is_drawn {
                    forms.push(form(contact, k, &side.mesh));
                }
            }
        }
        // Those on a grid are bodies in soil.
        let feet = self.description.feet.iter().filter(|foot| foot.soil_body.is_none());
        forms.extend(feet.map(foot_form));
        forms
    }

    /// The ground around the bodies at the start.
    pub fn ground_view(&self) -> Option<GroundView> {
        Some(match self.description.ground.as_ref()? {
            Ground::Plane { point, normal } => GroundView::Plane { point: *point, normal: *normal },
            Ground::Surface(surface) => {
                let height = |x, y| surface.jet(x, y).ok().map(|jet| jet.z);
                let around = on_map(surface, self.surroundings(SURFACE_MARGIN_MAX));
                GroundView::Relief { relief: sample(height, SURFACE_SPACING, SURFACE_SAMPLES, around) }
            }
            Ground::Soil(ground) => {
                let height = |x, y| ground.relief.height(x, y);
                let relief = sample(height, ground.spacing, MOST_SAMPLES, self.surroundings(MARGIN_MAX));
                GroundView::Soil { spacing: ground.spacing, relief }
            }
        })
    }

    /// A box [x_min, x_max, y_min, y_max] around the bodies as given, with a margin, m. Does not change while the world runs.
    fn surroundings(&self, margin_max: f64) -> [f64; 4] {
        let model = &self.system.model;
        let mut cache = Cache::new(model);
        kinematics::update_positions(model, &model.q_initial, &mut cache);
        let mut around = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        for body in 0..model.bodies.len() {
            let p = kinematics::body_pose(model, &cache, body).p;
            around = [around[0].min(p.x), around[1].max(p.x), around[2].min(p.y), around[3].max(p.y)];
        }
        if !around.iter().all(|x| x.is_finite()) {
            around = [0.0; 4];
        }
        let margin = (MARGIN + MARGIN_PER_SECOND * self.description.duration).min(margin_max);
        [around[0] - margin, around[1] + margin, around[2] - margin, around[3] + margin]
    }
}

/// The part of a box that lies on the map, if there is one.
fn on_map(surface: &HeightSurface, around: [f64; 4]) -> [f64; 4] {
    let HeightForm::Map { raster, .. } = surface.form() else { return around };
    let ([x, y], spacing) = (raster.origin(), raster.spacing());
    let (east, north) =
        (x + spacing * (raster.columns() - 1) as f64, y + spacing * (raster.rows() - 1) as f64);
    let part = [around[0].max(x), around[1].min(east), around[2].max(y), around[3].min(north)];
    if part[0] < part[1] && part[2] < part[3] { part } else { around }
}

/// Samples heights over a box, at nodes a power of two of `finest` (m) apart: the soil has such nodes too.
fn sample(
    height: impl Fn(f64, f64) -> Option<f64>,
    finest: f64,
    most: f64,
    [x_min, x_max, y_min, y_max]: [f64; 4],
) -> ReliefSample {
    let size = (x_max - x_min).max(y_max - y_min);
    let mut spacing = finest;
    // One interval more than nodes fit between: the ends are moved outwards to whole multiples.
    while size / spacing > most - 3.0 {
        spacing *= 2.0;
    }
    let range = |from: f64, to: f64| {
        let first = (from / spacing).floor();
        (first * spacing, ((to / spacing).ceil() - first) as usize + 1)
    };
    let ((x0, nx), (y0, ny)) = (range(x_min, x_max), range(y_min, y_max));
    let place = |n: usize| (x0 + (n % nx) as f64 * spacing, y0 + (n / nx) as f64 * spacing);
    let height = |(x, y)| height(x, y).map_or(f32::NAN, |h| h as f32);
    ReliefSample { x0, y0, spacing, nx, ny, heights: (0..nx * ny).map(|n| height(place(n))).collect() }
}

fn tyre_form(tyre: &Tyre) -> Visual {
    Visual {
        name: tyre.name.clone(),
        body: Some(tyre.body),
        X_BG: tyre_frame(tyre),
        shape: Shape::Mesh(deform::tyre_mesh(tyre)),
        colour: CONTACT_COLOUR,
    }
}

/// Frame of a tyre's form in its body: its axis is z.
pub(crate) fn tyre_frame(tyre: &Tyre) -> Pose {
    Pose { R: z_onto(&tyre.axis), p: tyre.centre }
}

fn foot_form(foot: &FootContact) -> Visual {
    let (X_FG, shape) = foot.law.shape.form();
    Visual {
        name: foot.name.clone(),
        body: Some(foot.body),
        X_BG: foot.X_BF.compose(&X_FG),
        shape,
        colour: CONTACT_COLOUR,
    }
}

fn side_form(name: String, side: &ContactSide) -> Visual {
    Visual {
        name,
        body: Some(side.body),
        X_BG: side.X_BS,
        shape: form_shape(&side.form),
        colour: CONTACT_COLOUR,
    }
}

fn soil_forms(on: &SoilBody) -> Vec<Visual> {
    let form = |name: String, R_SG: Mat3, shape: Shape| Visual {
        name,
        body: Some(on.body),
        X_BG: on.X_BS.compose(&Pose { R: R_SG, p: Vec3::zeros() }),
        shape,
        colour: CONTACT_COLOUR,
    };
    match &on.surface.shape {
        SoilShape::Mesh(mesh) => vec![form(on.name.clone(), Mat3::identity(), Shape::Mesh(mesh.clone()))],
        SoilShape::Wheel { radius, width, grousers } => {
            let rim = Shape::Cylinder { radius: *radius, length: *width };
            let mut forms = vec![form(on.name.clone(), z_onto(&Vec3::y()), rim)];
            if let Some(g) = grousers.filter(|g| g.count > 0) {
                let bars = Shape::Mesh(bars(*radius, *width, &g));
                forms.push(form(format!("{}/grousers", on.name), Mat3::identity(), bars));
            }
            forms
        }
    }
}

/// Bars across the rim of a wheel about y, where the contact has them: the first points down.
fn bars(radius: f64, width: f64, g: &Grousers) -> TriangleMesh {
    // The foot of a flat bar ends on the round rim.
    let foot = (radius * radius - 0.25 * g.thickness * g.thickness).max(0.0).sqrt();
    let top = radius + g.height;
    let bar = Shape::Box { size: Vec3::new(g.thickness, width, top - foot) }.triangulate(3);
    let mut mesh = TriangleMesh::default();
    for k in 0..g.count {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / f64::from(g.count)).sin_cos();
        let first = mesh.vertices.len() as u32;
        // Along the rim, along the axle, inwards.
        let (along, inwards) = (Vec3::new(c, 0.0, s), Vec3::new(-s, 0.0, c));
        let middle = -0.5 * (foot + top) * inwards;
        mesh.vertices
            .extend(bar.vertices.iter().map(|p| middle + along * p.x + Vec3::y() * p.y + inwards * p.z));
        mesh.triangles.extend(bar.triangles.iter().map(|t| t.map(|n| first + n)));
    }
    mesh
}

/// Turns z, the axis of a cylinder, onto a unit vector.
fn z_onto(axis: &Vec3) -> Mat3 {
    let across = Vec3::z().cross(axis);
    let turn = if across.norm() > 0.0 { across.normalize() } else { Vec3::x() };
    rotation::about_axis(&turn, across.norm().atan2(axis.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_geometry::Relief;

    #[test]
    fn bars_stand_on_the_rim_where_the_contact_has_them() {
        // Volume of a closed mesh of boxes, outwards; the first bar's tip lies straight down at r + h; all lie between foot and tip.
        let g = Grousers { count: 12, height: 0.01, thickness: 0.004 };
        let mesh = bars(0.125, 0.1, &g);
        let foot = (0.125f64.powi(2) - 0.002f64.powi(2)).sqrt();
        let one = 0.004 * 0.1 * (0.135 - foot);
        assert!(mesh.is_closed());
        assert!((mesh.volume() / (12.0 * one) - 1.0).abs() < 1e-12, "{}", mesh.volume());
        let first = &mesh.vertices[..8];
        let lowest = first.iter().map(|p| p.z).fold(0.0, f64::min);
        assert!((lowest + 0.135).abs() < 1e-15);
        let corner = 0.135f64.hypot(0.002);
        assert!(mesh.vertices.iter().all(|p| {
            let r = p.x.hypot(p.z);
            p.y.abs() <= 0.05 && r > 0.125 - 1e-12 && r < corner + 1e-12
        }));
    }

    #[test]
    fn a_sample_lies_on_the_soils_nodes_and_covers_the_box() {
        // Spacing a power of two of the soil's, first node a whole multiple of it, at most 128 nodes, holes not a number.
        let relief = Relief::Plane { height: 1.0, gradient: [0.5, -0.25] };
        for size in [0.3, 2.0, 25.0] {
            let [x0, x1, y0, y1] = [-0.7 * size, 0.3 * size, 0.1, 0.1 + 0.5 * size];
            let s = sample(|x, y| relief.height(x, y), 0.01, MOST_SAMPLES, [x0, x1, y0, y1]);
            let doublings = (s.spacing / 0.01).log2();
            assert!((doublings - doublings.round()).abs() < 1e-12 && s.nx <= 128 && s.ny <= 128);
            let multiple = s.x0 / s.spacing;
            assert!((multiple - multiple.round()).abs() < 1e-9);
            let end = |from: f64, n: usize| from + (n - 1) as f64 * s.spacing;
            // But for the round-off of places.
            let (x_end, y_end) = (end(s.x0, s.nx) + 1e-12, end(s.y0, s.ny) + 1e-12);
            assert!(s.x0 <= x0 + 1e-12 && x_end >= x1 && s.y0 <= y0 + 1e-12 && y_end >= y1);
            assert_eq!(s.heights.len(), s.nx * s.ny);
            let last = 1.0 + 0.5 * end(s.x0, s.nx) - 0.25 * end(s.y0, s.ny);
            assert!((f64::from(s.heights[s.nx * s.ny - 1]) - last).abs() < 1e-6);
        }
    }
}
