//! glTF 2.0: the triangles of a scene, from a `.glb` or from a `.gltf` that carries its data inside (base64).
//!
//! Read: positions as 32-bit floats, indices of any width, triangle lists, strips and fans, nodes with matrices or translation, rotation and
//! scale. Refused with an error: data in other files, sparse or compressed accessors. A file may reference an
//! item many times; the expanded size counts against the limit of triangles before memory is allocated.

use super::{MeshFileError, base64, too_many};
use crate::TriangleMesh;
use serde_json::Value;
use touchdown_math::{Mat3, Vec3, rotation};

/// Largest depth of nested nodes; beyond it a file refers to itself.
const DEEPEST: usize = 64;
/// Largest number of visited nodes: a file of a few kilobytes can expand to billions.
const MOST_NODES: usize = 1_000_000;

const TRIANGLES: u64 = 4;
const STRIP: u64 = 5;
const FAN: u64 = 6;

/// An affine map, because nodes may scale.
#[derive(Clone, Copy)]
struct Map {
    A: Mat3,
    p: Vec3,
}

pub(super) fn read(bytes: &[u8], most: usize) -> Result<TriangleMesh, MeshFileError> {
    let (json, binary) = split(bytes)?;
    let root: Value = serde_json::from_slice(json).map_err(|e| gltf(format!("its JSON ends in: {e}")))?;
    if root.get("asset").is_none() {
        return Err(MeshFileError::NotThisKind { expected: "glTF" });
    }
    let mut reader = Reader {
        buffers: buffers(&root, binary)?,
        root: &root,
        out: TriangleMesh::default(),
        most,
        nodes: 0,
    };
    let identity = Map { A: Mat3::identity(), p: Vec3::zeros() };
    let scene = root.get("scene").and_then(Value::as_u64).unwrap_or(0);
    match item(&root, "scenes", scene) {
        Some(scene) => {
            for node in indices(scene.get("nodes")) {
                reader.node(node, &identity, 0)?;
            }
        }
        // A file without scenes is a library of meshes: all of them, where they are.
        None => {
            for mesh in 0..list(&root, "meshes").len() as u64 {
                reader.mesh(mesh, &identity)?;
            }
        }
    }
    Ok(reader.out)
}

/// JSON and binary chunk of either form.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), MeshFileError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let (mut json, mut binary, mut at) = (None, None, 12);
    while let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) {
        let start = at + 8;
        let end = start.saturating_add(length as usize);
        let chunk = bytes.get(start..end).ok_or(MeshFileError::Short {
            part: "a chunk of a glb",
            found: bytes.len(),
            needed: end,
        })?;
        match &kind.to_le_bytes() {
            b"JSON" => json = json.or(Some(chunk)),
            b"BIN\0" => binary = binary.or(Some(chunk)),
            _ => {}
        }
        at = end;
    }
    Ok((
        json.ok_or(MeshFileError::Short { part: "the header of a glb", found: bytes.len(), needed: 20 })?,
        binary,
    ))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

/// The data of each buffer.
fn buffers<'a>(
    root: &Value,
    binary: Option<&'a [u8]>,
) -> Result<Vec<std::borrow::Cow<'a, [u8]>>, MeshFileError> {
    let one = |(k, buffer): (usize, &Value)| match buffer.get("uri").and_then(Value::as_str) {
        None => Ok(binary.unwrap_or_default().into()),
        Some(uri) => match uri.strip_prefix("data:").and_then(|data| data.split_once(";base64,")) {
            Some((_, data)) => {
                base64::decode(data).map(Into::into).ok_or_else(|| gltf(format!("buffer {k} is no base64")))
            }
            None => Err(gltf(format!("buffer {k} lies in another file, \"{uri:.60}\": save it as .glb"))),
        },
    };
    list(root, "buffers").iter().enumerate().map(one).collect()
}

struct Reader<'a> {
    root: &'a Value,
    buffers: Vec<std::borrow::Cow<'a, [u8]>>,
    out: TriangleMesh,
    most: usize,
    nodes: usize,
}

/// Elements of an accessor in its buffer.
struct Elements<'a> {
    data: &'a [u8],
    stride: usize,
    count: usize,
    kind: u64,
}

impl Reader<'_> {
    fn node(&mut self, index: u64, outer: &Map, depth: usize) -> Result<(), MeshFileError> {
        self.nodes += 1;
        if depth > DEEPEST || self.nodes > MOST_NODES {
            return Err(gltf(format!("node {index} lies in itself, or too deep")));
        }
        let node =
            item(self.root, "nodes", index).ok_or_else(|| gltf(format!("there is no node {index}")))?;
        let inner = local(node);
        let map = Map { A: outer.A * inner.A, p: outer.A * inner.p + outer.p };
        if let Some(mesh) = node.get("mesh").and_then(Value::as_u64) {
            self.mesh(mesh, &map)?;
        }
        indices(node.get("children")).try_for_each(|child| self.node(child, &map, depth + 1))
    }

    fn mesh(&mut self, index: u64, map: &Map) -> Result<(), MeshFileError> {
        let mesh =
            item(self.root, "meshes", index).ok_or_else(|| gltf(format!("there is no mesh {index}")))?;
        list(mesh, "primitives").iter().try_for_each(|primitive| self.primitive(primitive, map))
    }

    fn primitive(&mut self, primitive: &Value, map: &Map) -> Result<(), MeshFileError> {
        let mode = primitive.get("mode").and_then(Value::as_u64).unwrap_or(TRIANGLES);
        if !(TRIANGLES..=FAN).contains(&mode) {
            return Ok(());
        }
        if primitive.pointer("/extensions/KHR_draco_mesh_compression").is_some() {
            return Err(gltf("compressed by Draco, which is not read: export it without compression".into()));
        }
        let position = primitive.pointer("/attributes/POSITION").and_then(Value::as_u64);
        let position = position.ok_or_else(|| gltf("a primitive without positions".into()))?;
        let places = self.accessor(position, "VEC3")?;
        if places.kind != 5126 {
            return Err(gltf(format!("accessor {position}: positions must be 32-bit floats")));
        }
        let corners = match primitive.get("indices").and_then(Value::as_u64) {
            Some(accessor) => Some(self.accessor(accessor, "SCALAR")?),
            None => None,
        };
        let used = corners.as_ref().map_or(places.count, |c| c.count);
        let triangles = if mode == TRIANGLES { used / 3 } else { used.saturating_sub(2) };
        let total = self.out.triangles.len() + triangles;
        // Every instance brings its corners: those beyond three for each triangle are useless, and a file can
        // list any number of them.
        if total > self.most || self.out.vertices.len() + places.count > 3 * self.most + 3 {
            return Err(too_many(total, self.most));
        }
        let first = self.out.vertices.len() as u32;
        let vertices: Vec<Vec3> = (0..places.count)
            .map(|k| {
                let at = k * places.stride;
                let c = |i: usize| f64::from(f32::from_bits(word(places.data, at + 4 * i).unwrap_or(0)));
                map.A * Vec3::new(c(0), c(1), c(2)) + map.p
            })
            .collect();
        let is_mirrored = map.A.determinant() < 0.0;
        let mut found = Vec::with_capacity(triangles);
        for k in 0..triangles {
            let at = match mode {
                TRIANGLES => [3 * k, 3 * k + 1, 3 * k + 2],
                STRIP => [k, k + 1 + k % 2, k + 2 - k % 2],
                _ => [0, k + 1, k + 2],
            };
            let face = self.out.triangles.len() + k;
            let mut triangle = [0; 3];
            for (to, at) in triangle.iter_mut().zip(at) {
                let corner = corners.as_ref().map_or(at as u32, |c| c.index(at));
                if corner as usize >= places.count {
                    return Err(MeshFileError::NoSuchCorner {
                        face,
                        corner: corner.into(),
                        corners: places.count,
                    });
                }
                *to = first + corner;
            }
            if is_mirrored {
                triangle.swap(1, 2);
            }
            found.push(triangle);
        }
        self.out.vertices.extend(vertices);
        self.out.triangles.extend(found);
        Ok(())
    }

    /// The elements of an accessor, all of which lie in its buffer.
    fn accessor(&self, index: u64, shape: &str) -> Result<Elements<'_>, MeshFileError> {
        let wrong = |why: &str| gltf(format!("accessor {index} {why}"));
        let accessor = item(self.root, "accessors", index).ok_or_else(|| wrong("is not there"))?;
        if accessor.get("type").and_then(Value::as_str) != Some(shape) {
            return Err(wrong(&format!("must be of type {shape}")));
        }
        if accessor.get("sparse").is_some() {
            return Err(wrong("is sparse, which is not read"));
        }
        let view = number(accessor, "bufferView").ok_or_else(|| wrong("has no data"))?;
        let view = item(self.root, "bufferViews", view as u64).ok_or_else(|| wrong("has no data"))?;
        let buffer = number(view, "buffer").and_then(|k| self.buffers.get(k));
        let buffer = buffer.ok_or_else(|| wrong("names a buffer that is not there"))?;
        let start = number(view, "byteOffset").unwrap_or(0);
        let end = number(view, "byteLength").and_then(|length| start.checked_add(length));
        let data =
            end.and_then(|end| buffer.get(start..end)).ok_or_else(|| wrong("reaches beyond its buffer"))?;
        let data = data.get(number(accessor, "byteOffset").unwrap_or(0)..);
        let data = data.ok_or_else(|| wrong("begins beyond its buffer"))?;
        let kind = number(accessor, "componentType").unwrap_or(0) as u64;
        let width = match kind {
            5121 => 1,
            5123 => 2,
            5125 | 5126 => 4,
            _ => return Err(wrong("has components of a kind that is not read")),
        };
        let size = if shape == "VEC3" { 3 * width } else { width };
        let stride = number(view, "byteStride").filter(|s| *s > 0).unwrap_or(size);
        let count = number(accessor, "count").unwrap_or(0);
        let needed = count.checked_sub(1).map_or(Some(0), |k| k.checked_mul(stride)?.checked_add(size));
        match needed {
            Some(needed) if needed <= data.len() => Ok(Elements { data, stride, count, kind }),
            _ => Err(wrong(&format!("says {count} elements, more than its {} bytes hold", data.len()))),
        }
    }
}

impl Elements<'_> {
    /// Element `k` as an index; a missing one is the largest index.
    fn index(&self, k: usize) -> u32 {
        let at = k * self.stride;
        let wide = match self.kind {
            5121 => self.data.get(at).map(|&b| u32::from(b)),
            5123 => self.data.get(at..at + 2).map(|b| u32::from(u16::from_le_bytes([b[0], b[1]]))),
            _ => word(self.data, at),
        };
        wide.unwrap_or(u32::MAX)
    }
}

/// A node's own transform.
fn local(node: &Value) -> Map {
    let numbers =
        |key: &str| -> Vec<f64> { list(node, key).iter().map(|n| n.as_f64().unwrap_or(f64::NAN)).collect() };
    if let [a, b, c, _, d, e, f, _, g, h, i, _, x, y, z, _] = numbers("matrix")[..] {
        // Columns first.
        return Map { A: Mat3::new(a, d, g, b, e, h, c, f, i), p: Vec3::new(x, y, z) };
    }
    let vector = |key: &str, default: f64| match numbers(key)[..] {
        [x, y, z] => Vec3::new(x, y, z),
        _ => Vec3::repeat(default),
    };
    let R = match numbers("rotation")[..] {
        [x, y, z, w] => rotation::from_quaternion(&[w, x, y, z]),
        _ => Mat3::identity(),
    };
    Map { A: R * Mat3::from_diagonal(&vector("scale", 1.0)), p: vector("translation", 0.0) }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn item<'v>(value: &'v Value, key: &str, index: u64) -> Option<&'v Value> {
    list(value, key).get(usize::try_from(index).ok()?)
}

fn number(value: &Value, key: &str) -> Option<usize> {
    value.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok())
}

fn indices(value: Option<&Value>) -> impl Iterator<Item = u64> + '_ {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64)
}

fn gltf(why: String) -> MeshFileError {
    MeshFileError::Gltf(why)
}
