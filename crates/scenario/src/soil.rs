//! The soil library: the built-in files of `scenarios/soils`, each merged into a scenario that names it.
//!
//! A named soil becomes a `[soil.NAME]` of the scenario, so that the resolved file and the list of
//! assumptions contain its values.

use crate::build::{HARD, soil_parameters};
use crate::catalogue::{self, Entry, EntryKind};
use crate::error::{Issues, nearest};
use crate::include::{Library, lay_under};
use crate::node::{self, Data, Node};
use crate::read::{Named, Value, read_table};
use crate::source::Sources;
use crate::table::{
    FootLawKeys, IntruderKeys, Keys, RegionKeys, SOIL, ScenarioKeys, SoilKeys, SoilLawWord, SpreadKeys,
    TerrainKeys, TouchKeys, Words,
};
use std::sync::OnceLock;
use touchdown_contact::soil::SoilParameters;

/// Tables that contain or name soils.
const SOILS: &str = ScenarioKeys::soil.name();
const FOOT_LAWS: &str = ScenarioKeys::foot_law.name();
const INTRUDERS: &str = ScenarioKeys::intruder.name();
const TOUCH: &str = ScenarioKeys::touch.name();
const TERRAIN: &str = ScenarioKeys::terrain.name();
const REGIONS: &str = TerrainKeys::region.name();

/// A soil of the library.
#[derive(Clone, Debug)]
pub struct Soil {
    /// Name for `[terrain] soil = "NAME"`.
    pub name: String,
    /// A one-line description.
    pub title: String,
    /// Source of its parameters.
    pub source: String,
    /// Its assumed parameters, and the reasons.
    pub assumed: String,
    /// Its law of pressure: `bekker` or `reece`.
    pub law: String,
    /// The parameters as the model uses them.
    pub parameters: SoilParameters,
    /// The parameters as written in the file.
    pub values: Vec<SoilValue>,
    /// The scatter of the parameters.
    pub spread: Vec<SoilSpread>,
}

/// Scatter of a parameter of a soil.
#[derive(Clone, Debug, PartialEq)]
pub struct SoilSpread {
    /// Key of the parameter.
    pub key: String,
    /// Standard deviation, SI.
    pub sd: Option<f64>,
    /// Smallest and largest value, SI.
    pub range: Option<[f64; 2]>,
    /// Source of the measurement; empty if it was not measured.
    pub source: String,
    /// Reason for the assumption; empty if it was measured.
    pub assumed: String,
}

/// A parameter of a soil.
#[derive(Clone, Debug)]
pub struct SoilValue {
    /// Its key.
    pub key: &'static str,
    /// Its value in SI.
    pub value: f64,
    /// SI unit; that of the moduli contains the exponent n.
    pub unit: &'static str,
    /// Written in the file (true) or the default (false).
    pub given: bool,
    /// A one-line description.
    pub about: &'static str,
}

/// Every soil of the library, by name.
pub fn soils() -> &'static [Soil] {
    static SOILS: OnceLock<Vec<Soil>> = OnceLock::new();
    SOILS.get_or_init(|| entries().filter_map(read).collect())
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    catalogue::catalogue().iter().filter(|e| e.kind == EntryKind::Soil)
}

fn read(entry: &Entry) -> Option<Soil> {
    let (mut sources, mut issues) = (Sources::default(), Issues::default());
    let node = node::parse(&mut sources, &entry.path, entry.text, &mut issues)?;
    let record = read_table(&node, SOIL, "", &mut issues);
    let keys = SoilKeys::read(&record)?;
    let law = keys.law.word();
    let values = SOIL.fields().filter_map(|field| match record.value(field)? {
        Value::Number(value, dim) => Some(SoilValue {
            key: field.key,
            value: *value,
            unit: modulus_unit(field.key, keys.law).unwrap_or(dim.unit),
            given: record.item(field).is_some_and(|item| item.given),
            about: field.about,
        }),
        _ => None,
    });
    Some(Soil {
        name: entry.name.clone(),
        title: keys.title.as_deref().unwrap_or_default().into(),
        source: keys.source.as_deref().unwrap_or_default().into(),
        assumed: record.assumed.clone().unwrap_or_default(),
        law: law.into(),
        parameters: soil_parameters(&keys, None),
        values: values.collect(),
        spread: spread(&keys),
    })
}

/// Scatter of the parameters of a soil, in the order of its file.
fn spread(keys: &SoilKeys) -> Vec<SoilSpread> {
    let one = |named: &Named<SpreadKeys>| {
        let keys = named.keys.as_ref()?;
        Some(SoilSpread {
            key: named.name.to_string(),
            sd: keys.sd,
            range: keys.range,
            source: keys.source.as_deref().unwrap_or_default().into(),
            assumed: keys.here.assumed.clone().unwrap_or_default(),
        })
    };
    keys.spread.iter().filter_map(one).collect()
}

/// Unit of a modulus, which depends on the law.
fn modulus_unit(key: &str, law: SoilLawWord) -> Option<&'static str> {
    let cohesive = key == SoilKeys::cohesive_modulus.name();
    let frictional = key == SoilKeys::frictional_modulus.name();
    match law {
        SoilLawWord::Reece if cohesive => Some("Pa"),
        SoilLawWord::Reece if frictional => Some("Pa/m"),
        SoilLawWord::Bekker if cohesive => Some("N/m^(n+1)"),
        SoilLawWord::Bekker if frictional => Some("N/m^(n+2)"),
        _ => None,
    }
}

/// State for reading the library.
struct Shelf<'a> {
    library: &'a mut Library,
    sources: &'a mut Sources,
    issues: &'a mut Issues,
    /// Names of the scenario's own soils.
    own: Vec<String>,
}

/// Adds every soil of the library that the terrain names as `[soil.NAME]`, and merges the soils that these
/// `use` under them.
pub(crate) fn include_soils(
    root: &mut Node,
    library: &mut Library,
    sources: &mut Sources,
    issues: &mut Issues,
) {
    let own =
        root.get(SOILS).map(|s| s.entries().iter().map(|e| e.key.clone()).collect()).unwrap_or_default();
    let mut shelf = Shelf { library, sources, issues, own };
    let mut wanted: Vec<Node> = Vec::new();
    let Some(entries) = root.entries_mut() else { return };
    for entry in entries.iter_mut() {
        match (entry.key.as_str(), entry.node.entries_mut()) {
            (SOILS, Some(soils)) => {
                soils.iter_mut().for_each(|s| shelf.extend(&mut s.node, &format!("soil.{}", s.key)));
            }
            (FOOT_LAWS, Some(laws)) => {
                for law in laws {
                    let path = format!("foot_law.{}.soil", law.key);
                    let Some(keys) = law.node.entries_mut() else { continue };
                    let soil =
                        keys.iter_mut().find(|e| e.key == FootLawKeys::soil.name()).map(|e| &mut e.node);
                    if let Some(soil) = soil.filter(|s| !matches!(&s.data, Data::Text(t) if t == HARD)) {
                        shelf.mentioned(soil, &path, &mut wanted);
                    }
                }
            }
            (INTRUDERS, Some(intruders)) => {
                for intruder in intruders {
                    let path = format!("intruder.{}.soil", intruder.key);
                    let Some(keys) = intruder.node.entries_mut() else { continue };
                    if let Some(soil) = keys.iter_mut().find(|e| e.key == IntruderKeys::soil.name()) {
                        shelf.mentioned(&mut soil.node, &path, &mut wanted);
                    }
                }
            }
            (TOUCH, Some(keys)) => {
                if let Some(soil) = keys.iter_mut().find(|e| e.key == TouchKeys::soil.name()) {
                    shelf.mentioned(&mut soil.node, "touch.soil", &mut wanted);
                }
            }
            (TERRAIN, Some(_)) => shelf.terrain(&mut entry.node, &mut wanted),
            _ => {}
        }
    }
    for name in wanted {
        shelf.fetch(root, &name);
    }
}

impl Shelf<'_> {
    /// Soils named in the terrain and its regions; inline tables are completed, names are collected.
    fn terrain(&mut self, terrain: &mut Node, wanted: &mut Vec<Node>) {
        let Some(entries) = terrain.entries_mut() else { return };
        for entry in entries {
            if entry.key == TerrainKeys::soil.name() {
                self.mentioned(&mut entry.node, "terrain.soil", wanted);
            } else if let (REGIONS, Some(regions)) = (entry.key.as_str(), entry.node.entries_mut()) {
                for region in regions {
                    let path = format!("terrain.region.{}.soil", region.key);
                    let Some(keys) = region.node.entries_mut() else { continue };
                    if let Some(soil) = keys.iter_mut().find(|e| e.key == RegionKeys::soil.name()) {
                        self.mentioned(&mut soil.node, &path, wanted);
                    }
                }
            }
        }
    }

    fn mentioned(&mut self, soil: &mut Node, path: &str, wanted: &mut Vec<Node>) {
        match &soil.data {
            Data::Table(_) => self.extend(soil, path),
            Data::Text(name) if self.own.contains(name) => {}
            Data::Text(name) if self.known(name, soil, path) => wanted.push(soil.clone()),
            // A wrong value is reported when the table is read.
            _ => {}
        }
    }

    /// Whether the library has a soil of this name; reports a mistake if not.
    fn known(&mut self, name: &str, at: &Node, path: &str) -> bool {
        if entries().any(|e| e.name == name) {
            return true;
        }
        let names = entries().map(|e| e.name.as_str()).chain(self.own.iter().map(String::as_str));
        let near = nearest(name, names).map(str::to_string);
        let issue = self.issues.at(at.loc, path, "names a soil that does not exist").found(at.show());
        issue.hint(near.map_or("touchdown list soils shows them; [soil.NAME] adds one".into(), |n| {
            format!("did you mean \"{n}\"?")
        }));
        false
    }

    /// Merges the soil that `use` names under a table.
    fn extend(&mut self, soil: &mut Node, path: &str) {
        let Some(used) = soil.get(SoilKeys::uses.name()).cloned() else { return };
        let Data::Text(name) = &used.data else { return };
        if self.known(name, &used, &format!("{path}.use"))
            && let Some(below) = self.open(name)
        {
            lay_under(soil, below, SOIL);
        }
    }

    fn open(&mut self, name: &str) -> Option<Node> {
        let entry = entries().find(|e| e.name == name)?;
        self.library.note(&entry.path, entry.text.as_bytes());
        let mut node = self.library.parse(self.sources, &entry.path, entry.text, self.issues)?;
        // Scatter is not copied, because a run has one value of each parameter; studies read it from the
        // library.
        if let Data::Table(entries) = &mut node.data {
            entries.retain(|entry| entry.key != SoilKeys::spread.name());
        }
        Some(node)
    }

    /// Adds `[soil.NAME]` from the library.
    fn fetch(&mut self, root: &mut Node, named: &Node) {
        let Data::Text(name) = &named.data else { return };
        if self.own.contains(name) {
            return;
        }
        let Some(node) = self.open(name) else { return };
        self.own.push(name.clone());
        let loc = named.loc;
        let Some(entries) = root.entries_mut() else { return };
        let at = entries.iter().position(|e| e.key == SOILS).unwrap_or_else(|| {
            let empty = Node::new(loc, Data::Table(Vec::new()));
            entries.push(node::Entry { key: SOILS.into(), key_loc: loc, node: empty });
            entries.len() - 1
        });
        if let Some(soils) = entries[at].node.entries_mut() {
            soils.push(node::Entry { key: name.clone(), key_loc: loc, node });
        }
    }
}
