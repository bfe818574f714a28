//! Smooth contact: bodies that touch rigid ground or each other.

use super::Builder;
use super::tree::turned;
use crate::read::{Record, Value};
use crate::unit::{DAMPING, LENGTH, NUMBER, SLOWNESS, SPEED};
use touchdown_contact::surface::{Form, FrictionLaw, NormalLaw, PairOptions, SurfaceLaw};
use touchdown_geometry::Shape;
use touchdown_geometry::surface::BodySurface;
use touchdown_math::{Pose, Vec3};
use touchdown_sim::description::{ContactSide, SmoothContact};

/// Keys that give a form.
const FORMS: [&str; 6] = ["sphere", "ellipsoid", "cylinder", "torus", "box", "mesh"];
/// Keys that belong to some laws only: key, the key that chooses, the choices that have it, whether they need it.
const LAWS: &[(&str, &str, &[&str], bool)] = &[
    ("stiffness", "normal_law", &["linear"], true),
    ("coefficient", "normal_law", &["hunt-crossley"], true),
    ("exponent", "normal_law", &["hunt-crossley"], false),
    ("modulus", "normal_law", &["hertz"], true),
    ("friction", "friction_law", &["regularised", "stick-slip"], true),
    ("friction_speed", "friction_law", &["regularised", "stick-slip"], false),
    ("friction_min", "friction_law", &["stick-slip"], false),
    ("tangential_stiffness", "friction_law", &["stick-slip"], true),
    ("tangential_damping", "friction_law", &["stick-slip"], true),
];
/// Exponent of Hunt and Crossley, and speed of regularised friction (m/s), if none are given.
const EXPONENT: f64 = 1.5;
const FRICTION_SPEED: f64 = 0.01;

/// Puts in what follows from the body and from the laws.
pub(crate) fn fill_contacts(record: &mut Record) {
    let spheres: Vec<(String, f64)> = record
        .map("body")
        .iter()
        .filter_map(|b| Some((b.name.clone(), b.record.table("uniform")?.number("sphere")?)))
        .collect();
    for contact in record.map_mut("contact") {
        let r = &mut contact.record;
        if !FORMS.iter().any(|key| r.has(key))
            && let Some((_, radius)) = spheres.iter().find(|(name, _)| r.text("body") == Some(name))
        {
            r.fill("sphere", Value::Number(*radius, &LENGTH));
        }
        if r.text("normal_law") == Some("hunt-crossley") {
            r.fill("exponent", Value::Number(EXPONENT, &NUMBER));
        }
        if r.text("friction_law").is_some_and(|law| law != "none") {
            r.fill("friction_speed", Value::Number(FRICTION_SPEED, &SPEED));
        }
        if r.text("friction_law") == Some("stick-slip")
            && let Some(friction) = r.number("friction")
        {
            r.fill("friction_min", Value::Number(friction, &NUMBER));
        }
    }
}

impl Builder<'_> {
    /// Smooth contacts of every scope; they are called by their own names while only one has any.
    pub fn collect_contacts(&mut self) {
        let with_any = self.scopes.iter().filter(|s| !s.record.map("contact").is_empty()).count();
        for s in 0..self.scopes.len() {
            let record = self.scopes[s].record;
            for named in record.map("contact") {
                let prefix = if with_any > 1 { self.scopes[s].prefix.as_str() } else { "" };
                let name = format!("{prefix}{}", named.name);
                self.remember("contact", &name, &named.record);
                if let Some(contact) = self.contact(s, name, &named.record) {
                    self.contacts.push(contact);
                }
            }
        }
    }

    fn contact(&mut self, scope: usize, name: String, record: &Record) -> Option<SmoothContact> {
        let body = self.moving_body(scope, record);
        let form = self.smooth_form(record, &FORMS);
        let at = self.body_point(scope, record);
        let one = self.other_side(scope, record);
        let law = self.surface_law(record);
        let two = ContactSide { body: body?, X_BS: Pose { R: turned(record), p: at?.X_BF.p }, form: form? };
        let one = one?;
        if one.as_ref().is_some_and(|side| side.body == two.body) {
            let (loc, path) = (record.loc_of("other"), record.path_of("other"));
            self.issues.at(loc, path, "is the body itself").hint("name another body, or ground");
            return None;
        }
        let most = usize::try_from(record.count("most")?).ok()?;
        let options = PairOptions { threshold: record.number("threshold")?, most };
        Some(SmoothContact { name, one, two, law: law?, options })
    }

    /// The other side: `Some(None)` is the ground, `None` a mistake.
    fn other_side(&mut self, scope: usize, record: &Record) -> Option<Option<ContactSide>> {
        let (loc, path) = (record.loc_of("other"), record.path_of("other"));
        let other = self.body(scope, record.text("other")?, loc, &path)?;
        let table = record.table("other_form");
        match (other, table) {
            (None, None) => {
                let root = self.scopes[0].record;
                if !root.has("ground") {
                    let hint = if root.has("terrain") {
                        "soil is touched by [wheel.NAME] and [soil_contact.NAME]"
                    } else {
                        "add [ground], or name another body in other"
                    };
                    self.issues.at(record.loc, &record.path, "needs rigid ground to touch").hint(hint);
                    return None;
                }
                Some(None)
            }
            (None, Some(table)) => {
                self.issues
                    .at(table.loc, &table.path, "means nothing on the ground")
                    .hint("the ground's form stands in [ground]");
                None
            }
            (Some(_), None) => {
                self.issues
                    .at(loc, path, "needs other_form, the form of that body")
                    .hint("other_form = { sphere = \"0.1 m\" }");
                None
            }
            (Some(body), Some(table)) => {
                let form = self.smooth_form(table, &FORMS[..4])?;
                let p = table.vec3("position").unwrap_or_else(Vec3::zeros);
                Some(Some(ContactSide { body, X_BS: Pose { R: turned(table), p }, form }))
            }
        }
    }

    /// The one form that a record gives.
    fn smooth_form(&mut self, record: &Record, keys: &[&'static str]) -> Option<Form> {
        let mut given: Vec<&str> = keys.iter().copied().filter(|k| record.has(k)).collect();
        if given.is_empty() && record.number("sphere").is_some() {
            given.push("sphere");
        }
        let [form] = given[..] else {
            let found = if given.is_empty() { "none".into() } else { given.join(" and ") };
            let what = "must be one form";
            self.issues.at(record.loc, &record.path, what).found(found).allowed(keys.join(", "));
            return None;
        };
        let cornered = matches!(form, "box" | "mesh");
        if cornered != record.has("corner_radius") {
            let (loc, what) = if cornered {
                (record.loc, format!("needs corner_radius, because its form is {form}"))
            } else {
                (record.loc_of("corner_radius"), format!("means nothing to a {form}: it has no corners"))
            };
            self.issues.at(loc, &record.path, what);
            return None;
        }
        let pair = |key: &str| match record.numbers(key)? {
            [a, b] => Some((a.0, b.0)),
            _ => None,
        };
        Some(match form {
            "sphere" => Form::Body(BodySurface::Sphere { radius: record.number("sphere")? }),
            "ellipsoid" => Form::Body(BodySurface::Ellipsoid { semi_axes: record.vec3("ellipsoid")?.into() }),
            "cylinder" => {
                let (radius, length) = pair("cylinder")?;
                Form::Body(BodySurface::Cylinder { radius, half_length: 0.5 * length })
            }
            "torus" => {
                let (radius, tube) = pair("torus")?;
                if tube >= radius {
                    let (loc, path) = (record.loc_of("torus"), record.path_of("torus"));
                    self.issues
                        .at(loc, path, "must have a tube thinner than its ring")
                        .found(format!("radius {radius} m, tube {tube} m"));
                    return None;
                }
                Form::Body(BodySurface::Torus { radius, tube })
            }
            "box" => {
                let mesh = Shape::Box { size: record.vec3("box")? }.triangulate(3);
                Form::Mesh { mesh, radius: record.number("corner_radius")? }
            }
            _ => match self.form(record)? {
                Shape::Mesh(mesh) => Form::Mesh { mesh, radius: record.number("corner_radius")? },
                _ => return None,
            },
        })
    }

    pub fn surface_law(&mut self, record: &Record) -> Option<SurfaceLaw> {
        let mut sound = true;
        for (key, chooser, choices, needed) in LAWS {
            let chosen = record.text(chooser)?;
            let has = choices.contains(&chosen);
            if has && *needed && record.value(key).is_none() {
                let what = format!("needs {key}, because its {chooser} is {chosen}");
                self.issues.at(record.loc, &record.path, what);
                sound = false;
            } else if !has && record.has(key) {
                let what = format!("means nothing where {chooser} is {chosen}");
                let hint = format!("{chooser} = \"{}\" has it", choices.join("\" or \""));
                self.issues.at(record.loc_of(key), record.path_of(key), what).hint(hint);
                sound = false;
            }
        }
        let normal_law = record.text("normal_law")?;
        let wanted = if normal_law == "linear" { &DAMPING } else { &SLOWNESS };
        let damping = match record.quantity("damping") {
            None => 0.0,
            Some((damping, dim)) if *dim == *wanted || dim.suffix.is_empty() => damping,
            Some((_, dim)) => {
                let (loc, path) = (record.loc_of("damping"), record.path_of("damping"));
                self.issues
                    .at(loc, path, format!("does not suit the law {normal_law}"))
                    .found(format!("{} ({})", dim.with_article(), dim.unit))
                    .hint(format!("give it in {}", wanted.unit));
                return None;
            }
        };
        if !sound {
            return None;
        }
        let normal = match normal_law {
            "linear" => NormalLaw::Linear { stiffness: record.number("stiffness")?, damping },
            "hunt-crossley" => NormalLaw::HuntCrossley {
                stiffness: record.number("coefficient")?,
                exponent: record.number("exponent")?,
                damping,
            },
            _ => NormalLaw::Hertz { modulus: record.number("modulus")?, damping },
        };
        let friction = match record.text("friction_law")? {
            "none" => FrictionLaw::Frictionless,
            "regularised" => FrictionLaw::Regularised {
                coefficient: record.number("friction")?,
                speed: record.number("friction_speed")?,
            },
            _ => FrictionLaw::StickSlip {
                stick: record.number("friction")?,
                slip: record.number("friction_min")?,
                speed: record.number("friction_speed")?,
                stiffness: record.number("tangential_stiffness")?,
                damping: record.number("tangential_damping")?,
            },
        };
        Some(SurfaceLaw { normal, friction })
    }
}
