//! The pages' script and styles are built from `viewer/` beforehand; says so where they are missing.

use std::path::Path;

fn main() {
    // Asked for at run time: a build directory may serve several checkouts.
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let dist = Path::new(&here).join("../../viewer/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    for file in ["report.js", "report.css", "view.js", "view.css", "view.html"] {
        if !dist.join(file).exists() {
            println!(
                "cargo::error=viewer/dist/{file} is missing: run `make viewer` first (needs Node.js 20.19 or later)"
            );
        }
    }
}
