//! Which program this is: `touchdown --version --json`, `touchdown.build`, and what manifests say.

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

/// Version and build as JSON.
pub fn json() -> serde_json::Value {
    let mut value = serde_json::json!({ "version": VERSION });
    let build = serde_json::to_value(build()).unwrap_or_default();
    if let (Some(all), serde_json::Value::Object(build)) = (value.as_object_mut(), build) {
        all.extend(build);
    }
    value
}
