// Geometry of forms. Discs get spokes, a tread and one bright mark, so that one sees them turn.
import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, Float32BufferAttribute, SphereGeometry } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import type { Shape } from "../replay/format";

const SEGMENTS = 48;
const SPOKES = 8;
/** Shades of vertices: they multiply the form's colour. */
const PLAIN = 1;
const DARK = 0.5;
const LIGHT = 1.7;

/** A cylinder wider than long is taken for a wheel. */
export const isDisc = (shape: Shape): boolean => shape.kind === "cylinder" && 2 * shape.radius > shape.length;

/** `mark` is the shade of the mark on a disc. */
export function shapeGeometry(shape: Shape, mark: number): BufferGeometry {
  switch (shape.kind) {
    case "box":
      return box(...shape.size);
    case "sphere":
      return new SphereGeometry(shape.radius, 32, 20);
    case "cylinder":
      // Three's cylinders stand along y.
      return isDisc(shape) ? disc(shape.radius, shape.length, mark) : new CylinderGeometry(shape.radius, shape.radius, shape.length, 28).rotateX(Math.PI / 2);
    case "mesh":
      return mesh(shape.vertices, shape.triangles);
  }
}

/** Edges of a box are broken by this part of its shortest side, as those of made things are: they catch the light. */
const EDGE = 0.06;

function box(x: number, y: number, z: number): BufferGeometry {
  const shortest = Math.min(x, y, z);
  return shortest > 0 && shortest > 0.02 * Math.max(x, y, z) ? new RoundedBoxGeometry(x, y, z, 2, EDGE * shortest) : new BoxGeometry(x, y, z);
}

function mesh(vertices: number[], triangles: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(vertices, 3));
  const nodes = vertices.length / 3;
  // An index beyond the vertices would make the driver refuse the whole mesh.
  const whole = triangles.length % 3 === 0 && triangles.every((k) => k >= 0 && k < nodes) ? triangles : [];
  geometry.setIndex(new BufferAttribute(new Uint32Array(whole), 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  // What needs each vertex once need not look at it in all its triangles.
  flat.userData = { sources: geometry.index!.array };
  return flat;
}

/** A wheel about z: tread with bars, sides with a rim, spokes and a hub. */
function disc(radius: number, length: number, markShade: number): BufferGeometry {
  const positions: number[] = [];
  const colours: number[] = [];
  const h = length / 2;
  const at = (r: number, angle: number, z: number): [number, number, number] => [r * Math.cos(angle), r * Math.sin(angle), z];
  const quad = (a: number[], b: number[], c: number[], d: number[], shade: number) => {
    positions.push(...a, ...b, ...c, ...a, ...c, ...d);
    for (let k = 0; k < 6; k++) colours.push(shade, shade, shade);
  };
  const perSpoke = SEGMENTS / SPOKES;
  for (let s = 0; s < SEGMENTS; s++) {
    const from = (2 * Math.PI * s) / SEGMENTS;
    const to = (2 * Math.PI * (s + 1)) / SEGMENTS;
    const mark = s < 2;
    const spoke = s % perSpoke < 2;
    quad(at(radius, from, -h), at(radius, to, -h), at(radius, to, h), at(radius, from, h), mark ? markShade : s % 3 === 0 ? DARK : PLAIN);
    for (const [side, z] of [[1, h], [-1, -h]]) {
      const ring = (inner: number, outer: number, shade: number) => {
        const corners = [at(inner, from, z), at(outer, from, z), at(outer, to, z), at(inner, to, z)];
        if (side < 0) corners.reverse();
        quad(corners[0], corners[1], corners[2], corners[3], shade);
      };
      ring(0, 0.22 * radius, DARK);
      ring(0.22 * radius, 0.82 * radius, mark ? markShade : spoke ? LIGHT : DARK);
      ring(0.82 * radius, radius, mark ? markShade : LIGHT);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}
