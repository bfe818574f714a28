//! Shell meshes of finite-element programs ⇒ [`MeshDescription`]: Abaqus (`.inp`), Gmsh (`.msh`) and VTK (`.vtk`), as text.
//!
//! Four-node shells become plates; what they cannot say (a hub, and in Gmsh thickness and material) comes from [`ShellOptions`]. Plates are flat or ruled between
//! their nodes, as their elements are. A reader takes no number of the file as true: room is made for what was read, not for what was announced. What is not
//! read is named, and what would change the mesh if it were left out is an error with its line.

mod abaqus;
mod gmsh;
#[cfg(test)]
mod tests;
mod vtk;

use super::describe::{MaterialDescription, MeshDescription, PlateDescription, TieDescription};
use std::collections::{BTreeMap, BTreeSet};
use touchdown_math::Vec3;

/// Most nodes and most elements of a file.
const MOST: usize = 1_000_000;

/// Kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellFormat {
    /// Input file of Abaqus: nodes, four-node shells, sets, shell sections, elastic materials.
    Abaqus,
    /// Mesh of Gmsh, ASCII, versions 2.2 and 4.1: nodes, four-node quadrangles, physical groups.
    Gmsh,
    /// Legacy file of VTK, ASCII: points, quadrangles, the cell array `thickness` and the point array `hub`.
    Vtk,
}

impl ShellFormat {
    /// By the ending of a file's name; `None` for others.
    pub fn of_name(name: &str) -> Option<ShellFormat> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "inp" => Some(ShellFormat::Abaqus),
            "msh" => Some(ShellFormat::Gmsh),
            "vtk" => Some(ShellFormat::Vtk),
            _ => None,
        }
    }
}

/// Units of a file, which are nowhere in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// Metre, kilogram, newton, pascal.
    #[default]
    Metre,
    /// Millimetre, tonne, newton, megapascal.
    Millimetre,
}

impl Units {
    /// Metres, pascals and kg/m³ per unit.
    fn factors(self) -> [f64; 3] {
        match self {
            Units::Metre => [1.0, 1.0, 1.0],
            Units::Millimetre => [1e-3, 1e6, 1e12],
        }
    }
}

/// What a file does not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShellOptions {
    /// Its units.
    pub units: Units,
    /// Nodes that a hub at the origin carries: a node set, a physical group, or a point array.
    pub hub: Option<String>,
    /// Thickness of all plates, m, instead of that of the file.
    pub thickness: Option<f64>,
    /// Material of all plates instead of those of the file.
    pub material: Option<MaterialDescription>,
    /// What the file's materials get beside modulus, ratio and density.
    pub usual: MaterialUse,
    /// Whether all plates look away from the y axis, as those of a wheel must.
    pub outwards: bool,
}

/// What is not a matter of a file of another program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialUse {
    /// Remedy against locking.
    pub locking: super::describe::LockingWord,
    /// γ of Kelvin–Voigt damping, s.
    pub damping_time_s: f64,
}

/// A file that is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", if *line > 0 { format!("line {line}: ") } else { String::new() })]
pub struct ShellFileError {
    /// The line, from one; zero for the file as a whole.
    pub line: usize,
    /// What is wrong, and what helps.
    pub what: String,
}

fn wrong<T>(line: usize, what: impl Into<String>) -> Result<T, ShellFileError> {
    Err(ShellFileError { line, what: what.into() })
}

/// A mesh that was read, and what of the file was not.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellFile {
    /// The mesh.
    pub mesh: MeshDescription,
    /// Parts of the file that mean nothing here, by their names.
    pub passed_over: Vec<String>,
}

/// A plate as a file has it.
#[derive(Clone, Debug, PartialEq)]
struct RawPlate {
    line: usize,
    nodes: [u64; 4],
    /// In units of the file.
    thickness: Option<f64>,
    /// Name of its material.
    material: Option<String>,
}

/// A file's content, in its own units and numbers.
#[derive(Clone, Debug, Default, PartialEq)]
struct Raw {
    nodes: BTreeMap<u64, Vec3>,
    plates: Vec<RawPlate>,
    /// Nodes by the name of their set.
    sets: BTreeMap<String, BTreeSet<u64>>,
    materials: BTreeMap<String, MaterialDescription>,
    passed_over: BTreeSet<String>,
}

/// Reads a file.
pub fn read_shell(
    format: ShellFormat,
    text: &str,
    options: &ShellOptions,
) -> Result<ShellFile, ShellFileError> {
    let raw = match format {
        ShellFormat::Abaqus => abaqus::read(text)?,
        ShellFormat::Gmsh => gmsh::read(text)?,
        ShellFormat::Vtk => vtk::read(text)?,
    };
    let mesh = describe(&raw, options)?;
    Ok(ShellFile { mesh, passed_over: raw.passed_over.into_iter().collect() })
}

fn describe(raw: &Raw, options: &ShellOptions) -> Result<MeshDescription, ShellFileError> {
    if raw.plates.is_empty() {
        return wrong(0, "it has no four-node shells");
    }
    let [metres, pascals, density] = options.units.factors();
    let mut numbers = BTreeMap::new();
    let mut nodes_m: Vec<[f64; 3]> = Vec::new();
    for plate in &raw.plates {
        for node in plate.nodes {
            let Some(place) = raw.nodes.get(&node) else {
                return wrong(plate.line, format!("the element names node {node}, which does not exist"));
            };
            numbers.entry(node).or_insert_with(|| {
                nodes_m.push(std::array::from_fn(|k| place[k] * metres));
                nodes_m.len() - 1
            });
        }
    }
    let used: BTreeSet<&String> = raw.plates.iter().filter_map(|p| p.material.as_ref()).collect();
    let known: Vec<&String> = raw.materials.keys().filter(|name| used.contains(name)).collect();
    let material = match &options.material {
        Some(material) => vec![*material],
        None => known
            .iter()
            .map(|name| {
                let of_file = raw.materials[*name];
                MaterialDescription {
                    young_modulus_pa: of_file.young_modulus_pa * pascals,
                    density_kgpm3: of_file.density_kgpm3 * density,
                    locking: options.usual.locking,
                    damping_time_s: options.usual.damping_time_s,
                    ..of_file
                }
            })
            .collect(),
    };
    let mut plate = Vec::with_capacity(raw.plates.len());
    for one in &raw.plates {
        let thickness_m = options.thickness.or(one.thickness.map(|t| t * metres));
        let Some(thickness_m) = thickness_m else {
            return wrong(one.line, "the element has no thickness: give thickness beside file");
        };
        let of_file = || known.iter().position(|name| one.material.as_ref() == Some(name));
        let number = if options.material.is_some() { Some(0) } else { of_file() };
        let Some(number) = number else {
            return wrong(
                one.line,
                "the element has no elastic material: give young_modulus and density beside file",
            );
        };
        let mut nodes = one.nodes.map(|node| numbers[&node]);
        if options.outwards && looks_inwards(nodes.map(|n| Vec3::from_row_slice(&nodes_m[n]))) {
            nodes.swap(1, 3);
        }
        plate.push(PlateDescription { nodes, thickness_m, material: number, size_m: None, gradients: None });
    }
    let tie = match &options.hub {
        None => Vec::new(),
        Some(name) => {
            let nodes = hub_nodes(raw, name)?;
            let nodes: Vec<usize> = nodes.iter().filter_map(|node| numbers.get(node).copied()).collect();
            if nodes.is_empty() {
                return wrong(0, format!("no shell touches a node of \"{name}\""));
            }
            nodes_m.push([0.0; 3]);
            vec![TieDescription { to: nodes_m.len() - 1, nodes }]
        }
    };
    Ok(MeshDescription { material, nodes_m, plate, cable: Vec::new(), tie, fix: Vec::new() })
}

/// Whether the normal of a plate points to the y axis.
fn looks_inwards(corners: [Vec3; 4]) -> bool {
    let [a, b, c, d] = corners;
    let (normal, middle) = ((c - a).cross(&(d - b)), (a + b + c + d) * 0.25);
    normal.x * middle.x + normal.z * middle.z < 0.0
}

/// The nodes of a set, whose name may stand without that of its part, in capitals or not.
fn hub_nodes<'r>(raw: &'r Raw, name: &str) -> Result<&'r BTreeSet<u64>, ShellFileError> {
    let bare = |name: &str| name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    if let Some((_, nodes)) = raw.sets.iter().find(|(one, _)| bare(one) == bare(name)) {
        return Ok(nodes);
    }
    let all: Vec<&str> = raw.sets.keys().map(String::as_str).take(12).collect();
    let there =
        if all.is_empty() { "it has none".to_string() } else { format!("there are: {}", all.join(", ")) };
    wrong(0, format!("it has no set of nodes \"{name}\"; {there}"))
}

/// Words of a text with the lines they stand in.
struct WordsOf<'t> {
    words: std::iter::Peekable<Box<dyn Iterator<Item = (usize, &'t str)> + 't>>,
    line: usize,
}

impl<'t> WordsOf<'t> {
    fn new(text: &'t str) -> Self {
        let numbered = text.lines().enumerate();
        let all = numbered.flat_map(|(k, line)| line.split_whitespace().map(move |word| (k + 1, word)));
        WordsOf { words: (Box::new(all) as Box<dyn Iterator<Item = _>>).peekable(), line: 1 }
    }

    fn next(&mut self) -> Option<&'t str> {
        let (line, word) = self.words.next()?;
        self.line = line;
        Some(word)
    }

    /// The next word in the same line.
    fn next_in_line(&mut self) -> Option<&'t str> {
        let line = self.line;
        self.words.next_if(|(k, _)| *k == line).map(|(_, word)| word)
    }

    fn peek(&mut self) -> Option<&'t str> {
        self.words.peek().map(|(_, word)| *word)
    }

    fn word(&mut self, what: &str) -> Result<&'t str, ShellFileError> {
        let line = self.line;
        self.next().map_or_else(|| wrong(line, format!("the file ends where {what} should stand")), Ok)
    }

    /// The next word as a number.
    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, ShellFileError> {
        let word = self.word(what)?;
        let bad = |_| ShellFileError {
            line: self.line,
            what: format!("{what} should stand here, found \"{}\"", short(word)),
        };
        word.parse().map_err(bad)
    }

    /// A count that leaves room.
    fn count(&mut self, what: &str) -> Result<usize, ShellFileError> {
        let n: usize = self.number(what)?;
        if n > MOST { wrong(self.line, format!("{what} is {n}; at most {MOST} are read")) } else { Ok(n) }
    }

    /// Three finite coordinates.
    fn place(&mut self) -> Result<Vec3, ShellFileError> {
        let mut x = [0.0; 3];
        for x in &mut x {
            *x = finite(self.line, self.number("a coordinate")?)?;
        }
        Ok(Vec3::from_row_slice(&x))
    }
}

fn finite(line: usize, x: f64) -> Result<f64, ShellFileError> {
    if x.is_finite() { Ok(x) } else { wrong(line, "a number must be finite") }
}

/// The beginning of a word, for messages.
fn short(word: &str) -> String {
    let end = word.char_indices().nth(24).map_or(word.len(), |(k, _)| k);
    word[..end].chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
