//! The interface of flexible bodies to the loop.

use super::columns::{self, FlexibleValue};
use super::{FlexBook, FlexPart, FlexibleBodies, checks, draw};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{FlexWheel, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::system::{Instant, System};
use crate::interactions::{Checked, Drawing, How, Interaction, InteractionKind, Making};
use crate::sink::{Check, ContactArrow};
use touchdown_multibody::rigid::elements::Powers;

impl Interaction for FlexibleBodies {
    const NAME: &'static str = "flexible bodies";
    type Parts = Vec<FlexPart>;
    type Memory = ();
    type Book = FlexBook;
    type Drawn = ();
    type Value = FlexibleValue;

    fn build(making: &mut Making) -> Result<Vec<FlexPart>, Vec<WorldError>> {
        let carried = std::mem::take(&mut making.carried);
        let parts = FlexPart::all(making.description, making.model, carried, making.states);
        making.states += parts.iter().filter_map(|p| Some(p.contact.as_ref()?.states())).sum::<usize>();
        Ok(parts)
    }

    fn count(system: &System) -> usize {
        system.acts.flexible.len()
    }

    fn prepare(system: &mut System, at: &Instant) {
        system.place_flexible(at);
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        if system.acts.flexible.is_empty() {
            return Powers::default();
        }
        let powers = system.update_flexible(at, how.weights());
        for k in 0..system.drive_wheel.len() {
            let Some((InteractionKind::FlexibleBodies, i)) = system.drive_wheel[k] else { continue };
            let deformation = system.flexible_wheel(i).map_or(0.0, |s| s.deformation);
            let rolls = |w: FlexWheel| w.radius - w.rolling_share * deformation;
            system.rolling_radius[k] = system.acts.flexible[i].wheel.map_or(f64::NAN, rolls);
        }
        powers
    }

    fn leans_on_ground(system: &System) -> bool {
        !system.acts.flexible.is_empty()
    }

    fn is_sound(system: &mut System) -> bool {
        system.check_flexible().is_ok()
    }

    fn check(system: &mut System, _memory: &()) -> Result<(), StepFailure> {
        system.check_flexible()
    }

    fn book(system: &System, _times: (f64, f64), _memory: &mut (), books: &mut [FlexBook]) {
        books.iter_mut().zip(&system.acts.flexible).for_each(|(book, part)| book.book(part));
    }

    fn wheel_on(system: &System, body: usize) -> Option<usize> {
        let is_on = |part: &FlexPart| part.carrier.as_ref().is_some_and(|on| on.body == body);
        system.acts.flexible.iter().position(|part| part.wheel.is_some() && is_on(part))
    }

    fn hub_speed(system: &System, wheel: usize) -> Option<f64> {
        let (stance, on) = (system.flexible_wheel(wheel)?, system.acts.flexible[wheel].carrier.as_ref()?);
        Some(system.point_velocity_of(on.body, &stance.p_WC).dot(&stance.forward_W))
    }

    fn columns(system: &System, description: &WorldDescription, out: &mut Columns<FlexibleValue>) {
        columns::add(&system.acts.flexible, description, out);
    }

    fn value(system: &System, _s: &Snapshot, value: FlexibleValue) -> f64 {
        columns::value(system, value)
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        let touching = description.flexible.iter().filter(|f| f.contact.is_some());
        out.extend(touching.map(|f| ContactName {
            name: f.name.clone(),
            body: f.carrier.as_ref().map(|on| on.body),
            soil: false,
        }));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        for part in system.acts.flexible.iter().filter(|part| part.contact.is_some()) {
            let sum = part.ground_force();
            let p_WC = sum.centre().unwrap_or_else(|| part.centre());
            each(ContactArrow { p_WC, f_W: sum.force, t_W: sum.moment - p_WC.cross(&sum.force) });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        out.extend(description.flexible.iter().enumerate().map(|(i, f)| draw::drawing(i, f)));
    }

    fn checks(on: &Checked) -> Vec<Check> {
        if on.at_rest { Vec::new() } else { checks::checks(on) }
    }
}
