//! The messages of `proto` and `own`, described as a protobuf `FileDescriptorSet`, which MCAP carries so that any reader can decode.
//!
//! The `foxglove.*` messages are complete, unused fields included: viewers expect every field of the published schemas.

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, FileDescriptorSet,
};

/// Type of a field; `many` makes it repeated.
#[derive(Clone, Copy)]
enum FieldKind {
    Plain(Type),
    One(&'static str),
    Many(&'static str),
    Numbers(Type),
    Choice(&'static str),
}
use FieldKind::{Choice, Many, Numbers, One, Plain};

/// Name, number, type.
type Field = (&'static str, i32, FieldKind);

const DOUBLE: FieldKind = Plain(Type::Double);
const BOOL: FieldKind = Plain(Type::Bool);
const TEXT: FieldKind = Plain(Type::String);
const TIME: FieldKind = One("google.protobuf.Timestamp");
const POSE: FieldKind = One("foxglove.Pose");
const VECTOR: FieldKind = One("foxglove.Vector3");
const COLOUR: FieldKind = One("foxglove.Color");

const XYZ: &[Field] = &[("x", 1, DOUBLE), ("y", 2, DOUBLE), ("z", 3, DOUBLE)];

const FOXGLOVE: &[(&str, &[Field])] = &[
    ("Vector3", XYZ),
    ("Point3", XYZ),
    ("Quaternion", &[("x", 1, DOUBLE), ("y", 2, DOUBLE), ("z", 3, DOUBLE), ("w", 4, DOUBLE)]),
    ("Pose", &[("position", 1, VECTOR), ("orientation", 2, One("foxglove.Quaternion"))]),
    ("Color", &[("r", 1, DOUBLE), ("g", 2, DOUBLE), ("b", 3, DOUBLE), ("a", 4, DOUBLE)]),
    ("KeyValuePair", &[("key", 1, TEXT), ("value", 2, TEXT)]),
    (
        "FrameTransform",
        &[
            ("timestamp", 1, TIME),
            ("parent_frame_id", 2, TEXT),
            ("child_frame_id", 3, TEXT),
            ("translation", 4, VECTOR),
            ("rotation", 5, One("foxglove.Quaternion")),
        ],
    ),
    ("FrameTransforms", &[("transforms", 1, Many("foxglove.FrameTransform"))]),
    (
        "ArrowPrimitive",
        &[
            ("pose", 1, POSE),
            ("shaft_length", 2, DOUBLE),
            ("shaft_diameter", 3, DOUBLE),
            ("head_length", 4, DOUBLE),
            ("head_diameter", 5, DOUBLE),
            ("color", 6, COLOUR),
        ],
    ),
    ("CubePrimitive", &[("pose", 1, POSE), ("size", 2, VECTOR), ("color", 3, COLOUR)]),
    ("SpherePrimitive", &[("pose", 1, POSE), ("size", 2, VECTOR), ("color", 3, COLOUR)]),
    (
        "CylinderPrimitive",
        &[
            ("pose", 1, POSE),
            ("size", 2, VECTOR),
            ("bottom_scale", 3, DOUBLE),
            ("top_scale", 4, DOUBLE),
            ("color", 5, COLOUR),
        ],
    ),
    (
        "LinePrimitive",
        &[
            ("type", 1, Choice("foxglove.LinePrimitive.Type")),
            ("pose", 2, POSE),
            ("thickness", 3, DOUBLE),
            ("scale_invariant", 4, BOOL),
            ("points", 5, Many("foxglove.Point3")),
            ("color", 6, COLOUR),
            ("colors", 7, Many("foxglove.Color")),
            ("indices", 8, Numbers(Type::Fixed32)),
        ],
    ),
    (
        "TriangleListPrimitive",
        &[
            ("pose", 1, POSE),
            ("points", 2, Many("foxglove.Point3")),
            ("color", 3, COLOUR),
            ("colors", 4, Many("foxglove.Color")),
            ("indices", 5, Numbers(Type::Fixed32)),
        ],
    ),
    (
        "TextPrimitive",
        &[
            ("pose", 1, POSE),
            ("billboard", 2, BOOL),
            ("font_size", 3, DOUBLE),
            ("scale_invariant", 4, BOOL),
            ("color", 5, COLOUR),
            ("text", 6, TEXT),
        ],
    ),
    (
        "ModelPrimitive",
        &[
            ("pose", 1, POSE),
            ("scale", 2, VECTOR),
            ("color", 3, COLOUR),
            ("override_color", 4, BOOL),
            ("url", 5, TEXT),
            ("media_type", 6, TEXT),
            ("data", 7, Plain(Type::Bytes)),
        ],
    ),
    (
        "SceneEntityDeletion",
        &[("timestamp", 1, TIME), ("type", 2, Choice("foxglove.SceneEntityDeletion.Type")), ("id", 3, TEXT)],
    ),
    (
        "SceneEntity",
        &[
            ("timestamp", 1, TIME),
            ("frame_id", 2, TEXT),
            ("id", 3, TEXT),
            ("lifetime", 4, One("google.protobuf.Duration")),
            ("frame_locked", 5, BOOL),
            ("metadata", 6, Many("foxglove.KeyValuePair")),
            ("arrows", 7, Many("foxglove.ArrowPrimitive")),
            ("cubes", 8, Many("foxglove.CubePrimitive")),
            ("spheres", 9, Many("foxglove.SpherePrimitive")),
            ("cylinders", 10, Many("foxglove.CylinderPrimitive")),
            ("lines", 11, Many("foxglove.LinePrimitive")),
            ("triangles", 12, Many("foxglove.TriangleListPrimitive")),
            ("texts", 13, Many("foxglove.TextPrimitive")),
            ("models", 14, Many("foxglove.ModelPrimitive")),
        ],
    ),
    (
        "SceneUpdate",
        &[
            ("deletions", 1, Many("foxglove.SceneEntityDeletion")),
            ("entities", 2, Many("foxglove.SceneEntity")),
        ],
    ),
];

/// Message, values of its enumeration `Type` in order from 0.
const CHOICES: &[(&str, &[&str])] = &[
    ("LinePrimitive", &["LINE_STRIP", "LINE_LOOP", "LINE_LIST"]),
    ("SceneEntityDeletion", &["MATCHING_ID", "ALL"]),
];

const TOUCHDOWN: &[(&str, &[Field])] = &[
    (
        "Contact",
        &[
            ("name", 1, TEXT),
            ("point", 2, VECTOR),
            ("force", 3, VECTOR),
            ("torque", 4, VECTOR),
            ("body", 5, TEXT),
            ("soil", 6, BOOL),
        ],
    ),
    ("Contacts", &[("timestamp", 1, TIME), ("contacts", 2, Many("touchdown.Contact"))]),
    (
        "SoilPatch",
        &[
            ("i", 1, Plain(Type::Sint32)),
            ("j", 2, Plain(Type::Sint32)),
            ("nx", 3, Plain(Type::Uint32)),
            ("ny", 4, Plain(Type::Uint32)),
            ("undisturbed", 5, Numbers(Type::Float)),
            ("runs", 6, Numbers(Type::Uint32)),
            ("changes", 7, Numbers(Type::Sint32)),
        ],
    ),
    (
        "SoilUpdate",
        &[
            ("timestamp", 1, TIME),
            ("keyframe", 2, BOOL),
            ("spacing", 3, DOUBLE),
            ("height_unit", 4, DOUBLE),
            ("patches", 5, Many("touchdown.SoilPatch")),
        ],
    ),
    (
        "BodyPressures",
        &[
            ("contact", 1, TEXT),
            ("i", 2, Numbers(Type::Sint32)),
            ("j", 3, Numbers(Type::Sint32)),
            ("pressure", 4, Numbers(Type::Float)),
        ],
    ),
    ("Pressures", &[("timestamp", 1, TIME), ("bodies", 2, Many("touchdown.BodyPressures"))]),
    ("Deformation", &[("form", 1, TEXT), ("displacements", 2, Numbers(Type::Sint32))]),
    (
        "Deformations",
        &[("timestamp", 1, TIME), ("unit", 2, DOUBLE), ("forms", 3, Many("touchdown.Deformation"))],
    ),
    (
        "Relief",
        &[
            ("x0", 1, DOUBLE),
            ("y0", 2, DOUBLE),
            ("spacing", 3, DOUBLE),
            ("nx", 4, Plain(Type::Uint32)),
            ("ny", 5, Plain(Type::Uint32)),
            ("heights", 6, Numbers(Type::Float)),
        ],
    ),
    (
        "Ground",
        &[
            ("point", 1, VECTOR),
            ("normal", 2, VECTOR),
            ("soil_spacing", 3, DOUBLE),
            ("relief", 4, One("touchdown.Relief")),
        ],
    ),
];

const CLOCK: &[Field] = &[("seconds", 1, Plain(Type::Int64)), ("nanos", 2, Plain(Type::Int32))];

const TIMESTAMP_FILE: &str = "google/protobuf/timestamp.proto";
const DURATION_FILE: &str = "google/protobuf/duration.proto";
const FOXGLOVE_FILE: &str = "foxglove/scene.proto";

/// The encoded description of every message that this program writes.
#[cfg(test)]
pub(crate) fn descriptor_set() -> Vec<u8> {
    describe(|_| true)
}

/// The encoded description of a message, such as `foxglove.SceneUpdate`, and of those that it holds.
pub(crate) fn descriptor_of(message: &str) -> Vec<u8> {
    let mut wanted = vec![message];
    let mut next = 0;
    while let Some(name) = wanted.get(next) {
        for of in held_by(name) {
            if !wanted.contains(&of) {
                wanted.push(of);
            }
        }
        next += 1;
    }
    describe(|name| wanted.contains(&name))
}

/// Messages that a message holds.
fn held_by(name: &str) -> impl Iterator<Item = &'static str> {
    let (package, short) = name.rsplit_once('.').unwrap_or(("", name));
    let table = match package {
        "foxglove" => FOXGLOVE,
        "touchdown" => TOUCHDOWN,
        _ => &[],
    };
    let fields = table.iter().find(|(name, _)| *name == short).map_or(&[][..], |(_, fields)| fields);
    fields.iter().filter_map(|(_, _, kind)| match kind {
        One(of) | Many(of) => Some(*of),
        Plain(_) | Numbers(_) | Choice(_) => None,
    })
}

fn describe(wanted: impl Fn(&str) -> bool) -> Vec<u8> {
    let google = "google.protobuf";
    let clock = |name| [(name, CLOCK)];
    let pick = |package: &str, messages: &[(&'static str, &'static [Field])]| {
        let named = |(name, _): &&(&str, &[Field])| wanted(&format!("{package}.{name}"));
        messages.iter().filter(named).copied().collect::<Vec<_>>()
    };
    let set = FileDescriptorSet {
        file: vec![
            file(TIMESTAMP_FILE, google, &[], &clock("Timestamp")),
            file(DURATION_FILE, google, &[], &clock("Duration")),
            file(FOXGLOVE_FILE, "foxglove", &[TIMESTAMP_FILE, DURATION_FILE], &pick("foxglove", FOXGLOVE)),
            file(
                "touchdown/frames.proto",
                "touchdown",
                &[TIMESTAMP_FILE, FOXGLOVE_FILE],
                &pick("touchdown", TOUCHDOWN),
            ),
        ],
    };
    set.encode_to_vec()
}

fn file(name: &str, package: &str, uses: &[&str], messages: &[(&str, &[Field])]) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some(name.into()),
        package: Some(package.into()),
        dependency: uses.iter().map(|&u| u.into()).collect(),
        message_type: messages.iter().map(|(name, fields)| message(name, fields)).collect(),
        syntax: Some("proto3".into()),
        ..Default::default()
    }
}

fn message(name: &str, fields: &[Field]) -> DescriptorProto {
    let choices = CHOICES.iter().filter(|(owner, _)| *owner == name);
    DescriptorProto {
        name: Some(name.into()),
        field: fields.iter().map(field).collect(),
        enum_type: choices.map(|(_, values)| choice(values)).collect(),
        ..Default::default()
    }
}

fn choice(values: &[&str]) -> EnumDescriptorProto {
    let value = |(i, name): (usize, &&str)| EnumValueDescriptorProto {
        name: Some((*name).into()),
        number: Some(i as i32),
        ..Default::default()
    };
    EnumDescriptorProto {
        name: Some("Type".into()),
        value: values.iter().enumerate().map(value).collect(),
        ..Default::default()
    }
}

fn field(&(name, number, kind): &Field) -> FieldDescriptorProto {
    let (label, kind, of) = match kind {
        Plain(kind) => (Label::Optional, kind, None),
        Numbers(kind) => (Label::Repeated, kind, None),
        One(of) => (Label::Optional, Type::Message, Some(of)),
        Many(of) => (Label::Repeated, Type::Message, Some(of)),
        Choice(of) => (Label::Optional, Type::Enum, Some(of)),
    };
    FieldDescriptorProto {
        name: Some(name.into()),
        number: Some(number),
        label: Some(label.into()),
        r#type: Some(kind.into()),
        type_name: of.map(|of| format!(".{of}")),
        ..Default::default()
    }
}
