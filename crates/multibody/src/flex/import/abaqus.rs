//! Input files of Abaqus: keyword lines `*NAME, KEY=VALUE, …` and lines of data below them, in capitals or not; `**` is a remark.

use super::{MOST, MaterialDescription, Raw, RawPlate, ShellFileError, finite, short, wrong};
use crate::flex::describe::LockingWord;
use std::collections::{BTreeMap, BTreeSet};
use touchdown_math::Vec3;

/// Four-node shells.
const SHELLS: [&str; 6] = ["S4", "S4R", "S4RS", "S4RSW", "S4R5", "S4RT"];

/// A keyword line.
struct Keyword {
    line: usize,
    name: String,
    parameters: BTreeMap<String, String>,
}

impl Keyword {
    fn parse(line: usize, text: &str) -> Keyword {
        let mut parts = text.trim_start_matches('*').split(',').map(str::trim);
        let name = parts.next().unwrap_or("").to_ascii_uppercase();
        let parameters = parts.filter(|p| !p.is_empty()).map(|p| {
            let (key, value) = p.split_once('=').unwrap_or((p, ""));
            (key.trim().to_ascii_uppercase(), value.trim().trim_matches('"').to_string())
        });
        Keyword { line, name, parameters: parameters.collect() }
    }

    fn get(&self, key: &str) -> Option<String> {
        self.parameters.get(key).map(|value| value.to_ascii_uppercase())
    }
}

/// What is collected on the way through the file.
#[derive(Default)]
struct Reader {
    raw: Raw,
    /// Element number ⇒ its place among the plates.
    elements: BTreeMap<u64, usize>,
    element_sets: BTreeMap<String, BTreeSet<u64>>,
    /// Sections: line, element set, material, thickness.
    sections: Vec<(usize, String, Option<String>, f64)>,
    material: Option<String>,
}

/// Reads a file.
pub(super) fn read(text: &str) -> Result<Raw, ShellFileError> {
    let mut reader = Reader::default();
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim())).peekable();
    while let Some((line, text)) = lines.next() {
        if text.is_empty() || text.starts_with("**") {
            continue;
        }
        if !text.starts_with('*') {
            return wrong(line, format!("a keyword should stand here, found \"{}\"", short(text)));
        }
        let mut whole = text.to_string();
        while whole.ends_with(',')
            && let Some((_, more)) = lines.next_if(|(_, next)| !next.starts_with('*'))
        {
            whole += more;
        }
        let keyword = Keyword::parse(line, &whole);
        let mut data: Vec<(usize, String)> = Vec::new();
        while let Some((k, text)) =
            lines.next_if(|(_, next)| !next.starts_with('*') || next.starts_with("**"))
        {
            if text.is_empty() || text.starts_with("**") {
                continue;
            }
            match data.last_mut() {
                // An element may go on in the next line.
                Some((_, before)) if before.ends_with(',') && keyword.name == "ELEMENT" => *before += text,
                _ => data.push((k, text.to_string())),
            }
        }
        reader.take(&keyword, &data)?;
    }
    reader.finish()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|w| !w.is_empty())
}

fn numbers<T: std::str::FromStr>(line: usize, text: &str, what: &str) -> Result<Vec<T>, ShellFileError> {
    words(text)
        .map(|w| {
            w.parse().map_err(|_| ShellFileError {
                line,
                what: format!("{what} should stand here, found \"{}\"", short(w)),
            })
        })
        .collect()
}

impl Reader {
    fn take(&mut self, keyword: &Keyword, data: &[(usize, String)]) -> Result<(), ShellFileError> {
        let line = keyword.line;
        match keyword.name.as_str() {
            "NODE" => self.nodes(keyword, data),
            "ELEMENT" => self.elements(keyword, data),
            "NSET" | "ELSET" => self.set(keyword, data),
            "SHELL SECTION" => self.section(keyword, data),
            "MATERIAL" => {
                self.material = keyword.get("NAME");
                Ok(())
            }
            "ELASTIC" => {
                if keyword.get("TYPE").is_some_and(|t| !t.starts_with("ISO")) {
                    return wrong(line, "only isotropic elastic materials are read");
                }
                let [(line, values)] = data else {
                    return wrong(line, "one line with E and nu is read; a table over temperature is not");
                };
                let values: Vec<f64> = numbers(*line, values, "a number")?;
                let (Some(e), ratio) = (values.first(), values.get(1).unwrap_or(&0.0)) else {
                    return wrong(*line, "E should stand here");
                };
                let (e, ratio) = (finite(*line, *e)?, finite(*line, *ratio)?);
                let entry = self.material_entry(line)?;
                (entry.young_modulus_pa, entry.poisson_ratio) = (e, ratio);
                Ok(())
            }
            "DENSITY" => {
                let Some((line, values)) = data.first() else {
                    return wrong(line, "a density should stand here");
                };
                let values: Vec<f64> = numbers(*line, values, "a number")?;
                let Some(rho) = values.first() else { return wrong(*line, "a density should stand here") };
                let rho = finite(*line, *rho)?;
                self.material_entry(line)?.density_kgpm3 = rho;
                Ok(())
            }
            "INSTANCE" if !data.is_empty() => wrong(
                line,
                "an instance that is moved or turned is not read: write the mesh where it belongs",
            ),
            "INCLUDE" => wrong(line, "other files are not read: put them into this one"),
            "HEADING" | "PART" | "END PART" | "ASSEMBLY" | "END ASSEMBLY" | "INSTANCE" | "END INSTANCE"
            | "PREPRINT" => Ok(()),
            other => {
                self.raw.passed_over.insert(format!("*{}", short(other)));
                Ok(())
            }
        }
    }

    fn material_entry(&mut self, line: &usize) -> Result<&mut MaterialDescription, ShellFileError> {
        let Some(name) = &self.material else { return wrong(*line, "no *MATERIAL stands above") };
        let empty = MaterialDescription {
            young_modulus_pa: f64::NAN,
            poisson_ratio: 0.0,
            density_kgpm3: f64::NAN,
            locking: LockingWord::None,
            damping_time_s: 0.0,
            bulk_viscosity_pas: 0.0,
            shear_viscosity_pas: 0.0,
        };
        Ok(self.raw.materials.entry(name.clone()).or_insert(empty))
    }

    fn nodes(&mut self, keyword: &Keyword, data: &[(usize, String)]) -> Result<(), ShellFileError> {
        if keyword.get("SYSTEM").is_some_and(|s| s != "R") {
            return wrong(keyword.line, "nodes in cylindrical or spherical coordinates are not read");
        }
        for (line, text) in data {
            let mut parts = words(text);
            let number = parts.next().unwrap_or("");
            let Ok(number) = number.parse::<u64>() else {
                return wrong(
                    *line,
                    format!("the number of a node should stand here, found \"{}\"", short(number)),
                );
            };
            let mut place = [0.0; 3];
            for (x, word) in place.iter_mut().zip(parts) {
                let Ok(found) = word.parse() else {
                    return wrong(
                        *line,
                        format!("a coordinate should stand here, found \"{}\"", short(word)),
                    );
                };
                *x = finite(*line, found)?;
            }
            if self.raw.nodes.len() >= MOST {
                return wrong(*line, format!("at most {MOST} nodes are read"));
            }
            if self.raw.nodes.insert(number, Vec3::from_row_slice(&place)).is_some() {
                return wrong(
                    *line,
                    format!(
                        "node {number} stands twice: one part is read, not several with the same numbers"
                    ),
                );
            }
            if let Some(set) = keyword.get("NSET") {
                self.raw.sets.entry(set).or_default().insert(number);
            }
        }
        Ok(())
    }

    fn elements(&mut self, keyword: &Keyword, data: &[(usize, String)]) -> Result<(), ShellFileError> {
        let kind = keyword.get("TYPE").unwrap_or_default();
        if !SHELLS.contains(&kind.as_str()) {
            let hint = if kind.starts_with("S3") || kind.starts_with("STRI") {
                ": mesh it with quadrangles alone"
            } else {
                "; four-node shells are (S4, S4R)"
            };
            return wrong(keyword.line, format!("elements of type {} are not read{hint}", short(&kind)));
        }
        for (line, text) in data {
            let all: Vec<u64> = numbers(*line, text, "a number")?;
            let [number, a, b, c, d] = all[..] else {
                return wrong(
                    *line,
                    format!("an element and its four nodes should stand here, found {} numbers", all.len()),
                );
            };
            if self.raw.plates.len() >= MOST {
                return wrong(*line, format!("at most {MOST} elements are read"));
            }
            if self.elements.insert(number, self.raw.plates.len()).is_some() {
                return wrong(*line, format!("element {number} stands twice"));
            }
            self.raw.plates.push(RawPlate {
                line: *line,
                nodes: [a, b, c, d],
                thickness: None,
                material: None,
            });
            if let Some(set) = keyword.get("ELSET") {
                self.element_sets.entry(set).or_default().insert(number);
            }
        }
        Ok(())
    }

    fn set(&mut self, keyword: &Keyword, data: &[(usize, String)]) -> Result<(), ShellFileError> {
        let Some(name) = keyword.get(&keyword.name) else {
            return wrong(keyword.line, "the set has no name");
        };
        let sets = if keyword.name == "NSET" { &mut self.raw.sets } else { &mut self.element_sets };
        let mut members = sets.remove(&name).unwrap_or_default();
        let generated = keyword.parameters.contains_key("GENERATE");
        for (line, text) in data {
            if generated {
                let all: Vec<u64> = numbers(*line, text, "a number")?;
                let (first, last, step) = match all[..] {
                    [first, last] => (first, last, 1),
                    [first, last, step] if step > 0 => (first, last, step),
                    _ => return wrong(*line, "first, last and step should stand here"),
                };
                if last.saturating_sub(first) / step > MOST as u64 {
                    return wrong(*line, format!("at most {MOST} members are read"));
                }
                members.extend((first..=last).step_by(usize::try_from(step).unwrap_or(usize::MAX)));
                continue;
            }
            for word in words(text) {
                match word.parse::<u64>() {
                    Ok(number) => {
                        members.insert(number);
                    }
                    Err(_) => match sets.get(&word.to_ascii_uppercase()) {
                        Some(other) => members.extend(other),
                        None => {
                            return wrong(
                                *line,
                                format!(
                                    "a number or a set that stands above is needed, found \"{}\"",
                                    short(word)
                                ),
                            );
                        }
                    },
                }
            }
        }
        sets.insert(name, members);
        Ok(())
    }

    fn section(&mut self, keyword: &Keyword, data: &[(usize, String)]) -> Result<(), ShellFileError> {
        let line = keyword.line;
        let offset = keyword.get("OFFSET").unwrap_or_default();
        if !(offset.is_empty() || offset == "MID" || offset.parse() == Ok(0.0)) {
            return wrong(line, "a shell whose nodes are not in its middle surface is not read");
        }
        if keyword.parameters.contains_key("COMPOSITE") {
            return wrong(line, "a shell of several layers is not read");
        }
        let (Some(set), Some((at, text))) = (keyword.get("ELSET"), data.first()) else {
            return wrong(line, "a section needs ELSET, and its thickness in the next line");
        };
        let values: Vec<f64> = numbers(*at, text, "a number")?;
        let Some(thickness) = values.first() else { return wrong(*at, "a thickness should stand here") };
        self.sections.push((line, set, keyword.get("MATERIAL"), finite(*at, *thickness)?));
        Ok(())
    }

    /// Sections give their elements thickness and material, wherever they stand.
    fn finish(mut self) -> Result<Raw, ShellFileError> {
        for (line, set, material, thickness) in &self.sections {
            let Some(members) = self.element_sets.get(set) else {
                return wrong(*line, format!("there is no element set {}", short(set)));
            };
            for number in members {
                let Some(plate) = self.elements.get(number).and_then(|k| self.raw.plates.get_mut(*k)) else {
                    continue;
                };
                (plate.thickness, plate.material) = (Some(*thickness), material.clone());
            }
        }
        // A material without modulus or density is none.
        self.raw.materials.retain(|_, m| m.young_modulus_pa.is_finite() && m.density_kgpm3.is_finite());
        Ok(self.raw)
    }
}
