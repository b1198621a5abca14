// The shape of a body in space: one of the named shapes, told apart by `type`.

import type { Static } from '@sinclair/typebox'
import { taggedUnion } from '../tagged-union.ts'
import { AabbShape3d, BoxShape3d, HalfspaceShape3d, HullShape3d } from './flat-sided-shape.ts'
import { CapsuleShape3d, PointShape3d, SegmentShape3d, SphereShape3d, TriangleShape3d } from './pointed-shape.ts'
import { ConeShape3d, CylinderShape3d, EllipsoidShape3d } from './turned-shape.ts'

export const shapes3d = [
  PointShape3d,
  SphereShape3d,
  SegmentShape3d,
  CapsuleShape3d,
  TriangleShape3d,
  BoxShape3d,
  AabbShape3d,
  CylinderShape3d,
  ConeShape3d,
  EllipsoidShape3d,
  HullShape3d,
  HalfspaceShape3d,
] as const

export const Shape3d = taggedUnion('type', shapes3d, {
  $id: 'Shape3d',
  description: 'A shape of space in its own local frame; `type` says which.',
})
export type Shape3d = Static<typeof Shape3d>
