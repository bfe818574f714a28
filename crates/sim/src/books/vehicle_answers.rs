//! Default quantities of every vehicle: distance, slip, energy per distance, sinkage, tilt, power.
//!
//! They are quantities like those of a description, over the whole run. A quantity of the same name in the
//! description replaces it.

use crate::books::quantities::{Accumulator, Resolved};
use crate::description::{Quantity, Take, Vehicle};
use crate::sink::{Column, NamedValue};

/// Distance below which energy per distance has no meaning, m: while wheels start, a vehicle settles by parts
/// of a millimetre.
const LEAST_DISTANCE: f64 = 1e-3;

/// Name, last part of the column, how it is reduced, meaning.
const REDUCED: [(&str, &str, Take, &str); 5] = [
    ("distance_m", "distance_m", Take::End, "distance driven, along its forward direction"),
    (
        "slip_mean",
        "slip_drive",
        Take::Mean,
        "mean slip of its wheels, each over a second: 1 - distance/(distance rolled)",
    ),
    (
        "sinkage_max_m",
        "sinkage_max_m",
        Take::Max,
        "largest sinkage of a wheel, normal to the undisturbed ground",
    ),
    ("tilt_max_deg", "tilt_rad", Take::Max, "largest angle of its z axis from the vertical"),
    (
        "power_mean_w",
        "drive_power_w",
        Take::Mean,
        "mean power of the drives of its wheels; braking counts as negative",
    ),
];
const ENERGY: &str = "energy_per_distance_j_per_m";

/// The prefix of the names: empty for a single vehicle.
fn prefix(vehicles: &[Vehicle], i: usize) -> String {
    if vehicles.len() == 1 { String::new() } else { format!("{}.", vehicles[i].name) }
}

/// Names of the quantities of the vehicles of a description.
pub fn vehicle_quantities(vehicles: &[Vehicle]) -> Vec<String> {
    let of_one = |i: usize| {
        let prefix = prefix(vehicles, i);
        let names = REDUCED.iter().map(|reduced| reduced.0).chain([ENERGY]);
        names.map(move |name| format!("{prefix}{name}"))
    };
    (0..vehicles.len()).flat_map(of_one).collect()
}

/// The quantities of all vehicles; those that `given` has under the same name are left out.
pub(crate) fn resolve(vehicles: &[Vehicle], given: &[Quantity], columns: &[Column]) -> Vec<Resolved> {
    let mut resolved = Vec::new();
    for (i, vehicle) in vehicles.iter().enumerate() {
        for (name, ending, take, about) in REDUCED {
            let name = format!("{}{name}", prefix(vehicles, i));
            let column = format!("vehicle.{}.{ending}", vehicle.name);
            let place = columns.iter().position(|c| c.name == column);
            let Some(place) = place.filter(|_| given.iter().all(|quantity| quantity.name != name)) else {
                continue;
            };
            let (unit, scale) =
                if ending == "tilt_rad" { ("deg", 1f64.to_degrees()) } else { (columns[place].unit, 1.0) };
            let (from, to) = (0.0, f64::INFINITY);
            let about = about.into();
            let quantity = Quantity { name, column, take, crossing: None, from, to, scale: None, about };
            resolved.push(Resolved { quantity, column: place, crossing: None, unit, scale });
        }
    }
    resolved
}

/// Energy of the drives over the distance; not a number before a vehicle has moved.
pub(crate) fn energies(
    vehicles: &[Vehicle],
    (resolved, accumulators): (&[Resolved], &[Accumulator]),
    distances: &[f64],
    time: f64,
) -> Vec<NamedValue> {
    let mut energies = Vec::new();
    for (i, (vehicle, distance)) in vehicles.iter().zip(distances).enumerate() {
        let power = format!("vehicle.{}.drive_power_w", vehicle.name);
        let whole = |r: &Resolved| {
            r.quantity.column == power
                && r.quantity.take == Take::Mean
                && r.quantity.from <= 0.0
                && r.quantity.to >= time
        };
        let mean = resolved.iter().position(whole).map(|k| accumulators[k].result(Take::Mean));
        let Some(mean) = mean else { continue };
        energies.push(NamedValue {
            name: format!("{}{ENERGY}", prefix(vehicles, i)),
            value: if *distance >= LEAST_DISTANCE { mean * time / distance } else { f64::NAN },
            unit: "J/m".into(),
            about: "work of the drives of its wheels over the distance driven; none below 1 mm".into(),
        });
    }
    energies
}
