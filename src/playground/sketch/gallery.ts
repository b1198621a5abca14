// Examples of the plane, each one click, and the shapes that can be added.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Example } from './example.ts'
import { EMPTY_SKETCH, type Sketch, type SketchBody } from './sketch.ts'
import type { Vec2 } from './vector.ts'

const at = (x: number, y: number): Vec2 => ({ x, y })
const box = (width: number, height: number): Shape2d => ({ type: 'box', width, height })
const disc = (radius: number): Shape2d => ({ type: 'circle', radius })
const body = (id: string, shape: Shape2d, x: number, y: number, more: Partial<SketchBody> = {}): SketchBody => ({
  id,
  shape,
  position: at(x, y),
  ...more,
})

const sketch = (question: string, bodies: SketchBody[], more: Partial<Sketch> = {}): Sketch => ({
  ...EMPTY_SKETCH,
  question,
  bodies,
  selected: bodies[0]?.id ?? null,
  ...more,
})

/** A ring of teeth about the origin. */
function gear(teeth: number, inner: number, outer: number): Vec2[] {
  return Array.from({ length: teeth * 4 }, (_, i) => {
    const radius = i % 4 < 2 ? outer : inner
    const angle = ((i + 0.5) * 2 * Math.PI) / (teeth * 4)
    return at(Number((radius * Math.cos(angle)).toFixed(4)), Number((radius * Math.sin(angle)).toFixed(4)))
  })
}

const LEVEL: SketchBody[] = [
  body('floor', box(24, 1), 0, -4.5, { tags: ['ground'] }),
  body('wall-left', box(1, 10), -11.5, 0, { tags: ['ground'] }),
  body('wall-right', box(1, 10), 11.5, 0, { tags: ['ground'] }),
  body('ramp', { type: 'polygon', vertices: [at(0, 0), at(5, 0), at(5, 2.5)] }, 1, -4, { tags: ['ground'] }),
  body('ledge', box(6, 0.5), -6, -1, { tags: ['ground'] }),
  body('crate', box(1.5, 1.5), -4, -3.25, { tags: ['crate'] }),
  body('coin', disc(0.5), -7, 1, { sensor: true, tags: ['coin'] }),
  body('hero', { type: 'capsule', a: at(0, -0.5), b: at(0, 0.5), radius: 0.5 }, -1.5, -2.75, { tags: ['hero'] }),
]

export const EXAMPLES: readonly Example[] = [
  {
    name: 'Box on a slope',
    sketch: sketch('contact', [
      body('slope', { type: 'polygon', vertices: [at(-4, -2), at(4, -2), at(4, 2)] }, 0, 0),
      body('box', box(2, 1), -0.6, 0.5, { rotation: 0.46 }),
    ]),
  },
  {
    name: 'A bullet through a thin wall',
    sketch: sketch('time-of-impact', [
      body('bullet', disc(0.1), -8, 0.5, { velocity: at(12, 0.4) }),
      body('wall', box(0.02, 6), 2, 0),
    ]),
  },
  {
    name: 'A gear in a ring',
    sketch: sketch('distance', [
      body('gear', { type: 'region', outer: gear(10, 2.6, 3.2) }, 0.3, 0.2, { rotation: 0.1 }),
      body('ring', { type: 'region', outer: gear(32, 5.5, 5.5), holes: [gear(10, 3.5, 4.1)] }, 0, 0),
    ]),
  },
  {
    name: 'Billiards',
    sketch: sketch(
      'trajectory',
      [
        body('ball', disc(0.4), -4, 0, { velocity: at(7, 3.1) }),
        body('table', { type: 'chain', vertices: [at(-6, -3), at(6, -3), at(6, 3), at(-6, 3)], loop: true }, 0, 0),
        body('peg', disc(0.8), 1.5, 0.5),
        body('post', box(1, 1), 3.5, -1.2, { rotation: 0.6 }),
      ],
      { options: { duration: 6 } },
    ),
  },
  {
    name: 'A ray through many shapes',
    sketch: sketch('ray-cast', [
      body('circle', disc(1), -3, 0.5),
      body('ellipse', { type: 'ellipse', rx: 1.4, ry: 0.6 }, 0, 0.6, { rotation: 0.5 }),
      body('capsule', { type: 'capsule', a: at(-0.8, 0), b: at(0.8, 0), radius: 0.4 }, 3, 0.2, { rotation: 1.2 }),
      body(
        'arch',
        {
          type: 'region',
          outer: [at(-1, -1), at(1, -1), at(1, 1), at(0.5, 1), at(0.5, -0.5), at(-0.5, -0.5), at(-0.5, 1), at(-1, 1)],
        },
        5.5,
        0,
      ),
    ]),
  },
  {
    name: 'A dumbbell falls',
    sketch: sketch(
      'shape-cast',
      [
        body(
          'dumbbell',
          {
            type: 'compound',
            children: [
              { shape: box(3, 0.3) },
              { shape: disc(0.7), position: at(-1.6, 0) },
              { shape: disc(0.7), position: at(1.6, 0) },
            ],
          },
          0,
          5,
          { rotation: 0.3 },
        ),
        body('ground', { type: 'halfplane', normal: at(0.15, 1), offset: -1 }, 0, 0),
        body('peg', disc(0.6), 1.5, 1.5),
      ],
      { translation: at(0, -7), options: { mode: 'closest', rotation: 0.8 } },
    ),
  },
  {
    name: 'A notched region in pieces',
    sketch: sketch('decompose', [
      body(
        'region',
        {
          type: 'region',
          outer: [at(-4, -3), at(4, -3), at(4, 3), at(2, 3), at(2, -1), at(-2, -1), at(-2, 3), at(-4, 3)],
          holes: [[at(-3.5, -2.5), at(-2.5, -2.5), at(-2.5, -1.5), at(-3.5, -1.5)]],
        },
        0,
        0,
      ),
    ]),
  },
  {
    name: 'A hundred bodies, which meet?',
    sketch: sketch(
      'pairs',
      Array.from({ length: 100 }, (_, i) => {
        const angle = i * 2.399963
        const radius = 0.8 * Math.sqrt(i)
        const shape = [disc(0.55), box(1, 0.8), { type: 'ellipse', rx: 0.7, ry: 0.4 } as const][i % 3]!
        return body(
          `n${i}`,
          shape,
          Number((radius * Math.cos(angle)).toFixed(3)),
          Number((radius * Math.sin(angle)).toFixed(3)),
          {
            rotation: (i % 7) / 3,
          },
        )
      }),
    ),
  },
  {
    name: 'A level to walk in',
    sketch: sketch('scene move', LEVEL, { selected: 'hero', translation: at(3, 0) }),
    asScene: true,
  },
  {
    name: 'A spotlight',
    sketch: sketch(
      'scene line-of-sight',
      [
        body('lamp', disc(0.3), 0, 0, { tags: ['lamp'] }),
        ...Array.from({ length: 28 }, (_, i) => {
          const angle = i * 2.399963 + 0.4
          const radius = 2 + i * 0.3
          return body(
            `pillar-${i}`,
            i % 2 === 0 ? box(0.9, 0.9) : disc(0.5),
            Number((radius * Math.cos(angle)).toFixed(2)),
            Number((radius * Math.sin(angle)).toFixed(2)),
          )
        }),
      ],
      { selected: 'lamp' },
    ),
    asScene: true,
  },
]

// The shapes that can be added, each as it is at first: some two lengths across.

export const NEW_SHAPES: readonly { name: string; shape: Shape2d }[] = [
  { name: 'point', shape: { type: 'point' } },
  { name: 'circle', shape: { type: 'circle', radius: 1 } },
  { name: 'segment', shape: { type: 'segment', a: at(-1, 0), b: at(1, 0) } },
  { name: 'capsule', shape: { type: 'capsule', a: at(-1, 0), b: at(1, 0), radius: 0.5 } },
  { name: 'box', shape: { type: 'box', width: 2, height: 1.5 } },
  { name: 'rounded box', shape: { type: 'box', width: 2, height: 1, radius: 0.25 } },
  { name: 'aabb', shape: { type: 'aabb', min: at(-1, -1), max: at(1, 1) } },
  {
    name: 'polygon',
    shape: { type: 'polygon', vertices: [at(-1, -1), at(1, -1), at(1.5, 0.5), at(0, 1.5), at(-1.5, 0.5)] },
  },
  {
    name: 'rounded polygon',
    shape: { type: 'polygon', vertices: [at(-1, -0.75), at(1, -0.75), at(0, 1)], radius: 0.25 },
  },
  { name: 'ellipse', shape: { type: 'ellipse', rx: 1.5, ry: 0.75 } },
  { name: 'halfplane', shape: { type: 'halfplane', normal: at(0, 1), offset: -2 } },
  { name: 'chain', shape: { type: 'chain', vertices: [at(-2, 0), at(-1, 1), at(0, 0), at(1, 1), at(2, 0)] } },
  { name: 'loop', shape: { type: 'chain', vertices: [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)], loop: true } },
  {
    name: 'region',
    shape: {
      type: 'region',
      outer: [at(-2, -1), at(2, -1), at(2, 2), at(1, 2), at(1, 0), at(-1, 0), at(-1, 2), at(-2, 2)],
    },
  },
  {
    name: 'region with a hole',
    shape: {
      type: 'region',
      outer: [at(-2, -2), at(2, -2), at(2, 2), at(-2, 2)],
      holes: [[at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)]],
    },
  },
  {
    name: 'compound',
    shape: {
      type: 'compound',
      children: [
        { shape: { type: 'box', width: 2, height: 0.5 } },
        { shape: { type: 'circle', radius: 0.5 }, position: at(-1.25, 0) },
        { shape: { type: 'circle', radius: 0.5 }, position: at(1.25, 0) },
      ],
    },
  },
]
