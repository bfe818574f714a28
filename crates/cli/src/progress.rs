//! The progress bar, wrapped around the recorder: the loop reports every step, the screen changes a few times a second.

use crate::signals::Signals;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};
use touchdown_record::Recorder;
use touchdown_sim::sink::{Frame, Progress, Sink, SinkError, SoilNode};

/// Time between two drawings.
const REDRAW: Duration = Duration::from_millis(200);
/// Steps between two looks at the clock, at most: fast steps are not slowed, slow ones still show.
const MOST_SKIPPED: u32 = 1024;
/// Marks on the bar.
const MARKS: u64 = 1000;

/// A recorder that also shows how far the run is.
pub struct Watched {
    /// Where the results go.
    pub recorder: Recorder,
    /// What Ctrl-C and SIGTERM ask for; `None` where the run cannot stop half-way.
    signals: Option<Signals>,
    /// `None` without a terminal.
    bar: Option<ProgressBar>,
    started: Instant,
    /// Simulated time at the start, s; not zero after a resume.
    time_at_start: f64,
    drawn: Instant,
    skip: u32,
    left: u32,
}

impl Watched {
    /// Watches a run that starts at `time`; silent if `quiet` or if stderr is no terminal.
    pub fn new(recorder: Recorder, time: f64, quiet: bool, signals: Option<Signals>) -> Self {
        let bar = ProgressBar::with_draw_target(Some(MARKS), ProgressDrawTarget::stderr());
        let visible = !quiet && !bar.is_hidden();
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Watched {
            recorder,
            signals,
            bar: visible.then_some(bar),
            started: now,
            time_at_start: time,
            drawn: now,
            skip: 1,
            left: 1,
        }
    }

    /// Takes the bar away; returns the recorder and the wall-clock time since the start, s.
    pub fn finish(self) -> (Recorder, f64) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        (self.recorder, self.started.elapsed().as_secs_f64())
    }

    fn draw(&self, bar: &ProgressBar, progress: Progress) {
        let wall = self.started.elapsed().as_secs_f64();
        bar.set_position((progress.time / progress.duration.max(f64::MIN_POSITIVE) * MARKS as f64) as u64);
        bar.set_message(message(progress, self.time_at_start, wall));
    }
}

/// Simulated time, speed against real time, time to go.
fn message(progress: Progress, time_at_start: f64, wall: f64) -> String {
    let speed = (progress.time - time_at_start) / wall.max(1e-9);
    let to_go = (progress.duration - progress.time) / speed.max(1e-12);
    let (time, duration) = (progress.time, progress.duration);
    format!("{time:.3} of {duration} s, {speed:.3} × real time, {} to go", clock(to_go))
}

/// A duration as a person would say it.
pub fn clock(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

impl Sink for Watched {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.recorder.series(row)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.recorder.frame(frame)
    }

    fn checkpoint(&mut self, state: &[u8], rows: u64, frames: u64) -> Result<(), SinkError> {
        self.recorder.checkpoint(state, rows, frames)
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.recorder.surface(nodes)
    }

    fn is_stop_requested(&self) -> bool {
        self.signals.as_ref().is_some_and(|signals| signals.came().is_some())
    }

    fn progress(&mut self, progress: Progress) {
        let Some(bar) = &self.bar else { return };
        self.left -= 1;
        if self.left > 0 {
            return;
        }
        let since = self.drawn.elapsed();
        if since >= REDRAW {
            self.draw(bar, progress);
            self.drawn = Instant::now();
            self.skip = (self.skip / 2).max(1);
        } else if since < REDRAW / 2 {
            self.skip = (self.skip * 2).min(MOST_SKIPPED);
        }
        self.left = self.skip;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_and_time_to_go_count_from_the_resumed_time() {
        // A run resumed at 6 s that took 2 s of wall time for the next 2 s runs at real time and has 4 s to go.
        let text = message(Progress { time: 8.0, duration: 12.0, steps: 800 }, 6.0, 2.0);
        assert_eq!(text, "8.000 of 12 s, 1.000 × real time, 4 s to go");
    }
}
