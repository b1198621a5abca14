// Requests of space whose pictures are kept: few and small, each shows something that the others do not.

import type { PictureView } from '../../schemas/picture.ts'
import type { Query3dOp } from '../../schemas/queries/exchanges.ts'

export interface PictureScene3d {
  name: string
  op: Query3dOp
  request: object
  view?: PictureView
}

const ground = { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }
const crate = { shape: { type: 'box', size: { x: 2, y: 2, z: 2 } }, position: { x: 0, y: 1, z: 0 } }
const can = {
  shape: { type: 'cylinder', radius: 1, height: 3 },
  position: { x: 3, y: 1.2, z: 1 },
  orientation: { x: 0.6, y: 0, z: 0, w: 0.8 },
}
const hat = { shape: { type: 'cone', radius: 1.5, height: 3 }, position: { x: 4, y: 1.5, z: -2 } }
const egg = { shape: { type: 'ellipsoid', radii: { x: 1, y: 2, z: 0.7 } }, position: { x: -3, y: 2, z: 1 } }

export const PICTURE_SCENES_3D: readonly PictureScene3d[] = [
  {
    name: 'overlap-cylinder-cone',
    op: 'overlap',
    request: { a: { ...can, orientation: { x: 0, y: 0, z: 0, w: 1 } }, b: hat, explain: true },
  },
  { name: 'distance-cone-egg', op: 'distance', request: { a: hat, b: egg } },
  {
    name: 'contact-crates',
    op: 'contact',
    request: {
      a: crate,
      b: { shape: { type: 'box', size: { x: 2, y: 1, z: 2 }, radius: 0.25 }, position: { x: 0.5, y: 2.5, z: 0.5 } },
    },
  },
  {
    name: 'contact-ground',
    op: 'contact',
    view: 'z',
    request: {
      a: ground,
      b: {
        shape: { type: 'capsule', a: { x: -1, y: 0, z: 0 }, b: { x: 1, y: 1, z: 0 }, radius: 0.5 },
        position: { x: 0, y: 0.3, z: 0 },
      },
    },
  },
  {
    name: 'ray-all',
    op: 'ray-cast',
    request: {
      ray: { origin: { x: -6, y: 2, z: 0.5 }, direction: { x: 1, y: -0.16, z: 0 } },
      targets: [ground, crate, can, hat, egg, { shape: { type: 'sphere', radius: 1 }, position: { x: 8, y: 1, z: 0 } }],
      mode: 'all',
    },
  },
  {
    name: 'impact-turning',
    op: 'time-of-impact',
    request: {
      a: {
        shape: { type: 'box', size: { x: 4, y: 0.5, z: 1 } },
        angularVelocity: { x: 0, y: 0, z: 2 },
      },
      b: {
        shape: { type: 'cylinder', radius: 0.5, height: 1 },
        position: { x: -1, y: 5, z: 0 },
        velocity: { x: 0, y: -4, z: 0 },
      },
      duration: 1,
    },
  },
  {
    name: 'cast-falling',
    op: 'shape-cast',
    request: {
      body: { shape: { type: 'capsule', a: { x: -1, y: 0, z: 0 }, b: { x: 1, y: 0, z: 0 }, radius: 0.5 } },
      translation: { x: 0, y: -8, z: 0 },
      rotation: { x: 0, y: 0, z: 1 },
      targets: [
        { ...ground, position: { x: 0, y: -6, z: 0 } },
        { ...hat, position: { x: 1, y: -4.5, z: 0 } },
      ],
    },
  },
  {
    name: 'cast-missing',
    op: 'shape-cast',
    view: 'y',
    request: {
      body: crate,
      translation: { x: 6, y: 0, z: 0 },
      targets: [{ ...egg, position: { x: 3, y: 2, z: -3 } }],
    },
  },
  {
    name: 'trajectory-bounces',
    op: 'trajectory',
    request: {
      body: {
        shape: { type: 'sphere', radius: 0.5 },
        position: { x: -3, y: 3, z: 2 },
        velocity: { x: 3, y: -3, z: -1 },
      },
      obstacles: [
        ground,
        { shape: { type: 'halfspace', normal: { x: -1, y: 0, z: 0 }, offset: -5 } },
        { ...crate, velocity: { x: 0, y: 0, z: -0.5 } },
      ],
      duration: 5,
      restitution: 0.9,
    },
  },
  {
    name: 'pairs-meeting',
    op: 'pairs',
    request: { bodies: [crate, { ...can, position: { x: 1.5, y: 1.2, z: 0 } }, hat, egg, ground] },
  },
  { name: 'bounds-turned', op: 'bounds', request: { body: can } },
  {
    name: 'bounds-motion',
    op: 'bounds',
    request: {
      body: {
        shape: { type: 'box', size: { x: 3, y: 1, z: 1 } },
        velocity: { x: 0, y: 0, z: -4 },
        angularVelocity: { x: 0, y: 0, z: 1.5 },
      },
      duration: 1,
    },
  },
  {
    name: 'support-hull',
    op: 'support',
    request: {
      body: {
        shape: {
          type: 'hull',
          points: [
            { x: 0, y: 0, z: 0 },
            { x: 3, y: 0, z: 0 },
            { x: 0, y: 2, z: 0 },
            { x: 0, y: 0, z: 2 },
          ],
          radius: 0.3,
        },
      },
      direction: { x: 1, y: 0.2, z: 0 },
    },
  },
  { name: 'mass-cone', op: 'mass', view: 'x', request: { shape: hat.shape } },
  {
    name: 'hull-points',
    op: 'hull',
    request: {
      points: [
        { x: 0, y: 0, z: 0 },
        { x: 2, y: 0, z: 0 },
        { x: 2, y: 0, z: 2 },
        { x: 0, y: 0, z: 2 },
        { x: 1, y: 2, z: 1 },
        { x: 1, y: 0.5, z: 1 },
      ],
    },
  },
  {
    name: 'minkowski-rounded',
    op: 'minkowski',
    request: {
      a: { shape: { type: 'box', size: { x: 2, y: 1, z: 1 }, radius: 0.2 } },
      b: {
        shape: {
          type: 'triangle',
          a: { x: 0, y: 0, z: 0 },
          b: { x: 1, y: 0, z: 0 },
          c: { x: 0, y: 1, z: 0.5 },
        },
        position: { x: 4, y: 0, z: 0 },
      },
    },
  },
  {
    name: 'minkowski-difference',
    op: 'minkowski',
    view: 'z',
    request: {
      a: { shape: { type: 'capsule', a: { x: 0, y: -1, z: 0 }, b: { x: 0, y: 1, z: 0 }, radius: 0.5 } },
      b: { shape: { type: 'sphere', radius: 1 }, position: { x: 5, y: 0, z: 0 } },
      operation: 'difference',
    },
  },
  {
    name: 'table-distances',
    op: 'table',
    view: 'y',
    request: {
      measure: 'distance',
      a: [crate, hat],
      b: [can, egg, { shape: { type: 'point' }, position: { x: 0, y: 4, z: 3 } }],
    },
  },
  {
    name: 'validate-repeated',
    op: 'validate',
    request: {
      shape: {
        type: 'hull',
        points: [
          { x: 0, y: 0, z: 1 },
          { x: 2, y: 0, z: 1 },
          { x: 0, y: 2, z: 1 },
          { x: 2, y: 0, z: 1 },
        ],
      },
    },
  },
]
