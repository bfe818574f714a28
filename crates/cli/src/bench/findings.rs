//! Measurements: tables with notes below them, as text and as JSON.

use comfy_table::{Row, Table};
use serde_json::{Value, json};
use std::fmt::Write;

/// A table, if there is one, and lines below it.
struct Finding {
    table: Option<Table>,
    lines: Vec<String>,
}

/// All that a call measured, in order.
#[derive(Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Adds a table with the lines that belong to it.
    pub fn add(&mut self, table: Table, lines: &[String]) {
        self.0.push(Finding { table: Some(table), lines: lines.to_vec() });
    }

    /// Adds a line by itself.
    pub fn say(&mut self, line: String) {
        self.0.push(Finding { table: None, lines: vec![line] });
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for finding in &self.0 {
            if let Some(table) = &finding.table {
                let _ = writeln!(text, "{table}");
            }
            for line in &finding.lines {
                let _ = writeln!(text, "{line}");
            }
            text.push('\n');
        }
        text
    }

    /// For programs: columns and rows as they are shown, numbers as numbers.
    pub fn json(&self) -> Value {
        self.0
            .iter()
            .map(|finding| {
                let columns = finding.table.as_ref().and_then(Table::header).map(texts);
                let rows: Vec<Value> = finding.table.iter().flat_map(Table::row_iter).map(values).collect();
                json!({ "columns": columns, "rows": rows, "notes": finding.lines })
            })
            .collect()
    }
}

fn texts(row: &Row) -> Vec<String> {
    row.cell_iter().map(|cell| cell.content()).collect()
}

fn values(row: &Row) -> Value {
    let value = |text: String| match text.parse::<f64>() {
        Ok(x) if x.is_finite() => x.into(),
        _ => Value::from(text),
    };
    texts(row).into_iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::table;

    #[test]
    fn programs_get_numbers_and_people_lines() {
        // The same rows in both forms; a cell that is a number is one.
        let mut rows = table(&["job", "us a step"]);
        rows.add_row(["chain", "1.50"]);
        let mut found = Findings::default();
        found.add(rows, &["slower".into()]);
        found.say("alone".into());
        assert!(found.text().contains("chain") && found.text().ends_with("slower\n\nalone\n\n"));
        assert_eq!(
            found.json(),
            json!([
                { "columns": ["job", "us a step"], "rows": [["chain", 1.5]], "notes": ["slower"] },
                { "columns": null, "rows": [], "notes": ["alone"] },
            ])
        );
    }
}
