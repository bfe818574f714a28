//! Meshes of Gmsh in ASCII, versions 2.2 and 4.1: sections `$Name` … `$EndName`.

use super::{MOST, Raw, RawPlate, ShellFileError, WordsOf, short, wrong};
use std::collections::BTreeMap;

/// Nodes of an element by its type: point, line, quadrangle.
fn nodes_of(kind: u32) -> Option<usize> {
    match kind {
        15 => Some(1),
        1 => Some(2),
        3 => Some(4),
        _ => None,
    }
}

/// The type of a four-node quadrangle.
const QUADRANGLE: u32 = 3;

#[derive(Default)]
struct Reader {
    raw: Raw,
    /// Dimension and number of a physical group ⇒ its name.
    names: BTreeMap<(u32, i64), String>,
    /// Dimension and number of an entity ⇒ its physical groups.
    groups: BTreeMap<(u32, i64), Vec<i64>>,
    version_4: bool,
}

/// Reads a file.
pub(super) fn read(text: &str) -> Result<Raw, ShellFileError> {
    let (mut words, mut reader) = (WordsOf::new(text), Reader::default());
    let mut begun = false;
    while let Some(section) = words.next() {
        let Some(name) = section.strip_prefix('$') else {
            return wrong(words.line, format!("a section should begin here, found \"{}\"", short(section)));
        };
        if !begun && name != "MeshFormat" {
            return wrong(words.line, "a Gmsh file begins with $MeshFormat");
        }
        begun = true;
        match name {
            "MeshFormat" => reader.format(&mut words)?,
            "PhysicalNames" => reader.names(&mut words)?,
            "Entities" => reader.entities(&mut words)?,
            "Nodes" if reader.version_4 => reader.nodes_4(&mut words)?,
            "Nodes" => reader.nodes_2(&mut words)?,
            "Elements" if reader.version_4 => reader.elements_4(&mut words)?,
            "Elements" => reader.elements_2(&mut words)?,
            other => {
                reader.raw.passed_over.insert(format!("${}", short(other)));
                while words.peek().is_some_and(|word| !word.starts_with("$End")) {
                    words.next();
                }
            }
        }
        let end = words.word("the end of a section")?;
        if end.strip_prefix("$End") != Some(name) {
            return wrong(
                words.line,
                format!("$End{} should stand here, found \"{}\"", short(name), short(end)),
            );
        }
    }
    Ok(reader.raw)
}

impl Reader {
    fn format(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        let version = words.word("a version")?;
        self.version_4 = match version {
            "2.2" | "2.1" | "2" => false,
            "4.1" => true,
            other => {
                return wrong(words.line, format!("version {} is not read; 2.2 and 4.1 are", short(other)));
            }
        };
        if words.number::<u32>("the kind of file")? != 0 {
            return wrong(words.line, "a binary file is not read: save it as ASCII");
        }
        words.number::<u32>("the size of a number").map(|_| ())
    }

    fn names(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        for _ in 0..words.count("the number of names")? {
            let key = (words.number("a dimension")?, words.number("a group")?);
            // A name may hold spaces.
            let mut name = words.word("a name")?.to_string();
            while let Some(more) = words.next_in_line() {
                name = format!("{name} {more}");
            }
            self.names.insert(key, name.trim_matches('"').to_string());
        }
        Ok(())
    }

    fn entities(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = words.count("the number of entities")?;
        }
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let number = words.number("an entity")?;
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    words.number::<f64>("a coordinate")?;
                }
                let groups = (0..words.count("the number of groups")?).map(|_| words.number("a group"));
                let groups = groups.collect::<Result<Vec<i64>, _>>()?;
                self.groups.insert((dimension as u32, number), groups);
                if dimension > 0 {
                    for _ in 0..words.count("the number of bounds")? {
                        words.number::<i64>("a bound")?;
                    }
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, words: &mut WordsOf, number: u64) -> Result<(), ShellFileError> {
        let place = words.place()?;
        if self.raw.nodes.insert(number, place).is_some() {
            return wrong(words.line, format!("node {number} stands twice"));
        }
        if self.raw.nodes.len() > MOST {
            return wrong(words.line, format!("at most {MOST} nodes are read"));
        }
        Ok(())
    }

    fn nodes_2(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        for _ in 0..words.count("the number of nodes")? {
            let number = words.number("a node")?;
            self.node(words, number)?;
        }
        Ok(())
    }

    fn nodes_4(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        let blocks = words.count("the number of blocks")?;
        for what in ["the number of nodes", "the least node", "the largest node"] {
            words.number::<u64>(what)?;
        }
        for _ in 0..blocks {
            words.number::<u32>("a dimension")?;
            words.number::<i64>("an entity")?;
            if words.number::<u32>("0 or 1")? != 0 {
                return wrong(words.line, "parametric nodes are not read: Mesh.SaveParametric = 0");
            }
            let count = words.count("the number of nodes")?;
            let mut numbers = Vec::new();
            for _ in 0..count {
                numbers.push(words.number("a node")?);
            }
            for number in numbers {
                self.node(words, number)?;
            }
        }
        Ok(())
    }

    fn element(
        &mut self,
        words: &mut WordsOf,
        (kind, dimension): (u32, u32),
        groups: &[i64],
    ) -> Result<(), ShellFileError> {
        let Some(count) = nodes_of(kind) else {
            let hint = if kind == 2 {
                "triangles: recombine them (Mesh.RecombineAll = 1)"
            } else {
                "four-node quadrangles, lines and points are"
            };
            return wrong(words.line, format!("elements of type {kind} are not read; {hint}"));
        };
        let line = words.line;
        let nodes = (0..count).map(|_| words.number("a node")).collect::<Result<Vec<u64>, _>>()?;
        for group in groups {
            let name = self.names.get(&(dimension, *group)).cloned().unwrap_or(group.to_string());
            self.raw.sets.entry(name).or_default().extend(&nodes);
        }
        if let (QUADRANGLE, [a, b, c, d]) = (kind, &nodes[..]) {
            if self.raw.plates.len() >= MOST {
                return wrong(line, format!("at most {MOST} elements are read"));
            }
            self.raw.plates.push(RawPlate { line, nodes: [*a, *b, *c, *d], thickness: None, material: None });
        }
        Ok(())
    }

    fn elements_2(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        for _ in 0..words.count("the number of elements")? {
            words.number::<u64>("an element")?;
            let kind = words.number("a type of element")?;
            let tags = words.count("the number of tags")?;
            let tags = (0..tags).map(|_| words.number("a tag")).collect::<Result<Vec<i64>, _>>()?;
            let dimension = match kind {
                15 => 0,
                1 => 1,
                _ => 2,
            };
            self.element(words, (kind, dimension), tags.get(..1).unwrap_or(&[]))?;
        }
        Ok(())
    }

    fn elements_4(&mut self, words: &mut WordsOf) -> Result<(), ShellFileError> {
        let blocks = words.count("the number of blocks")?;
        for what in ["the number of elements", "the least element", "the largest element"] {
            words.number::<u64>(what)?;
        }
        for _ in 0..blocks {
            let dimension = words.number("a dimension")?;
            let entity = words.number("an entity")?;
            let kind = words.number("a type of element")?;
            let groups = self.groups.get(&(dimension, entity)).cloned().unwrap_or_default();
            for _ in 0..words.count("the number of elements")? {
                words.number::<u64>("an element")?;
                self.element(words, (kind, dimension), &groups)?;
            }
        }
        Ok(())
    }
}
