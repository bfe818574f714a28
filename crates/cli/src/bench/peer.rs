//! The peers: MuJoCo, and Drake and Exudyn where they are installed, in a Python of the user's, kept running so that their rounds lie between ours.

use crate::failure::Failure;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use touchdown_scenario::{LARGEST_FILE, read_text};

const SCRIPT: &str = include_str!("mujoco_step.py");
const DRAKE: &str = include_str!("drake_probe.py");
const ROVER: &str = include_str!("../../peers/mujoco_rover.xml");
const EXUDYN: &str = include_str!("exudyn_plate.py");
/// Steps of a round: 8 s, so that five rounds are 40 s.
const STEPS: u32 = 8_000;
/// Steps of a round of Drake, which are a hundred times as costly.
const DRAKE_STEPS: u32 = 200;
/// Steps of a round of Exudyn.
const EXUDYN_STEPS: u32 = 200;

/// A peer, waiting for work.
pub struct Peer {
    /// Name and version.
    pub name: String,
    /// Steps of a round.
    steps: u32,
    child: Child,
    /// `None` once it is asked to end.
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts the peer's Python on the rover, or on another model.
    pub fn start(python: &Path, model: Option<&Path>) -> Result<Peer, Failure> {
        let xml = match model {
            Some(path) => read_text(path, LARGEST_FILE)
                .map_err(|problem| failed(format!("{} {problem}", path.display())))?,
            None => ROVER.to_string(),
        };
        Peer::with(python, &[SCRIPT, &xml], STEPS, false)
    }

    /// Drake on a probe in a cone; `None` where it is not installed.
    pub fn drake(python: &Path) -> Option<Peer> {
        Peer::with(python, &[DRAKE], DRAKE_STEPS, true).ok()
    }

    /// Exudyn on a plate of thin elements; `None` where it is not installed.
    pub fn exudyn(python: &Path) -> Option<Peer> {
        Peer::with(python, &[EXUDYN], EXUDYN_STEPS, true).ok()
    }

    fn with(python: &Path, script: &[&str], steps: u32, may_fail: bool) -> Result<Peer, Failure> {
        let mut command = Command::new(python);
        command.arg("-c").args(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        if may_fail {
            command.stderr(Stdio::null());
        }
        let mut child = command.spawn().map_err(|e| failed(format!("starting {}: {e}", python.display())))?;
        let (Some(orders), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("its pipes could not be opened".into()));
        };
        let mut peer = Peer {
            name: String::new(),
            steps,
            child,
            orders: Some(orders),
            answers: BufReader::new(answers),
        };
        peer.name = peer.answer()?;
        Ok(peer)
    }

    /// One round: CPU time per step, s.
    pub fn round(&mut self) -> Result<f64, Failure> {
        if let Some(orders) = &mut self.orders {
            writeln!(orders, "{}", self.steps)
                .and_then(|()| orders.flush())
                .map_err(|e| failed(e.to_string()))?;
        }
        let answer = self.answer()?;
        let seconds: f64 = answer.parse().map_err(|_| failed(format!("it answered \"{answer}\"")))?;
        Ok(seconds / f64::from(self.steps))
    }

    fn answer(&mut self) -> Result<String, Failure> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(n) if n > 0 => Ok(line.trim().to_string()),
            Ok(_) => Err(failed("it ended; has this Python the package mujoco?".into())),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends when it has no more orders to read.
        self.orders = None;
        let _ = self.child.wait();
    }
}

fn failed(why: String) -> Failure {
    Failure::other(format!("the peer cannot be measured: {why}"))
}
