//! Tells cargo that the embedded claims are inputs of this crate, so that a new file is seen.

fn main() {
    println!("cargo:rerun-if-changed=validation");
    println!("cargo:rerun-if-changed=build.rs");
}
