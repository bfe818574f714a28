//! Quantities of a rig over the windows of its timetable, and the parts of that timetable.

use super::schedule::{Schedule, Window};
use super::{Rig, RigKind};
use touchdown_sim::description::{Quantity, Take};
use touchdown_sim::figure::PhaseSpan;

impl Rig {
    /// Its quantities.
    pub fn quantities(&self) -> Vec<Quantity> {
        let plan = self.schedule();
        match self.kind {
            RigKind::SingleWheel { load, wheel, .. } => {
                single_wheel_quantities(&plan.windows, load, wheel.radius)
            }
            RigKind::Spin { .. } => spin_quantities(&plan),
            RigKind::Footprint { .. } => footprint_quantities(&plan),
            RigKind::Plate { .. } => Vec::new(),
        }
    }

    /// The parts of its timetable; a bevameter has none.
    pub fn phases(&self) -> Vec<PhaseSpan> {
        let plan = self.schedule();
        let loaded = plan.load.last().map(|(loaded, _)| PhaseSpan {
            label: "load comes on".into(),
            from: 0.0,
            to: *loaded,
        });
        let label = match self.kind {
            RigKind::SingleWheel { .. } => Some("averaged"),
            RigKind::Spin { .. } => Some("wheel turns"),
            RigKind::Footprint { .. } | RigKind::Plate { .. } => None,
        };
        let counted = label.map(|label| {
            plan.windows.iter().map(move |w| PhaseSpan { label: label.into(), from: w.from, to: w.to })
        });
        loaded.into_iter().chain(counted.into_iter().flatten()).collect()
    }
}

/// Scale of the error of a quantity.
#[derive(Clone, Copy)]
enum Scale {
    Own,
    Load,
    LoadAtRim,
    One,
}

/// Stem, unit, scale, column and meaning of the quantities of a rolling wheel.
const STEADY: [(&str, &str, Scale, &str, &str); 6] = [
    (
        "drawbar_pull",
        "_n",
        Scale::Load,
        "constraint.carriage.force_0",
        "force by which the wheel pulls the carriage",
    ),
    (
        "side_force",
        "_n",
        Scale::Load,
        "soil.wheel.force_y_n",
        "force of the soil along the axle, against travel to the side",
    ),
    ("slip", "", Scale::One, "soil.wheel.slip_drive", "1 - speed/(rim speed)"),
    (
        "sinkage",
        "_m",
        Scale::Own,
        "soil.wheel.sinkage_m",
        "depth of the lowest point below the undisturbed level",
    ),
    ("torque", "_n_m", Scale::LoadAtRim, "soil.wheel.torque_n_m", "torque of the drive on the wheel"),
    (
        "tractive_efficiency",
        "",
        Scale::One,
        "soil.wheel.tractive_efficiency",
        "pull times speed over torque times wheel speed",
    ),
];

fn single_wheel_quantities(windows: &[Window], load: f64, radius: f64) -> Vec<Quantity> {
    let mut list = Vec::new();
    for (stem, unit, scale, column, about) in STEADY {
        let scale = match scale {
            Scale::Own => None,
            Scale::Load => Some(load),
            Scale::LoadAtRim => Some(load * radius),
            Scale::One => Some(1.0),
        };
        let reduced = |name: String, take: Take, window: &Window, how: &str| Quantity {
            name,
            column: column.into(),
            take,
            crossing: None,
            from: window.from,
            to: window.to,
            about: format!("{about}; {how} from {:.2} s to {:.2} s", window.from, window.to),
            scale,
        };
        if let Some(last) = windows.last() {
            list.push(reduced(format!("{stem}{unit}"), Take::Mean, last, "mean"));
            list.push(reduced(format!("{stem}{unit}_std"), Take::Deviation, last, "standard deviation"));
        }
        if windows.len() > 1 {
            let numbered = windows.iter().enumerate();
            list.extend(numbered.map(|(i, window)| {
                let how = format!("mean of pass {}", i + 1);
                reduced(format!("{stem}_pass_{}{unit}", i + 1), Take::Mean, window, &how)
            }));
        }
    }
    list
}

fn spin_quantities(plan: &Schedule) -> Vec<Quantity> {
    let start = plan.windows.first().map_or(0.0, |w| w.from);
    let sinkage = "soil.wheel.sinkage_m";
    vec![
        quantity(
            "sinkage_start_m",
            sinkage,
            Take::End,
            (0.0, start),
            "sinkage under the load, before the wheel turns",
        ),
        quantity("sinkage_m", sinkage, Take::End, (0.0, plan.duration), "sinkage at the end"),
        quantity(
            "sinkage_growth_m",
            sinkage,
            Take::Change,
            (start, plan.duration),
            "how far the wheel dug itself in while it turned",
        ),
        quantity(
            "torque_n_m",
            "soil.wheel.torque_n_m",
            Take::End,
            (0.0, plan.duration),
            "torque of the drive at the end",
        ),
        quantity(
            "drawbar_pull_n",
            "constraint.carriage.force_0",
            Take::End,
            (0.0, plan.duration),
            "force that holds the carriage back at the end",
        ),
    ]
}

fn footprint_quantities(plan: &Schedule) -> Vec<Quantity> {
    let whole = (0.0, plan.duration);
    vec![
        quantity("sinkage_m", "soil.wheel.sinkage_m", Take::End, whole, "sinkage at the end"),
        quantity(
            "vertical_force_n",
            "soil.wheel.force_z_n",
            Take::End,
            whole,
            "force of the soil at the end, upwards",
        ),
        quantity(
            "horizontal_force_n",
            "soil.wheel.force_x_n",
            Take::End,
            whole,
            "force of the soil at the end, forwards",
        ),
        quantity("torque_n_m", "soil.wheel.torque_n_m", Take::End, whole, "torque of the drive at the end"),
    ]
}

fn quantity(name: &str, column: &str, take: Take, (from, to): (f64, f64), about: &str) -> Quantity {
    let (name, column, about) = (name.into(), column.into(), about.into());
    Quantity { name, column, take, crossing: None, from, to, about, scale: None }
}
