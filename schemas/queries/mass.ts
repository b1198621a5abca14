// POST /v1/2d/mass and /v1/3d/mass: area or volume, mass, centroid and moments of inertia of a shape.

import { type Static, Type } from '@sinclair/typebox'
import { real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Shape2d } from '../shapes2d.ts'
import { Shape3d } from '../shapes3d.ts'
import { Quaternion, Vec2, Vec3 } from '../vector.ts'

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

export const Mass3dRequest = Type.Object(
  {
    shape: reference(Shape3d, 'The shape. A half-space has no mass (problem `shape-unbounded`).'),
    density: Type.Optional(real('Mass per volume, at least 0 and at most 1e100; 1 when absent.', { minimum: 0 })),
  },
  named('Mass3dRequest', 'A shape of even density to weigh.', {
    box: { shape: { type: 'box', size: { x: 8, y: 4, z: 2 } }, density: 3 },
    cylinder: { shape: { type: 'cylinder', radius: 0, height: 4, axis: 'z' } },
  }),
)
export type Mass3dRequest = Static<typeof Mass3dRequest>

const InertiaTensor = Type.Object(
  {
    xx: real('∫ y² + z² dm', { minimum: 0 }),
    yy: real('∫ x² + z² dm', { minimum: 0 }),
    zz: real('∫ x² + y² dm', { minimum: 0 }),
    xy: real('−∫ x y dm'),
    xz: real('−∫ x z dm'),
    yz: real('−∫ y z dm'),
  },
  named('InertiaTensor', 'The symmetric matrix of inertia about the centroid, in the local frame, mass times length².'),
)

const PrincipalAxes = Type.Object(
  {
    moments: reference(Vec3, 'Moments of inertia about the principal axes x, y and z, least first.'),
    orientation: reference(Quaternion, 'Turns the principal axes into the local frame; w is at least 0.'),
  },
  named('PrincipalAxes', 'The turn in which the matrix of inertia has nothing but its diagonal.'),
)

export const Mass3dResponse = Type.Object(
  {
    volume: real('Volume, rounding included; 0 of what is flat.', { minimum: 0 }),
    area: real('Area of the surface; of what is flat that of both sides.', { minimum: 0 }),
    mass: real('volume · density.', { minimum: 0 }),
    centroid: reference(
      Vec3,
      'Centre of mass, in the local frame of the shape. Of what has no volume the middle of its area, of what has no area that of its length.',
    ),
    inertia: reference(
      InertiaTensor,
      'About the centroid. Numbers too large for a double are the problem `answer-out-of-range`.',
    ),
    principal: reference(PrincipalAxes, 'The same by its principal axes.'),
  },
  named('Mass3dResponse', 'The mass properties of the shape.', [
    {
      volume: 64,
      area: 112,
      mass: 192,
      centroid: { x: 0, y: 0, z: 0 },
      inertia: { xx: 320, yy: 1088, zz: 1280, xy: 0, xz: 0, yz: 0 },
      principal: { moments: { x: 320, y: 1088, z: 1280 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
    },
    {
      volume: 0,
      area: 0,
      mass: 0,
      centroid: { x: 0, y: 0, z: 0 },
      inertia: { xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0 },
      principal: { moments: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
    },
  ]),
)
export type Mass3dResponse = Static<typeof Mass3dResponse>
