//! Sequences: phases, their commands and transitions.

use super::Builder;
use super::sequence_text::{Assigned, Way, assigned, way};
use crate::error::nearest;
use crate::read::{Named, Text};
use crate::table::{EndingWord, SequencePhaseKeys};
use touchdown_sim::description::{Ending, Phase, PhaseCommand, Sequence, Transition};

impl Builder<'_> {
    /// Sequences of the scenario.
    pub fn collect_sequences(&mut self) {
        for named in &self.root.sequence {
            self.remember("sequence", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let names: Vec<&str> = keys.phase.iter().map(|phase| phase.name.as_str()).collect();
            if names.is_empty() {
                let issue = self.issues.at(keys.here.loc, &keys.here.path, "has no phases");
                issue.hint(format!("add [sequence.{}.phase.NAME]", named.name));
                continue;
            }
            let start = match &keys.start {
                None => Some(0),
                Some(start) => self.phase_called(&names, start, start),
            };
            let phases: Vec<Phase> =
                keys.phase.iter().filter_map(|phase| self.sequence_phase(phase, &names)).collect();
            if let Some(start) = start.filter(|_| phases.len() == names.len()) {
                let (name, rate) = (named.name.clone(), keys.rate);
                self.devices.sequences.push(Sequence { name, rate, phases, start });
            }
        }
    }

    fn sequence_phase(&mut self, named: &Named<SequencePhaseKeys>, names: &[&str]) -> Option<Phase> {
        let keys = named.keys.as_ref()?;
        let (mut commands, mut signals, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
        for text in keys.commands.iter().flatten() {
            let Assigned { name, value, unit } = self.said(text, assigned)?;
            commands.push(PhaseCommand { input: name, value, unit });
        }
        for text in keys.signals.iter().flatten() {
            let Assigned { name, value, unit } = self.said(text, assigned)?;
            let bad = |c: char| !c.is_alphanumeric() && c != '_';
            let problem = match unit {
                Some(_) => {
                    Some("gives a signal a unit: its name may end in one, its value is a plain number")
                }
                None if name == "phase" || name.contains(bad) => {
                    Some("needs a name of letters, digits and _ other than phase")
                }
                None => None,
            };
            if let Some(problem) = problem {
                self.issues.at(text.loc, &text.path, problem).found(format!("\"{text}\""));
                return None;
            }
            signals.push((name, value));
        }
        for text in keys.to.iter().flatten() {
            let Way { phase, when, condition } = self.said(text, way)?;
            let to = self.phase_called(names, &phase, text)?;
            transitions.push(Transition { to, when, text: condition });
        }
        if keys.ends.is_some() && !transitions.is_empty() {
            let what = "ends the sequence, and leads on";
            self.issues.at(keys.here.loc, &keys.here.path, what).hint("leave out one of ends and to");
            return None;
        }
        let ending = keys.ends.map(|word| match word {
            EndingWord::Done => Ending::Done,
            EndingWord::Aborted => Ending::Aborted,
        });
        let about = keys.here.about.clone().unwrap_or_default();
        Some(Phase { name: named.name.clone(), about, commands, signals, transitions, ending })
    }

    /// The parsed text; `None` after a mistake.
    fn said<T>(&mut self, text: &Text, read: fn(&str) -> Result<T, String>) -> Option<T> {
        match read(text) {
            Ok(said) => Some(said),
            Err(problem) => {
                self.issues.at(text.loc, &text.path, problem).found(format!("\"{text}\""));
                None
            }
        }
    }

    fn phase_called(&mut self, names: &[&str], name: &str, at: &Text) -> Option<usize> {
        let found = names.iter().position(|known| *known == name);
        if found.is_none() {
            let near = nearest(name, names.iter().copied()).map(str::to_string);
            let what = "names a phase that the sequence does not have";
            let issue = self.issues.at(at.loc, &at.path, what);
            let issue = issue.found(format!("\"{name}\"")).allowed(names.join(", "));
            if let Some(near) = near {
                issue.hint(format!("did you mean {near}?"));
            }
        }
        found
    }
}
