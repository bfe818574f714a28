//! A flexible wheel in a press: the rig, and the wheels that are pressed beside it.

use super::Builder;
use super::flexible_file::tread;
use crate::table::{BesideKeys, FlexibleFormKeys, FollowWord, FormWord, StudyKeys};
use touchdown_contact::surface::NormalLaw;
use touchdown_geometry::Relief;
use touchdown_math::Vec3;
use touchdown_multibody::flex::press::{Follow, MeshWheel, Press, PressedWheel};
use touchdown_multibody::flex::quadrature::Order;
use touchdown_sim::description::{Ground, Study};
use touchdown_studies::WheelPress;

impl Builder<'_> {
    /// The study of a wheel in a press.
    pub fn wheel_press(&mut self, keys: &StudyKeys) -> Option<Study> {
        let wheel = self.pressed_wheel(keys)?;
        let name = self.flexible[wheel].name.clone();
        let own = self.root.flexible.iter().find(|f| f.name == name)?;
        let form = self.flexible_form(0, own.keys.as_ref()?)?;
        let pressed = self.wheel_to_press(form)?;
        let contact = self.flexible[wheel].contact.as_ref();
        let Some((points, NormalLaw::Linear { stiffness, .. })) = contact.map(|c| (c.points, c.law.normal))
        else {
            self.issues
                .at(own.loc, &own.path, "needs contact with a linear normal_law, because it is pressed")
                .hint("contact = { stiffness = \"4 MN/m^3\", friction_law = \"none\" }");
            return None;
        };
        let follow = match keys.follow? {
            FollowWord::Stable => Follow::Stable,
            FollowWord::Primary => Follow::Primary,
        };
        let press = Press { wheel: pressed, order: Order::EXACT, points, stiffness, follow };
        let mut beside = Vec::new();
        for other in &keys.beside {
            let Some(own) = &other.keys else { continue };
            let mut changed = press.clone();
            if let Err(problem) = change(&mut changed.wheel, own) {
                self.issues.at(other.loc, &other.path, problem);
                return None;
            }
            beside.push((other.name.clone(), changed));
        }
        if matches!(self.ground, Some(Ground::Soil(_))) && (keys.spring.is_some() || !beside.is_empty()) {
            let what = "in terrain a wheel is compared with its rigid form and with rigid ground: spring and beside mean nothing";
            self.issues.at(keys.here.loc, &keys.here.path, what);
            return None;
        }
        Some(Study::by(WheelPress {
            wheel,
            press,
            deflection: keys.deflection_max?,
            rows: usize::try_from(keys.rows?).ok()?,
            line: keys.spring,
            beside,
        }))
    }

    /// The wheel by its form, or by its mesh.
    fn wheel_to_press(&mut self, form: &FlexibleFormKeys) -> Option<PressedWheel> {
        if form.kind != FormWord::File {
            return Some(PressedWheel::Form(self.wheel_form(form)?, self.material(form)?));
        }
        let mesh = self.described(form)?;
        let hub = mesh.tie.first().map(|tie| tie.to);
        let Some(hub) = hub.filter(|hub| mesh.tie.iter().all(|tie| tie.to == *hub)) else {
            let what = "needs one hub, because its mesh is pressed";
            self.issues
                .at(form.here.loc, &form.here.path, what)
                .hint("[[tie]] in the file, or hub beside it");
            return None;
        };
        let (radius, width) = form.radius.zip(form.width)?;
        let tread = tread(&mesh.build().ok()?, Some(radius)).into_iter().map(|(e, _)| e).collect();
        Some(PressedWheel::Mesh(Box::new(MeshWheel { mesh, hub, tread, radius, width })))
    }

    /// Index of the wheel: named, or the only one; it stands upright over flat ground, carried by nothing.
    fn pressed_wheel(&mut self, keys: &StudyKeys) -> Option<usize> {
        let wheels: Vec<usize> =
            (0..self.flexible.len()).filter(|i| self.flexible[*i].wheel.is_some()).collect();
        let names = || wheels.iter().map(|i| self.flexible[*i].name.as_str()).collect::<Vec<_>>().join(", ");
        let found = match &keys.wheel {
            Some(name) => wheels.iter().copied().find(|i| self.flexible[*i].name == **name),
            None if wheels.len() == 1 => wheels.first().copied(),
            None => None,
        };
        let Some(found) = found else {
            let key = StudyKeys::wheel;
            let (loc, path, names) = (keys.here.loc_of(key), keys.here.path_of(key), names());
            if self.issues.is_empty() {
                let issue = self.issues.at(loc, path, "must name a flexible wheel");
                if names.is_empty() {
                    issue.hint("add [flexible.NAME] with a form of type wheel")
                } else {
                    issue.allowed(names)
                };
            }
            return None;
        };
        let level = match &self.ground {
            Some(Ground::Plane { point, normal }) if (normal - Vec3::z()).norm() < 1e-12 => Some(point.z),
            Some(Ground::Soil(soil)) => match soil.relief {
                Relief::Plane { height: 0.0, gradient: [0.0, 0.0] } => Some(0.0),
                _ => None,
            },
            _ => None,
        };
        let wheel = &mut self.flexible[found];
        // Drawn where the press begins: the wheel just touches.
        if let (Some(level), Some(form)) = (level, wheel.wheel) {
            wheel.X_WM.p.z = level + form.radius;
        }
        if wheel.carrier.is_some() || level.is_none() {
            let what = "needs a flexible wheel that no body carries, over level ground";
            self.issues
                .at(keys.here.loc, &keys.here.path, what)
                .hint("[ground] with shape = \"plane\", or level [terrain]; [flexible.NAME] without body");
            return None;
        }
        Some(found)
    }
}

/// Changes a wheel as the keys of one beside it say.
fn change(wheel: &mut PressedWheel, own: &BesideKeys) -> Result<(), String> {
    let count = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok());
    match wheel {
        PressedWheel::Form(form, material) => {
            own.orientation.into_iter().for_each(|x| form.orientation = x);
            own.young_modulus.into_iter().for_each(|x| material.young = x);
            count(own.elements_per_quadrant).into_iter().for_each(|n| form.elements_per_quadrant = n);
            form.elements_per_spoke = count(own.elements_per_spoke).or(form.elements_per_spoke);
            count(own.elements_across).into_iter().for_each(|n| form.elements_across = n);
            form.check().map_err(|problem| problem.to_string())
        }
        PressedWheel::Mesh(mesh) => {
            let finer = [own.elements_per_quadrant, own.elements_per_spoke, own.elements_across];
            if finer.iter().any(Option::is_some) {
                return Err("a mesh from a file is not refined: make a finer file".into());
            }
            own.orientation.into_iter().for_each(|angle| mesh.mesh.turn(angle));
            own.young_modulus
                .into_iter()
                .for_each(|x| mesh.mesh.material.iter_mut().for_each(|m| m.young_modulus_pa = x));
            Ok(())
        }
    }
}
