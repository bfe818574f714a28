//! Columns without a value: not a number appears only where the column's own description says when.

mod common;

use common::*;

/// In runs that touch and part, a column that ever holds no number says so in its metadata.
#[test]
fn columns_say_when_they_hold_no_number() {
    let mut missing = 0;
    for (name, sets) in [
        ("rock-drop", &["duration_s=0.6"][..]),
        ("peg-in-cone", &["duration_s=0.2"]),
        ("ball-on-waves", &["duration_s=0.2"]),
        ("ellipsoid-on-map", &["duration_s=0.1"]),
        ("foot-drop", &["duration_s=0.1"]),
        ("docking-open-loop", &["duration_s=0.5"]),
        ("rover-drop-brush", &["duration_s=0.1"]),
    ] {
        let mut world = world(&built_in(name, sets));
        let mut memory = Memory::default();
        world.run(&mut memory).expect("the sink takes everything");
        let rows = memory.rows;
        for (k, column) in world.columns().iter().enumerate() {
            let without = rows.iter().filter(|row| row[k].is_nan()).count();
            missing += usize::from(without > 0);
            let said = column.about.contains("not a number");
            assert!(without == 0 || said, "{name}: {} holds no number in {without} rows", column.name);
            assert!(rows.iter().all(|row| !row[k].is_infinite()), "{name}: {} is infinite", column.name);
        }
    }
    assert!(missing > 0, "nothing was tried");
}
