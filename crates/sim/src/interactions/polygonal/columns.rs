//! Columns of polygonal contacts, and of groups of them.

use super::contact::PolygonalOnLinks;
use super::{PolygonalBook, PolygonalParts};
use crate::books::channels::Columns;
use crate::description::WorldDescription;
use crate::engine::system::System;
use touchdown_math::Vec3;

/// A number of a contact or of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PolygonalValue {
    Of(usize, OfContact),
    Group(usize, OfGroup),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfContact {
    Force(usize),
    Torque(usize),
    Centre(usize),
    Normal,
    Area,
    Polygons,
    Sliding,
    SlidingSpeed,
    Penetration,
    Pressure,
    Stored,
    Dissipated,
    Touches,
}

/// Adds the columns of all contacts and groups.
pub(super) fn add(parts: &PolygonalParts, out: &mut Columns<PolygonalValue>) {
    use OfContact::*;
    for (i, contact) in parts.list.iter().enumerate().filter(|(_, c)| c.group.is_none()) {
        let base = format!("polygonal.{}", contact.name);
        let source = |value| PolygonalValue::Of(i, value);
        let about = ("N", "world", "force on the body");
        out.put_axes((&format!("{base}.force"), "n"), about, |k| source(Force(k)));
        let about = ("N m", "world", "torque on the body about the origin of its form");
        out.put_axes((&format!("{base}.torque"), "n_m"), about, |k| source(Torque(k)));
        let about = ("m", "world", "centre of pressure; not a number when apart");
        out.put_axes((&format!("{base}.centre"), "m"), about, |k| source(Centre(k)));
        let values = [
            (Normal, "normal_force_n", "N", "normal forces of all faces, added up"),
            (Area, "contact_area_m2", "m2", "area that touches"),
            (Polygons, "polygons", "1", "faces that touch"),
            (Sliding, "polygons_sliding", "1", "faces whose friction is at its limit"),
            (SlidingSpeed, "sliding_speed_max_m_per_s", "m/s", "largest sliding speed of a face"),
            (Penetration, "penetration_max_m", "m", "deepest penetration; 0 when apart"),
            (Pressure, "pressure_max_pa", "Pa", "largest pressure of the layers' springs"),
            (Stored, "stored_j", "J", "energy in the layers"),
            (Dissipated, "dissipated_j", "J", "turned into heat so far, by damping and friction"),
            (Touches, "touches", "1", "separate times of touching so far"),
        ];
        out.put_rows(&base, "-", &values, source);
    }
    add_groups(&parts.groups, out);
}

/// Contacts that are recorded together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    name: String,
    members: Vec<usize>,
    /// The body in soil of the same name, if there is one.
    soil: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfGroup {
    Force(usize),
    Size,
    Penetration,
    Polygons,
    /// Values of all groups.
    LargestRock,
    LargestSoil,
}

impl Group {
    /// The groups of a list of contacts.
    pub fn all(list: &[PolygonalOnLinks], description: &WorldDescription) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (i, contact) in list.iter().enumerate() {
            let Some(name) = &contact.group else { continue };
            match groups.iter_mut().find(|group| group.name == *name) {
                Some(group) => group.members.push(i),
                None => {
                    let soil = description.soil_bodies.iter().position(|body| body.name == *name);
                    groups.push(Group { name: name.clone(), members: vec![i], soil });
                }
            }
        }
        groups
    }
}

fn add_groups(groups: &[Group], out: &mut Columns<PolygonalValue>) {
    for (g, group) in groups.iter().enumerate() {
        let base = format!("rocks.{}", group.name);
        let source = |value| PolygonalValue::Group(g, value);
        let about = ("N", "world", "force of all rocks on the wheel");
        out.put_axes((&format!("{base}.force"), "n"), about, |k| source(OfGroup::Force(k)));
        let values = [
            (OfGroup::Size, "force_n", "N", "its size"),
            (OfGroup::Penetration, "penetration_max_m", "m", "deepest penetration of a rock"),
            (OfGroup::Polygons, "polygons", "1", "faces that touch"),
        ];
        out.put_rows(&base, "-", &values, source);
    }
    if !groups.is_empty() {
        let all = [
            (OfGroup::LargestRock, "force_max_n", "N", "largest force of the rocks on a wheel"),
            (
                OfGroup::LargestSoil,
                "soil_force_max_n",
                "N",
                "largest force of the soil on one of these wheels",
            ),
        ];
        out.put_rows("rocks", "-", &all, |value| PolygonalValue::Group(0, value));
    }
}

/// A number of a contact or of a group. Needs an evaluation.
pub(super) fn value(system: &System, books: &[PolygonalBook], value: PolygonalValue) -> f64 {
    match value {
        PolygonalValue::Of(i, value) => of_contact(system, &books[i], i, value),
        PolygonalValue::Group(g, value) => of_group(system, g, value),
    }
}

fn of_group(system: &System, g: usize, value: OfGroup) -> f64 {
    let groups = &system.acts.polygonal.groups;
    let forces =
        |group: &Group| -> Vec3 { group.members.iter().map(|i| system.polygonal_wrench(*i).1.f).sum() };
    let members = || groups[g].members.iter().map(|i| &system.acts.polygonal.list[*i].force);
    let largest = |of: &dyn Fn(&Group) -> f64| groups.iter().map(of).fold(0.0, f64::max);
    match value {
        OfGroup::Force(k) => forces(&groups[g])[k],
        OfGroup::Size => forces(&groups[g]).norm(),
        OfGroup::Penetration => members().map(|f| f.penetration_max).fold(0.0, f64::max),
        OfGroup::Polygons => members().map(|f| f64::from(f.polygons)).sum(),
        OfGroup::LargestRock => largest(&|group| forces(group).norm()),
        OfGroup::LargestSoil => {
            largest(&|group| group.soil.map_or(0.0, |s| system.acts.soil.forces[s].wrench_C.f.norm()))
        }
    }
}

fn of_contact(system: &System, books: &PolygonalBook, i: usize, value: OfContact) -> f64 {
    let force = &system.acts.polygonal.list[i].force;
    match value {
        OfContact::Force(k) => system.polygonal_wrench(i).1.f[k],
        OfContact::Torque(k) => system.polygonal_wrench(i).1.t[k],
        OfContact::Centre(k) => {
            if force.polygons > 0 {
                force.p_WQ[k]
            } else {
                f64::NAN
            }
        }
        OfContact::Normal => force.normal_force,
        OfContact::Area => force.area,
        OfContact::Polygons => f64::from(force.polygons),
        OfContact::Sliding => f64::from(force.sliding),
        OfContact::SlidingSpeed => force.sliding_speed_max,
        OfContact::Penetration => force.penetration_max,
        OfContact::Pressure => force.pressure_max,
        OfContact::Stored => force.elastic_energy,
        OfContact::Dissipated => books.dissipated,
        OfContact::Touches => books.touches_with(force.polygons > 0) as f64,
    }
}
