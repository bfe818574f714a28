//! The table of keys for readers: as lines for a terminal, and as a page of the documentation.
//!
//! Both have the same content, section by section; only the markup, a [`Style`], differs.
//! `docs/reference/scenario.md` is [`reference_markdown`], and a test of the command compares them.

use crate::read::{SIGNAL_FORMS, kind_in_words, range_in_words, written_forms};
use crate::schema::sections;
use crate::table::{Field, KeyKind, Need, Section};
use std::fmt::Write;

/// Markup of words, code and references to a section.
#[derive(Clone, Copy)]
enum Style {
    Lines,
    Markdown,
}

impl Style {
    /// Plain words; in Markdown every character that could be markup is escaped.
    fn words(self, text: &str) -> String {
        match self {
            Style::Lines => text.to_string(),
            Style::Markdown => {
                let marked = |c| if r"\`*_{}[]<>#|~&$".contains(c) { vec!['\\', c] } else { vec![c] };
                text.chars().flat_map(marked).collect()
            }
        }
    }

    /// Text to be typed literally. No key or default contains a backtick.
    fn code(self, text: &str) -> String {
        match self {
            Style::Lines => text.to_string(),
            Style::Markdown => format!("`{}`", text.replace('|', "\\|")),
        }
    }

    fn section(self, section: &Section) -> String {
        match self {
            Style::Lines => section.name.to_string(),
            Style::Markdown => format!("[{}](#{})", self.words(section.name), section.name.replace(' ', "-")),
        }
    }

    /// Permitted values of a key, with the range of numbers.
    fn holds(self, kind: &'static KeyKind) -> String {
        match kind {
            KeyKind::Table(below) => format!("table, see {}", self.section(below)),
            KeyKind::Map(below) => format!("named tables, see {}", self.section(below)),
            KeyKind::OneOf(kinds) => kinds.iter().map(|k| self.holds(k)).collect::<Vec<_>>().join("; "),
            KeyKind::Choice(words) => {
                words.iter().map(|w| self.code(&format!("\"{w}\""))).collect::<Vec<_>>().join(", ")
            }
            KeyKind::Number(dims, range) | KeyKind::Numbers { dims, range, .. } => {
                let limits = dims.first().and_then(|dim| range_in_words(*range, dim));
                let limits = limits.map_or(String::new(), |limits| format!("; {limits}"));
                self.words(&(kind_in_words(kind) + &limits))
            }
            other => self.words(&kind_in_words(other)),
        }
    }

    fn missing(self, need: &Need) -> String {
        match need {
            Need::Required => "must be given".to_string(),
            Need::Optional => "–".to_string(),
            Need::Default(text) => self.code(text),
            Need::Derived(text) => self.words(text),
        }
    }

    fn keys(self, field: &'static Field) -> String {
        written_forms(field).iter().map(|form| self.code(form)).collect::<Vec<_>>().join(", ")
    }
}

/// Places where a section can occur: the key that holds it, and the sections that have this key.
fn places(section: &Section) -> Vec<(String, Vec<&'static Section>)> {
    let mut places: Vec<(String, Vec<&'static Section>)> = Vec::new();
    for above in sections() {
        for field in above.fields() {
            let Some((below, named)) = below(&field.kind).filter(|(below, _)| below.name == section.name)
            else {
                continue;
            };
            debug_assert_eq!(
                below.fields().count(),
                section.fields().count(),
                "two sections are called {}",
                below.name
            );
            let written = if named { format!("{}.NAME", field.key) } else { field.key.to_string() };
            match places.iter_mut().find(|(key, _)| *key == written) {
                Some((_, holders)) => holders.push(above),
                None => places.push((written, vec![above])),
            }
        }
    }
    places
}

/// The section below a key, and whether it is one of several with names.
fn below(kind: &'static KeyKind) -> Option<(&'static Section, bool)> {
    match kind {
        KeyKind::Table(section) => Some((section, false)),
        KeyKind::Map(section) => Some((section, true)),
        KeyKind::OneOf(kinds) => kinds.iter().find_map(below),
        _ => None,
    }
}

/// Every section and key, as lines for a terminal.
pub fn reference_text() -> String {
    let style = Style::Lines;
    let mut out = String::from(
        "Keys of scenario files. A quantity is a text with a unit (stiffness = \"8250 N/m\") or an SI number in a key that\n\
         names the unit (stiffness_n_per_m = 8250). Every table may also have assumed (why a value is a guess) and about.\n",
    );
    for section in sections() {
        let _ = writeln!(out, "\n{}: {}", section.name, section.about);
        for field in section.fields() {
            let (keys, holds, missing) =
                (style.keys(field), style.holds(&field.kind), style.missing(&field.need));
            let _ = writeln!(out, "  {keys}\n      {}\n      {holds}   [{missing}]", field.about);
        }
    }
    let _ = writeln!(out, "\nfunctions of time: {SIGNAL_FORMS}");
    out
}

/// Every section and key as a page in Markdown, with links between sections.
pub fn reference_markdown() -> String {
    let style = Style::Markdown;
    let mut out = String::from(
        "# Scenario reference\n\
         <!-- Made by `make reference` from the table of keys in crates/scenario/src/table; do not edit. -->\n\n\
         Every key of a scenario file. How a file is put together, with examples: [Writing a scenario](../scenarios.md).\n\n\
         A quantity is a text with a unit (`stiffness = \"8250 N/m\"`) or an SI number in a key that names the unit\n\
         (`stiffness_n_per_m = 8250`); limits are in SI, angles in degrees. Every table may also have `assumed` (why a value\n\
         is a guess) and `about`. A dash under *if missing* means: then there is none.\n",
    );
    for section in sections() {
        let _ =
            write!(out, "\n## {}\n{}.\n", style.words(section.name), capital(&style.words(section.about)));
        for (written, holders) in places(section) {
            let holders: Vec<String> = holders.iter().map(|above| style.section(above)).collect();
            let _ = writeln!(out, "Written {} in {}.", style.code(&written), holders.join(", "));
        }
        out += "\n| key | holds | if missing | meaning |\n|---|---|---|---|\n";
        for field in section.fields() {
            let cells = [
                style.keys(field),
                style.holds(&field.kind),
                style.missing(&field.need),
                style.words(field.about),
            ];
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    out += "\n## Functions of time\nWherever a key holds *a function of time*, one of:\n\n";
    for form in SIGNAL_FORMS.split("; ") {
        let _ =
            writeln!(out, "- {}", if form.starts_with('{') { style.code(form) } else { style.words(form) });
    }
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both references mention every section and the unit forms of its keys.
    #[test]
    fn the_references_are_complete() {
        let (lines, page) = (reference_text(), reference_markdown());
        for section in sections() {
            assert!(lines.contains(&format!("\n{}: ", section.name)));
            assert!(page.contains(&format!("\n## {}\n", Style::Markdown.words(section.name))));
        }
        assert!(lines.contains("  stiffness, stiffness_n_per_m\n"));
        assert!(page.contains(
            "| `stiffness`, `stiffness_n_per_m` | N/m, N/mm, kN/m; >= 0 |".replace(">", "\\>").as_str()
        ));
    }

    /// A row of a table has four cells, whatever they contain: bars inside cells are escaped.
    #[test]
    fn rows_have_four_cells() {
        for row in reference_markdown().lines().filter(|line| line.starts_with('|')) {
            let bars = row.replace("\\|", "").matches('|').count();
            assert_eq!(bars, 5, "{row}");
        }
    }

    /// Characters that are markup in Markdown are printed literally.
    #[test]
    fn words_are_escaped() {
        assert_eq!(
            Style::Markdown.words("a [soil.NAME], k_c*b < 2 | 3"),
            r"a \[soil.NAME\], k\_c\*b \< 2 \| 3"
        );
        assert_eq!(Style::Markdown.code("a|b"), r"`a\|b`");
        assert_eq!(Style::Lines.words("k_c"), "k_c");
    }

    /// The reference of a section lists the tables in which it can occur.
    #[test]
    fn sections_know_their_places() {
        let page = reference_markdown();
        assert!(page.contains("Written `spring.NAME` in [scenario](#scenario), [machine](#machine).\n"));
        assert!(page.contains("Written `terrain` in [scenario](#scenario).\n"));
    }
}
