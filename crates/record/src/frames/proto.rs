//! Messages of the Foxglove schemas that this program uses. Its own are in `own`.
//!
//! Field numbers are the wire format of the published `foxglove.*` schemas; `descriptor` describes the same
//! messages to readers, and a test compares the two.

use prost::Message;
use prost_types::{Duration, Timestamp};

/// `foxglove.Vector3`, also used as `foxglove.Point3`.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Vector3 {
    #[prost(double, tag = "1")]
    pub x: f64,
    #[prost(double, tag = "2")]
    pub y: f64,
    #[prost(double, tag = "3")]
    pub z: f64,
}

/// `foxglove.Quaternion`.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Quaternion {
    #[prost(double, tag = "1")]
    pub x: f64,
    #[prost(double, tag = "2")]
    pub y: f64,
    #[prost(double, tag = "3")]
    pub z: f64,
    #[prost(double, tag = "4")]
    pub w: f64,
}

/// `foxglove.Pose`.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Pose {
    #[prost(message, optional, tag = "1")]
    pub position: Option<Vector3>,
    #[prost(message, optional, tag = "2")]
    pub orientation: Option<Quaternion>,
}

/// `foxglove.Color`, 0 to 1.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Color {
    #[prost(double, tag = "1")]
    pub r: f64,
    #[prost(double, tag = "2")]
    pub g: f64,
    #[prost(double, tag = "3")]
    pub b: f64,
    #[prost(double, tag = "4")]
    pub a: f64,
}

/// `foxglove.FrameTransform`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct FrameTransform {
    #[prost(message, optional, tag = "1")]
    pub timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub parent_frame_id: String,
    #[prost(string, tag = "3")]
    pub child_frame_id: String,
    #[prost(message, optional, tag = "4")]
    pub translation: Option<Vector3>,
    #[prost(message, optional, tag = "5")]
    pub rotation: Option<Quaternion>,
}

/// `foxglove.FrameTransforms`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct FrameTransforms {
    #[prost(message, repeated, tag = "1")]
    pub transforms: Vec<FrameTransform>,
}

/// `foxglove.ArrowPrimitive`: points along +x of its pose. Lengths in m.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct ArrowPrimitive {
    #[prost(message, optional, tag = "1")]
    pub pose: Option<Pose>,
    #[prost(double, tag = "2")]
    pub shaft_length: f64,
    #[prost(double, tag = "3")]
    pub shaft_diameter: f64,
    #[prost(double, tag = "4")]
    pub head_length: f64,
    #[prost(double, tag = "5")]
    pub head_diameter: f64,
    #[prost(message, optional, tag = "6")]
    pub color: Option<Color>,
}

/// `foxglove.CubePrimitive` and, with the same fields, `foxglove.SpherePrimitive`.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct SizedPrimitive {
    #[prost(message, optional, tag = "1")]
    pub pose: Option<Pose>,
    #[prost(message, optional, tag = "2")]
    pub size: Option<Vector3>,
    #[prost(message, optional, tag = "3")]
    pub color: Option<Color>,
}

/// `foxglove.CylinderPrimitive`: axis along z of its pose.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct CylinderPrimitive {
    #[prost(message, optional, tag = "1")]
    pub pose: Option<Pose>,
    #[prost(message, optional, tag = "2")]
    pub size: Option<Vector3>,
    #[prost(double, tag = "3")]
    pub bottom_scale: f64,
    #[prost(double, tag = "4")]
    pub top_scale: f64,
    #[prost(message, optional, tag = "5")]
    pub color: Option<Color>,
}

/// `foxglove.TriangleListPrimitive`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct TriangleListPrimitive {
    #[prost(message, optional, tag = "1")]
    pub pose: Option<Pose>,
    #[prost(message, repeated, tag = "2")]
    pub points: Vec<Vector3>,
    #[prost(message, optional, tag = "3")]
    pub color: Option<Color>,
    #[prost(fixed32, repeated, tag = "5")]
    pub indices: Vec<u32>,
}

/// `foxglove.SceneEntity`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SceneEntity {
    #[prost(message, optional, tag = "1")]
    pub timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub frame_id: String,
    #[prost(string, tag = "3")]
    pub id: String,
    #[prost(message, optional, tag = "4")]
    pub lifetime: Option<Duration>,
    #[prost(bool, tag = "5")]
    pub frame_locked: bool,
    #[prost(message, repeated, tag = "7")]
    pub arrows: Vec<ArrowPrimitive>,
    #[prost(message, repeated, tag = "8")]
    pub cubes: Vec<SizedPrimitive>,
    #[prost(message, repeated, tag = "9")]
    pub spheres: Vec<SizedPrimitive>,
    #[prost(message, repeated, tag = "10")]
    pub cylinders: Vec<CylinderPrimitive>,
    #[prost(message, repeated, tag = "12")]
    pub triangles: Vec<TriangleListPrimitive>,
}

/// `foxglove.SceneUpdate`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SceneUpdate {
    #[prost(message, repeated, tag = "2")]
    pub entities: Vec<SceneEntity>,
}
