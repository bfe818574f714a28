//! Docking hardware: nozzle, capture tool and brackets become polygonal contacts.
//!
//! The side that touches along a narrow line carries the faces, or meets fine ones. Bolt and shoulder carry
//! theirs; the nozzle carries cone and throat for the crown, whose section changes; pads carry a grid that is
//! fine across the ring's line.

use super::Builder;
use crate::read::{Record, Text, Value};
use crate::table::{BracketsKeys, CaptureToolKeys, FrictionWord, LayerKeys, NozzleKeys, ScenarioKeys};
use crate::unit::{AREAL_STIFFNESS, NUMBER};
use std::sync::Arc;
use touchdown_contact::polygonal::{Faces, Friction, Layer, PairLaw, RevolutionPair};
use touchdown_geometry::TriangleMesh;
use touchdown_geometry::revolution::{Path, Resolution, Section, Side};
use touchdown_math::{Elementary, Pose, Vec3, rotation};
use touchdown_multibody::description::{Attachment, BodyRef};
use touchdown_sim::description::{Capture, Opening, PolygonalContact, PolygonalPair, PolygonalSide};
use touchdown_sim::figure::{CaptureSections, CrownSection};
use touchdown_spacecraft::capture::{Bolt, CaptureTool, Crown, Shoulder};
use touchdown_spacecraft::nozzle::Nozzle;

/// Corners around drawn forms.
const DRAWN: u32 = 64;
/// Deeper points are behind the wall, not in it, m.
const DEPTH_MAX: f64 = 5e-3;
/// Distance of approach in one adaptive step, m: less than the thickness of a wire.
const THRESHOLD: f64 = 1e-3;
/// Distance between rings along straight parts without line contact, m.
const COARSE: f64 = 5e-3;

/// Lean over which the place where a leaning shoulder touches counts as linear, rad: 2°, where the tool reaches the throat at all.
const USUAL_LEAN: f64 = 0.035;

/// Fills in values that follow from other keys.
pub(crate) fn fill_capture(record: &mut Record) {
    record.map_mut(ScenarioKeys::nozzle).iter_mut().for_each(|named| {
        named.record.table_mut(NozzleKeys::layer).into_iter().for_each(fill_layer);
    });
    record.map_mut(ScenarioKeys::brackets).iter_mut().for_each(|named| {
        named.record.table_mut(BracketsKeys::layer).into_iter().for_each(fill_layer);
    });
}

fn fill_layer(layer: &mut Record) {
    if let Some(stiffness) = layer.get(LayerKeys::stiffness) {
        layer.fill(LayerKeys::tangential_stiffness, Value::Number(0.5 * stiffness, &AREAL_STIFFNESS));
    }
    if let Some(friction) = layer.get(LayerKeys::friction) {
        layer.fill(LayerKeys::friction_min, Value::Number(friction, &NUMBER));
    }
}

/// The shoulder of a capture tool.
pub(crate) struct CaptureShoulder {
    /// Name of the tool.
    pub capture: String,
    pub form: Shoulder,
    /// How much earlier it touches its nozzle for each unit of the sine of the tool's lean, m.
    pub early_per_lean: f64,
}

/// A nozzle in its body.
struct PlacedNozzle {
    body: BodyRef,
    X_BN: Pose,
    form: Nozzle,
    law: PairLaw,
}

/// One side of a contact under construction.
#[derive(Clone)]
struct Placed {
    body: BodyRef,
    X_BS: Pose,
    mesh: TriangleMesh,
}

impl Placed {
    fn side(self) -> PolygonalSide {
        PolygonalSide { body: self.body, X_BS: self.X_BS, mesh: self.mesh }
    }
}

impl Builder<'_> {
    /// Capture tools and brackets of the scenario.
    pub fn collect_capture(&mut self) {
        for named in &self.root.capture_tool {
            self.remember("capture_tool", &named.name, named);
            named.keys.as_ref().and_then(|keys| self.capture_tool(&named.name, keys));
        }
        for named in &self.root.brackets {
            self.remember("brackets", &named.name, named);
            named.keys.as_ref().and_then(|keys| self.brackets(&named.name, keys));
        }
    }

    fn nozzle(&mut self, name: &Text) -> Option<PlacedNozzle> {
        let nozzles = &self.root.nozzle;
        let Some(named) = nozzles.iter().find(|n| n.name == **name) else {
            let names: Vec<&str> = nozzles.iter().map(|n| n.name.as_str()).collect();
            self.issues
                .at(name.loc, &name.path, "is no nozzle of this scenario")
                .found(format!("\"{name}\""))
                .allowed(names.join(", "));
            return None;
        };
        let keys = named.keys.as_ref()?;
        let form = Nozzle {
            throat_radius: keys.throat_radius,
            exit_radius: keys.exit_radius,
            throat_arc_radius: keys.throat_arc_radius,
            convergence: keys.convergence,
            divergence_start: keys.divergence_start,
            divergence_end: keys.divergence_end,
            bell_length: keys.bell_length,
            chamber_radius: keys.chamber_radius,
            chamber_length: keys.chamber_length,
        };
        if let Err(problem) = form.check() {
            self.issues.at(named.loc, &named.path, "cannot exist").found(problem.to_string());
            return None;
        }
        let tilt = Vec3::new(keys.tilt_x, keys.tilt_y, 0.0);
        let turn = rotation::exp(&tilt).to_rotation_matrix().into_inner();
        let R = rotation::onto(&Vec3::z(), &keys.axis.normalize());
        let shift = R * Vec3::new(keys.offset_x, keys.offset_y, 0.0);
        let X_BN = Pose { R: R * turn, p: keys.throat + shift };
        let (body, law) = (self.body(0, &keys.body)?, self.docking_law(&keys.layer)?);
        Some(PlacedNozzle { body, X_BN, form, law })
    }

    fn docking_law(&mut self, keys: &LayerKeys) -> Option<PairLaw> {
        let mut layer = Layer::given(keys.stiffness);
        layer.depth = keys.depth.unwrap_or(f64::INFINITY);
        layer.damping = keys.damping;
        layer.shear_stiffness = keys.tangential_stiffness;
        layer.shear_damping = keys.tangential_damping;
        let (stick, slip, speed) = (keys.friction, keys.friction_min, keys.friction_speed);
        let friction = match keys.friction_law {
            FrictionWord::StickSlip => Friction::StickSlip { stick, slip, release_speed: speed },
            FrictionWord::Regularised => Friction::Regularised { coefficient: slip, speed },
            FrictionWord::None => Friction::None,
        };
        match PairLaw::in_series(&layer, &Layer::RIGID, keys.damping_depth, friction) {
            Ok(law) => Some(law),
            Err(problems) => {
                for problem in problems {
                    self.issues.at(keys.here.loc, &keys.here.path, problem.to_string());
                }
                None
            }
        }
    }

    /// Whether a nozzle, a capture tool or brackets could not be built: a reference to their contacts is then
    /// not a mistake of its own.
    pub(super) fn capture_has_mistakes(&self) -> bool {
        let root = self.root;
        root.nozzle.iter().any(|named| named.keys.is_none())
            || root.brackets.iter().any(|named| named.keys.is_none())
            || self.drawings.len() < root.capture_tool.len()
    }

    fn capture_tool(&mut self, name: &str, keys: &CaptureToolKeys) -> Option<()> {
        let nozzle = self.nozzle(&keys.nozzle)?;
        let body = self.body(0, &keys.body)?;
        let (b, s, c) = (&keys.bolt, &keys.shoulder, &keys.crown);
        let shoulder_body = self.body(0, &s.body)?;
        let tool = CaptureTool {
            bolt: Bolt {
                radius: b.radius,
                lead_in_radius: b.lead_in_radius,
                lead_in_from: b.lead_in_from,
                nose: b.nose,
                nose_radius: b.nose_radius,
            },
            shoulder: Shoulder {
                arc_radius: s.arc_radius,
                arc_centre_radius: s.arc_centre_radius,
                arc_centre: s.arc_centre,
                body_radius: s.body_radius,
                body_length: s.body_length,
            },
            crown: Crown {
                wire_radius: c.wire_radius,
                stowed_radius: c.stowed_radius,
                open_radius: c.open_radius,
                extended: c.extended,
                spread_travel: c.spread_travel,
                travel: c.longest_travel,
            },
        };
        let family = tool.check(&nozzle.form).and_then(|()| tool.crown.family());
        let family = match family {
            Ok(family) => Arc::new(family),
            Err(problem) => {
                self.issues.at(keys.here.loc, &keys.here.path, "cannot work").found(problem.to_string());
                return None;
            }
        };
        let X_BT = Pose::translation(keys.position.unwrap_or_else(Vec3::zeros));
        let around = u32::try_from(keys.around).ok()?;
        let cavity = Section::new(&nozzle.form.path(), Side::Cavity).ok()?;
        let drawn = |section: &Section| section.mesh(&section.resolution(DRAWN)).mesh;
        let engine = Placed { body: nozzle.body, X_BS: nozzle.X_BN, mesh: drawn(&cavity) };

        let first = self.polygonal.len();
        let shoulder_path = tool.shoulder.path(&tool.bolt);
        let parts = [
            ("tool", shoulder_body, shoulder_path, fine_arcs(s.spacing, tool.shoulder.arc_radius, around)),
            ("bolt", body, tool.bolt.path(), fine_lines(b.spacing, tool.bolt.nose_radius, around)),
        ];
        for (part, body, path, resolution) in parts {
            let (faces, section) = self.revolved(&path, Side::Solid, &resolution)?;
            let side = Placed { body, X_BS: X_BT, mesh: drawn(&section) };
            let pair = RevolutionPair::new(faces, cavity.clone(), nozzle.law).ok()?;
            let contact = contact(format!("{name}_{part}"), pair, side, engine.clone(), None);
            self.polygonal.push(contact);
        }
        let resolution = fine_arcs(c.spacing, nozzle.form.throat_arc_radius, around);
        let resolution = Resolution { spacing: c.spacing, ..resolution };
        let (faces, _) = self.revolved(&nozzle.form.grip(), Side::Cavity, &resolution)?;
        let opening = Opening { family: family.clone(), parameter: c.travel.signal.clone() };
        let crown = family.at(opening.parameter.value(0.0)).section;
        let side = Placed { body, X_BS: X_BT, mesh: drawn(&crown) };
        let pair = RevolutionPair::new(faces, crown, nozzle.law).ok()?;
        if c.input {
            self.add_opening(&format!("{name}_crown"), self.polygonal.len(), "m/s");
        }
        let contact = contact(format!("{name}_crown"), pair, side, engine, Some(opening));
        self.polygonal.push(contact);
        let shoulder = Section::new(&tool.shoulder.path(&tool.bolt), Side::Solid).ok()?;
        let bolt = Section::new(&tool.bolt.path(), Side::Solid).ok()?;
        self.drawings.push(CaptureSections {
            capture: name.into(),
            times: Vec::new(),
            nozzle: outline(&cavity),
            shoulder: outline(&shoulder),
            bolt: outline(&bolt),
            crown: CrownSection {
                wire_radius: tool.crown.wire_radius,
                stowed_radius: tool.crown.stowed_radius,
                open_radius: tool.crown.open_radius,
                extended: tool.crown.extended,
                spread_travel: tool.crown.spread_travel,
            },
        });
        let seat = |lean| tool.shoulder.seat(&cavity, lean, nozzle.form.bell_length);
        let early = (seat(USUAL_LEAN) - seat(0.0)) / USUAL_LEAN.sine();
        self.shoulders.push(CaptureShoulder {
            capture: name.into(),
            form: tool.shoulder,
            early_per_lean: early,
        });
        self.captures.push(Capture {
            name: name.into(),
            at: Attachment { body, X_BF: X_BT },
            contacts: [first, first + 1, first + 2],
            crown_extended: tool.crown.extended,
        });
        Some(())
    }

    fn brackets(&mut self, name: &str, keys: &BracketsKeys) -> Option<()> {
        let (body, ring_body) = (self.body(0, &keys.body)?, self.body(0, &keys.ring_body)?);
        let law = self.docking_law(&keys.layer)?;
        let (radius, edge, distance) = (keys.ring_radius, keys.ring_section_radius, keys.radius);
        let here = &keys.here;
        if edge >= radius {
            let key = BracketsKeys::ring_section_radius;
            self.issues.at(here.loc_of(key), here.path_of(key), "is thicker than the ring is wide");
            return None;
        }
        let size = keys.size;
        if (distance - radius).abs() > 0.5 * size[0] {
            let key = BracketsKeys::radius;
            self.issues
                .at(here.loc_of(key), here.path_of(key), "puts the pads beside the ring")
                .found(format!("{distance} m"))
                .allowed(format!("{radius} m, give or take {} m", 0.5 * size[0]));
            return None;
        }
        // The circle lies one radius of the section behind the edge. Its arcs are divided into quarters,
        // which join where nothing touches.
        let diagonal = std::f64::consts::FRAC_1_SQRT_2 * edge;
        let at = |a: f64, r: f64| [-edge + a * diagonal, radius + r * diagonal];
        let circle =
            Path::from(at(-1.0, 1.0)).arc(at(1.0, 1.0), at(1.0, -1.0)).arc(at(-1.0, -1.0), at(-1.0, 1.0));
        let ring = Section::new(&circle, Side::Solid).ok()?;
        let X_BR = Pose { R: rotation::onto(&Vec3::z(), &keys.ring_axis.normalize()), p: keys.ring_centre };
        let mesh = ring.mesh(&Resolution { segments: 2 * DRAWN, sagitta: edge * 0.1, spacing: edge }).mesh;
        let ring_side = Placed { body: ring_body, X_BS: X_BR, mesh };
        // The ring's rounded edge touches both flanks: its centre lies edge/cos above the bottom of the
        // groove, and its edge at the plane.
        let bottom = edge * (1.0 - 1.0 / keys.flank.cosine());
        let groove = Groove { slope: keys.flank.tangent(), bottom, radius };
        let groove = |spacing: f64, along: usize| pad(size, spacing, along, &groove);
        let pad = groove(keys.spacing, keys.along as usize);
        for (k, azimuth) in keys.azimuth.iter().enumerate() {
            let R = rotation::about_axis(&Vec3::z(), *azimuth);
            let p = R * Vec3::x() * distance + Vec3::z() * keys.plane;
            let faces = self.library.made(|| format!("pad {pad:?}"), || Faces::sliced(&pad, 0).ok())?;
            let drawn = groove(0.5 * size[0], 1);
            let side = Placed { body, X_BS: Pose { R, p }, mesh: drawn };
            let pair = RevolutionPair::new(faces, ring.clone(), law).ok()?;
            self.polygonal.push(contact(format!("{name}_{}", k + 1), pair, side, ring_side.clone(), None));
        }
        Some(())
    }
}

/// A contact whose wrench is given on the tool, or on the pads. With an opening the tool is the reference,
/// and `other` carries the faces.
fn contact(
    name: String,
    mut pair: RevolutionPair,
    side: Placed,
    other: Placed,
    opening: Option<Opening>,
) -> PolygonalContact {
    pair.depth_max = DEPTH_MAX;
    let tells_reference = opening.is_some();
    let sides = if tells_reference { [other.side(), side.side()] } else { [side.side(), other.side()] };
    let pair = PolygonalPair::Revolution(Box::new(pair));
    PolygonalContact {
        name,
        sides,
        pair,
        tells_reference,
        threshold: THRESHOLD,
        opening,
        on: true,
        group: None,
    }
}

/// Points along a section, close enough for a picture.
fn outline(section: &Section) -> Vec<[f64; 2]> {
    let first = section.segments().first().map(|s| s.start);
    let along = section.segments().iter().flat_map(|s| {
        let pieces = if s.arc.is_some() { 6 } else { 1 };
        (1..=pieces).map(move |k| s.point(f64::from(k) / f64::from(pieces)))
    });
    first.into_iter().chain(along).collect()
}

impl Builder<'_> {
    /// Faces of a body of revolution, and its section.
    fn revolved(&self, path: &Path, side: Side, resolution: &Resolution) -> Option<(Faces, Section)> {
        let make = || {
            let section = Section::new(path, side).ok()?;
            Some((Faces::banded(&section.mesh(resolution)).ok()?, section))
        };
        self.library.made(|| format!("revolved {path:?} {side:?} {resolution:?}"), make)
    }
}

/// Rings spaced along arcs of this radius as requested, and coarsely along lines.
fn fine_arcs(spacing: f64, radius: f64, around: u32) -> Resolution {
    // Sagitta of a chord.
    Resolution { segments: around, sagitta: spacing * spacing / (8.0 * radius), spacing: COARSE }
}

/// Rings spaced along lines as requested, and at half that distance along arcs of this radius.
fn fine_lines(spacing: f64, radius: f64, around: u32) -> Resolution {
    Resolution { segments: around, sagitta: spacing * spacing / (32.0 * radius), spacing }
}

/// A V groove along a ring: its flanks rise with a slope from the bottom. A zero slope is flat.
struct Groove {
    slope: f64,
    /// Height of the bottom, m.
    bottom: f64,
    /// Radius of the ring, m.
    radius: f64,
}

/// A pad that faces z: corners `spacing` apart along x, `along` cells along y.
fn pad(size: [f64; 2], spacing: f64, along: usize, groove: &Groove) -> TriangleMesh {
    // An even number: a row of corners lies at the bottom of the groove.
    let across = 2 * (0.5 * size[0] / spacing).ceil().clamp(1.0, 1e4) as usize;
    let mut mesh = TriangleMesh::default();
    for i in 0..=across {
        for j in 0..=along {
            let x = size[0] * (i as f64 / across as f64 - 0.5);
            let y = size[1] * (j as f64 / along as f64 - 0.5);
            // The groove follows the ring's arc; without a groove the pad is a plain rectangle.
            let arc = if groove.slope > 0.0 {
                (groove.radius.whole_power(2) - y * y).max(0.0).sqrt() - groove.radius
            } else {
                0.0
            };
            mesh.vertices.push(Vec3::new(x + arc, y, groove.bottom + groove.slope * x.abs()));
        }
    }
    let at = |i: usize, j: usize| (i * (along + 1) + j) as u32;
    for i in 0..across {
        for j in 0..along {
            mesh.triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            mesh.triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    mesh
}
