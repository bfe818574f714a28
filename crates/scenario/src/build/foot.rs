//! Feet: their kinds with the soil below them, and the bodies that carry them.

use super::Builder;
use super::contact::place_in_body;
use super::soil::soil_parameters;
use super::tree::turned_by;
use crate::error::nearest;
use crate::read::Text;
use crate::table::{CurveWord, FootKeys, FootLawKeys, FootShapeWord, Key, StressWord, Words};
use touchdown_contact::foot::{
    FootGround, FootModel, FootParameters, FootShape, FootSoil, HardGround, Stress,
};
use touchdown_contact::law::hunt_crossley::HuntCrossley;
use touchdown_contact::law::shear::Mobilisation;
use touchdown_math::Pose;
use touchdown_sim::description::FootContact;

/// The word for rigid ground.
pub(crate) const HARD: &str = "hard";
/// Length over which friction on hard ground builds up if not given, m: that of Ding et al., Table 11,
/// rounded.
const SHEAR_LENGTH: f64 = 0.01;

impl Builder<'_> {
    /// Feet of the scenario, and of its test stand.
    pub fn collect_feet(&mut self) {
        let root = self.root;
        let mut compared = Vec::new();
        for named in &root.foot {
            self.remember("foot", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let body = self.moving_body(0, &keys.body);
            let at = self.body_point(0, &place_in_body!(keys, FootKeys));
            let law = self.foot_law(&keys.law);
            let (Some(body), Some(at), Some(law)) = (body, at, law) else { continue };
            self.feet.push(FootContact {
                name: named.name.clone(),
                body,
                X_BF: Pose { R: turned_by(keys.roll, keys.pitch, keys.yaw), p: at.X_BF.p },
                law,
                compare: None,
                soil_body: None,
                intruder: None,
            });
            compared.push((self.feet.len() - 1, keys));
        }
        for (i, keys) in compared {
            let Some(other) = &keys.compare else { continue };
            let found = self.feet.iter().position(|f| f.name == **other);
            if found.is_none() {
                self.issues
                    .at(other.loc, &other.path, "names a foot that does not exist")
                    .found(format!("\"{other}\""));
            }
            self.feet[i].compare = found;
        }
        let foot = root.foot.first().map(|named| (named.loc, &named.path));
        let first = foot.or_else(|| root.foot_rig.as_ref().map(|rig| (rig.loc, &rig.path)));
        if let (Some((loc, path)), None) = (first, &root.ground) {
            self.issues
                .at(loc, path, "needs a ground to stand on")
                .hint("add [ground]; it is the surface of the soil, too");
        }
    }

    /// The kind of foot with this name.
    pub fn foot_law(&mut self, wanted: &Text) -> Option<FootParameters> {
        let laws = &self.root.foot_law;
        let Some(law) = laws.iter().find(|l| l.name == **wanted) else {
            let near = nearest(wanted, laws.iter().map(|l| l.name.as_str())).map(str::to_string);
            let issue = self
                .issues
                .at(wanted.loc, &wanted.path, "names a foot_law that does not exist")
                .found(format!("\"{wanted}\""));
            issue.hint(near.map_or("add [foot_law.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
            return None;
        };
        let keys = law.keys.as_ref()?;
        let shape = self.foot_shape(keys)?;
        let spring = HuntCrossley {
            k: keys.stiffness,
            n: keys.exponent,
            b: keys.damping,
            p: keys.damping_exponent,
            q: keys.rate_exponent,
        };
        let ground = self.foot_ground(keys, &shape)?;
        if let Some(hard) = self.hard_ground(keys)? {
            return Some(FootParameters {
                shape,
                spring: Some(hard.spring()),
                ground,
                curve: Mobilisation::Stick,
                tangential_stiffness: hard.tangential[0],
                tangential_relaxation: hard.relaxation(),
            });
        }
        Some(FootParameters {
            shape,
            spring: (keys.stiffness > 0.0).then_some(spring),
            ground,
            curve: match keys.curve {
                CurveWord::Janosi => Mobilisation::Janosi,
                CurveWord::Tanh => Mobilisation::Tanh,
                CurveWord::Linear => Mobilisation::Linear,
                CurveWord::Stick => Mobilisation::Stick,
            },
            tangential_stiffness: keys.tangential_stiffness,
            tangential_relaxation: keys.tangential_relaxation,
        })
    }

    /// The named hard ground: `Some(None)` without one, `None` after a mistake.
    fn hard_ground(&mut self, keys: &FootLawKeys) -> Option<Option<HardGround>> {
        let Some(word) = keys.hard_ground else { return Some(None) };
        let key = FootLawKeys::hard_ground;
        let what = if *keys.soil != *HARD {
            "means nothing in soil"
        } else if keys.stiffness > 0.0 {
            "means nothing beside stiffness: of ground and foot the softer one deforms"
        } else {
            return Some(HardGround::from_name(word.word()));
        };
        self.issues.at(keys.here.loc_of(key), keys.here.path_of(key), what).hint("keep one of the two");
        None
    }

    fn foot_shape(&mut self, keys: &FootLawKeys) -> Option<FootShape> {
        let mut size = |key: Key<FootLawKeys, f64>, value: Option<f64>| {
            if !keys.here.has(key) {
                let what = format!("needs {}, because its shape is {}", key.name(), keys.shape.word());
                self.issues.at(keys.here.loc, &keys.here.path, what);
            }
            value
        };
        Some(match keys.shape {
            FootShapeWord::FlatCircular => {
                FootShape::FlatCircular { radius: size(FootLawKeys::radius, keys.radius)? }
            }
            FootShapeWord::FlatRectangular => {
                let width = size(FootLawKeys::width, keys.width);
                let length = size(FootLawKeys::length, keys.length);
                FootShape::FlatRectangular { width: width?, length: length? }
            }
            FootShapeWord::Cylindrical => {
                let radius = size(FootLawKeys::radius, keys.radius);
                let width = size(FootLawKeys::width, keys.width);
                FootShape::Cylindrical { radius: radius?, width: width? }
            }
            FootShapeWord::Spherical => {
                FootShape::Spherical { radius: size(FootLawKeys::radius, keys.radius)? }
            }
        })
    }

    fn foot_ground(&mut self, keys: &FootLawKeys, shape: &FootShape) -> Option<FootGround> {
        if *keys.soil == *HARD {
            if keys.stiffness <= 0.0 && keys.hard_ground.is_none() {
                self.issues
                    .at(
                        keys.here.loc,
                        &keys.here.path,
                        "needs stiffness: a hard foot on hard ground has no force",
                    )
                    .hint("such as stiffness = \"12 kN/m\", hard_ground = \"gravel\", or a soil");
                return None;
            }
            let shear_length = keys.shear_length.unwrap_or(SHEAR_LENGTH);
            return Some(FootGround::Hard { friction: keys.friction, shear_length });
        }
        // Unknown names were reported when the library was opened.
        let soil = self.root.soil.iter().find(|s| s.name == *keys.soil)?;
        let soil = soil_parameters(soil.keys.as_ref()?, None);
        let model = FootModel::from_name(keys.model.word())?;
        if !model.fits(shape) {
            let key = FootLawKeys::model;
            self.issues
                .at(keys.here.loc_of(key), keys.here.path_of(key), "is not made for this shape")
                .found(format!("{} and {}", model.name(), shape.name()))
                .hint("exact and linearised suit all shapes; 29a, 29b, 29c are for cylinders, 33 and 34 for balls");
            return None;
        }
        Some(FootGround::Soil(FootSoil {
            law: soil.law,
            exponent: soil.exponent,
            cohesion: soil.cohesion,
            friction_angle: soil.friction_angle,
            shear_length: keys.shear_length.unwrap_or(soil.shear_length),
            model,
            stress: match keys.stress {
                StressWord::OneSided => Stress::OneSided,
                StressWord::Symmetric => Stress::Symmetric,
            },
            damping: HuntCrossley {
                k: 0.0,
                n: 1.0,
                b: keys.soil_damping,
                p: keys.soil_damping_exponent,
                q: keys.soil_rate_exponent,
            },
            recovery: keys.recovery,
            relaxation: keys.relaxation,
        }))
    }
}
