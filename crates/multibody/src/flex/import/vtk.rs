//! Legacy files of VTK in ASCII: unstructured grids and surfaces of polygons, of versions up to 5.1.

use super::{MOST, Raw, RawPlate, ShellFileError, WordsOf, short, wrong};

/// The type of a quadrangle.
const QUADRANGLE: u32 = 9;

#[derive(Default)]
struct Reader {
    raw: Raw,
    /// Corners of each cell, and the line in which they stand.
    cells: Vec<(usize, Vec<u64>)>,
    kinds: Option<Vec<u32>>,
    /// Arrays of cells (true) or points that have been asked for.
    of_cells: bool,
    rows: usize,
    thickness: Option<Vec<f64>>,
}

/// Reads a file.
pub(super) fn read(text: &str) -> Result<Raw, ShellFileError> {
    let mut head = text.lines();
    if !head.next().is_some_and(|line| line.starts_with("# vtk DataFile")) {
        return wrong(1, "a legacy VTK file begins with \"# vtk DataFile Version\"");
    }
    if head.nth(1).map(str::trim) != Some("ASCII") {
        return wrong(3, "ASCII should stand here: save the file as text");
    }
    // The title may hold anything.
    let start = text.match_indices('\n').nth(2).map_or(text.len(), |(k, _)| k);
    let mut reader = Reader::default();
    let mut words = WordsOf::new(&text[start..]);
    let in_file = |mut error: ShellFileError| {
        error.line += if error.line > 0 { 2 } else { 0 };
        error
    };
    while let Some(word) = words.next() {
        reader.section(&word.to_ascii_uppercase(), &mut words).map_err(in_file)?;
    }
    reader.finish().map_err(in_file)
}

impl Reader {
    fn section(&mut self, name: &str, words: &mut WordsOf) -> Result<(), ShellFileError> {
        match name {
            "DATASET" => match words.word("a kind of data set")? {
                "UNSTRUCTURED_GRID" | "POLYDATA" => Ok(()),
                other => wrong(words.line, format!("data sets of kind {} are not read", short(other))),
            },
            "POINTS" => {
                let count = words.count("the number of points")?;
                words.word("a type")?;
                for k in 0..count {
                    let place = words.place()?;
                    self.raw.nodes.insert(k as u64, place);
                }
                Ok(())
            }
            "CELLS" | "POLYGONS" => self.cells(words),
            "CELL_TYPES" => {
                let count = words.count("the number of cells")?;
                self.kinds =
                    Some((0..count).map(|_| words.number("a type of cell")).collect::<Result<_, _>>()?);
                Ok(())
            }
            "CELL_DATA" | "POINT_DATA" => {
                self.of_cells = name == "CELL_DATA";
                self.rows = words.count("the number of rows")?;
                Ok(())
            }
            "SCALARS" => {
                let array = words.word("a name")?.to_string();
                words.word("a type")?;
                let width = words.next_in_line().map_or(Ok(1), str::parse);
                let Ok(width) = width else {
                    return wrong(words.line, "a number of components should stand here");
                };
                if words.peek() == Some("LOOKUP_TABLE") {
                    words.next();
                    words.word("a name")?;
                }
                self.array(&array, (width, self.rows), words)
            }
            "FIELD" => {
                words.word("a name")?;
                for _ in 0..words.count("the number of arrays")? {
                    let array = words.word("a name")?.to_string();
                    let size = (words.count("the number of components")?, words.count("the number of rows")?);
                    words.word("a type")?;
                    self.array(&array, size, words)?;
                }
                Ok(())
            }
            "METADATA" => {
                // Ends with an empty line; what follows begins with a word of capitals.
                self.raw.passed_over.insert("METADATA".into());
                while words.peek().is_some_and(|w| !SECTIONS.contains(&w)) {
                    words.next();
                }
                Ok(())
            }
            other => wrong(words.line, format!("\"{}\" is not read", short(other))),
        }
    }

    fn cells(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        let (count, size) =
            (words.count("the number of cells")?, words.number::<usize>("the number of numbers")?);
        if words.peek() != Some("OFFSETS") {
            for _ in 0..count {
                let corners = words.count("the number of corners")?;
                let line = words.line;
                let nodes = (0..corners).map(|_| words.number("a point")).collect::<Result<_, _>>()?;
                self.cells.push((line, nodes));
            }
            return Ok(());
        }
        // From version 5 on: where each cell begins among the points, one more than there are cells.
        words.next();
        words.word("a type")?;
        let offsets = (0..count).map(|_| words.number("an offset")).collect::<Result<Vec<usize>, _>>()?;
        if words.word("CONNECTIVITY")? != "CONNECTIVITY" {
            return wrong(words.line, "CONNECTIVITY should stand here");
        }
        words.word("a type")?;
        let line = words.line;
        let size = size.min(4 * MOST);
        let points = (0..size).map(|_| words.number("a point")).collect::<Result<Vec<u64>, _>>()?;
        for pair in offsets.windows(2) {
            let Some(nodes) = points.get(pair[0]..pair[1]) else {
                return wrong(line, "the offsets do not fit the points");
            };
            self.cells.push((line, nodes.to_vec()));
        }
        Ok(())
    }

    fn array(
        &mut self,
        name: &str,
        (width, rows): (usize, usize),
        words: &mut WordsOf,
    ) -> Result<(), ShellFileError> {
        if width.saturating_mul(rows) > 12 * MOST {
            return wrong(words.line, "the array is too large");
        }
        let values = (0..width * rows).map(|_| words.number("a number")).collect::<Result<Vec<f64>, _>>()?;
        match (self.of_cells, width) {
            (true, 1) if name.eq_ignore_ascii_case("thickness") => self.thickness = Some(values),
            (false, 1) => {
                let inside = values.iter().enumerate().filter(|(_, v)| **v != 0.0).map(|(k, _)| k as u64);
                self.raw.sets.insert(name.into(), inside.collect());
            }
            _ => {
                self.raw.passed_over.insert(short(name));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Raw, ShellFileError> {
        for (k, (line, nodes)) in self.cells.iter().enumerate() {
            let kind = match &self.kinds {
                Some(kinds) => kinds.get(k).copied(),
                None => Some(if nodes.len() == 4 { QUADRANGLE } else { 0 }),
            };
            // Points and lines are passed over.
            if nodes.len() < 3 {
                continue;
            }
            let (Some(QUADRANGLE), [a, b, c, d]) = (kind, &nodes[..]) else {
                return wrong(
                    *line,
                    format!(
                        "a cell with {} corners is not read: mesh it with quadrangles alone",
                        nodes.len()
                    ),
                );
            };
            if self.raw.plates.len() >= MOST {
                return wrong(*line, format!("at most {MOST} elements are read"));
            }
            let thickness = self.thickness.as_ref().and_then(|t| t.get(k).copied());
            self.raw.plates.push(RawPlate {
                line: *line,
                nodes: [*a, *b, *c, *d],
                thickness,
                material: None,
            });
        }
        Ok(self.raw)
    }
}

/// Words with which something new begins.
const SECTIONS: [&str; 9] =
    ["DATASET", "POINTS", "CELLS", "POLYGONS", "CELL_TYPES", "CELL_DATA", "POINT_DATA", "SCALARS", "FIELD"];
