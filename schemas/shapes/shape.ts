// The shape of a body: one of the named shapes, told apart by `type`.

import type { Static } from '@sinclair/typebox'
import { taggedUnion } from '../tagged-union.ts'
import { ChainShape, CompoundShape, RegionShape } from './composite-shape.ts'
import { CapsuleShape, CircleShape, EllipseShape, PointShape, SegmentShape } from './round-shape.ts'
import { AabbShape, BoxShape, HalfplaneShape, PolygonShape } from './straight-shape.ts'

export type {
  AabbShape,
  BoxShape,
  CapsuleShape,
  ChainShape,
  CircleShape,
  CompoundShape,
  EllipseShape,
  HalfplaneShape,
  PointShape,
  PolygonShape,
  RegionShape,
  SegmentShape,
}

export const shapes = [
  PointShape,
  CircleShape,
  SegmentShape,
  CapsuleShape,
  BoxShape,
  AabbShape,
  PolygonShape,
  EllipseShape,
  HalfplaneShape,
  ChainShape,
  RegionShape,
  CompoundShape,
] as const

export const Shape2d = taggedUnion('type', shapes, {
  $id: 'Shape2d',
  description: 'A shape in its own local frame; `type` says which.',
})
export type Shape2d = Static<typeof Shape2d>
