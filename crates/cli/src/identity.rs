//! Which program this is: `touchdown --version --json`, and what manifests say.

use crate::failure::Failure;
use crate::output::print;
use touchdown_record::Build;

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How it was built; `build.rs` finds it out.
pub fn build() -> Build {
    Build {
        commit: env!("TOUCHDOWN_COMMIT").into(),
        dirty: env!("TOUCHDOWN_DIRTY") == "true",
        source: env!("TOUCHDOWN_SOURCE").into(),
        profile: env!("TOUCHDOWN_PROFILE").into(),
        target: env!("TOUCHDOWN_TARGET").into(),
        target_features: env!("TOUCHDOWN_TARGET_FEATURES").into(),
        features: env!("TOUCHDOWN_FEATURES").into(),
        compiler: env!("TOUCHDOWN_COMPILER").into(),
    }
}

/// Whether the command line asks for the version as JSON.
pub fn is_asked_for() -> bool {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.iter().any(|name| word == name));
    words.len() == 2 && has(&["--json"]) && has(&["--version", "-V"])
}

/// Prints version and build as JSON.
pub fn print_json() -> Result<(), Failure> {
    let mut value = serde_json::json!({ "version": VERSION });
    let build = serde_json::to_value(build()).map_err(|error| Failure::other(error.to_string()))?;
    if let (Some(all), serde_json::Value::Object(build)) = (value.as_object_mut(), build) {
        all.extend(build);
    }
    print(&format!("{value:#}\n"))
}
