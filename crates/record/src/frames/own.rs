//! Protobuf messages of this program: contacts, soil as differences, pressures, the ground.
//!
//! `descriptor` describes them to readers; a test compares the two.

use super::proto::Vector3;
use prost::Message;
use prost_types::Timestamp;

/// `touchdown.Contact`: what one contact does to its body, in the world.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Contact {
    #[prost(string, tag = "1")]
    pub name: String,
    /// m.
    #[prost(message, optional, tag = "2")]
    pub point: Option<Vector3>,
    /// N.
    #[prost(message, optional, tag = "3")]
    pub force: Option<Vector3>,
    /// N m.
    #[prost(message, optional, tag = "4")]
    pub torque: Option<Vector3>,
    /// Name of the body; empty if unknown.
    #[prost(string, tag = "5")]
    pub body: String,
    /// Whether the body touches soil.
    #[prost(bool, tag = "6")]
    pub soil: bool,
}

/// `touchdown.Contacts`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Contacts {
    #[prost(message, optional, tag = "1")]
    pub timestamp: Option<Timestamp>,
    #[prost(message, repeated, tag = "2")]
    pub contacts: Vec<Contact>,
}

/// `touchdown.SoilPatch`: nodes (i … i + nx − 1, j … j + ny − 1) of the grid, x fastest. With undisturbed
/// heights it is complete; without them its changes are added to those of the previous patch of the same
/// nodes.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SoilPatch {
    #[prost(sint32, tag = "1")]
    pub i: i32,
    #[prost(sint32, tag = "2")]
    pub j: i32,
    #[prost(uint32, tag = "3")]
    pub nx: u32,
    #[prost(uint32, tag = "4")]
    pub ny: u32,
    /// Undisturbed heights, m: one for each node, or a single one for all.
    #[prost(float, repeated, tag = "5")]
    pub undisturbed: Vec<f32>,
    /// The nodes of `changes`: how many to skip, how many to take, and so on.
    #[prost(uint32, repeated, tag = "6")]
    pub runs: Vec<u32>,
    /// Units of height of these nodes.
    #[prost(sint32, repeated, tag = "7")]
    pub changes: Vec<i32>,
}

/// `touchdown.SoilUpdate`: patches that changed; a keyframe has all that were ever touched, so that a reader
/// can start there.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SoilUpdate {
    #[prost(message, optional, tag = "1")]
    pub timestamp: Option<Timestamp>,
    #[prost(bool, tag = "2")]
    pub keyframe: bool,
    /// Distance between the grid's nodes, m: node (i, j) lies at (i·spacing, j·spacing).
    #[prost(double, tag = "3")]
    pub spacing: f64,
    /// Unit of changes, m.
    #[prost(double, tag = "4")]
    pub height_unit: f64,
    #[prost(message, repeated, tag = "5")]
    pub patches: Vec<SoilPatch>,
}

/// `touchdown.BodyPressures`: the nodes that support a body. Indices are differences from the previous node,
/// the first from zero.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct BodyPressures {
    #[prost(string, tag = "1")]
    pub contact: String,
    #[prost(sint32, repeated, tag = "2")]
    pub i: Vec<i32>,
    #[prost(sint32, repeated, tag = "3")]
    pub j: Vec<i32>,
    /// Pa.
    #[prost(float, repeated, tag = "4")]
    pub pressure: Vec<f32>,
}

/// `touchdown.Pressures`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Pressures {
    #[prost(message, optional, tag = "1")]
    pub timestamp: Option<Timestamp>,
    #[prost(message, repeated, tag = "2")]
    pub bodies: Vec<BodyPressures>,
}

/// `touchdown.Deformation`: displacements of the corners of a form's triangles from rest, in the form's
/// frame: x, y, z of each, in units.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Deformation {
    /// The form's name in `/contact_geometry`.
    #[prost(string, tag = "1")]
    pub form: String,
    #[prost(sint32, repeated, tag = "2")]
    pub displacements: Vec<i32>,
}

/// `touchdown.Deformations`: all forms that deform.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Deformations {
    #[prost(message, optional, tag = "1")]
    pub timestamp: Option<Timestamp>,
    /// Unit of displacements, m.
    #[prost(double, tag = "2")]
    pub unit: f64,
    #[prost(message, repeated, tag = "3")]
    pub forms: Vec<Deformation>,
}

/// `touchdown.Relief`: heights at nodes (x0 + i·spacing, y0 + j·spacing), x fastest; not a number where there is no ground.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Relief {
    #[prost(double, tag = "1")]
    pub x0: f64,
    #[prost(double, tag = "2")]
    pub y0: f64,
    #[prost(double, tag = "3")]
    pub spacing: f64,
    #[prost(uint32, tag = "4")]
    pub nx: u32,
    #[prost(uint32, tag = "5")]
    pub ny: u32,
    #[prost(float, repeated, tag = "6")]
    pub heights: Vec<f32>,
}

/// `touchdown.Ground`: a plane (point and normal), or soil (its spacing and a coarse sample of its undisturbed surface).
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Ground {
    #[prost(message, optional, tag = "1")]
    pub point: Option<Vector3>,
    #[prost(message, optional, tag = "2")]
    pub normal: Option<Vector3>,
    #[prost(double, tag = "3")]
    pub soil_spacing: f64,
    #[prost(message, optional, tag = "4")]
    pub relief: Option<Relief>,
}
