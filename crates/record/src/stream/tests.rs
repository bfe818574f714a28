//! Listeners receive what they subscribed to, from that moment, and slow listeners do not affect others.

use super::*;
use crate::frames::proto::{FrameTransforms, SceneUpdate};
use prost::Message;
use touchdown_geometry::Shape;
use touchdown_math::{Pose, Vec3};
use touchdown_sim::description::Visual;
use touchdown_sim::sink::{BodyPose, SoilPatch};

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

fn run(nx: usize) -> (Streamed<Nobody>, Arc<Hub>, impl Fn(f64, f64) -> Frame) {
    let wheel = Visual {
        name: "rim".into(),
        body: Some(0),
        X_BG: Pose::identity(),
        shape: Shape::Sphere { radius: 0.2 },
        colour: [1.0; 4],
    };
    let scene = Scene { bodies: vec!["wheel".into()], visuals: vec![wheel], ..Scene::default() };
    let columns = ["time_s", "soil.wheel.sinkage_m"].map(|name| Column::scalar(name, "-", "-"));
    let (sink, hub) = streamed(Nobody, &columns, &scene);
    let frame = move |time: f64, x0: f64| Frame {
        time,
        poses: vec![BodyPose { p_WB: Vec3::new(time, 0.0, 0.2), q_WB: [1.0, 0.0, 0.0, 0.0] }],
        soil: vec![SoilPatch {
            x0,
            y0: 0.0,
            spacing: 0.01,
            nx,
            ny: 2,
            heights: vec![-0.01; 2 * nx],
            undisturbed: vec![0.0; 2 * nx],
        }],
        ..Frame::default()
    };
    (sink, hub, frame)
}

fn number(hub: &Hub, topic: &str) -> usize {
    hub.channels().iter().position(|channel| channel.topic == topic).expect("a channel")
}

#[test]
fn who_comes_late_gets_the_scene_and_all_of_the_soil() {
    let (mut sink, hub, frame) = run(3);
    for k in 0..4 {
        sink.frame(&frame(f64::from(k), 0.02 * f64::from(k))).expect("nobody refuses");
    }
    let late = hub.join();
    let [scene, mesh, poses] = ["/scene", "/soil_mesh", "/tf"].map(|topic| number(&hub, topic));
    assert!([scene, mesh, poses].iter().all(|channel| late.subscribe(*channel)) && !late.subscribe(99));
    let (said, lost) = late.take();
    assert_eq!(
        said.iter().map(|s| (s.channel, s.time)).collect::<Vec<_>>(),
        [(scene, 0), (mesh, 3_000_000_000), (poses, 3_000_000_000)]
    );
    let entities = |said: &Said| SceneUpdate::decode(&said.data[..]).expect("protobuf").entities;
    assert!(!lost && entities(&said[0])[0].spheres.len() == 1);
    assert_eq!(entities(&said[1]).len(), 4, "each frame brought a patch of its own");
    let pose = FrameTransforms::decode(&said[2].data[..]).expect("protobuf").transforms[0]
        .translation
        .expect("a place");
    assert_eq!((pose.x, pose.z), (3.0, 0.2));
    // From now on only changes.
    sink.frame(&frame(4.0, 0.08)).expect("nobody refuses");
    let said = late.take().0;
    assert_eq!(said.iter().map(|s| s.channel).collect::<Vec<_>>(), [poses, mesh]);
    assert_eq!(entities(&said[1]).len(), 1);
}

#[test]
fn nobody_gets_what_was_not_asked_for() {
    let (mut sink, hub, frame) = run(3);
    let (deaf, rows) = (hub.join(), hub.join());
    assert!(rows.subscribe(ROWS));
    sink.series(&[0.5, -0.25]).expect("nobody refuses");
    sink.frame(&frame(0.5, 0.0)).expect("nobody refuses");
    assert!(deaf.take().0.is_empty());
    let said = rows.take().0;
    assert_eq!((said.len(), said[0].channel, said[0].time), (1, ROWS, 500_000_000));
    rows.unsubscribe(ROWS);
    sink.series(&[0.6, -0.25]).expect("nobody refuses");
    assert!(rows.take().0.is_empty());
}

#[test]
fn who_takes_nothing_holds_a_bounded_queue_and_catches_up() {
    // Patches of 4 000 nodes make messages of a few hundred kB: 200 of them exceed the limit of a listener's
    // queue by far.
    let (mut sink, hub, frame) = run(2000);
    let (slow, mesh) = (hub.join(), number(&hub, "/soil_mesh"));
    slow.subscribe(mesh);
    for k in 0..200 {
        sink.frame(&frame(f64::from(k), 20.0 * f64::from(k))).expect("nobody refuses");
    }
    let (said, lost) = slow.take();
    let (whole, queue) = said.split_last().expect("something was said");
    let bytes: usize = queue.iter().map(|s| s.data.len()).sum();
    assert!(lost && bytes <= 16 << 20 && queue.len() < 200, "{} messages, {bytes} bytes", queue.len());
    let entities = SceneUpdate::decode(&whole.data[..]).expect("protobuf").entities.len();
    assert_eq!((whole.time, entities), (199_000_000_000, 200), "the last message has all of the soil");
    sink.frame(&frame(200.0, 0.0)).expect("nobody refuses");
    assert_eq!(slow.take(), (vec![], false), "a patch that is as it was is no news");
}
