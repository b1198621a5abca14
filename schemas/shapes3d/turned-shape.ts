// Bent shapes: cylinders, cones and ellipsoids, the true solids.
// Local frame, closed and solid. Heights and radii of zero are legal and give the disc, segment or point that is left.

import { type Static, Type } from '@sinclair/typebox'
import { length, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'

const axis = Type.Optional(word(['x', 'y', 'z'], 'Which local axis it is turned about; y when absent.'))

export const CylinderShape3d = Type.Object(
  {
    type: Type.Literal('cylinder'),
    radius: length('Radius, at least 0; 0 is a segment.'),
    height: length('Full extent along the axis, at least 0; 0 is a disc.'),
    axis,
  },
  named(
    'CylinderShape3d',
    'A solid cylinder centred on the local origin, closed by discs; no prism. Its one feature is its surface.',
  ),
)

export const ConeShape3d = Type.Object(
  {
    type: Type.Literal('cone'),
    radius: length('Radius of the base, at least 0; 0 is a segment.'),
    height: length('Full extent along the axis, at least 0; 0 is a disc.'),
    axis,
  },
  named(
    'ConeShape3d',
    'A solid cone about the local origin: its apex at +height/2 along the axis, its base at −height/2. Its one feature is its surface.',
  ),
)

const halfAxis = (name: string) => real(`Half extent along local ${name}, greater than 0.`, { exclusiveMinimum: 0 })

export const EllipsoidRadii3d = Type.Object(
  { x: halfAxis('x'), y: halfAxis('y'), z: halfAxis('z') },
  named('EllipsoidRadii3d', 'The half axes of an ellipsoid.'),
)

export const EllipsoidShape3d = Type.Object(
  { type: Type.Literal('ellipsoid'), radii: reference(EllipsoidRadii3d, 'Half extents along the local axes.') },
  named(
    'EllipsoidShape3d',
    'A solid ellipsoid about the local origin; the exact surface, no facets. Its one feature is its surface.',
  ),
)

export type CylinderShape3d = Static<typeof CylinderShape3d>
export type ConeShape3d = Static<typeof ConeShape3d>
export type EllipsoidShape3d = Static<typeof EllipsoidShape3d>
