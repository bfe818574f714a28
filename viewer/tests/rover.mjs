// A made-up run: a rover of six wheels drives along x, its wheels dig ruts with berms beside them. Only the looks are true to life.
import { Encoder } from "./encode.mjs";

const TILE = 32;
const WHEEL = { radius: 0.125, width: 0.1 };
const AXLES = [["front", 0.73], ["middle", 0.14], ["rear", -0.73]];
const SIDES = [["left", 0.73], ["right", -0.73]];
const UP = [1, 0, 0, 0];
// A quarter turn about x lays a cylinder's axis along y.
const LYING = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];

const box = (name, body, size, position, colour) => ({ name, body, contact: false, colour, position, quaternion: UP, shape: { kind: "box", size } });

/** Pull of a made-up soil, rising to its limit, N; and how deep wheels stand, m. */
const pull = (t) => 220 * (1 - Math.exp(-t / 60));
const sinkage = (t, axle) => (0.018 + 0.012 * axle + 0.035 * (1 - Math.exp(-t / 80))) * Math.min(1, t / 1.5);

/**
 * The run: { scene, frames: Uint8Array[], series: Map of columns, rows }. `duration` in s, `every` between frames, `spacing` of the soil.
 * `hump` lifts the ground so that the relief is not flat.
 */
export function rover({ duration = 180, every = 0.2, spacing = 0.005, speed = 0.02, hump = 0, name = "rover-made-up" } = {}) {
  const wheels = SIDES.flatMap(([side, y]) => AXLES.map(([axle, x], k) => ({ name: `${axle}_${side}`, x, y, axle: k })));
  const bodies = ["chassis", ...wheels.map((wheel) => `wheel_${wheel.name}`)];
  const relief = (x, y) => hump * Math.sin(1.3 * x) * Math.cos(1.1 * y);
  const scene = {
    format: 2, scenario: name, title: "Made-up rover in soft soil", duration_s: duration, frames_every_s: every, bodies,
    contacts: wheels.map((wheel, k) => ({ name: wheel.name, body: k + 1, soil: true })),
    forms: [
      box("hull", 0, [1.3, 0.8, 0.3], [0, 0, 0.33], [0.82, 0.83, 0.85, 1]),
      box("deck", 0, [1.5, 1.1, 0.025], [-0.05, 0, 0.5], [0.16, 0.22, 0.36, 1]),
      box("mast", 0, [0.06, 0.06, 0.55], [0.5, 0.15, 0.78], [0.7, 0.7, 0.72, 1]),
      box("camera", 0, [0.1, 0.3, 0.1], [0.5, 0.15, 1.1], [0.3, 0.3, 0.33, 1]),
      ...SIDES.map(([side, y]) => box(`bogie ${side}`, 0, [1.5, 0.05, 0.07], [0, 0.8 * y, 0.2], [0.55, 0.57, 0.6, 1])),
      ...wheels.map((wheel) => box(`leg ${wheel.name}`, 0, [0.05, 0.05, 0.24], [wheel.x, 0.82 * wheel.y, 0.1], [0.55, 0.57, 0.6, 1])),
      ...wheels.flatMap((wheel, k) => [
        { name: `rim ${wheel.name}`, body: k + 1, contact: false, colour: [0.42, 0.44, 0.47, 1], position: [0, 0, 0], quaternion: LYING, shape: { kind: "cylinder", radius: WHEEL.radius, length: WHEEL.width } },
        { name: `contact ${wheel.name}`, body: k + 1, contact: true, colour: [0, 0.6, 0.6, 1], position: [0, 0, 0], quaternion: LYING, shape: { kind: "cylinder", radius: WHEEL.radius, length: WHEEL.width } },
      ]),
    ],
    ground: { kind: "soil", spacing, relief: sampled(relief, -3, -3, 0.1, 100, 61) },
    arrow_m_per_n: 0.004,
    columns: columnsOf(wheels),
    phases: [{ label: "drop", from: 0, to: duration / 18 }, { label: "over the humps", from: duration / 18, to: duration / 6 }, { label: "pull", from: duration / 6, to: duration }],
    figures: [
      { title: "Drawbar pull", columns: ["spring.drawbar.force_n"] },
      { title: "Sinkage of the wheels", columns: wheels.map((wheel) => `soil.${wheel.name}.sinkage_m`) },
    ],
    notes: [],
  };
  const soil = new Map();
  const encoder = new Encoder();
  const frames = [];
  const count = Math.round(duration / every) + 1;
  for (let n = 0; n < count; n++) frames.push(encoder.record(frameAt(n * every, wheels, soil, spacing, speed, relief)));
  return { scene, frames, ...seriesOf(scene.columns, wheels, duration) };
}

function sampled(relief, x0, y0, spacing, nx, ny) {
  const heights = [];
  for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) heights.push(relief(x0 + i * spacing, y0 + j * spacing));
  return { x0, y0, spacing, nx, ny, heights };
}

function frameAt(time, wheels, soil, spacing, speed, relief) {
  const x = speed * 60 * (1 - Math.exp(-time / 60));
  const turned = speed * 4 * time;
  const touched = new Map();
  const poses = [[x, 0, 0.25 - sinkage(time, 0.5), 1, 0, 0.01 * Math.sin(time), 0]];
  const contacts = [];
  const pressures = [];
  for (const wheel of wheels) {
    const depth = sinkage(time, wheel.axle);
    const at = x + wheel.x;
    const z = relief(at, wheel.y) + WHEEL.radius - depth;
    poses.push([at, wheel.y, z, Math.cos(turned / 2), 0, Math.sin(turned / 2), 0]);
    const load = 128 * (1 + 0.05 * Math.sin(3 * time + wheel.x));
    contacts.push([at + 0.03, wheel.y, relief(at, wheel.y) - depth, pull(time) / 6, 0, load]);
    dig({ at, z, wheel, touched, soil, spacing, relief });
    pressures.push(footprint({ at, z, wheel, spacing, relief, load }));
  }
  const patches = [...touched.values()].map((patch) => ({ ...patch, change: Int16Array.from(patch.change) }));
  return { time, poses, contacts, patches, pressures };
}

/** Lowers the soil to the wheel's underside and lays what it lost beside the rut. */
function dig({ at, z, wheel, touched, soil, spacing, relief }) {
  const reach = WHEEL.radius + 0.06;
  for (let i = Math.ceil((at - reach) / spacing); i * spacing <= at + reach; i++) {
    for (let j = Math.ceil((wheel.y - 0.13) / spacing); j * spacing <= wheel.y + 0.13; j++) {
      const dx = i * spacing - at;
      const dy = Math.abs(j * spacing - wheel.y);
      const ground = relief(i * spacing, j * spacing);
      const under = Math.abs(dx) < WHEEL.radius ? z - Math.sqrt(WHEEL.radius ** 2 - dx ** 2) - ground : 0;
      let change = 0;
      if (dy <= WHEEL.width / 2) change = Math.min(under, 0);
      else change = -0.5 * Math.min(under, 0) * Math.exp(-(((dy - WHEEL.width / 2 - 0.025) / 0.02) ** 2));
      if (change !== 0) setChange(i, j, Math.round(1e4 * change), touched, soil, spacing, relief);
    }
  }
}

function setChange(i, j, change, touched, soil, spacing, relief) {
  // A node on an edge belongs to every patch that has it.
  for (const a of i % TILE === 0 ? [i / TILE - 1, i / TILE] : [Math.floor(i / TILE)]) {
    for (const b of j % TILE === 0 ? [j / TILE - 1, j / TILE] : [Math.floor(j / TILE)]) {
      const key = `${a},${b}`;
      let patch = soil.get(key);
      if (patch === undefined) soil.set(key, (patch = newPatch(a * TILE, b * TILE, spacing, relief)));
      const k = (j - patch.j0) * patch.nx + i - patch.i0;
      const old = patch.change[k];
      const next = change < 0 ? Math.min(old, change) : old < 0 ? old : Math.max(old, change);
      if (next === old) continue;
      patch.change[k] = next;
      touched.set(key, patch);
    }
  }
}

function newPatch(i0, j0, spacing, relief) {
  const n = TILE + 1;
  const undisturbed = Float32Array.from({ length: n * n }, (_, k) => relief((i0 + (k % n)) * spacing, (j0 + Math.floor(k / n)) * spacing));
  return { i0, j0, nx: n, ny: n, undisturbed, change: new Int16Array(n * n) };
}

function footprint({ at, z, wheel, spacing, relief, load }) {
  const nodes = [];
  let full = 0;
  for (let i = Math.ceil((at - WHEEL.radius) / spacing); i * spacing < at + WHEEL.radius; i++) {
    for (let j = Math.ceil((wheel.y - WHEEL.width / 2) / spacing); j * spacing <= wheel.y + WHEEL.width / 2; j++) {
      const dx = i * spacing - at;
      const depth = relief(i * spacing, j * spacing) - (z - Math.sqrt(WHEEL.radius ** 2 - dx ** 2));
      if (depth <= 0 || dx < -0.02) continue;
      const pressure = 60 * load * (depth / 0.05) ** 0.8;
      full = Math.max(full, pressure);
      nodes.push([i, j, pressure]);
    }
  }
  return { i: nodes[0]?.[0] ?? 0, j: nodes[0]?.[1] ?? 0, full, nodes };
}

function columnsOf(wheels) {
  const columns = [{ name: "time_s", unit: "s", about: "time" }, { name: "spring.drawbar.force_n", unit: "N", about: "force of the spring" }];
  for (const { name } of wheels) {
    columns.push(
      { name: `soil.${name}.sinkage_m`, unit: "m", about: `sinkage of ${name}` },
      { name: `soil.${name}.force_x_n`, unit: "N", about: "force of the soil along x" },
      { name: `soil.${name}.force_z_n`, unit: "N", about: "force of the soil along z" },
      { name: `joint.drive_${name}.rate_rad_per_s`, unit: "rad/s", about: "rate of the drive" },
      { name: `body.wheel_${name}.z_m`, unit: "m", about: "height of the wheel's centre" },
    );
  }
  columns.push({ name: "body.chassis.x_m", unit: "m", about: "distance" }, { name: "body.chassis.vx_m_per_s", unit: "m/s", about: "speed" });
  for (const part of ["kinetic", "potential", "dissipated"]) columns.push({ name: `energy.${part}_j`, unit: "J", about: `${part} energy` });
  return columns;
}

function seriesOf(columns, wheels, duration) {
  const rows = Math.round(duration / 0.02) + 1;
  const values = new Map(columns.map((column) => [column.name, new Float64Array(rows)]));
  for (let n = 0; n < rows; n++) {
    const t = 0.02 * n;
    for (const column of columns) values.get(column.name)[n] = valueAt(column, t, wheels);
  }
  return { series: values, rows };
}

function valueAt({ name }, t, wheels) {
  const wheel = wheels.find((candidate) => name.includes(candidate.name));
  if (name === "time_s") return t;
  if (name.endsWith("sinkage_m")) return sinkage(t, wheel.axle) + 0.0008 * Math.sin(2.1 * t + wheel.x);
  if (name.endsWith("force_z_n")) return 128 * (1 + 0.05 * Math.sin(3 * t + wheel.x));
  if (name.endsWith("force_x_n")) return pull(t) / 6;
  if (name.startsWith("spring")) return pull(t) + 3 * Math.sin(1.7 * t);
  if (name.endsWith("rate_rad_per_s")) return 0.155 * Math.min(1, t / 2);
  return Math.sin(0.1 * t + name.length);
}
