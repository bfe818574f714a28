//! Smooth contact: bodies that touch rigid ground or each other.

use super::Builder;
use super::contact::place_in_body;
use super::surface_law::LawKeys;
use super::tree::turned;
use crate::read::{Here, Record, Text, Value};
use crate::table::{
    BodyKeys, ContactKeys, NormalWord, OtherFormKeys, ScenarioKeys, SmoothFrictionWord, UniformKeys,
};
use crate::unit::{LENGTH, NUMBER, SPEED};
use touchdown_contact::surface::{Form, PairOptions};
use touchdown_geometry::Shape;
use touchdown_geometry::surface::BodySurface;
use touchdown_math::{Pose, Vec3};
use touchdown_sim::description::{ContactSide, SmoothContact};

/// Exponent of Hunt and Crossley, and speed of regularised friction (m/s), if not given.
const EXPONENT: f64 = 1.5;
const FRICTION_SPEED: f64 = 0.01;

/// Fills in values that follow from the body and from the laws.
pub(crate) fn fill_contacts(record: &mut Record) {
    let sphere = |body: &Record| body.table(BodyKeys::uniform)?.get(UniformKeys::sphere);
    let bodies = record.map(ScenarioKeys::body).iter();
    let spheres: Vec<(String, f64)> =
        bodies.filter_map(|b| Some((b.name.clone(), sphere(&b.record)?))).collect();
    for contact in record.map_mut(ScenarioKeys::contact) {
        let r = &mut contact.record;
        let forms = [
            ContactKeys::sphere.any(),
            ContactKeys::ellipsoid.any(),
            ContactKeys::cylinder.any(),
            ContactKeys::torus.any(),
            ContactKeys::cuboid.any(),
            ContactKeys::mesh.any(),
        ];
        let body = r.get(ContactKeys::body);
        if !forms.into_iter().any(|key| r.has(key))
            && let Some((_, radius)) =
                spheres.iter().find(|(name, _)| body.as_deref().is_some_and(|body| **body == **name))
        {
            r.fill(ContactKeys::sphere, Value::Number(*radius, &LENGTH));
        }
        if r.get(ContactKeys::normal_law) == Some(NormalWord::HuntCrossley) {
            r.fill(ContactKeys::exponent, Value::Number(EXPONENT, &NUMBER));
        }
        let friction_law = r.get(ContactKeys::friction_law);
        if friction_law.is_some_and(|law| law != SmoothFrictionWord::None) {
            r.fill(ContactKeys::friction_speed, Value::Number(FRICTION_SPEED, &SPEED));
        }
        if friction_law == Some(SmoothFrictionWord::StickSlip)
            && let Some(friction) = r.get(ContactKeys::friction)
        {
            r.fill(ContactKeys::friction_min, Value::Number(friction, &NUMBER));
        }
    }
}

/// A form according to its keys.
enum GivenForm<'k> {
    Sphere(f64),
    Ellipsoid(Vec3),
    Cylinder([f64; 2]),
    Torus([f64; 2]),
    Box(Vec3),
    Mesh(&'k Text),
}

impl Builder<'_> {
    /// Smooth contacts of the scenario.
    pub fn collect_contacts(&mut self) {
        for named in &self.root.contact {
            self.remember("contact", &named.name, named);
            let contact = named.keys.as_ref().and_then(|keys| self.contact(named.name.clone(), keys));
            self.contacts.extend(contact);
        }
    }

    fn contact(&mut self, name: String, keys: &ContactKeys) -> Option<SmoothContact> {
        let body = self.moving_body(0, &keys.body);
        let form = self.contact_form(keys);
        let at = self.body_point(0, &place_in_body!(keys, ContactKeys));
        let one = self.other_side(keys);
        let law = self.surface_law(&LawKeys::from(keys));
        let X_BS = Pose { R: turned(&keys.turn), p: at?.X_BF.p };
        let two = ContactSide { body: body?, X_BS, form: form? };
        let one = one?;
        if one.as_ref().is_some_and(|side| side.body == two.body) {
            self.issues
                .at(keys.other.loc, &keys.other.path, "is the body itself")
                .hint("name another body, or ground");
            return None;
        }
        let options = PairOptions { threshold: keys.threshold, most: usize::try_from(keys.most).ok()? };
        Some(SmoothContact { name, one, two, law: law?, options })
    }

    /// The other side: `Some(None)` is the ground, `None` a mistake.
    fn other_side(&mut self, keys: &ContactKeys) -> Option<Option<ContactSide>> {
        let other = self.body(0, &keys.other)?;
        match (other, &keys.other_form) {
            (_, None) if keys.here.has(ContactKeys::other_form) => None,
            (None, None) => {
                if self.root.ground.is_none() {
                    let hint = if self.root.terrain.is_some() {
                        "soil is touched by [wheel.NAME] and [soil_contact.NAME]"
                    } else {
                        "add [ground], or name another body in other"
                    };
                    self.issues.at(keys.here.loc, &keys.here.path, "needs rigid ground to touch").hint(hint);
                    return None;
                }
                Some(None)
            }
            (None, Some(form)) => {
                self.issues
                    .at(form.here.loc, &form.here.path, "means nothing on the ground")
                    .hint("the form of the ground is given in [ground]");
                None
            }
            (Some(_), None) => {
                self.issues
                    .at(keys.other.loc, &keys.other.path, "needs other_form, the form of that body")
                    .hint("other_form = { sphere = \"0.1 m\" }");
                None
            }
            (Some(body), Some(other)) => {
                let forms = [
                    (OtherFormKeys::sphere.name(), other.sphere.map(GivenForm::Sphere)),
                    (OtherFormKeys::ellipsoid.name(), other.ellipsoid.map(GivenForm::Ellipsoid)),
                    (OtherFormKeys::cylinder.name(), other.cylinder.map(GivenForm::Cylinder)),
                    (OtherFormKeys::torus.name(), other.torus.map(GivenForm::Torus)),
                ];
                let given = self.one_given(&other.here, "must be one form", forms)?;
                let torus = (&other.here, OtherFormKeys::torus);
                let form = self.round_form(given, torus)?;
                let p = other.position.unwrap_or_else(Vec3::zeros);
                Some(Some(ContactSide { body, X_BS: Pose { R: turned(&other.turn), p }, form }))
            }
        }
    }

    /// The single form of a contact: round, or with rounded corners.
    fn contact_form(&mut self, keys: &ContactKeys) -> Option<Form> {
        let forms = [
            (ContactKeys::sphere.name(), keys.sphere.map(GivenForm::Sphere)),
            (ContactKeys::ellipsoid.name(), keys.ellipsoid.map(GivenForm::Ellipsoid)),
            (ContactKeys::cylinder.name(), keys.cylinder.map(GivenForm::Cylinder)),
            (ContactKeys::torus.name(), keys.torus.map(GivenForm::Torus)),
            (ContactKeys::cuboid.name(), keys.cuboid.map(GivenForm::Box)),
            (ContactKeys::mesh.name(), keys.mesh.as_ref().map(GivenForm::Mesh)),
        ];
        let word = forms.iter().find(|(_, form)| form.is_some()).map_or("", |(word, _)| *word);
        let given = self.one_given(&keys.here, "must be one form", forms)?;
        let cornered = matches!(given, GivenForm::Box(_) | GivenForm::Mesh(_));
        match (cornered, keys.corner_radius) {
            (_, None) if keys.here.has(ContactKeys::corner_radius) => None,
            (true, None) => {
                let what = format!("needs corner_radius, because its form is {word}");
                self.issues.at(keys.here.loc, &keys.here.path, what);
                None
            }
            (false, Some(_)) => {
                let what = format!("means nothing to a {word}: it has no corners");
                self.issues.at(keys.here.loc_of(ContactKeys::corner_radius), &keys.here.path, what);
                None
            }
            (true, Some(radius)) => {
                let mesh = match given {
                    GivenForm::Box(size) => Shape::Box { size }.triangulate(3),
                    GivenForm::Mesh(file) => self.mesh_file(file, &keys.scale)?,
                    _ => return None,
                };
                Some(Form::Mesh { mesh, radius })
            }
            (false, None) => self.round_form(given, (&keys.here, ContactKeys::torus)),
        }
    }

    fn round_form<S>(
        &mut self,
        form: GivenForm,
        (here, torus): (&Here<S>, crate::table::Key<S, [f64; 2]>),
    ) -> Option<Form> {
        Some(Form::Body(match form {
            GivenForm::Sphere(radius) => BodySurface::Sphere { radius },
            GivenForm::Ellipsoid(semi_axes) => BodySurface::Ellipsoid { semi_axes: semi_axes.into() },
            GivenForm::Cylinder([radius, length]) => {
                BodySurface::Cylinder { radius, half_length: 0.5 * length }
            }
            GivenForm::Torus([radius, tube]) => {
                if tube >= radius {
                    self.issues
                        .at(here.loc_of(torus), here.path_of(torus), "must have a tube thinner than its ring")
                        .found(format!("radius {radius} m, tube {tube} m"));
                    return None;
                }
                BodySurface::Torus { radius, tube }
            }
            GivenForm::Box(_) | GivenForm::Mesh(_) => return None,
        }))
    }
}
