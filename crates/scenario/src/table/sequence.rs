//! The table: sequences of phases.

use super::spacecraft::CLOCK;
use super::typed::{choice, number, text, texts};
use super::{section, words};
use crate::read::Text;
use crate::unit::FREQUENCY;

words! {
    pub(crate) enum EndingWord {
        Done = "done",
        Aborted = "aborted",
    }
}

section! {
    /// A phase of a sequence.
    pub(crate) struct SequencePhaseKeys "sequence_phase":
        "a phase of a sequence: what it commands when it begins, and where it leads";
    optional commands: Vec<Text> = texts(), "inputs that it commands when it begins, such as \"slide = 0.05 m/s\"; they hold until the next command";
    optional signals: Vec<Text> = texts(),
        "signals that it sets when it begins, such as \"hold = 1\": sequence.NAME.hold, for controllers and other sequences";
    optional to: Vec<Text> = texts(),
        "where it leads: \"PHASE when CONDITION\" or \"PHASE after 60 s\"; the first whose condition holds is taken";
    optional ends: EndingWord = choice(), "what the sequence has come to in it: done, or aborted";
}

section! {
    /// A sequence.
    pub(crate) struct SequenceKeys "sequence":
        "phases that follow each other when conditions over columns and signals hold";
    required rate: f64 = number(&[&FREQUENCY], CLOCK), "how often it looks at its conditions";
    derived("the first that is written") start: Text = text(), "the phase that it begins in";
    named phase: SequencePhaseKeys, "a phase of the sequence";
}
