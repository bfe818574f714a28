//! Whole files of the run folder: the report, and the recorded files for whoever wants them. Only plain files that lie directly in it.

use axum::http::StatusCode;
use std::path::{Component, Path};

/// A file's bytes and media type, or why there is none.
pub(crate) fn read(folder: &Path, name: &str) -> Result<(Vec<u8>, &'static str), (StatusCode, &'static str)> {
    const NOT_FOUND: (StatusCode, &str) = (StatusCode::NOT_FOUND, "no such file in the run folder\n");
    let mut parts = Path::new(name).components();
    let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    if !plain || name.contains(['/', '\\', '\0']) {
        return Err((StatusCode::FORBIDDEN, "only files of the run folder are served\n"));
    }
    let path = folder.join(name);
    // A link could lead out of the folder.
    let is_plain_file = path.symlink_metadata().is_ok_and(|facts| facts.is_file());
    if !is_plain_file {
        return Err(NOT_FOUND);
    }
    let bytes = std::fs::read(&path).map_err(|_| NOT_FOUND)?;
    Ok((bytes, media_type(name)))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("json") => "application/json",
        Some("toml" | "csv") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
