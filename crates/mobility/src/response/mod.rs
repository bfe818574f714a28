//! What a rover does on slopes of each soil: runs ⇒ cases ⇒ surrogate ⇒ table.
//!
//! `asked` (what is asked; the study of a soil) ⇒ `stage` (which campaign is next: design, refinements, held out) ⇒ `cases` (rows ⇒ cases) ⇒ surrogate ⇒ `tabulate` ⇒
//! `saved`. Every decision is a function of what is asked and of the cases that have ended, so that a stage that was killed goes on to the same bytes.

mod asked;
mod cases;
mod export;
mod held_out;
mod refine;
mod saved;
mod space;
mod stage;
mod tabulate;

pub use asked::{Asked, Refusal, WHEEL_SPEED};
pub use export::CASES;
pub(crate) use held_out::HELD_OUT;
pub use held_out::HeldOut;
pub use saved::{SURROGATE, Saved, SoilReport};
pub use space::Space;
pub use stage::{Next, Program, Stage, StageError, Weights};
pub use tabulate::TableAccuracy;
