// What a body is snapped to, and one motion that does it.

import { type Static, Type } from '@sinclair/typebox'
import { index, length, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'

export const SnapGrid = Type.Object(
  {
    size: reference(Vec2, 'Width and height of a cell, both greater than 0.'),
    origin: Type.Optional(reference(Vec2, 'A corner of a cell, world frame; (0, 0) when absent.')),
  },
  named('SnapGrid', 'A grid of equal cells along the axes.'),
)
export type SnapGrid = Static<typeof SnapGrid>

export const SnapFeature = Type.Object(
  {
    kind: word(
      ['vertex', 'edge', 'surface', 'midpoint', 'center', 'corner', 'grid'],
      'vertex, edge, surface: as in ShapeFeature; midpoint: the middle of an edge; center: the middle of the box around the body; corner: a corner of that box; grid: the grid.',
    ),
    index: index(
      'As in ShapeFeature, of a midpoint that of its edge; 0 of a center and of the grid; of a corner 0 for (min, min), and on counter-clockwise.',
    ),
    path: Type.Optional(
      Type.Array(index('Index in the children of a compound.'), { description: 'As in ShapeFeature.' }),
    ),
  },
  named('SnapFeature', 'A feature that was brought onto another, or what it was brought onto.'),
)
export type SnapFeature = Static<typeof SnapFeature>

export const SnapCandidate = Type.Object(
  {
    translation: reference(Vec2, 'How far it is moved.'),
    rotation: real('How far it is turned, in radians; 0 unless rotate allows more.'),
    position: reference(
      Vec2,
      'Where its position lies then, world frame: give this to a write, the sum may be rounded.',
    ),
    distance: length('The length of the translation.'),
    feature: reference(SnapFeature, 'Which feature of the body.'),
    id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The body that it is brought onto; null of the grid.',
    }),
    target: reference(SnapFeature, 'Which feature of that body, or the grid.'),
  },
  named('SnapCandidate', 'One motion after which a feature lies on another and the body overlaps nothing.'),
)
export type SnapCandidate = Static<typeof SnapCandidate>
