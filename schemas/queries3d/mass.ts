// POST /v1/3d/mass: volume, area, mass, centroid and inertia of a shape.

import { type Static, Type } from '@sinclair/typebox'
import { real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Shape3d } from '../shapes3d/shape.ts'
import { Quaternion, Vec3 } from '../vec3.ts'

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

export const InertiaTensor = Type.Object(
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

export const PrincipalAxes = Type.Object(
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
