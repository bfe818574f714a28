//! The layouts for Foxglove against the runs that they show.

use crate::root;
use serde_json::Value;
use touchdown_record::{Scene, stream};
use touchdown_scenario::load;
use touchdown_sim::sink::{Frame, Progress, Sink, SinkError};

struct Nobody;

impl Sink for Nobody {
    fn series(&mut self, _: &[f64]) -> Result<(), SinkError> {
        Ok(())
    }
    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }
    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }
    fn progress(&mut self, _: Progress) {}
}

/// A column's path as the page on viewers says it.
fn path(column: &str) -> String {
    column.replace(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'), "_")
}

/// Panels that an arrangement names.
fn named<'a>(layout: &'a Value, out: &mut Vec<&'a str>) {
    match layout {
        Value::String(panel) => out.push(panel),
        split => ["first", "second"].iter().for_each(|side| named(&split[side], out)),
    }
}

#[test]
fn every_topic_frame_and_column_of_a_layout_exists() {
    for (file, scenario) in [("rover", "rover-drawbar-pull"), ("docking", "docking")] {
        let text =
            std::fs::read_to_string(root().join(format!("docs/foxglove/{file}.json"))).expect("a layout");
        let layout: Value = serde_json::from_str(&text).expect("JSON");
        let scenario = load(scenario, &[]).expect("a built-in scenario");
        let world = touchdown_session::build_world(&scenario, None, 1).expect("it builds");
        let (_, hub) = stream::streamed(Nobody, world.columns(), &Scene::of(&world));
        let panels = layout["configById"].as_object().expect("panels");
        let mut shown = Vec::new();
        named(&layout["layout"], &mut shown);
        shown.sort_unstable();
        let mut known: Vec<&str> = panels.keys().map(String::as_str).collect();
        known.sort_unstable();
        assert_eq!(shown, known, "{file}: panels in the arrangement, and configured");
        let mut paths = 0;
        for (name, panel) in panels {
            for topic in panel["topics"].as_object().into_iter().flat_map(|topics| topics.keys()) {
                assert!(hub.channels().iter().any(|channel| channel.topic == topic), "{file}: {topic}");
            }
            if let Some(frame) = panel["followTf"].as_str() {
                assert!(world.body_names().iter().any(|body| body == frame), "{file}: {frame}");
            }
            for entry in panel["paths"].as_array().into_iter().flatten() {
                let wanted =
                    entry["value"].as_str().and_then(|v| v.strip_prefix("/series.")).expect("a path");
                assert!(world.columns().iter().any(|c| path(&c.name) == wanted), "{file}: {name}: {wanted}");
                paths += 1;
            }
        }
        assert!(paths > 5, "{file}");
    }
}
