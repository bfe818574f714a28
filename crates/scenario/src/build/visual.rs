//! Appearance of bodies: primitives and STL meshes; tyres, wheels and chains are drawn automatically.

use super::Builder;
use super::contact::place_in_body;
use super::tree::turned;
use super::wheel::drawn;
use crate::mesh;
use crate::read::Text;
use crate::table::{FormKeys, VisualKeys};
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_multibody::description::{Attachment, ElementKind};
use touchdown_sim::description::Visual;

/// Colour of tyres and of bodies in soil.
const TYRE_COLOUR: [f32; 4] = [0.25, 0.25, 0.28, 1.0];

/// Colour of bodies in smooth contact.
const CONTACT_COLOUR: [f32; 4] = [0.80, 0.45, 0.20, 1.0];

/// Colour of contact geometry that is fixed in the world.
const FIXED_COLOUR: [f32; 4] = [0.62, 0.64, 0.68, 0.55];

/// Colour of the ends of springs.
const SPRING_COLOUR: [f32; 4] = [0.72, 0.74, 0.77, 1.0];

/// Radius of a mark relative to the spring's length at rest, and its bounds, m. The coil is 2.2 times as
/// wide.
const MARK_OVER_LENGTH: f64 = 0.012;
const SMALLEST_MARK: f64 = 0.002;
const LARGEST_MARK: f64 = 0.03;

/// Whether two attachments are the same point of the same body.
fn same_place(one: &Attachment, other: &Attachment) -> bool {
    one.body == other.body && one.X_BF.p == other.X_BF.p
}

impl Builder<'_> {
    /// Visuals of every scope, and a form for each tyre and each body in soil.
    pub fn collect_visuals(&mut self) {
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.visual {
                let name = format!("{prefix}{}", named.name);
                self.remember("visual", &name, named);
                let visual = named.keys.as_ref().and_then(|keys| self.visual(s, name, keys));
                self.visuals.extend(visual);
            }
        }
        for tyre in &self.tyres {
            let X_BG = Pose { R: rotation::onto(&Vec3::z(), &tyre.axis), p: tyre.centre };
            let shape = Shape::Cylinder { radius: tyre.law.radius, length: tyre.law.width };
            let name = format!("tyre/{}", tyre.name);
            self.visuals.push(Visual { name, body: Some(tyre.body), X_BG, shape, colour: TYRE_COLOUR });
        }
        // Flexible bodies are drawn in their deformed shape.
        for touching in self.soil_bodies.iter().filter(|b| b.skin.is_none()) {
            let (shape, R_SG) = drawn(&touching.surface.shape);
            let X_BG = touching.X_BS.compose(&Pose { R: R_SG, p: Vec3::zeros() });
            let name = format!("soil/{}", touching.name);
            self.visuals.push(Visual { name, body: Some(touching.body), X_BG, shape, colour: TYRE_COLOUR });
        }
        self.draw_contacts();
        self.mark_springs();
    }

    /// Two small balls at the ends of each spring; the 3-D page draws a coil between them. Of several springs
    /// between the same points, one is drawn.
    fn mark_springs(&mut self) {
        let mut seen: Vec<[&Attachment; 2]> = Vec::new();
        let mut marks = Vec::new();
        for element in &self.mechanism.elements {
            let ElementKind::Spring { a, b, rest_length, .. } = &element.kind else { continue };
            if seen.iter().any(|ends| same_place(ends[0], a) && same_place(ends[1], b)) {
                continue;
            }
            seen.push([a, b]);
            let radius = (MARK_OVER_LENGTH * rest_length).clamp(SMALLEST_MARK, LARGEST_MARK);
            marks.extend([("from", a), ("to", b)].map(|(end, at)| Visual {
                name: format!("spring/{}/{end}", element.name),
                body: at.body,
                X_BG: at.X_BF,
                shape: Shape::Sphere { radius },
                colour: SPRING_COLOUR,
            }));
        }
        self.visuals.extend(marks);
    }

    /// A form for each side of a smooth contact whose body has none.
    fn draw_contacts(&mut self) {
        let drawn: Vec<Option<usize>> = self.visuals.iter().map(|v| v.body).collect();
        for contact in &self.polygonal {
            for (k, side) in contact.sides.iter().enumerate() {
                let is_drawn = side.body.is_some() && drawn.contains(&side.body);
                if !is_drawn && !side.mesh.triangles.is_empty() {
                    let name = format!("polygonal/{}/{}", contact.name, ["faces", "reference"][k]);
                    let (body, X_BG, shape) = (side.body, side.X_BS, Shape::Mesh(side.mesh.clone()));
                    let colour = if side.body.is_some() { CONTACT_COLOUR } else { FIXED_COLOUR };
                    self.visuals.push(Visual { name, body, X_BG, shape, colour });
                }
            }
        }
        for contact in &self.contacts {
            let sides = contact.one.iter().map(|side| (format!("contact/{}/other", contact.name), side));
            for (name, side) in sides.chain([(format!("contact/{}", contact.name), &contact.two)]) {
                if !drawn.contains(&Some(side.body)) {
                    let (body, X_BG, shape) =
                        (Some(side.body), side.X_BS, touchdown_sim::show::form_shape(&side.form));
                    self.visuals.push(Visual { name, body, X_BG, shape, colour: CONTACT_COLOUR });
                }
            }
        }
    }

    fn visual(&mut self, scope: usize, name: String, keys: &VisualKeys) -> Option<Visual> {
        let at = self.body_point(scope, &place_in_body!(keys, VisualKeys));
        let shape = self.form(&keys.form)?;
        let part = |i: usize| keys.colour.get(i).map_or(1.0, |c| *c as f32);
        let at = at?;
        Some(Visual {
            name,
            body: at.body,
            X_BG: Pose { R: turned(&keys.turn), p: at.X_BF.p },
            shape,
            colour: [part(0), part(1), part(2), part(3)],
        })
    }

    /// The single form that the keys give.
    pub fn form(&mut self, keys: &FormKeys) -> Option<Shape> {
        let forms = [
            (FormKeys::cuboid.name(), keys.cuboid.map(Form::Box)),
            (FormKeys::cylinder.name(), keys.cylinder.map(Form::Cylinder)),
            (FormKeys::sphere.name(), keys.sphere.map(Form::Sphere)),
            (FormKeys::mesh.name(), keys.mesh.as_ref().map(Form::Mesh)),
        ];
        Some(match self.one_given(&keys.here, "must be one form", forms)? {
            Form::Box(size) => Shape::Box { size },
            Form::Cylinder([radius, length]) => Shape::Cylinder { radius, length },
            Form::Sphere(radius) => Shape::Sphere { radius },
            Form::Mesh(file) => Shape::Mesh(self.mesh_file(file, &keys.scale)?),
        })
    }

    /// The triangles of a mesh file, in metres; the scale is one number or three.
    pub fn mesh_file(&mut self, file: &Text, scale: &[f64]) -> Option<TriangleMesh> {
        let scale = match scale {
            [x, y, z] => Vec3::new(*x, *y, *z),
            _ => Vec3::repeat(*scale.first()?),
        };
        let bytes = self.library.open(file.loc.source, file).map_err(|e| e.message);
        match bytes.and_then(|(bytes, _)| mesh::read(&bytes, file, &scale)) {
            Ok(mesh) => Some(mesh),
            Err(why) => {
                self.issues.at(file.loc, &file.path, "cannot be read").found(format!("\"{file}\": {why}"));
                None
            }
        }
    }
}

/// A form according to its keys.
enum Form<'k> {
    Box(Vec3),
    Cylinder([f64; 2]),
    Sphere(f64),
    Mesh(&'k Text),
}
