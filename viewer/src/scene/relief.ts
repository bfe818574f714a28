// Ground where no patch of soil lies: the coarse relief, or an endless-looking plane.
import { BufferAttribute, BufferGeometry, Mesh, PlaneGeometry, Quaternion, Vector3 } from "three";
import type { Ground, Relief } from "../replay/format";
import type { GroundLook } from "./groundMaterial";

/** A plane is drawn this many times as far as the machine reaches; fog hides its end. */
const PLANE_REACH = 30;
/** The known ground fades into the sky over this part of its smaller side. */
const FADE_PART = 0.2;

/** The mesh of the ground, or nothing for a scene without. */
export function groundMesh(ground: Ground | null, look: GroundLook, reach: number): Mesh | null {
  if (ground === null) return null;
  const mesh = ground.kind === "plane" ? plane(ground, look, reach) : relief(ground.relief, look);
  if (mesh !== null) mesh.receiveShadow = true;
  return mesh;
}

function plane(ground: Extract<Ground, { kind: "plane" }>, look: GroundLook, reach: number): Mesh {
  const size = 2 * PLANE_REACH * Math.max(reach, 0.1);
  const mesh = new Mesh(new PlaneGeometry(size, size), look.material("plane"));
  mesh.position.set(...ground.point);
  const normal = new Vector3(...ground.normal);
  if (normal.lengthSq() > 0) mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal.normalize()));
  return mesh;
}

function relief(given: Relief, look: GroundLook): Mesh | null {
  const { x0, y0, spacing, nx, ny, heights } = given;
  if (nx < 2 || ny < 2 || heights.length < nx * ny) return null;
  const positions = new Float32Array(3 * nx * ny);
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const k = j * nx + i;
      positions.set([x0 + i * spacing, y0 + j * spacing, heights[k] ?? 0], 3 * k);
    }
  }
  const triangles: number[] = [];
  const there = (k: number) => heights[k] !== null;
  for (let j = 0; j + 1 < ny; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const k = j * nx + i;
      if (there(k) && there(k + 1) && there(k + nx) && there(k + nx + 1)) triangles.push(k, k + 1, k + nx + 1, k, k + nx + 1, k + nx);
    }
  }
  const [width, depth] = [(nx - 1) * spacing, (ny - 1) * spacing];
  look.uniforms.reliefBox.value.set(x0, y0, x0 + width, y0 + depth);
  look.uniforms.reliefFade.value = FADE_PART * Math.min(width, depth);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(triangles), 1));
  geometry.computeVertexNormals();
  return new Mesh(geometry, look.material("relief"));
}

/** Height of the undisturbed ground at a place, m; 0 where it is not known. */
export function groundHeight(ground: Ground | null, x: number, y: number): number {
  if (ground === null) return 0;
  if (ground.kind === "plane") {
    const [nx, ny, nz] = ground.normal;
    return nz === 0 ? ground.point[2] : ground.point[2] - (nx * (x - ground.point[0]) + ny * (y - ground.point[1])) / nz;
  }
  const { x0, y0, spacing, nx, ny, heights } = ground.relief;
  const u = Math.min(Math.max((x - x0) / spacing, 0), nx - 1);
  const v = Math.min(Math.max((y - y0) / spacing, 0), ny - 1);
  const i = Math.min(Math.floor(u), Math.max(nx - 2, 0));
  const j = Math.min(Math.floor(v), Math.max(ny - 2, 0));
  const at = (a: number, b: number) => heights[Math.min(b, ny - 1) * nx + Math.min(a, nx - 1)] ?? 0;
  const low = at(i, j) + (u - i) * (at(i + 1, j) - at(i, j));
  const high = at(i, j + 1) + (u - i) * (at(i + 1, j + 1) - at(i, j + 1));
  return low + (v - j) * (high - low);
}
