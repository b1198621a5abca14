// The shapes that can be added, each as it is at first: some two lengths across.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from './vector.ts'

export type ShapeKind = Shape2d['type']

const at = (x: number, y: number): Vec2 => ({ x, y })

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
