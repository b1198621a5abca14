// A body's hit on one target of a shape cast.

import { type Static, Type } from '@sinclair/typebox'
import { ShapeFeature } from '../feature.ts'
import { index, length, real } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'
import { searchStatus } from './time-of-impact.ts'

export const CastExit = Type.Object(
  {
    distance: length('Distance travelled until the body leaves: fraction · length of translation.'),
    fraction: real('Part of the motion that is done then, up to 1.', { minimum: 0, maximum: 1 }),
  },
  named('CastExit', 'Where the body leaves the target that it hit.'),
)
export type CastExit = Static<typeof CastExit>

export const CastHit = Type.Object(
  {
    target: index('Index of the body in targets.'),
    distance: length('Distance travelled until the hit: fraction · length of translation.'),
    fraction: real('Part of the motion that is done at the hit, from 0 to 1.', { minimum: 0, maximum: 1 }),
    point: reference(
      Vec2,
      'Where the two touch, world frame; of bodies that overlap at the start, midway between them.',
    ),
    normal: nullable(
      Vec2,
      'Outward unit normal of the target at the hit, against the motion, world frame; null where none is meaningful.',
    ),
    feature: nullable(ShapeFeature, 'The part of the target that was hit; null where none is meaningful.'),
    startedInside: Type.Boolean({
      description: 'True when the body meets the target before it moves, touching included.',
    }),
    exit: nullable(CastExit, 'First later place at which they part; null when that is not within the motion.'),
    status: searchStatus,
  },
  named('CastHit', 'One target that was hit.'),
)
export type CastHit = Static<typeof CastHit>
