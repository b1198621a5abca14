// Examples of space, each one click, and the shapes that can be added.

import type { HullShape3d, MeshShape3d, Shape3d } from '../../../schemas/shapes3d.ts'
import type { Example, NewShape } from '../sketch/example.ts'
import { emptySketch, type Sketch, type SketchBody } from '../sketch/sketch.ts'
import { turnBy, type Vec3 } from '../sketch/vector.ts'

const at = (x: number, y: number, z: number): Vec3 => ({ x, y, z })
const box = (x: number, y: number, z: number): Shape3d => ({ type: 'box', size: at(x, y, z) })
const ball = (radius: number): Shape3d => ({ type: 'sphere', radius })
const body = (id: string, shape: Shape3d, position: Vec3, more: Partial<SketchBody> = {}): SketchBody => ({
  id,
  shape,
  position,
  ...more,
})
const sketch = (question: string, bodies: SketchBody[], more: Partial<Sketch> = {}): Sketch => ({
  ...emptySketch('3d'),
  question,
  bodies,
  selected: bodies[0]?.id ?? null,
  ...more,
})
const few = (value: number) => Number(value.toFixed(3))

/** A prism over a polygon of the ground, as a solid mesh; `corners` counter-clockwise seen from above. */
function prism(corners: readonly (readonly [x: number, z: number])[], height: number): Shape3d {
  const n = corners.length
  const vertices = [0, height].flatMap((y) => corners.flatMap(([x, z]) => [x, y, z]))
  const triangles: number[] = []
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n
    triangles.push(i, j, n + j, i, n + j, n + i)
  }
  for (const [p, q, r] of notchedTriangles(n)) triangles.push(n + p, n + q, n + r, p, r, q)
  return { type: 'mesh', vertices, triangles, solid: true }
}
/** Of the notched block below: a fan about each of its two towers and the bridge between. */
const notchedTriangles = (n: number): (readonly [number, number, number])[] =>
  n === 8
    ? [
        [0, 1, 4],
        [0, 4, 5],
        [1, 2, 4],
        [2, 3, 4],
        [0, 5, 7],
        [5, 6, 7],
      ]
    : Array.from({ length: n - 2 }, (_, i) => [0, i + 1, i + 2] as const)

/** Seen from above, with z downward on the page: so that the sides look outward. */
const NOTCHED = prism(
  [
    [-2, 1],
    [2, 1],
    [2, -2],
    [1, -2],
    [1, -0.5],
    [-1, -0.5],
    [-1, -2],
    [-2, -2],
  ],
  1.5,
)

const TETRAHEDRON: MeshShape3d = {
  type: 'mesh',
  vertices: [1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  solid: true,
}

const HILLS: Shape3d = {
  type: 'heightfield',
  columns: 9,
  cellSize: { x: 1, z: 1 },
  heights: Array.from({ length: 81 }, (_, i) =>
    few(0.5 * Math.sin((i % 9) * 0.9) + 0.5 * Math.cos(Math.floor(i / 9) * 0.8)),
  ),
}

const GEM: HullShape3d = {
  type: 'hull',
  points: Array.from({ length: 14 }, (_, i) => {
    const y = 1 - (2 * i + 1) / 14
    const out = Math.sqrt(1 - y * y) * 1.2
    return at(few(out * Math.cos(i * 2.4)), few(y * 1.2), few(out * Math.sin(i * 2.4)))
  }),
}

const GEM_SMALL: Shape3d = { ...GEM, points: GEM.points.map(({ x, y, z }) => at(few(x / 2), few(y / 2), few(z / 2))) }

const DUMBBELL: Shape3d = {
  type: 'compound',
  children: [
    { shape: { type: 'cylinder', radius: 0.2, height: 3, axis: 'x' } },
    { shape: ball(0.7), position: at(-1.6, 0, 0) },
    { shape: ball(0.7), position: at(1.6, 0, 0) },
  ],
}

const ROOM: SketchBody[] = [
  body('floor', box(12, 0.2, 8), at(0, -2.1, 0)),
  body('back', box(12, 4, 0.2), at(0, 0, -4.1)),
  body('left', box(0.2, 4, 8), at(-6.1, 0, 0)),
  body('right', box(0.2, 4, 8), at(6.1, 0, 0)),
]

const LEVEL: SketchBody[] = [
  body('floor', box(24, 1, 16), at(0, -0.5, 0), { tags: ['ground'] }),
  body('wall-north', box(24, 4, 0.5), at(0, 2, -8), { tags: ['wall'] }),
  body('wall-west', box(0.5, 4, 16), at(-12, 2, 0), { tags: ['wall'] }),
  body('wall-east', box(0.5, 4, 16), at(12, 2, 0), { tags: ['wall'] }),
  ...Array.from({ length: 6 }, (_, i) =>
    body(`stair-${i}`, box(1, 0.3 * (i + 1), 3), at(2 + i, 0.15 * (i + 1), -4), { tags: ['stairs'] }),
  ),
  body('landing', box(4, 1.8, 3), at(9.5, 0.9, -4), { tags: ['stairs'] }),
  body(
    'ramp',
    { type: 'hull', points: [at(0, 0, 0), at(5, 0, 0), at(5, 2, 0), at(0, 0, 3), at(5, 0, 3), at(5, 2, 3)] },
    at(-9, 0, 1),
    {
      tags: ['ground'],
    },
  ),
  body('pillar', { type: 'cylinder', radius: 0.6, height: 4 }, at(-4, 2, -3), { tags: ['wall'] }),
  body('crate', box(1.2, 1.2, 1.2), at(-1, 0.6, -2), { tags: ['crate'] }),
  body('coin', ball(0.3), at(3, 1, 3), { sensor: true, tags: ['coin'] }),
  body('hero', { type: 'capsule', a: at(0, -0.5, 0), b: at(0, 0.5, 0), radius: 0.4 }, at(-1, 0.95, 4), {
    tags: ['hero'],
  }),
]

export const SPACE_EXAMPLES: readonly Example[] = [
  {
    name: 'Box on a ramp',
    sketch: sketch(
      'contact',
      [
        body(
          'ramp',
          {
            type: 'hull',
            points: [at(-3, -1, -2), at(3, -1, -2), at(3, 2, -2), at(-3, -1, 2), at(3, -1, 2), at(3, 2, 2)],
          },
          at(0, 0, 0),
        ),
        body('box', box(2, 1, 1.5), at(-0.3, 0.85, 0), { orientation: turnBy(at(0, 0, 0.4636)) }),
      ],
      { selected: 'box' },
    ),
  },
  {
    name: 'Apart, with a certificate',
    sketch: sketch('overlap', [
      body('cone', { type: 'cone', radius: 1.2, height: 3 }, at(-2, 0, 0), { orientation: turnBy(at(0, 0, -0.5)) }),
      body('gem', GEM, at(1.6, 0.4, 0.3)),
    ]),
  },
  {
    name: 'A rod over a block',
    sketch: sketch('distance', [
      body('rod', { type: 'capsule', a: at(-2, 0, 0), b: at(2, 0, 0), radius: 0.3 }, at(0, 1.8, 0.6), {
        orientation: turnBy(at(0.3, 0.6, 0)),
      }),
      body('notched', NOTCHED, at(0, -1, 0)),
    ]),
  },
  {
    name: 'A bullet through a thin wall',
    sketch: sketch('time-of-impact', [
      body('bullet', ball(0.15), at(-6, 0.5, 0.5), { velocity: at(9, 0.4, -0.5) }),
      body('wall', box(0.02, 4, 4), at(2, 0.5, 0)),
    ]),
  },
  {
    name: 'A ball in a room',
    sketch: sketch(
      'trajectory',
      [
        body('ball', ball(0.35), at(-4, -1, 1), { velocity: at(5, 1.4, -3.1) }),
        ...ROOM,
        body('pillar', { type: 'cylinder', radius: 0.7, height: 4 }, at(1.5, 0, -1)),
      ],
      { options: { duration: 4 } },
    ),
  },
  {
    name: 'A ray through many shapes',
    sketch: sketch('ray-cast', [
      body('sphere', ball(1), at(-3.5, 0.5, 0)),
      body('ellipsoid', { type: 'ellipsoid', radii: at(1.2, 0.6, 0.9) }, at(-1, 0.6, 0), {
        orientation: turnBy(at(0, 0, 0.5)),
      }),
      body('block', NOTCHED, at(2, -0.6, 0.5)),
      body('cylinder', { type: 'cylinder', radius: 0.6, height: 2 }, at(5, 0.2, 0), {
        orientation: turnBy(at(0.4, 0, 0.6)),
      }),
    ]),
  },
  {
    name: 'A dumbbell falls',
    sketch: sketch(
      'shape-cast',
      [
        body('dumbbell', DUMBBELL, at(0, 4, 0), { orientation: turnBy(at(0, 0.4, 0.3)) }),
        body('ground', { type: 'halfspace', normal: at(0.12, 1, 0), offset: -1 }, at(0, 0, 0)),
        body('peg', ball(0.6), at(1.4, 1, 0)),
      ],
      { translation: at(0, -6, 0), options: { mode: 'closest', rotation: 0.8, about: 'z' } },
    ),
  },
  { name: 'A notched block in pieces', sketch: sketch('decompose', [body('block', NOTCHED, at(0, 0, 0))]) },
  {
    name: 'Cut by a plane',
    sketch: sketch('slice', [body('block', NOTCHED, at(0, 0, 0))], {
      direction: at(0.5, 2.2, 0.8),
      options: { cut: 0.7 },
    }),
  },
  {
    name: 'Two hundred bodies, which meet?',
    sketch: sketch(
      'pairs',
      Array.from({ length: 200 }, (_, i) => {
        const shape = [ball(0.5), box(0.9, 0.7, 0.8), { type: 'cone', radius: 0.5, height: 1 } as const, GEM_SMALL][
          i % 4
        ]!
        const radius = 0.5 * Math.cbrt(i * 6)
        const y = 1 - (2 * ((i * 37) % 200) + 1) / 200
        const out = radius * Math.sqrt(1 - y * y)
        return body(`n${i}`, shape, at(few(out * Math.cos(i * 2.4)), few(radius * y), few(out * Math.sin(i * 2.4))), {
          orientation: turnBy(at((i % 7) / 3, (i % 5) / 3, 0)),
        })
      }),
    ),
  },
  {
    name: 'A level to walk in',
    sketch: sketch('scene move', LEVEL, { selected: 'hero', translation: at(3, 0, 0) }),
    asScene: true,
  },
  {
    name: 'A spotlight',
    sketch: sketch(
      'scene line-of-sight',
      [
        body('lamp', ball(0.3), at(0, 1, 0), { tags: ['lamp'] }),
        ...Array.from({ length: 24 }, (_, i) => {
          const angle = i * 2.399963 + 0.4
          const out = 2 + i * 0.3
          const shape: Shape3d = i % 2 === 0 ? box(0.9, 2, 0.9) : { type: 'cylinder', radius: 0.5, height: 2 }
          return body(`pillar-${i}`, shape, at(few(out * Math.cos(angle)), 1, few(out * Math.sin(angle))), {
            tags: ['pillar'],
          })
        }),
      ],
      { selected: 'lamp' },
    ),
    asScene: true,
  },
]

export const SPACE_SHAPES: readonly NewShape[] = [
  { name: 'point', shape: { type: 'point' } },
  { name: 'sphere', shape: ball(1) },
  { name: 'segment', shape: { type: 'segment', a: at(-1, 0, 0), b: at(1, 0, 0) } },
  { name: 'capsule', shape: { type: 'capsule', a: at(0, -0.7, 0), b: at(0, 0.7, 0), radius: 0.5 } },
  { name: 'triangle', shape: { type: 'triangle', a: at(-1, -0.7, 0), b: at(1, -0.7, 0), c: at(0, 1, 0) } },
  { name: 'box', shape: box(2, 1.5, 1) },
  { name: 'rounded box', shape: { type: 'box', size: at(1.6, 1, 1), radius: 0.25 } },
  { name: 'aabb', shape: { type: 'aabb', min: at(-1, -1, -1), max: at(1, 1, 1) } },
  { name: 'cylinder', shape: { type: 'cylinder', radius: 0.8, height: 2 } },
  { name: 'cone', shape: { type: 'cone', radius: 1, height: 2 } },
  { name: 'ellipsoid', shape: { type: 'ellipsoid', radii: at(1.4, 0.7, 0.9) } },
  { name: 'hull', shape: GEM },
  {
    name: 'rounded hull',
    shape: {
      type: 'hull',
      points: [at(-1, -0.7, -0.7), at(1, -0.7, -0.7), at(0, -0.7, 0.9), at(0, 0.9, 0)],
      radius: 0.25,
    },
  },
  { name: 'halfspace', shape: { type: 'halfspace', normal: at(0, 1, 0), offset: -2 } },
  { name: 'surface mesh', shape: { ...TETRAHEDRON, solid: false } },
  { name: 'solid mesh', shape: NOTCHED },
  { name: 'heightfield', shape: HILLS },
  { name: 'compound', shape: DUMBBELL },
]
