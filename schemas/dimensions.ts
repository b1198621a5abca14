// The schemas of the two dimensions, plane and space. A stateless query builds its schemas once, from one of these records;
// only its examples, and descriptions that speak of one dimension, are written twice.

import { ShapeFeature, ShapeFeature3d } from './feature.ts'
import { Body2d, MovingBody2d, Shape2d } from './shapes2d.ts'
import { Body3d, MovingBody3d, Shape3d } from './shapes3d.ts'
import { Vec2, Vec3 } from './vector.ts'

export const plane = {
  /** Part of the names of schemas: `Distance` + tag + `Request`. */
  tag: '',
  vector: Vec2,
  shape: Shape2d,
  body: Body2d,
  movingBody: MovingBody2d,
  feature: ShapeFeature,
  /** Words of descriptions. */
  origin: '(0, 0)',
  axes: 'x and y',
  balls: 'circles',
  halves: 'half-planes',
  inSpace: '',
  ofSpace: '',
} as const

export const space = {
  tag: '3d',
  vector: Vec3,
  shape: Shape3d,
  body: Body3d,
  movingBody: MovingBody3d,
  feature: ShapeFeature3d,
  origin: '(0, 0, 0)',
  axes: 'x, y and z',
  balls: 'spheres',
  halves: 'half-spaces',
  inSpace: ' in space',
  ofSpace: ' of space',
} as const

/** Examples of a request, by name, and of the response to each. */
export interface Examples {
  readonly request: Readonly<Record<string, unknown>>
  readonly response: readonly unknown[]
}
