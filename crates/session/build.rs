//! Which program this is: commit, whether the sources differ from it, a hash of the sources, compiler, target. Works without git, too.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program is made of, from the root of the workspace. Tests and documentation do not change it.
const SOURCES: [&str; 6] = ["crates", "scenarios", "validation", "viewer/src", "Cargo.toml", "Cargo.lock"];
/// The same in a package, which has this crate alone: its version stands for the others.
const PACKAGED: [&str; 3] = ["src", "Cargo.toml", "Cargo.lock"];

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let in_checkout = here.join("../../crates/session/build.rs").is_file();
    let (root, sources) =
        if in_checkout { (here.join("../.."), &SOURCES[..]) } else { (here.to_path_buf(), &PACKAGED[..]) };
    let git = |words: &[&str]| said(Command::new("git").arg("-C").arg(&root).args(words));
    // In a folder inside another repository git would report that one.
    let ours =
        git(&["ls-files", "crates/session/build.rs"]).is_some_and(|file| in_checkout && !file.is_empty());
    let commit = git(&["rev-parse", "HEAD"]).filter(|_| ours).unwrap_or_default();
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(sources);
    status.push(":!crates/*/tests");
    let dirty = ours && git(&status).is_some_and(|list| !list.is_empty());
    let mut files = Vec::new();
    sources.iter().for_each(|name| list(&root.join(name), &mut files));
    files.sort();
    let source = files.iter().fold(Fnv::default(), |hash, file| hash.add_file(&root, file));
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let rustc = said(Command::new(variable("RUSTC")).arg("--version")).unwrap_or_default();
    for (name, value) in [
        ("COMMIT", commit),
        ("DIRTY", dirty.to_string()),
        ("SOURCE", format!("{:016x}", source.0)),
        ("PROFILE", variable("PROFILE")),
        ("TARGET", variable("TARGET")),
        ("TARGET_FEATURES", variable("CARGO_CFG_TARGET_FEATURE")),
        ("FEATURES", variable("CARGO_CFG_FEATURE")),
        ("COMPILER", rustc),
    ] {
        println!("cargo:rustc-env=TOUCHDOWN_{name}={value}");
    }
    for name in sources {
        println!("cargo:rerun-if-changed={}", root.join(name).display());
    }
    // Changes with every commit and checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|_| ours) {
        println!("cargo:rerun-if-changed={}", root.join(log).display());
    }
}

/// The first line that a command prints, if it ends well.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_string())
}

fn list(path: &Path, files: &mut Vec<PathBuf>) {
    // Links lead to what is listed by itself, or to what was built.
    if path.is_symlink() {
        return;
    }
    if path.is_file() {
        files.push(path.to_path_buf());
    }
    for entry in path.read_dir().into_iter().flatten().flatten() {
        if entry.file_name() != "tests" {
            list(&entry.path(), files);
        }
    }
}

/// FNV-1a with 64 bits: enough to tell builds apart, and no dependency of a build script.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(self, bytes: &[u8]) -> Self {
        Fnv(bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)))
    }

    /// Name and content; where the sources lie does not count.
    fn add_file(self, root: &Path, file: &Path) -> Self {
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        self.add(name.as_bytes()).add(&[0]).add(&std::fs::read(file).unwrap_or_default()).add(&[0])
    }
}
