//! `touchdown view`: the 3-D page of a run folder, and `touchdown run --view`: that of a run in progress. On 127.0.0.1 only.

use crate::args::ViewArgs;
use crate::failure::Failure;
use crate::output::say;
use crate::progress::Watched;
use std::path::Path;
use std::sync::Arc;
use touchdown_record::replay::{self, FolderSource};
use touchdown_record::{RunInfo, Scene};
use touchdown_serve::{ServeError, Server, Shown};
use touchdown_sim::sink::Outcome;
use touchdown_sim::{RunError, Simulation};

/// Shows a run folder until the process is stopped.
pub fn view(args: &ViewArgs) -> Result<(), Failure> {
    let source = Arc::new(FolderSource::open(&args.dir)?);
    let server = Server::start(Shown { source, folder: args.dir.clone() }, args.port)?;
    say(&format!("{} is shown at {} (Ctrl-C ends it)", args.dir.display(), server.url()));
    server.wait();
    Ok(())
}

/// A run that is shown while it goes on.
pub struct Showing {
    /// How it ended.
    pub result: Result<Outcome, RunError>,
    /// Its sink, to be closed.
    pub watched: Watched,
    /// The page, which stays.
    pub server: Server,
}

/// Runs a world and shows it.
pub fn run_shown(
    world: &mut Simulation,
    watched: Watched,
    info: &RunInfo,
    (dir, port): (&Path, Option<u16>),
) -> Result<Showing, Failure> {
    let (mut live, source) = replay::live(watched, info, world.columns(), &Scene::of(world));
    let server = Server::start(Shown { source, folder: dir.to_path_buf() }, port)?;
    say(&format!("the run is shown at {}", server.url()));
    let result = world.run(&mut live);
    Ok(Showing { result, watched: live.finish(), server })
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        let hint = matches!(error, ServeError::Listen { .. })
            .then(|| "another program may use that port; without --port a free one is taken".into());
        Failure::Other { what: error.to_string(), hint }
    }
}

/// Opens the report of a folder in the browser; makes it first where there is none.
pub fn open(dir: &Path) -> Result<(), Failure> {
    let page = dir.join("report.html");
    let page = if page.exists() { page } else { touchdown_record::report::write(dir)?.path };
    let page = std::path::absolute(&page).map_err(|e| Failure::other(format!("{}: {e}", page.display())))?;
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opener = std::env::var("BROWSER").ok().filter(|name| !name.is_empty()).unwrap_or(opener.into());
    let ended = std::process::Command::new(&opener).arg(&page).status();
    match ended {
        Ok(status) if status.success() => say(&format!("{} opens {}", opener, page.display())),
        // Nothing to open it with, as on a server: where it is helps, too.
        _ => say(&format!("no browser could be started with {opener}; open this file: {}", page.display())),
    }
    Ok(())
}
