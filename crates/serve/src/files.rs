//! Whole files of the run folder: the report and the recorded files. Only plain files directly in it.

use axum::http::StatusCode;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Component, Path};
use touchdown_record::platform;

/// An open file.
pub(crate) struct Found {
    file: File,
    pub length: u64,
}

impl Found {
    /// Copies it, as long as it was when it was opened.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        let copied = io::copy(&mut self.file.take(self.length), out)?;
        if copied == self.length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

type Refusal = (StatusCode, &'static str);

/// Opens a file, or says why there is none.
pub(crate) fn open(folder: &Path, name: &str) -> Result<Found, Refusal> {
    let mut parts = Path::new(name).components();
    let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    if !plain || name.contains(['/', '\\', '\0']) {
        return Err((StatusCode::FORBIDDEN, "only files of the run folder are served\n"));
    }
    let file = platform::open_plain(&folder.join(name)).map_err(|error| refusal(&error))?;
    let length = file.metadata().map_err(|error| refusal(&error))?.len();
    Ok(Found { file, length })
}

fn refusal(error: &io::Error) -> Refusal {
    if platform::is_short(error) {
        (StatusCode::SERVICE_UNAVAILABLE, "too many files are open: try again\n")
    } else {
        (StatusCode::NOT_FOUND, "no such file in the run folder\n")
    }
}

pub(crate) fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("json") => "application/json",
        Some("toml" | "csv") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
