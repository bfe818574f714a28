//! The table, shared part: rotation and form of an object.

use super::typed::{list, number, numbers, text, vector_in};
use super::{ANY, POSITIVE, section};
use crate::read::Text;
use crate::unit::{ANGLE, LENGTH, NUMBER};
use touchdown_math::Vec3;

section! {
    pub(crate) struct TurnKeys "turn": "turned by roll, then pitch, then yaw";
    default("\"0 deg\"") roll: f64 = number(&[&ANGLE], ANY), "about x";
    default("\"0 deg\"") pitch: f64 = number(&[&ANGLE], ANY), "about y";
    default("\"0 deg\"") yaw: f64 = number(&[&ANGLE], ANY), "about z";
}

section! {
    pub(crate) struct FormKeys "form": "one of box, cylinder (about z), sphere, mesh";
    optional cuboid as "box": Vec3 = vector_in(&[&LENGTH], POSITIVE), "edge lengths";
    optional cylinder: [f64; 2] = numbers(&[&LENGTH], POSITIVE), "radius and length";
    optional sphere: f64 = number(&[&LENGTH], POSITIVE), "radius";
    optional mesh: Text = text(), "an STL, OBJ or glTF file (.stl, .obj, .glb, .gltf)";
    default("1") scale: Vec<f64> = list(&[&NUMBER], ANY, &[1, 3]),
        "metres per unit of the mesh file; a negative one mirrors";
}
