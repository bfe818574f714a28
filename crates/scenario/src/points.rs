//! Measured or published points of a figure: a CSV file ⇒ sets of points. The units are those of the figure's
//! axes.

use touchdown_sim::figure::Points;

/// Most rows of a file.
const MOST_ROWS: usize = 10_000;
/// Required columns of a file, and optional ones.
const NEEDED: [&str; 2] = ["x", "y"];
const OPTIONAL: [&str; 3] = ["x_error", "y_error", "set"];
/// Name of points if the file gives none.
const UNNAMED: &str = "published";

/// Why a file of points cannot be used: the fault, the value found, the permitted values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub what: String,
    pub found: String,
    pub allowed: &'static str,
}

const LAYOUT: &str =
    "a header with x and y, and where known x_error, y_error and set; then numbers, one point a line";

/// Reads a file: `#` begins a comment, the first other line is the header.
pub(crate) fn read(text: &str) -> Result<Vec<Points>, Wrong> {
    let wrong = |what: String, found: &str| Wrong { what, found: format!("{found:?}"), allowed: LAYOUT };
    let comments = text.lines().map_while(|line| line.trim().strip_prefix('#'));
    let source = comments.map(str::trim).collect::<Vec<_>>().join(" ");
    let mut rows =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let (_, header) = rows.next().ok_or_else(|| wrong("holds no points".into(), ""))?;
    let names: Vec<&str> = header.split(',').map(str::trim).collect();
    let known = |name: &&str| NEEDED.contains(name) || OPTIONAL.contains(name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        return Err(wrong("has a column that has no meaning here".into(), name));
    }
    if let Some(name) =
        names.iter().enumerate().find_map(|(k, name)| names[..k].contains(name).then_some(name))
    {
        return Err(wrong("has a column twice".into(), name));
    }
    let column = |name: &str| names.iter().position(|found| *found == name);
    let (Some(x), Some(y)) = (column(NEEDED[0]), column(NEEDED[1])) else {
        return Err(wrong("lacks a column x or y".into(), header));
    };
    let [x_error, y_error, set] = OPTIONAL.map(column);
    let mut sets: Vec<Points> = Vec::new();
    for (count, (line, row)) in rows.enumerate() {
        if count == MOST_ROWS {
            return Err(wrong(format!("has more than {MOST_ROWS} points"), ""));
        }
        let cells: Vec<&str> = row.split(',').map(str::trim).collect();
        if cells.len() != names.len() {
            return Err(wrong(
                format!("has {} cells in line {} below {} names", cells.len(), line + 1, names.len()),
                row,
            ));
        }
        let number = |at: usize| {
            let value = cells[at].parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| {
                wrong(format!("has something that is not a number in line {}", line + 1), cells[at])
            })
        };
        let bar = |at: usize| match number(at) {
            Ok(value) if value < 0.0 => {
                Err(wrong(format!("has an error below zero in line {}", line + 1), cells[at]))
            }
            value => value,
        };
        let label = set.map(|at| cells[at]).filter(|label| !label.is_empty()).unwrap_or(UNNAMED);
        let known = sets.iter().position(|points| points.label == label);
        let at = known.unwrap_or_else(|| {
            sets.push(Points { label: label.into(), source: source.clone(), ..Points::default() });
            sets.len() - 1
        });
        let points = &mut sets[at];
        points.x.push(number(x)?);
        points.y.push(number(y)?);
        if let Some(at) = x_error {
            points.x_error.push(bar(at)?);
        }
        if let Some(at) = y_error {
            points.y_error.push(bar(at)?);
        }
    }
    if sets.is_empty() { Err(wrong("holds no points".into(), header)) } else { Ok(sets) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comments give the source, rows of one name form a set, errors are optional.
    #[test]
    fn points_are_read_with_source_names_and_bars() {
        let text = "# Table 9\n# of the paper\nx, y, y_error, set\n1, 2, 0.5, first\n3, 4, 0, second\n# a remark\n5, 6, 0.1, first\n";
        let sets = read(text).expect("sound");
        assert_eq!(sets.iter().map(|set| set.label.as_str()).collect::<Vec<_>>(), ["first", "second"]);
        assert_eq!(
            (sets[0].source.as_str(), &sets[0].x, &sets[0].y),
            ("Table 9 of the paper", &vec![1.0, 5.0], &vec![2.0, 6.0])
        );
        assert_eq!((&sets[0].y_error, sets[0].x_error.len()), (&vec![0.5, 0.1], 0));
        assert_eq!(read("x,y\n1,2\n").expect("sound")[0].label, UNNAMED);
    }

    /// Every mistake is refused with its line and the value found there.
    #[test]
    fn broken_files_are_refused_with_their_line() {
        for (text, what, found) in [
            ("", "holds no points", ""),
            ("x,y\n", "holds no points", "x,y"),
            ("x,z\n1,2\n", "no meaning", "z"),
            ("x,x\n1,2\n", "twice", "x"),
            ("x,set\n1,2\n", "lacks a column", "x,set"),
            ("x,y\n1,2\n3\n", "line 3", "3"),
            ("x,y\n1,two\n", "line 2", "two"),
            ("x,y\n1,inf\n", "line 2", "inf"),
            ("x,y,y_error\n1,2,-1\n", "below zero", "-1"),
        ] {
            let wrong = read(text).expect_err(text);
            assert!(wrong.what.contains(what) && wrong.found.contains(found), "{text:?}: {wrong:?}");
        }
    }
}
