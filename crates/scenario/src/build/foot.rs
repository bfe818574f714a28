//! Feet: their kinds with the soil under them, and the bodies that carry them.

use super::Builder;
use super::soil::soil_parameters;
use super::tree::turned;
use crate::error::nearest;
use crate::read::Record;
use touchdown_contact::foot::{FootGround, FootModel, FootParameters, FootShape, FootSoil, Stress};
use touchdown_contact::law::hunt_crossley::HuntCrossley;
use touchdown_contact::law::shear::Mobilisation;
use touchdown_math::Pose;
use touchdown_sim::description::FootContact;

/// The word for ground that does not give way.
pub(crate) const HARD: &str = "hard";
/// Length over which friction on hard ground builds up if none is given, m: that of Ding et al., Table 11, rounded.
const SHEAR_LENGTH: f64 = 0.01;

impl Builder<'_> {
    /// Feet of the scenario, and of its test stand.
    pub fn collect_feet(&mut self) {
        let record = self.scopes[0].record;
        let mut compared = Vec::new();
        for named in record.map("foot") {
            let r = &named.record;
            self.remember("foot", &named.name, r);
            let (body, at, law) = (self.moving_body(0, r), self.body_point(0, r), self.foot_law(r));
            let (Some(body), Some(at), Some(law)) = (body, at, law) else { continue };
            let X_BF = Pose { R: turned(r), p: at.X_BF.p };
            self.feet.push(FootContact {
                name: named.name.clone(),
                body,
                X_BF,
                law,
                compare: None,
                soil_body: None,
            });
            compared.push((self.feet.len() - 1, r));
        }
        for (i, r) in compared {
            let Some(other) = r.text("compare") else { continue };
            let found = self.feet.iter().position(|f| f.name == other);
            if found.is_none() {
                self.issues
                    .at(r.loc_of("compare"), r.path_of("compare"), "names a foot that does not exist")
                    .found(format!("\"{other}\""));
            }
            self.feet[i].compare = found;
        }
        let on_ground = record.has("ground");
        let first = record.map("foot").first().map(|named| &named.record).or(record.table("foot_rig"));
        if let (Some(r), false) = (first, on_ground) {
            self.issues
                .at(r.loc, &r.path, "needs a ground to stand on")
                .hint("add [ground]; it is the surface of the soil, too");
        }
    }

    /// The kind of foot that a record names.
    pub fn foot_law(&mut self, record: &Record) -> Option<FootParameters> {
        let wanted = record.text("law")?;
        let root = self.scopes[0].record;
        let laws = root.map("foot_law");
        let Some(law) = laws.iter().find(|l| l.name == wanted) else {
            let near = nearest(wanted, laws.iter().map(|l| l.name.as_str())).map(str::to_string);
            let issue = self
                .issues
                .at(record.loc_of("law"), record.path_of("law"), "names a foot_law that does not exist")
                .found(format!("\"{wanted}\""));
            issue.hint(near.map_or("add [foot_law.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
            return None;
        };
        let r = &law.record;
        let shape = self.foot_shape(r)?;
        let stiffness = r.number("stiffness")?;
        let spring = HuntCrossley {
            k: stiffness,
            n: r.number("exponent")?,
            b: r.number("damping")?,
            p: r.number("damping_exponent")?,
            q: r.number("rate_exponent")?,
        };
        let ground = self.foot_ground(r, &shape, stiffness)?;
        Some(FootParameters {
            shape,
            spring: (stiffness > 0.0).then_some(spring),
            ground,
            curve: match r.text("curve")? {
                "tanh" => Mobilisation::Tanh,
                "linear" => Mobilisation::Linear,
                "stick" => Mobilisation::Stick,
                _ => Mobilisation::Janosi,
            },
            tangential_stiffness: r.number("tangential_stiffness")?,
            tangential_relaxation: r.number("tangential_relaxation")?,
        })
    }

    fn foot_shape(&mut self, r: &Record) -> Option<FootShape> {
        let shape = r.text("shape")?;
        let mut size = |key: &str| {
            let value = r.number(key);
            if value.is_none() && !r.has(key) {
                self.issues.at(r.loc, &r.path, format!("needs {key}, because its shape is {shape}"));
            }
            value
        };
        Some(match shape {
            "flat-circular" => FootShape::FlatCircular { radius: size("radius")? },
            "flat-rectangular" => {
                let (width, length) = (size("width"), size("length"));
                FootShape::FlatRectangular { width: width?, length: length? }
            }
            "cylindrical" => {
                let (radius, width) = (size("radius"), size("width"));
                FootShape::Cylindrical { radius: radius?, width: width? }
            }
            _ => FootShape::Spherical { radius: size("radius")? },
        })
    }

    fn foot_ground(&mut self, r: &Record, shape: &FootShape, stiffness: f64) -> Option<FootGround> {
        let name = r.text("soil")?;
        if name == HARD {
            if stiffness <= 0.0 {
                self.issues
                    .at(r.loc, &r.path, "needs stiffness: a hard foot on hard ground has no force")
                    .hint("such as stiffness = \"12 kN/m\", or a soil");
                return None;
            }
            let shear_length = r.number("shear_length").unwrap_or(SHEAR_LENGTH);
            return Some(FootGround::Hard { friction: r.number("friction")?, shear_length });
        }
        // A name that is neither the file's nor the library's has been reported when the library was opened.
        let soils = self.scopes[0].record.map("soil");
        let soil = soil_parameters(&soils.iter().find(|s| s.name == name)?.record, None)?;
        let model = FootModel::from_name(r.text("model")?)?;
        if !model.fits(shape) {
            self.issues
                .at(r.loc_of("model"), r.path_of("model"), "is not made for this shape")
                .found(format!("{} and {}", model.name(), shape.name()))
                .hint("exact and linearised suit all shapes; 29a, 29b, 29c are for cylinders, 33 and 34 for balls");
            return None;
        }
        Some(FootGround::Soil(FootSoil {
            law: soil.law,
            exponent: soil.exponent,
            cohesion: soil.cohesion,
            friction_angle: soil.friction_angle,
            shear_length: r.number("shear_length").unwrap_or(soil.shear_length),
            model,
            stress: if r.text("stress")? == "one-sided" { Stress::OneSided } else { Stress::Symmetric },
            damping: HuntCrossley {
                k: 0.0,
                n: 1.0,
                b: r.number("soil_damping")?,
                p: r.number("soil_damping_exponent")?,
                q: r.number("soil_rate_exponent")?,
            },
            recovery: r.number("recovery")?,
            relaxation: r.number("relaxation")?,
        }))
    }
}
