//! Tells cargo that the embedded scenarios are inputs of this crate, so that a new file is seen.

fn main() {
    println!("cargo:rerun-if-changed=scenarios");
    println!("cargo:rerun-if-changed=build.rs");
}
