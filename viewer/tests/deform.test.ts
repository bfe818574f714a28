// Points follow the corners of a form that changes: fully where they lie on one, less with the distance, and back.
import { BufferAttribute, BufferGeometry, Mesh } from "three";
import { describe, expect, it } from "vitest";
import { Frames } from "../src/replay/decode";
import { Deforming } from "../src/scene/deform";
import { Encoder, join } from "./encode.mjs";

const CORNERS = [1, 0, 0, 0, 1, 0, -1, 0, 0];

/** A mesh of these points, turned by a quarter about z against its body. */
function turned(points: number[]): Mesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  const mesh = new Mesh(geometry);
  mesh.rotation.z = Math.PI / 2;
  mesh.updateMatrix();
  return mesh;
}

function frames(): Frames {
  const encoder = new Encoder();
  const frame = (time: number, deformations: number[][]) => encoder.record({ time, poses: [], contacts: [], patches: [], pressures: [], deformations }) as Uint8Array;
  const read = new Frames(0, 0);
  read.append(join([frame(0, [Array(9).fill(0)]), frame(1, [[0, 0, 0.5, 0, 0, 0, 0.25, 0, 0]])]));
  return read;
}

/** A form that changes, with all that follows it found. */
function deforming(...given: ConstructorParameters<typeof Deforming>): Deforming {
  const made = new Deforming(...given);
  while (made.prepareNext());
  return made;
}

const positions = (mesh: Mesh): number[] => Array.from(mesh.geometry.getAttribute("position").array);
const near = (found: number[], wanted: number[]) => wanted.forEach((value, k) => expect(found[k]).toBeCloseTo(value, 4));

describe("forms that change", () => {
  it("move their own corners by what the frames say", () => {
    const own = turned(CORNERS);
    const form = deforming(frames(), 0, CORNERS, own, []);
    form.update({ index: 1, fraction: 0 });
    near(positions(own), [1, 0, 0.5, 0, 1, 0, -0.75, 0, 0]);
    form.update({ index: 0, fraction: 0.5 });
    near(positions(own), [1, 0, 0.25, 0, 1, 0, -0.875, 0, 0]);
    form.update({ index: 0, fraction: 0 });
    near(positions(own), CORNERS);
  });

  it("take along what lies near them on the same body, in its own axes", () => {
    // Not turned, so that its first point lies on the corner (0, 1, 0) and its second near the one at (-1, 0, 0), which is (0, -1, 0) in the body.
    const other = new Mesh(new BufferGeometry());
    other.geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, 0, 0, 0, -1, 0.175, 0, 0, 0]), 3));
    other.updateMatrix();
    deforming(frames(), 0, CORNERS, turned(CORNERS), [other]).update({ index: 1, fraction: 0 });
    // The corner moves by 0.25 along its x, the body's y; at half of the reach half of it is left.
    near(positions(other), [-1, 0, 0, 0, -0.875, 0.175, 0, 0, 0]);
  });

  it("stay as they are where frames say nothing", () => {
    const own = turned(CORNERS);
    deforming(new Frames(0, 0), 0, CORNERS, own, []).update({ index: 0, fraction: 0 });
    near(positions(own), CORNERS);
  });
});
