//! `touchdown list` and `touchdown schema`: what is built in, and what a scenario file may say.

use crate::args::Listed;
use crate::failure::Failure;
use crate::output::{print, table};
use touchdown_scenario::{EntryKind, catalogue, json_schema, reference_text};

/// Prints the built-in scenarios and machines, a line each.
pub fn list(what: Option<Listed>) -> Result<(), Failure> {
    let mut text = String::new();
    for (listed, kind, heading) in [
        (Listed::Scenarios, EntryKind::Scenario, "scenario"),
        (Listed::Machines, EntryKind::Machine, "machine"),
    ] {
        if what.is_some_and(|asked| asked != listed) {
            continue;
        }
        let mut rows = table(&[heading, "topic", "what it is"]);
        for entry in catalogue().iter().filter(|entry| entry.kind == kind) {
            rows.add_row([&entry.name, &entry.topic, &entry.title]);
        }
        text += &format!("{rows}\n\n");
    }
    print(&(text + "touchdown show NAME tells more, touchdown run SCENARIO runs one\n"))
}

/// Prints the JSON Schema of scenario files, or the same as text.
pub fn schema(as_text: bool) -> Result<(), Failure> {
    if as_text {
        return print(&reference_text());
    }
    let text = serde_json::to_string_pretty(&json_schema());
    print(&(text.map_err(|error| Failure::other(format!("writing the schema: {error}")))? + "\n"))
}
