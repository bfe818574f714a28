//! The script and styles of the pages are built from `viewer/` first; a missing one is reported.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_PAGES").is_none() {
        return;
    }
    // Asked for at run time: a build directory may serve several checkouts.
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    // In a checkout a link to `viewer/dist`, in a package a folder.
    let pages = Path::new(&here).join("pages");
    println!("cargo::rerun-if-changed={}", pages.display());
    for file in ["report.js", "report.css", "view.js", "view.css", "view.html"] {
        if !pages.join(file).exists() {
            println!(
                "cargo::error=viewer/dist/{file} is missing: run `make viewer` first (needs Node.js 20.19 or later), or build without the feature `pages`"
            );
        }
    }
}
