//! Progress of a campaign: a bar on a terminal, lines of JSON for programs.

use crate::output::print;
use crate::progress::clock;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};
use touchdown_campaign::Progress;

/// Time between two lines of JSON.
const BETWEEN: Duration = Duration::from_secs(1);

/// Shows progress.
pub struct Shown {
    bar: ProgressBar,
    json: bool,
    last: Option<Instant>,
}

impl Shown {
    pub fn new(json: bool, quiet: bool) -> Shown {
        let target = if json || quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Shown { bar, json, last: None }
    }

    pub fn show(&mut self, p: Progress) {
        let rate = p.here as f64 / p.wall.max(1e-9);
        let to_go = (p.of - p.done.min(p.of)) as f64 / rate.max(1e-9);
        if self.json {
            let due = self.last.is_none_or(|last| last.elapsed() >= BETWEEN) || p.done == p.of;
            if due {
                self.last = Some(Instant::now());
                let line = serde_json::json!({
                    "cases_done": p.done, "cases": p.of, "rate_per_s": rate, "to_go_s": to_go,
                    "decided": p.decided.0, "requirements": p.decided.1,
                });
                // A closed pipe is the reader's choice.
                let _ = print(&format!("{line}\n"));
            }
            return;
        }
        self.bar.set_length(p.of);
        self.bar.set_position(p.done);
        let decided = match p.decided {
            (_, 0) => String::new(),
            (done, of) => format!(", {done} of {of} decided"),
        };
        self.bar.set_message(format!(
            "{} of {} cases, {rate:.1}/s, {} to go{decided}",
            p.done,
            p.of,
            clock(to_go)
        ));
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
