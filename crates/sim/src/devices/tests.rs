//! The wall around the devices.

/// Loop, state, checkpoint, looks and columns know devices, and no single kind of them.
#[test]
fn the_loop_names_no_kind_of_device() {
    let files = [
        ("step.rs", include_str!("../step.rs")),
        ("run.rs", include_str!("../run.rs")),
        ("system.rs", include_str!("../system.rs")),
        ("integrable.rs", include_str!("../integrable.rs")),
        ("history.rs", include_str!("../history.rs")),
        ("state.rs", include_str!("../state.rs")),
        ("look.rs", include_str!("../look.rs")),
        ("simulation.rs", include_str!("../simulation.rs")),
        ("outcome.rs", include_str!("../outcome.rs")),
        ("channels/mod.rs", include_str!("../channels/mod.rs")),
        ("channels/values.rs", include_str!("../channels/values.rs")),
        ("channels/devices.rs", include_str!("../channels/devices.rs")),
        ("devices/in_loop.rs", include_str!("in_loop.rs")),
    ];
    let kinds = ["attitude", "aocs", "avionics", "thruster", "docking", "sequence", "regulator"];
    let named: Vec<String> = files
        .iter()
        .flat_map(|(file, text)| {
            let text = text.to_lowercase();
            kinds.iter().filter(move |kind| text.contains(*kind)).map(move |kind| format!("{file}: {kind}"))
        })
        .collect();
    assert!(named.is_empty(), "{named:?}");
}
