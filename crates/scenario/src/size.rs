//! Cost of a scenario, estimated in advance: memory and work in soil, each with a limit.

use crate::error::{Issues, ScenarioErrors};
use crate::scenario::Scenario;
use touchdown_sim::{memory_need, soil_nodes};

/// Default fraction of the free memory that a run can use.
const PART_OF_FREE: f64 = 0.8;
/// Memory limit if the system does not report its free memory, bytes.
const UNKNOWN: u64 = 8 << 30;
/// Most soil nodes below a body: evaluating a million takes a tenth of a second, and a step requires several
/// evaluations.
const MOST_NODES: u64 = 1_000_000;

/// Limit of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    bytes: u64,
    reason: &'static str,
}

impl MemoryLimit {
    /// A limit set by the caller, bytes.
    pub fn given(bytes: u64) -> MemoryLimit {
        MemoryLimit { bytes, reason: "--memory-limit" }
    }

    /// 80 % of the memory that is free now.
    pub fn of_free() -> MemoryLimit {
        match free_memory() {
            Some(free) => {
                MemoryLimit { bytes: (PART_OF_FREE * free as f64) as u64, reason: "80 % of what is free" }
            }
            None => MemoryLimit { bytes: UNKNOWN, reason: "where the system does not say what is free" },
        }
    }
}

/// Bytes available without swapping: those of the system, or of the control group if that permits less.
fn free_memory() -> Option<u64> {
    let system = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = system.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10;
    let number = |file: &str| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    Some(group.map_or(free, |(most, taken)| free.min(most.saturating_sub(taken))))
}

impl Scenario {
    /// Refuses a world that requires more memory than the limit, or whose bodies cover too many soil nodes.
    pub fn check_size(&self, limit: &MemoryLimit) -> Result<(), ScenarioErrors> {
        let mut issues = Issues::default();
        for (what, name, nodes) in soil_nodes(&self.description) {
            if nodes > MOST_NODES {
                let origin = ["wheel", "soil_contact"]
                    .iter()
                    .find_map(|kind| self.origins.get(&format!("{kind}.{name}")));
                let (loc, path) = origin
                    .map_or((Default::default(), "terrain.spacing".into()), |o| (o.loc, o.path.clone()));
                let spacing = (nodes as f64 / MOST_NODES as f64).sqrt();
                issues
                    .at(loc, path, format!("is too fine for the {what} {name} on it").replace("  ", " "))
                    .found(format!("{nodes} nodes of soil under it"))
                    .allowed(format!("at most {MOST_NODES}"))
                    .hint(format!("make it smaller, or the spacing at least {spacing:.0} times as large"));
            }
        }
        self.check_memory(limit, &mut issues);
        if issues.is_empty() { Ok(()) } else { Err(issues.into_errors(self.sources.clone())) }
    }

    fn check_memory(&self, limit: &MemoryLimit, issues: &mut Issues) {
        let need = memory_need(&self.description);
        let (bytes, most) = (need.bytes(), limit.bytes);
        if bytes <= most {
            return;
        }
        let Some((largest, part)) = need.parts.first() else { return };
        let unknowns = need.rates + need.rows;
        // Only memory that grows with the square of the unknowns can exceed the limit.
        let fits = (unknowns as f64 * (most as f64 / bytes as f64).sqrt()).floor();
        let issue = issues
            .at(Default::default(), "the scenario", format!("needs about {} of memory", in_words(bytes)))
            .found(format!(
                "{} for the {largest}: {} degrees of freedom, {} constraint rows",
                in_words(*part),
                need.rates,
                need.rows
            ))
            .allowed(format!("{}, {}", in_words(most), limit.reason));
        issue.hint(match *largest {
            "soil under bodies" => "a coarser spacing needs less; --memory-limit SIZE allows more".to_string(),
            "bodies and joints" | "flexible bodies" => {
                "fewer bodies or elements need less; --memory-limit SIZE allows more".to_string()
            }
            _ => format!(
                "about {fits} degrees of freedom and rows together fit; integrator = \"explicit\" without constraints needs no such \
                 matrix; --memory-limit SIZE allows more"
            ),
        });
    }
}

/// Bytes in readable units.
fn in_words(bytes: u64) -> String {
    match bytes {
        b if b >= 1 << 30 => format!("{:.1} GiB", b as f64 / f64::from(1 << 30)),
        b => format!("{:.0} MiB", b as f64 / f64::from(1 << 20)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn refused(name: &str, sets: &[&str], limit: u64) -> String {
        let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        let scenario = load(name, &sets).unwrap_or_else(|e| panic!("{e}"));
        scenario.check_size(&MemoryLimit::given(limit)).err().map_or(String::new(), |e| e.to_string())
    }

    /// A chain integrated explicitly needs memory in proportion to its links. Integrated implicitly it needs
    /// memory in proportion to their square, and is refused with the number that fits.
    #[test]
    fn memory_is_refused_before_it_is_taken() {
        assert_eq!(refused("pendulum-chain", &["links=100000"], 1 << 30), "");
        let text = refused("pendulum-chain", &["links=100000", "integrator=implicit"], 8 << 30);
        assert!(text.contains("needs about 224.") && text.contains("Newton matrix"), "{text}");
        assert!(text.contains("8.0 GiB, --memory-limit") && text.contains("about 188"), "{text}");
        assert_eq!(refused("pendulum-chain", &["links=10000", "integrator=implicit"], 8 << 30), "");
    }

    /// A wheel ten kilometres wide covers too much soil; so does a heap.
    #[test]
    fn soil_under_bodies_is_bounded() {
        let text = refused("wheel-spin", &["width_m=10000"], u64::MAX);
        assert!(text.contains("nodes of soil") && text.contains("at most 1000000"), "{text}");
        assert_eq!(refused("wheel-spin", &["width_m=10"], u64::MAX), "");
        let text = refused("sand-pile", &["spacing_m=0.00001"], u64::MAX);
        assert!(text.contains("heap"), "{text}");
    }

    /// The free memory is known here, and is less than the total.
    #[test]
    fn free_memory_is_read() {
        if cfg!(target_os = "linux") {
            let limit = MemoryLimit::of_free();
            assert!(limit.bytes > 1 << 20 && limit.bytes < 1 << 50, "{limit:?}");
        }
    }
}
