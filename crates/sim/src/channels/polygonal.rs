//! Columns of polygonal contacts.

use super::{Channels, Source};
use crate::system::System;
use crate::validity::PolygonalExtremes;
use touchdown_math::Vec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PolygonalValue {
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

impl Channels {
    pub(super) fn add_polygonal(&mut self, system: &System) {
        use PolygonalValue::*;
        for (i, contact) in system.polygonal.iter().enumerate().filter(|(_, c)| c.group.is_none()) {
            let base = format!("polygonal.{}", contact.name);
            let source = |value| Source::Polygonal(i, value);
            let about = ("N", "world", "force on the body");
            self.put_axes((&format!("{base}.force"), "n"), about, |k| source(Force(k)));
            let about = ("N m", "world", "torque on the body about the origin of its form");
            self.put_axes((&format!("{base}.torque"), "n_m"), about, |k| source(Torque(k)));
            let about = ("m", "world", "centre of pressure; not a number when apart");
            self.put_axes((&format!("{base}.centre"), "m"), about, |k| source(Centre(k)));
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
            self.put_rows(&base, "-", &values, source);
        }
    }
}

/// Contacts that are recorded as one.
#[derive(Clone, Debug)]
pub(super) struct Group {
    members: Vec<usize>,
    /// The body in soil that belongs to it, if there is one of its name.
    soil: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GroupValue {
    Force(usize),
    Size,
    Penetration,
    Polygons,
    /// Of all groups together.
    LargestRock,
    LargestSoil,
}

impl Channels {
    pub(super) fn add_groups(&mut self, system: &System) {
        let mut names: Vec<&String> = Vec::new();
        for (i, contact) in system.polygonal.iter().enumerate() {
            let Some(name) = &contact.group else { continue };
            match names.iter().position(|n| *n == name) {
                Some(g) => self.groups[g].members.push(i),
                None => {
                    names.push(name);
                    let soil = system.soil_bodies.iter().position(|body| body.name == *name);
                    self.groups.push(Group { members: vec![i], soil });
                }
            }
        }
        for (g, name) in names.into_iter().enumerate() {
            let base = format!("rocks.{name}");
            let source = |value| Source::Group(g, value);
            let about = ("N", "world", "force of all rocks on the wheel");
            self.put_axes((&format!("{base}.force"), "n"), about, |k| source(GroupValue::Force(k)));
            let values = [
                (GroupValue::Size, "force_n", "N", "its size"),
                (GroupValue::Penetration, "penetration_max_m", "m", "deepest penetration of a rock"),
                (GroupValue::Polygons, "polygons", "1", "faces that touch"),
            ];
            self.put_rows(&base, "-", &values, source);
        }
        if !self.groups.is_empty() {
            let about = "largest force of the rocks on a wheel";
            self.put(Source::Group(0, GroupValue::LargestRock), "rocks.force_max_n", "N", "-", about);
            let about = "largest force of the soil on one of these wheels";
            self.put(Source::Group(0, GroupValue::LargestSoil), "rocks.soil_force_max_n", "N", "-", about);
        }
    }

    /// A number of a group. Needs an evaluation.
    pub(super) fn group_value(&self, system: &System, g: usize, value: GroupValue) -> f64 {
        let forces =
            |group: &Group| -> Vec3 { group.members.iter().map(|i| system.polygonal_wrench(*i).1.f).sum() };
        let members = || self.groups[g].members.iter().map(|i| &system.polygonal[*i].force);
        let largest = |of: &dyn Fn(&Group) -> f64| self.groups.iter().map(of).fold(0.0, f64::max);
        match value {
            GroupValue::Force(k) => forces(&self.groups[g])[k],
            GroupValue::Size => forces(&self.groups[g]).norm(),
            GroupValue::Penetration => members().map(|f| f.penetration_max).fold(0.0, f64::max),
            GroupValue::Polygons => members().map(|f| f64::from(f.polygons)).sum(),
            GroupValue::LargestRock => largest(&|group| forces(group).norm()),
            GroupValue::LargestSoil => {
                largest(&|group| group.soil.map_or(0.0, |s| system.soil_forces[s].wrench_C.f.norm()))
            }
        }
    }
}

/// A number of a polygonal contact. Needs an evaluation.
pub(super) fn polygonal_value(
    system: &System,
    books: &PolygonalExtremes,
    i: usize,
    value: PolygonalValue,
) -> f64 {
    let force = &system.polygonal[i].force;
    match value {
        PolygonalValue::Force(k) => system.polygonal_wrench(i).1.f[k],
        PolygonalValue::Torque(k) => system.polygonal_wrench(i).1.t[k],
        PolygonalValue::Centre(k) => {
            if force.polygons > 0 {
                force.p_WQ[k]
            } else {
                f64::NAN
            }
        }
        PolygonalValue::Normal => force.normal_force,
        PolygonalValue::Area => force.area,
        PolygonalValue::Polygons => f64::from(force.polygons),
        PolygonalValue::Sliding => f64::from(force.sliding),
        PolygonalValue::SlidingSpeed => force.sliding_speed_max,
        PolygonalValue::Penetration => force.penetration_max,
        PolygonalValue::Pressure => force.pressure_max,
        PolygonalValue::Stored => force.elastic_energy,
        PolygonalValue::Dissipated => books.dissipated,
        PolygonalValue::Touches => books.touches_with(force.polygons > 0) as f64,
    }
}
