//! Campaigns that are killed at random moments, again and again, end with the bytes of an undisturbed one.

mod common;

use common::{bytes, good, start, temporary};
use std::path::Path;
use std::time::Duration;
use touchdown_sim::State;

/// Kills of each kind; a cluster has its own ten (`scripts/cluster_test.sh`).
const KILLS: u32 = 20;

const STUDY: &str = r#"
scenario = "pendulum"
cases = 240
seed = 7
sampling = "sobol"
set = ["integrator={name=\"realtime\", step=\"1 ms\"}"]

[vary]
duration_s = { uniform = [2.0, 8.0] }
"#;

/// Numbers that look random and are the same every time (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

fn plan(dir: &Path, out: &str, text: &str) {
    std::fs::write(dir.join("study.toml"), text).expect("written");
    good(dir, &["campaign", "plan", "study.toml", "--out", out]);
}

/// Starts `args`, waits for a random time and kills it; whether it was still alive.
fn killed(dir: &Path, args: &[&str], random: &mut Random) -> bool {
    let mut child = start(dir, args);
    std::thread::sleep(Duration::from_millis(5 + random.below(120)));
    let alive = child.try_wait().expect("known").is_none();
    child.kill().expect("killed");
    child.wait().expect("ended");
    alive
}

/// Kills campaigns until `KILLS` of them hit; each campaign is then finished and compared.
fn same_bytes_after_kills(shards: u64) {
    let folder = temporary();
    let dir = folder.path();
    plan(dir, "whole", STUDY);
    good(dir, &["campaign", "run", "whole", "--threads", "2", "--quiet"]);
    let expected = bytes(&dir.join("whole"), "cases.parquet");
    let (mut random, mut kills, mut round) = (Random(shards), 0, 0);
    while kills < KILLS {
        let out = format!("round-{round}");
        plan(dir, &out, STUDY);
        while kills < KILLS && !dir.join(&out).join("result.json").exists() {
            let shard = format!("{}/{shards}", random.below(shards));
            let args = ["campaign", "run", &out, "--threads", "2", "--quiet", "--shard", &shard];
            kills += u32::from(killed(dir, &args, &mut random));
        }
        for i in 0..shards {
            good(dir, &["campaign", "run", &out, "--quiet", "--shard", &format!("{i}/{shards}")]);
        }
        assert!(bytes(&dir.join(&out), "cases.parquet") == expected, "round {round} after {kills} kills");
        round += 1;
    }
}

#[test]
fn a_campaign_that_is_killed_again_and_again_has_the_same_bytes() {
    same_bytes_after_kills(1);
}

#[test]
fn shards_that_are_killed_again_and_again_have_the_same_bytes() {
    same_bytes_after_kills(4);
}

/// A long case continues from its checkpoint: between two kills its time only grows, and its row is that of a run without kills.
#[test]
fn a_long_case_goes_on_from_its_checkpoint() {
    let folder = temporary();
    let dir = folder.path();
    let text = "scenario = \"pendulum\"\nset = [\"record.checkpoint_every=5 ms\", \"integrator={name=\\\"realtime\\\", step=\\\"1 ms\\\"}\"]\n[vary]\nduration_s = [600.0]\n";
    plan(dir, "whole", text);
    good(dir, &["campaign", "run", "whole", "--quiet"]);
    plan(dir, "cut", text);
    let checkpoint = dir.join("cut/cases/shard=0000/case-0.checkpoint");
    // The state lies behind its hash and the hash of the plan in hexadecimal digits.
    let time = || std::fs::read(&checkpoint).ok().map(|b| State::from_bytes(&b[96..]).expect("a state").t);
    let mut last = 0.0;
    for round in 0..3 {
        let mut child = start(dir, &["campaign", "run", "cut", "--threads", "1", "--quiet"]);
        let reached = loop {
            assert!(
                child.try_wait().expect("known").is_none(),
                "it ended before kill {round}; after {last} s"
            );
            match time() {
                Some(t) if t > last => break t,
                _ => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        child.kill().expect("killed");
        child.wait().expect("ended");
        last = reached;
    }
    good(dir, &["campaign", "run", "cut", "--threads", "1", "--quiet"]);
    assert!(bytes(&dir.join("whole"), "cases.parquet") == bytes(&dir.join("cut"), "cases.parquet"));
    assert!(!checkpoint.exists(), "it is not needed any more");
}
