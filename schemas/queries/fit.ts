// POST /v1/2d/fit and /v1/3d/fit: the least box, circle, sphere, capsule or cylinder that encloses a body or points.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MAX_OUTLINE_VERTICES } from '../shapes2d.ts'

function fit<
  V extends TSchema,
  B extends TSchema,
  const S extends readonly string[],
  const L extends readonly string[],
>(
  { tag, vector, body, halves }: { tag: string; vector: V; body: B; halves: string },
  { kinds, sizes, lower }: { kinds: S; sizes: L; lower: string },
  examples: Examples,
) {
  const [size, surface] = sizes
  const request = Type.Object(
    {
      body: Type.Optional(
        reference(
          body,
          `The body; give this or points. What has no bounds, as ${halves}, is the problem \`shape-unbounded\`.`,
        ),
      ),
      points: Type.Optional(
        Type.Array(reference(vector), {
          minItems: 1,
          maxItems: MAX_OUTLINE_VERTICES,
          description:
            'The points, in any order, such as two opposite corners of a box; give this or body. As many as one shape may have vertices.',
        }),
      ),
      shape: word(
        kinds,
        'What to enclose it by. An aabb lies along the axes of the world, a box is turned as it fits best.',
      ),
      least: Type.Optional(word(sizes, `What should be least, and is measured: ${size} (default) or ${surface}.`)),
    },
    named(`Fit${tag}Request`, 'A body, or points, to enclose by a shape.', examples.request),
  )
  const response = Type.Object(
    {
      body: reference(
        body,
        `A placed shape of that kind, as it can be sent back: it contains all of what was given, its numbers taken as they are.`,
      ),
      measure: real(`Its ${size} or ${surface}, whichever should be least.`, { minimum: 0 }),
      lower: real(`No shape of the kind that contains it has a smaller one. ${lower}`, { minimum: 0 }),
    },
    named(`Fit${tag}Response`, 'A shape that encloses the body or the points for certain.', examples.response),
  )
  return { request, response }
}

export const { request: FitRequest, response: FitResponse } = fit(
  plane,
  {
    kinds: ['aabb', 'box', 'circle', 'capsule'],
    sizes: ['area', 'perimeter'],
    lower:
      'Circles are the least ones to the last digit, and boxes too about all but ellipses and circles of several radii together.',
  },
  {
    request: {
      'turned-box': {
        points: [
          { x: 0, y: 0 },
          { x: 4, y: 4 },
          { x: 2, y: 6 },
          { x: -2, y: 2 },
        ],
        shape: 'box',
      },
      'two-corners': {
        points: [
          { x: 5, y: 1 },
          { x: 2, y: 3 },
        ],
        shape: 'aabb',
      },
      'least-circle': {
        body: {
          shape: {
            type: 'polygon',
            vertices: [
              { x: 0, y: 0 },
              { x: 6, y: 0 },
              { x: 6, y: 8 },
              { x: 1, y: 7 },
            ],
          },
          position: { x: 10, y: 0 },
        },
        shape: 'circle',
      },
    },
    response: [
      {
        body: {
          shape: { type: 'box', width: 2.8284271247461916, height: 5.656854249492381 },
          position: { x: 1.0000000000000002, y: 3 },
          rotation: -0.7853981633974483,
        },
        measure: 16.00000000000001,
        lower: 15.999999999999883,
      },
      {
        body: { shape: { type: 'aabb', min: { x: 2, y: 1 }, max: { x: 5, y: 3 } } },
        measure: 6,
        lower: 5.999999999999989,
      },
      {
        body: { shape: { type: 'circle', radius: 5 }, position: { x: 13, y: 4 } },
        measure: 78.53981633974483,
        lower: 78.53981633974469,
      },
    ],
  },
)
export type FitRequest = Static<typeof FitRequest>
export type FitResponse = Static<typeof FitResponse>

export const { request: Fit3dRequest, response: Fit3dResponse } = fit(
  space,
  {
    kinds: ['aabb', 'box', 'sphere', 'capsule', 'cylinder'],
    sizes: ['volume', 'area'],
    lower:
      'Spheres are the least ones to the last digit. Of other shapes it is the measure of the convex hull as a rule.',
  },
  {
    request: {
      'least-sphere': {
        points: [
          { x: 1, y: 0, z: 0 },
          { x: 5, y: 0, z: 0 },
          { x: 3, y: 2, z: 0 },
          { x: 3, y: 0, z: 2 },
          { x: 3, y: 0.5, z: 0.5 },
        ],
        shape: 'sphere',
      },
      'cylinder-about-a-box': {
        body: { shape: { type: 'box', size: { x: 3, y: 10, z: 4 } }, position: { x: 1, y: 2, z: 3 } },
        shape: 'cylinder',
      },
    },
    response: [
      {
        body: { shape: { type: 'sphere', radius: 2 }, position: { x: 3, y: 0, z: 0 } },
        measure: 33.510321638291124,
        lower: 33.51032163829107,
      },
      {
        body: {
          shape: { type: 'cylinder', radius: 2.5, height: 10, axis: 'y' },
          position: { x: 1, y: 2, z: 3 },
        },
        measure: 196.34954084936209,
        lower: 119.9999999995207,
      },
    ],
  },
)
export type Fit3dRequest = Static<typeof Fit3dRequest>
export type Fit3dResponse = Static<typeof Fit3dResponse>
