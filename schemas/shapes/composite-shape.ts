// Shapes that need not be convex: line work, outlines with holes, and shapes made of placed shapes.
// Local frame, closed. Their parts are not seen in answers: features are the caller's own vertices and edges.

import { type Static, Type } from '@sinclair/typebox'
import { named, reference, referenceByName } from '../reference.ts'
import { Vec2 } from '../vec2.ts'
import type { Body2d } from './body.ts'

/** Hard limits; the service is configured with lower ones. */
export const MAX_OUTLINE_VERTICES = 1_000_000
export const MAX_COMPOUND_PARTS = 100_000

export const MAX_COMPOUND_DEPTH = 8

export const ChainShape = Type.Object(
  {
    type: Type.Literal('chain'),
    vertices: Type.Array(reference(Vec2), {
      minItems: 2,
      maxItems: MAX_OUTLINE_VERTICES,
      description: 'Points in order, local frame. Repeated ones are accepted, and lines may cross.',
    }),
    loop: Type.Optional(
      Type.Boolean({
        description: 'Join the last vertex to the first one too; false when absent. A loop has no inside.',
      }),
    ),
  },
  named(
    'ChainShape',
    'Connected line segments without thickness and without an inside. Features: vertices by the index given here; edge i runs from vertex i to the next one.',
  ),
)
export type ChainShape = Static<typeof ChainShape>

const ring = {
  minItems: 3,
  maxItems: MAX_OUTLINE_VERTICES,
}

export const RegionShape = Type.Object(
  {
    type: Type.Literal('region'),
    outer: Type.Array(reference(Vec2), {
      ...ring,
      description:
        'Outline in order, clockwise or counter-clockwise, local frame; may be concave. Repeated and collinear vertices are accepted, and the outline may touch itself at single points; where it crosses itself or runs along itself is the problem `region-self-intersecting`.',
    }),
    holes: Type.Optional(
      Type.Array(Type.Array(reference(Vec2), { ...ring, description: 'One hole, in either winding.' }), {
        description:
          'Holes: inside outer and outside each other, else the problem `region-hole-misplaced`. Their boundaries belong to the region. None when absent.',
      }),
    ),
  },
  named(
    'RegionShape',
    'Everything within an outline but not within its holes; solid. Features: vertices counted over outer, then over each hole in turn, in the order given here; edge i runs from vertex i to the next one of its ring.',
  ),
)
export type RegionShape = Static<typeof RegionShape>

export const CompoundShape = Type.Object(
  {
    type: Type.Literal('compound'),
    children: Type.Array(referenceByName<Body2d>('Body2d'), {
      minItems: 1,
      maxItems: MAX_COMPOUND_PARTS,
      'x-max-nesting': MAX_COMPOUND_DEPTH,
      description:
        'Bodies placed in the local frame of the compound; they may overlap. Compounds may hold compounds, 8 deep at most (problem `compound-too-deep`).',
    }),
  },
  named(
    'CompoundShape',
    'The union of its children. Features are those of a child, with the path that leads to it. An aabb among them takes no rotation from any compound around it (problem `aabb-rotated`).',
  ),
)
/** An interface: bodies and shapes hold each other. */
export interface CompoundShape {
  type: 'compound'
  children: Body2d[]
}
