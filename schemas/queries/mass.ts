// POST /v1/2d/mass: area, mass, centroid and moment of inertia of a shape.

import { type Static, Type } from '@sinclair/typebox'
import { real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Shape2d } from '../shapes/shape.ts'
import { Vec2 } from '../vec2.ts'

export const MassRequest = Type.Object(
  {
    shape: reference(
      Shape2d,
      'The shape. A half-plane, alone or in a compound, has no mass (problem `shape-unbounded`). The children of a compound add up: what two of them cover counts twice.',
    ),
    density: Type.Optional(real('Mass per area, at least 0 and at most 1e100; 1 when absent.', { minimum: 0 })),
  },
  named('MassRequest', 'A shape of even density to weigh.', {
    box: { shape: { type: 'box', width: 4, height: 2 }, density: 3 },
    frame: {
      shape: {
        type: 'region',
        outer: [
          { x: 0, y: 0 },
          { x: 4, y: 0 },
          { x: 4, y: 4 },
          { x: 0, y: 4 },
        ],
        holes: [
          [
            { x: 1, y: 1 },
            { x: 3, y: 1 },
            { x: 3, y: 3 },
            { x: 1, y: 3 },
          ],
        ],
      },
    },
    wire: {
      shape: {
        type: 'chain',
        vertices: [
          { x: 0, y: 0 },
          { x: 4, y: 0 },
          { x: 4, y: 4 },
        ],
      },
    },
  }),
)
export type MassRequest = Static<typeof MassRequest>

export const MassResponse = Type.Object(
  {
    area: real('Area, rounding included; 0 of points, segments and chains.', { minimum: 0 }),
    mass: real('area · density.', { minimum: 0 }),
    centroid: reference(
      Vec2,
      'Centre of mass, in the local frame of the shape. Of what has no area, the mean over its lines, each taken as often as it is drawn; of what has no length either, the mean over its points.',
    ),
    inertia: real(
      'Moment of inertia about the centroid, mass times length². About another point d away it is inertia + mass · d². A number too large for a double is the problem `answer-out-of-range`.',
      { minimum: 0 },
    ),
  },
  named('MassResponse', 'The mass properties of the shape.', [
    { area: 8, mass: 24, centroid: { x: 0, y: 0 }, inertia: 40 },
    { area: 12, mass: 12, centroid: { x: 2, y: 2 }, inertia: 40 },
    { area: 0, mass: 0, centroid: { x: 3, y: 1 }, inertia: 0 },
  ]),
)
export type MassResponse = Static<typeof MassResponse>
