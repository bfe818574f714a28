//! `touchdown view`: the 3-D page of a run folder, and `touchdown run --view`: that of a run in progress, on 127.0.0.1 only. `touchdown run --foxglove` streams to Foxglove.

use crate::args::ViewArgs;
use crate::failure::Failure;
use crate::output::say;
use crate::progress::Watched;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use touchdown_record::replay::{self, FolderSource};
use touchdown_record::{RunInfo, Scene, stream};
use touchdown_serve::{Foxglove, ServeError, Server};
use touchdown_sim::sink::{Outcome, Sink};
use touchdown_sim::{RunError, Simulation};

/// Shows a run folder until the process is stopped.
pub fn view(args: &ViewArgs) -> Result<(), Failure> {
    let source = Arc::new(FolderSource::open(&args.dir)?);
    let shown = touchdown_serve::Shown { source, folder: args.dir.clone() };
    let server = Server::start(shown, args.port)?;
    say(&format!("{} is shown at {} (Ctrl-C ends it)", args.dir.display(), server.url()));
    server.wait();
    Ok(())
}

/// Where a run is shown while it is computed; the port of the page is any free one if not given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// On the 3-D page.
    pub page: Option<Option<u16>>,
    /// In Foxglove.
    pub foxglove: Option<Option<SocketAddr>>,
}

impl Shown {
    /// Whether it is shown at all.
    pub fn is_wanted(&self) -> bool {
        self.page.is_some() || self.foxglove.is_some()
    }
}

/// A run that is shown while it is computed.
pub struct Showing {
    /// How it ended.
    pub result: Result<Outcome, RunError>,
    /// Its sink, to be closed.
    pub watched: Watched,
    /// Those who show it, who stay.
    pub servers: Servers,
}

/// Who shows a run.
pub struct Servers {
    page: Option<Server>,
    foxglove: Option<Foxglove>,
}

impl Servers {
    /// Shows the end of the run until the process is stopped.
    pub fn stay(self) {
        if let Some(page) = &self.page {
            say(&format!("the page stays at {} (Ctrl-C ends it)", page.url()));
        }
        if let Some(foxglove) = &self.foxglove {
            say(&format!("the end of the run stays at {} (Ctrl-C ends it)", foxglove.url()));
        }
        // Both go on together until the process ends.
        let Servers { page, foxglove } = self;
        foxglove.into_iter().for_each(Foxglove::wait);
        page.into_iter().for_each(Server::wait);
    }
}

/// Runs a world and shows it.
pub fn run_shown(
    world: &mut Simulation,
    watched: Watched,
    (info, dir): (&RunInfo, &Path),
    shown: Shown,
) -> Result<Showing, Failure> {
    let Some(port) = shown.page else {
        let (result, watched, foxglove) = run_streamed(world, watched, &info.title, shown.foxglove)?;
        return Ok(Showing { result, watched, servers: Servers { page: None, foxglove } });
    };
    let (live, source) = replay::live(watched, info, world.columns(), &Scene::of(world));
    let page = Server::start(touchdown_serve::Shown { source, folder: dir.to_path_buf() }, port)?;
    say(&format!("the run is shown at {}", page.url()));
    let (result, live, foxglove) = run_streamed(world, live, &info.title, shown.foxglove)?;
    Ok(Showing { result, watched: live.finish(), servers: Servers { page: Some(page), foxglove } })
}

type Streamed<S> = (Result<Outcome, RunError>, S, Option<Foxglove>);

/// Runs a world, streamed to Foxglove where that is wanted.
fn run_streamed<S: Sink>(
    world: &mut Simulation,
    mut sink: S,
    title: &str,
    wanted: Option<Option<SocketAddr>>,
) -> Result<Streamed<S>, Failure> {
    let Some(address) = wanted else { return Ok((world.run(&mut sink), sink, None)) };
    let (mut streamed, hub) = stream::streamed(sink, world.columns(), &Scene::of(world));
    let foxglove = Foxglove::start(hub, title, address)?;
    say(&format!("Foxglove can open {}", foxglove.url()));
    if !foxglove.is_local() {
        say("other machines can read this stream, too: it asks for no password");
    }
    let result = world.run(&mut streamed);
    Ok((result, streamed.finish(), Some(foxglove)))
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        let hint = match error {
            ServeError::Listen { .. } => Some("another program may use that port; without --port a free one is taken"),
            ServeError::Stream { .. } => Some("another program may use that port, or this machine has no such address; --foxglove alone takes a free port"),
            ServeError::Thread(_) | ServeError::Token(_) => None,
        }
        .map(String::from);
        Failure::Other { what: error.to_string(), hint }
    }
}

/// Opens the report of a folder in the browser; makes it first where there is none.
pub fn open(dir: &Path) -> Result<(), Failure> {
    let page = dir.join("report.html");
    let page = if page.exists() { page } else { touchdown_record::report::write(dir)?.path };
    let page = std::path::absolute(&page).map_err(|e| Failure::other(format!("{}: {e}", page.display())))?;
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let opener = std::env::var("BROWSER").ok().filter(|name| !name.is_empty()).unwrap_or(opener.into());
    let ended = std::process::Command::new(&opener).arg(&page).status();
    match ended {
        Ok(status) if status.success() => say(&format!("{} opens {}", opener, page.display())),
        // Nothing to open it with, as on a server: where it is helps, too.
        _ => say(&format!("no browser could be started with {opener}; open this file: {}", page.display())),
    }
    Ok(())
}
