//! Frames read back with an independent reader of the container and decoded by the embedded description.

use super::own::{Contacts, Ground, Pressures, SoilUpdate};
use super::proto::{ArrowPrimitive, FrameTransforms, SceneUpdate};
use super::scene::arrow;
use super::{Scene, descriptor, ground, soil as patches, soil_mesh, write};
use crate::patch::Patch;
use prost::Message;
use prost_types::FileDescriptorSet;
use std::collections::BTreeMap;
use touchdown_geometry::Shape;
use touchdown_math::{Pose, Quat, Vec3};
use touchdown_sim::description::Visual;
use touchdown_sim::show::{ContactName, GroundView, ReliefSample};
use touchdown_sim::sink::{Frame, PressureNode, SoilPatch};

fn scene() -> Scene {
    Scene {
        bodies: vec!["hull".into(), "wheel".into()],
        visuals: vec![Visual {
            name: "tyre".into(),
            body: Some(1),
            X_BG: Pose::new(&Quat::from_axis_angle(&Vec3::x_axis(), 0.5), Vec3::new(1.0, 2.0, 3.0)),
            shape: Shape::Cylinder { radius: 0.25, length: 0.1 },
            colour: [0.5, 0.25, 0.0, 1.0],
        }],
        contacts: vec![ContactName { name: "left".into(), body: Some(1), soil: true }],
        contact_forms: vec![Visual {
            name: "left".into(),
            body: Some(1),
            X_BG: Pose::identity(),
            shape: Shape::Sphere { radius: 0.25 },
            colour: [1.0, 0.0, 0.0, 1.0],
        }],
        ground: Some(GroundView::Soil { spacing: 0.02, relief: relief() }),
        arrow_m_per_n: 0.01,
        ..Scene::default()
    }
}

fn relief() -> ReliefSample {
    let heights = vec![0.0, 0.5, 1.0, f32::NAN, 2.0, 2.5];
    ReliefSample { x0: -0.32, y0: 0.64, spacing: 0.16, nx: 3, ny: 2, heights }
}

/// Two frames: at rest, then a quarter of a second later.
fn values() -> Vec<f64> {
    let mut values = Vec::new();
    for t in [0.0, 1.25] {
        values.extend([t, t, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        values.extend([t, 0.5, 0.25, 0.6, 0.8, 0.0, 0.0]);
        values.extend([t, 0.5, 0.0, 0.0, 0.0, 150.0, 0.0, t, 0.0]);
    }
    values
}

/// A patch of 3 × 2 nodes with a hole at its last node.
fn patch() -> SoilPatch {
    SoilPatch {
        x0: -0.64,
        y0: 0.32,
        spacing: 0.02,
        nx: 3,
        ny: 2,
        heights: vec![0.0, 0.5, 0.25, -0.125, -0.25, f32::NAN],
        undisturbed: vec![0.0, 0.0, 0.0, 0.0, 0.0, f32::NAN],
    }
}

fn carrying() -> Vec<PressureNode> {
    let node = |(i, j, pressure)| PressureNode { i, j, pressure };
    [(-3, 7, 1234.5), (-2, 7, 20.25), (400, -8, 0.0)].map(node).to_vec()
}

/// No soil at first, then a patch, and nodes that carry.
fn words() -> Vec<u32> {
    let mut words = Vec::new();
    let first = Frame { pressures: vec![vec![]], ..Frame::default() };
    crate::words::push(&mut words, &first);
    let second = Frame { soil: vec![patch()], pressures: vec![carrying()], ..Frame::default() };
    crate::words::push(&mut words, &second);
    words
}

fn messages(first: u64) -> Vec<mcap::Message<'static>> {
    let bytes =
        write::encode_part((&values(), &words()), &scene(), first, "encoding".into()).expect("into memory");
    let stream = mcap::MessageStream::new(&bytes).expect("an MCAP file");
    stream.collect::<mcap::McapResult<Vec<_>>>().expect("whole")
}

fn on<'a>(messages: &'a [mcap::Message<'static>], topic: &str) -> Vec<&'a mcap::Message<'static>> {
    messages.iter().filter(|m| m.channel.topic == topic).collect()
}

#[test]
fn poses_come_back() {
    // Position and orientation of each body in the world, at the simulated time.
    let messages = messages(0);
    let poses = on(&messages, "/tf");
    assert_eq!(poses.len(), 2);
    assert_eq!(
        (poses[1].log_time, poses[1].publish_time, poses[1].sequence),
        (1_250_000_000, 1_250_000_000, 1)
    );
    let decoded = FrameTransforms::decode(&poses[1].data[..]).expect("protobuf");
    let wheel = &decoded.transforms[1];
    assert_eq!((wheel.parent_frame_id.as_str(), wheel.child_frame_id.as_str()), ("world", "wheel"));
    let stamp = wheel.timestamp.expect("a time");
    assert_eq!((stamp.seconds, stamp.nanos), (1, 250_000_000));
    let p = wheel.translation.expect("a position");
    assert_eq!((p.x, p.y, p.z), (1.25, 0.5, 0.25));
    let q = wheel.rotation.expect("an orientation");
    assert_eq!((q.w, q.x, q.y, q.z), (0.6, 0.8, 0.0, 0.0));
}

#[test]
fn meshes_come_once_and_follow_their_body() {
    // The part that starts the run shows the forms, locked to their bodies' frames; later parts do not repeat them.
    let first = messages(0);
    let scenes = on(&first, "/scene");
    assert_eq!(scenes.len(), 1);
    let decoded = SceneUpdate::decode(&scenes[0].data[..]).expect("protobuf");
    let entity = &decoded.entities[0];
    assert_eq!((entity.frame_id.as_str(), entity.id.as_str(), entity.frame_locked), ("wheel", "tyre", true));
    let cylinder = entity.cylinders[0];
    let size = cylinder.size.expect("a size");
    assert_eq!((size.x, size.y, size.z), (0.5, 0.5, 0.1));
    let q = cylinder.pose.and_then(|p| p.orientation).expect("an orientation");
    assert!((q.w - 0.25f64.cos()).abs() < 1e-15 && (q.x - 0.25f64.sin()).abs() < 1e-15);
    assert!(on(&messages(7), "/scene").is_empty());
}

#[test]
fn contacts_come_as_numbers_and_as_arrows() {
    // 150 N upwards at 10 mm/N is an arrow of 1.5 m from the contact point, and the plain numbers stand beside it.
    let messages = messages(0);
    let numbers = Contacts::decode(&on(&messages, "/contacts")[1].data[..]).expect("protobuf");
    let contact = &numbers.contacts[0];
    assert_eq!(contact.name, "left");
    assert_eq!(contact.force.map(|f| f.z), Some(150.0));
    assert_eq!(contact.torque.map(|t| t.y), Some(1.25));
    let update = SceneUpdate::decode(&on(&messages, "/contact_arrows")[1].data[..]).expect("protobuf");
    let drawn = update.entities[0].arrows[0];
    assert!((drawn.shaft_length + drawn.head_length - 1.5).abs() < 1e-15);
    assert!((tip_direction(&drawn) - Vec3::z()).norm() < 1e-15);
}

/// Where +x of the arrow's pose points.
fn tip_direction(arrow: &ArrowPrimitive) -> Vec3 {
    let q = arrow.pose.and_then(|p| p.orientation).expect("an orientation");
    touchdown_math::rotation::from_quaternion(&[q.w, q.x, q.y, q.z]) * Vec3::x()
}

#[test]
fn arrows_point_along_any_force() {
    // Also against +x, where the rotation is not unique; a force without a direction has no arrow.
    for f in [Vec3::x(), -Vec3::x(), Vec3::new(1.0, -2.0, 3.0), Vec3::new(-1.0, 1e-9, 0.0)] {
        let drawn = arrow(&Vec3::zeros(), &f, 1.0).expect("an arrow");
        // Near −x the axis of rotation comes from a cross product of size 1e-9, good to 1e-16/1e-9.
        assert!((tip_direction(&drawn) - f.normalize()).norm() < 1e-6, "{f}");
    }
    for f in [Vec3::zeros(), Vec3::repeat(f64::NAN), Vec3::repeat(f64::INFINITY)] {
        assert_eq!(arrow(&Vec3::zeros(), &f, 1.0), None);
    }
}

#[test]
fn every_schema_describes_itself() {
    // Each message type that a channel names is in the embedded set, and every type that a field names is too.
    for message in messages(0) {
        let schema = message.channel.schema.clone().expect("a schema");
        assert_eq!(
            (schema.encoding.as_str(), message.channel.message_encoding.as_str()),
            ("protobuf", "protobuf")
        );
        let set = FileDescriptorSet::decode(&schema.data[..]).expect("a description");
        let known = fields_by_message(&set);
        assert!(known.contains_key(&schema.name), "{}", schema.name);
        assert_complete(&set);
    }
    assert_complete(&FileDescriptorSet::decode(&descriptor::descriptor_set()[..]).expect("a description"));
}

/// Every type that a field names is described.
fn assert_complete(set: &FileDescriptorSet) {
    let known = fields_by_message(set);
    for named in set
        .file
        .iter()
        .flat_map(|f| &f.message_type)
        .flat_map(|m| &m.field)
        .filter_map(|f| f.type_name.as_deref())
    {
        let plain = named.trim_start_matches('.');
        assert!(known.contains_key(plain) || plain.ends_with(".Type"), "{named}");
    }
}

#[test]
fn soil_comes_in_whole_numbers_when_it_changed() {
    // The second frame alone has soil: undisturbed heights as they are, changes in units of 0.1 mm, and none at the hole.
    let messages = messages(0);
    let soil = on(&messages, "/soil");
    assert_eq!((soil.len(), soil[0].sequence, soil[0].log_time), (1, 1, 1_250_000_000));
    let update = SoilUpdate::decode(&soil[0].data[..]).expect("protobuf");
    assert_eq!((update.spacing, update.height_unit, update.keyframe), (0.02, 1e-4, false));
    let message = &update.patches[0];
    assert_eq!((message.i, message.j, message.nx, message.ny), (-32, 16, 3, 2));
    assert_eq!((message.undisturbed[4], message.undisturbed[5].is_nan()), (0.0, true));
    // Nodes 1 to 4.
    assert_eq!((&message.runs[..], &message.changes[..]), (&[1, 4][..], &[5000, 2500, -1250, -2500][..]));
    assert_eq!(patches::patch_of(message).expect("whole").change, Patch::of(&patch()).change);
}

#[test]
fn triangles_of_soil_lie_at_the_nodes() {
    // One entity named after its first node, points at the nodes, two triangles per cell counter-clockwise from above, and none where
    // the ground is unknown.
    let update = soil_mesh::surface([&Patch::of(&patch())].into_iter(), 0.02, write::timestamp(0));
    let entity = &update.entities[0];
    assert_eq!((entity.id.as_str(), entity.frame_id.as_str()), ("soil -32 16", "world"));
    let triangles = &entity.triangles[0];
    let origin = triangles.pose.and_then(|p| p.position).expect("a place");
    assert_eq!((origin.x, origin.y, origin.z), (-0.64, 0.32, 0.0));
    let points: Vec<Vec3> = triangles.points.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
    assert_eq!(points[1], Vec3::new(0.02, 0.0, 0.5));
    assert_eq!(points[4], Vec3::new(0.02, 0.02, -0.25));
    // Of two cells one has the hole.
    assert_eq!(triangles.indices.len(), 6);
    for corner in triangles.indices.as_chunks::<3>().0 {
        let [a, b, c] = corner.map(|n| points[n as usize]);
        assert!((b - a).cross(&(c - a)).z > 0.0);
        assert!(corner.iter().all(|n| *n != 5));
    }
}

#[test]
fn pressures_ground_and_contact_geometry_come_back() {
    // Each frame has the nodes that carry; what does not change comes once, in the part that starts the run.
    let first = messages(0);
    let frames = on(&first, "/pressures");
    assert_eq!(frames.len(), 2);
    let message = Pressures::decode(&frames[1].data[..]).expect("protobuf");
    assert_eq!(message.bodies[0].contact, "left");
    let mut nodes = Vec::new();
    ground::nodes_of(&message.bodies[0], &mut nodes);
    assert_eq!(nodes, carrying());
    let message = Ground::decode(&on(&first, "/ground")[0].data[..]).expect("protobuf");
    let Some(GroundView::Soil { spacing, relief: found }) = ground::ground_of(message) else {
        panic!("soil")
    };
    let bits = |sample: &ReliefSample| sample.heights.iter().map(|h| h.to_bits()).collect::<Vec<_>>();
    assert_eq!((spacing, bits(&found)), (0.02, bits(&relief())));
    assert_eq!((found.x0, found.y0, found.spacing, found.nx, found.ny), (-0.32, 0.64, 0.16, 3, 2));
    let forms = SceneUpdate::decode(&on(&first, "/contact_geometry")[0].data[..]).expect("protobuf");
    assert_eq!((forms.entities[0].frame_id.as_str(), forms.entities[0].spheres.len()), ("wheel", 1));
    assert!(on(&messages(7), "/ground").is_empty() && on(&messages(7), "/contact_geometry").is_empty());
    let contacts = Contacts::decode(&on(&first, "/contacts")[0].data[..]).expect("protobuf");
    assert_eq!((contacts.contacts[0].body.as_str(), contacts.contacts[0].soil), ("wheel", true));
}

/// Field numbers of every message, by full name.
fn fields_by_message(set: &FileDescriptorSet) -> BTreeMap<String, Vec<i32>> {
    let named = |package: &str, m: &prost_types::DescriptorProto| {
        (format!("{package}.{}", m.name()), m.field.iter().map(|f| f.number()).collect())
    };
    set.file.iter().flat_map(|f| f.message_type.iter().map(move |m| named(f.package(), m))).collect()
}

/// Number and wire type of the top-level fields of an encoded message.
fn wire_fields(mut data: &[u8]) -> Vec<(u32, prost::encoding::WireType)> {
    use prost::encoding::{DecodeContext, decode_key, skip_field};
    let mut found = Vec::new();
    while !data.is_empty() {
        let (number, wire) = decode_key(&mut data).expect("a key");
        skip_field(wire, number, &mut data, DecodeContext::default()).expect("a value");
        found.push((number, wire));
    }
    found
}

#[test]
fn what_is_written_is_described() {
    // Every field number on the wire is a field of the described message.
    let set = FileDescriptorSet::decode(&descriptor::descriptor_set()[..]).expect("a description");
    let known = fields_by_message(&set);
    for message in messages(0) {
        let name = &message.channel.schema.as_ref().expect("a schema").name;
        for (number, _) in wire_fields(&message.data) {
            assert!(known[name].contains(&(number as i32)), "{name} has no field {number}");
        }
    }
    let patch =
        SoilUpdate::decode(&on(&messages(0), "/soil")[0].data[..]).expect("protobuf").patches.remove(0);
    let nodes =
        Pressures::decode(&on(&messages(0), "/pressures")[1].data[..]).expect("protobuf").bodies.remove(0);
    let relief =
        Ground::decode(&on(&messages(0), "/ground")[0].data[..]).expect("protobuf").relief.expect("soil");
    let inner = [
        ("touchdown.SoilPatch", patch.encode_to_vec()),
        ("touchdown.BodyPressures", nodes.encode_to_vec()),
        ("touchdown.Relief", relief.encode_to_vec()),
    ];
    for (name, data) in inner {
        let numbers: Vec<i32> = wire_fields(&data).iter().map(|(number, _)| *number as i32).collect();
        assert_eq!(numbers, known[name], "{name}");
    }
    let entity =
        SceneUpdate::decode(&on(&messages(0), "/scene")[0].data[..]).expect("protobuf").entities.remove(0);
    for (number, _) in wire_fields(&entity.encode_to_vec()) {
        assert!(known["foxglove.SceneEntity"].contains(&(number as i32)));
    }
}
