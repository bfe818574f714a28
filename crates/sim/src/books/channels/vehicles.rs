//! Columns of vehicles on soil wheels.

use super::{Channels, Snapshot, Source};
use crate::engine::system::System;
use touchdown_multibody::rigid::kinematics;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum VehicleValue {
    Speed,
    SlipDrive,
    DrivePower,
    Tilt,
    Climb,
    Distance,
    LargestSinkage,
}

impl Channels {
    pub(super) fn add_vehicles(&mut self) {
        let values: [(VehicleValue, &str, &'static str, &str); 7] = [
            (VehicleValue::Speed, "speed_m_per_s", "m/s", "velocity of its body along the body's x axis"),
            (
                VehicleValue::SlipDrive,
                "slip_drive",
                "1",
                "1 - (distance gained)/(mean distance rolled by its wheels) over the last second; 0 below 1 mm rolled",
            ),
            (VehicleValue::DrivePower, "drive_power_w", "W", "sum over the drives that turn its wheels"),
            (VehicleValue::Tilt, "tilt_rad", "rad", "angle of its z axis from the direction against gravity"),
            (
                VehicleValue::Climb,
                "climb_m",
                "m",
                "distance gained since the start along its level forward direction at the start",
            ),
            (
                VehicleValue::Distance,
                "distance_m",
                "m",
                "distance driven since the start, along its forward direction",
            ),
            (
                VehicleValue::LargestSinkage,
                "sinkage_max_m",
                "m",
                "largest sinkage of its wheels, normal to the undisturbed ground",
            ),
        ];
        for i in 0..self.vehicles.len() {
            for (value, suffix, unit, about) in values {
                let name = format!("vehicle.{}.{suffix}", self.vehicles[i].name);
                self.put(Source::Vehicle(i, value), &name, unit, "-", about);
            }
        }
    }

    /// Whether a number of a vehicle needs only positions and velocities. If gravity turns, its direction is
    /// known only after forces.
    pub(super) fn is_vehicle_kinematic(
        &self,
        i: usize,
        value: VehicleValue,
        follows: &impl Fn(usize) -> bool,
    ) -> bool {
        match value {
            VehicleValue::Speed | VehicleValue::SlipDrive | VehicleValue::Climb | VehicleValue::Distance => {
                true
            }
            VehicleValue::DrivePower => self.vehicles[i].drives.iter().all(|drive| follows(*drive)),
            VehicleValue::Tilt | VehicleValue::LargestSinkage => false,
        }
    }

    pub(super) fn vehicle_value(&self, system: &System, s: &Snapshot, i: usize, value: VehicleValue) -> f64 {
        let vehicle = &self.vehicles[i];
        match value {
            VehicleValue::Speed => {
                let V = kinematics::body_velocity(&system.model, &system.cache, Some(vehicle.body));
                let X_WB = &self.poses[vehicle.body];
                kinematics::point_velocity(&system.cache, &V, &X_WB.p).dot(&X_WB.R.column(0))
            }
            VehicleValue::SlipDrive => s.odometers[i].slip,
            VehicleValue::DrivePower => {
                vehicle.drives.iter().map(|d| system.drive_power(*d, s.t, s.q, s.v)).sum()
            }
            VehicleValue::Tilt => vehicle.tilt(system),
            VehicleValue::Climb => s.odometers[i].climbed,
            VehicleValue::Distance => s.odometers[i].distance,
            VehicleValue::LargestSinkage => vehicle.largest_sinkage(system),
        }
    }
}
