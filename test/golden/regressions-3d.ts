/**
 * Inputs in space that broke other collision libraries, with the right answers. Every name is the thread it comes from; where that
 * gives no numbers the input is one of the kind it tells of, and says so. Values follow by hand from the numbers beside them.
 */

import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'

export interface PairRow3d {
  name: string
  a: Body3d
  b: Body3d
  /** null where rounding of a turn decides. */
  relation: 'separated' | 'touching' | 'overlapping' | null
  separation: number
  /** Any of these is right, from a to b; without them any unit normal is. */
  normals?: Vec3[]
}

export interface CastRow3d {
  name: string
  a: Body3d
  b: Body3d
  velocity: Vec3
  time: number
  normal: Vec3
}

export const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z })
const box = (x: number, y: number, z: number): Shape3d => ({ type: 'box', size: v(x, y, z) })
const at = (shape: Shape3d, x: number, y: number, z: number): Body3d => ({ shape, position: v(x, y, z) })
const cube = (size: number): Shape3d => box(size, size, size)
/** The same as a hull of its corners. */
const cubeHull = (size: number): Shape3d => ({
  type: 'hull',
  points: [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [-1, 1].map((z) => v((x * size) / 2, (y * size) / 2, (z * size) / 2))),
  ),
})
const AXES = [v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)]
const opposite = ({ x, y, z }: Vec3): Vec3 => v(-x, -y, -z)

/** A turn about x by 0.2, as rapier#305 has it, and a place given in the frame so turned about (0, −0.1, 0). */
const LEAN = { x: Math.sin(0.1), y: 0, z: 0, w: Math.cos(0.1) }
const leaning = (x: number, y: number, z: number): Vec3 =>
  v(x, y * Math.cos(0.2) - z * Math.sin(0.2) - 0.1, y * Math.sin(0.2) + z * Math.cos(0.2))
/** The turn of fcl#493, of which the thread gives the matrix. */
const KISS = ((): Quaternion => {
  const [xx, xy, xz] = [0.9619397662556435, 0.1540127991573736, 0.2257253725032892]
  const [yx, yy, yz] = [-0.19134171618254486, 0.9693649495128391, 0.1540127991573736]
  const [zx, zy, zz] = [-0.19509032201612822, -0.19134171618254486, 0.9619397662556435]
  const w = Math.sqrt(1 + xx + yy + zz) / 2
  return { x: (zy - yz) / (4 * w), y: (xz - zx) / (4 * w), z: (yx - xy) / (4 * w), w }
})()

export const PAIR_ROWS_3D: PairRow3d[] = [
  {
    name: 'libccd#25: two cubes on top of each other, for which GJK found no depth and NaN',
    a: at(cube(2), 0, 0, 0),
    b: at(cube(2), 0, 0, 1.9),
    relation: 'overlapping',
    separation: -0.10000000000000009,
    normals: [v(0, 0, 1)],
  },
  {
    name: 'parry#315: cubes that share a face, whose contact point was the middle of one',
    a: at(cube(1), 0.5, 0.5, 0.5),
    b: at(cube(1), 1.5, 0.5, 0.5),
    relation: 'touching',
    separation: 0,
    normals: [v(1, 0, 0)],
  },
  ...[cube, cubeHull].flatMap((one) =>
    [cube, cubeHull].map(
      (other): PairRow3d => ({
        name: `fcl#545: a small cube on the diagonal of a large one (${one.name}, ${other.name}), √3 too deep`,
        a: at(one(1), 0, 0, 0),
        b: at(other(0.25), 0.375, 0.375, 0.375),
        relation: 'overlapping',
        separation: -0.25,
        normals: AXES,
      }),
    ),
  ),
  {
    name: 'fcl#493: turned boxes that kiss, where the polytope left out the origin',
    a: {
      shape: cube(0.5),
      position: v(2.077006399578687, 0.4846824747564195, 1.1543291419087276),
      orientation: KISS,
    },
    b: { shape: cube(0.5), position: v(2, 0, 1.25), orientation: KISS },
    relation: null,
    separation: 0,
  },
  {
    name: 'fcl#399: turned boxes of one height, edge to edge, where the polytope left out the origin',
    a: {
      shape: box(0.2376803755760193, 0.15702305734157562, 0.25),
      position: v(0.2952640652656555, -0.013230856508016586, 0),
      orientation: zTurn(-0.9950443207944397, -0.09943238735307627),
    },
    b: {
      shape: box(0.01, 0.7816570997238159, 0.25),
      position: v(0.22759585694545215, 0.14974093549228112, 0),
      orientation: zTurn(-0.09921535490175673, 0.9950659844209923),
    },
    relation: 'overlapping',
    separation: -3.381064399920276e-5,
    normals: [v(-0.9950659844209923, 0.09921535490175673, 0)],
  },
  {
    name: 'rapier#305: a cylinder that stands on a large thin slab which leans (its sizes are ours), and fell through it',
    a: { shape: box(200.2, 0.2, 200.2), position: v(0, -0.1, 0), orientation: LEAN },
    b: {
      shape: { type: 'cylinder', radius: 0.5, height: 1 },
      position: leaning(3, 0.1 + 0.5 - 0.01, 4),
      orientation: LEAN,
    },
    relation: 'overlapping',
    separation: -0.01,
    normals: [v(0, Math.cos(0.2), Math.sin(0.2))],
  },
  {
    name: 'JoltPhysics#2103: a cylinder that barely touches a capsule (ours), 7 m deep',
    a: at({ type: 'cylinder', radius: 1, height: 2 }, 0, 0, 0),
    b: at({ type: 'capsule', a: v(0, -5, 0), b: v(0, 5, 0), radius: 0.5 }, 1.5, 0, 0),
    relation: 'touching',
    separation: 0,
    normals: [v(1, 0, 0)],
  },
  {
    name: 'Flexible-GJK-and-EPA#8: parallel faces close to each other (ours), an endless loop',
    a: at(cubeHull(2), 0, 0, 0),
    b: at(cubeHull(2), 0.25, 0.125, 2 + 2 ** -30),
    relation: 'separated',
    separation: 2 ** -30,
    normals: [v(0, 0, 1)],
  },
  {
    name: 'coal#37: a cylinder very close to a box (ours), where GJK does not converge',
    a: at({ type: 'cylinder', radius: 1, height: 2, axis: 'z' }, 0, 0, 0),
    b: at(cube(1), 0.125, 0.25, 1.5 + 2 ** -30),
    relation: 'separated',
    separation: 2 ** -30,
    normals: [v(0, 0, 1)],
  },
  {
    name: 'bullet3#1703: a cube that stands a little deep in a wide slab (ours), with the wrong sign',
    a: at(box(256, 2, 256), 0, 0, 0),
    b: at(cube(2), 17, 2 - 2 ** -10, -40),
    relation: 'overlapping',
    separation: -(2 ** -10),
    normals: [v(0, 1, 0)],
  },
  {
    name: 'mujoco_warp#1526: boxes with the origin on a face of the first tetrahedron (ours), not reported',
    a: at(cube(1), 0, 0, 0),
    b: at(cube(1), 0.5, 0.5, 0),
    relation: 'overlapping',
    separation: -0.5,
    normals: [v(1, 0, 0), v(0, 1, 0)],
  },
  {
    name: 'raw-physics#6: equal boxes moved along one axis (ours), not found to meet',
    a: at(cube(2), 0, 0, 0),
    b: at(cube(2), 1, 0, 0),
    relation: 'overlapping',
    separation: -1,
    normals: [v(1, 0, 0)],
  },
  {
    name: 'equal cubes in one place (ours): a way out along any axis',
    a: at(cube(2), 0, 0, 0),
    b: at(cubeHull(2), 0, 0, 0),
    relation: 'overlapping',
    separation: -2,
    normals: [...AXES, ...AXES.map(opposite)],
  },
  {
    name: 'a cone whose apex stands on a face (ours)',
    a: at(cube(2), 0, 0, 0),
    b: {
      shape: { type: 'cone', radius: 1, height: 2 },
      position: v(0.25, 2, 0.5),
      orientation: { x: 1, y: 0, z: 0, w: 0 },
    },
    relation: 'touching',
    separation: 0,
    normals: [v(0, 1, 0)],
  },
  {
    name: 'a flat hull that lies in the side of a box (ours)',
    a: at(cube(2), 0, 0, 0),
    b: at({ type: 'hull', points: [v(-5, 0, -5), v(5, 0, -5), v(5, 0, 5), v(-5, 0, 5)] }, 0, 1, 0),
    relation: 'touching',
    separation: 0,
    normals: [v(0, 1, 0)],
  },
  {
    name: 'a needle 1e6 : 1 through a ball (ours)',
    a: at(box(1e6, 1, 1), 0, 0, 0),
    b: at({ type: 'sphere', radius: 2 }, 3e5, 1.5, 0),
    relation: 'overlapping',
    separation: -1,
    normals: [v(0, 1, 0)],
  },
]

/** The turn about z that has this sine and cosine. */
function zTurn(sine: number, cosine: number): Quaternion {
  const half = Math.atan2(sine, cosine) / 2
  return { x: 0, y: 0, z: Math.sin(half), w: Math.cos(half) }
}

export const CAST_ROWS_3D: CastRow3d[] = [5, 50, 500].map((half) => ({
  name: `parry#429: a ball straight down on a cuboid of half extent ${half}, which came out short with the size`,
  a: at(box(2 * half, 1, 2 * half), 0, 0, 0),
  b: at({ type: 'sphere', radius: 0.5166 }, 0.7 * half, 100, -0.3 * half),
  velocity: v(0, -1, 0),
  time: 100 - 0.5 - 0.5166,
  normal: v(0, 1, 0),
}))

/** Of karimnaaji/3d-quickhull#2: many points on one plane, faces that crossed. */
export const HULL_ROWS_3D: { name: string; points: Vec3[]; vertices: number; faces: number; volume: number }[] = [
  {
    name: '3d-quickhull#2: a cube with points in a side and its edges',
    points: [
      ...[v(0, 50, 0), v(100, 100, 0), v(0, 100, 0), v(-100, 100, 0), v(-100, 0, 0), v(100, -100, 0), v(0, -50, 0)],
      ...[v(50, -50, 0), v(-100, -100, 0), v(0, -100, 0), v(100, 0, 0)],
      ...[v(100, 100, 200), v(-100, 100, 200), v(100, -100, 200), v(-100, -100, 200)],
    ],
    vertices: 8,
    faces: 6,
    volume: 8e6,
  },
  {
    name: '3d-quickhull#2: a prism of eight sides',
    points: [0, 100].flatMap((z) => [
      ...[v(40, 100, z), v(100, 40, z), v(100, -40, z), v(40, -100, z)],
      ...[v(-40, -100, z), v(-100, -40, z), v(-100, 40, z), v(-40, 100, z)],
    ]),
    vertices: 16,
    faces: 10,
    volume: 3.28e6,
  },
]
