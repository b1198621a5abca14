/** Requests that are drawn and compared with pictures that were looked at: `golden/<name>.svg`. */

export interface PictureScene {
  name: string
  op: string
  request: object
  yDown?: boolean
}

const crowd = Array.from({ length: 60 }, (_, i) => ({
  shape: [
    { type: 'circle', radius: 0.5 + (i % 5) / 8 },
    { type: 'box', width: 1 + (i % 3) / 2, height: 0.8 },
    { type: 'capsule', a: { x: -0.7, y: 0 }, b: { x: 0.7, y: 0 }, radius: 0.3 },
    {
      type: 'polygon',
      vertices: [
        { x: -0.8, y: -0.5 },
        { x: 0.9, y: -0.4 },
        { x: 0.2, y: 1 },
      ],
    },
  ][i % 4],
  position: { x: (i * 7.3) % 24, y: (i * 3.1) % 14 },
  rotation: i,
}))

export const PICTURE_SCENES: readonly PictureScene[] = [
  {
    name: 'overlap-apart',
    op: 'overlap',
    request: {
      a: { shape: { type: 'box', width: 4, height: 2 }, rotation: 0.4 },
      b: { shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 1 }, radius: 0.75 }, position: { x: 5, y: 2 } },
      explain: true,
    },
  },
  {
    name: 'overlap-common-point',
    op: 'overlap',
    request: {
      a: { shape: { type: 'ellipse', rx: 3, ry: 1 }, rotation: 0.5 },
      b: { shape: { type: 'box', width: 2, height: 1.5, radius: 0.4 }, position: { x: 2, y: 2 } },
      explain: true,
    },
  },
  {
    name: 'distance-region',
    op: 'distance',
    request: {
      a: {
        shape: {
          type: 'region',
          outer: [
            { x: 0, y: 0 },
            { x: 6, y: 0 },
            { x: 6, y: 5 },
            { x: 5, y: 5 },
            { x: 5, y: 1 },
            { x: 1, y: 1 },
            { x: 1, y: 5 },
            { x: 0, y: 5 },
          ],
        },
      },
      b: { shape: { type: 'circle', radius: 0.8 }, position: { x: 3.4, y: 3.5 } },
    },
  },
  {
    name: 'contact-boxes',
    op: 'contact',
    request: {
      a: { shape: { type: 'box', width: 10, height: 1 } },
      b: { shape: { type: 'box', width: 2, height: 2 }, position: { x: 2, y: 1.25 } },
    },
  },
  {
    name: 'contact-slope',
    op: 'contact',
    request: {
      a: { shape: { type: 'halfplane', normal: { x: -0.3, y: 1 }, offset: 0 } },
      b: {
        shape: {
          type: 'polygon',
          vertices: [
            { x: 0, y: 0 },
            { x: 3, y: 0 },
            { x: 3.5, y: 2 },
            { x: 1, y: 3 },
          ],
          radius: 0.3,
        },
        position: { x: 0, y: 0.1 },
      },
    },
  },
  {
    name: 'contact-far-away',
    op: 'contact',
    request: {
      a: { shape: { type: 'circle', radius: 1 }, position: { x: 1000000000.0, y: -2000000000.0 } },
      b: { shape: { type: 'circle', radius: 0.5 }, position: { x: 1000000001.25, y: -1999999999.75 } },
    },
  },
  {
    name: 'distance-tiny',
    op: 'distance',
    request: {
      a: { shape: { type: 'box', width: 3e-30, height: 1e-30 } },
      b: { shape: { type: 'segment', a: { x: 0, y: 2e-30 }, b: { x: 4e-30, y: 3e-30 } } },
    },
  },
  {
    name: 'overlap-huge',
    op: 'overlap',
    request: {
      a: { shape: { type: 'box', width: 3e90, height: 1e90 } },
      b: { shape: { type: 'point' }, position: { x: 1e90, y: 1e89 } },
    },
  },
  {
    name: 'contact-planet',
    op: 'contact',
    request: {
      a: { shape: { type: 'circle', radius: 1000000 }, position: { x: 0, y: -1000000 } },
      b: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 0.3, y: 0.4 } },
    },
  },
  {
    name: 'impact-wall',
    op: 'time-of-impact',
    request: {
      a: { shape: { type: 'box', width: 1, height: 8 } },
      b: { shape: { type: 'circle', radius: 0.5 }, position: { x: -5, y: -1 }, velocity: { x: 8, y: 2 } },
      duration: 1,
    },
  },
  {
    name: 'impact-spin',
    op: 'time-of-impact',
    request: {
      a: { shape: { type: 'segment', a: { x: -2, y: 0 }, b: { x: 2, y: 0 } }, angularVelocity: 2 },
      b: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 1, y: 3 }, velocity: { x: 0, y: -1.5 } },
      duration: 2,
    },
  },
  {
    name: 'impact-none',
    op: 'time-of-impact',
    request: {
      a: {
        shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 0 }, radius: 0.4 },
        velocity: { x: 3, y: 1 },
        angularVelocity: 1,
      },
      b: { shape: { type: 'ellipse', rx: 1.2, ry: 0.6 }, position: { x: 2, y: 4 }, velocity: { x: -2, y: 1 } },
      duration: 2,
    },
  },
  {
    name: 'cast-closest',
    op: 'shape-cast',
    request: {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 0, y: 6 } },
      translation: { x: 1, y: -8 },
      targets: [
        { shape: { type: 'box', width: 20, height: 1 } },
        {
          shape: {
            type: 'region',
            outer: [
              { x: -3, y: 0 },
              { x: 3, y: 0 },
              { x: 3, y: 4 },
              { x: 2, y: 4 },
              { x: 2, y: 1 },
              { x: -2, y: 1 },
              { x: -2, y: 4 },
              { x: -3, y: 4 },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'cast-all-turning',
    op: 'shape-cast',
    request: {
      body: { shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 0 }, radius: 0.25 } },
      translation: { x: 1, y: 6 },
      rotation: 2.5,
      targets: [
        { shape: { type: 'circle', radius: 0.5 }, position: { x: 1.25, y: 2 } },
        { shape: { type: 'box', width: 1, height: 1 }, position: { x: -1, y: 4 } },
        { shape: { type: 'box', width: 1, height: 1 }, position: { x: -3, y: 2 } },
      ],
      mode: 'all',
    },
  },
  {
    name: 'ray-closest',
    op: 'ray-cast',
    request: {
      ray: { origin: { x: -6, y: 3 }, direction: { x: 2, y: -0.7 } },
      targets: [
        { shape: { type: 'aabb', min: { x: -8, y: -3 }, max: { x: 8, y: -2 } } },
        { shape: { type: 'circle', radius: 1.5 }, position: { x: 0, y: 1 } },
        {
          shape: {
            type: 'polygon',
            vertices: [
              { x: 4, y: -1 },
              { x: 6, y: -1 },
              { x: 5, y: 2 },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'ray-all-inside',
    op: 'ray-cast',
    request: {
      ray: { origin: { x: 0, y: 0.5 }, direction: { x: 2, y: 0.3 }, maxDistance: 12 },
      targets: [
        { shape: { type: 'box', width: 2, height: 2 } },
        { shape: { type: 'ellipse', rx: 1, ry: 1.5 }, position: { x: 4, y: 1 } },
        {
          shape: {
            type: 'chain',
            vertices: [
              { x: 6, y: 0 },
              { x: 7, y: 3 },
              { x: 8, y: 0 },
              { x: 9, y: 3 },
            ],
          },
        },
        { shape: { type: 'circle', radius: 0.7 }, position: { x: 6, y: -2 } },
      ],
      mode: 'all',
      startInside: 'exit',
    },
  },
  {
    name: 'trajectory-bounces',
    op: 'trajectory',
    request: {
      body: { shape: { type: 'circle', radius: 0.5 }, velocity: { x: 4, y: 3 } },
      obstacles: [
        { shape: { type: 'halfplane', normal: { x: -1, y: 0 }, offset: -4.5 } },
        { shape: { type: 'box', width: 1, height: 2 }, position: { x: -3, y: 0 } },
        { shape: { type: 'halfplane', normal: { x: 0, y: -1 }, offset: -3 } },
        { shape: { type: 'halfplane', normal: { x: 0.1, y: 1 }, offset: -3 } },
      ],
      duration: 6,
    },
  },
  {
    name: 'trajectory-moving',
    op: 'trajectory',
    request: {
      body: { shape: { type: 'box', width: 1, height: 0.6 }, position: { x: 0, y: 5 }, velocity: { x: 2, y: -3 } },
      obstacles: [
        { shape: { type: 'box', width: 14, height: 1 }, position: { x: 4, y: -0.5 } },
        { shape: { type: 'box', width: 0.5, height: 5 }, position: { x: 12, y: 4 }, velocity: { x: -1.2, y: 0 } },
      ],
      duration: 5,
      restitution: 0.8,
    },
  },
  {
    name: 'pairs-mixed',
    op: 'pairs',
    request: {
      bodies: [
        { shape: { type: 'circle', radius: 1 } },
        { shape: { type: 'box', width: 2, height: 2 }, position: { x: 2, y: 0 } },
        { shape: { type: 'box', width: 2, height: 2 }, position: { x: 2, y: 2 } },
        { shape: { type: 'ellipse', rx: 2, ry: 0.6 }, position: { x: -3, y: 2 }, rotation: 0.5 },
        {
          shape: {
            type: 'compound',
            children: [
              { shape: { type: 'circle', radius: 0.6 }, position: { x: -1, y: 0 } },
              { shape: { type: 'circle', radius: 0.6 }, position: { x: 1, y: 0 } },
              { shape: { type: 'box', width: 2, height: 0.4 } },
            ],
          },
          position: { x: -2, y: -2 },
          rotation: 0.3,
        },
        { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -3 } },
        {
          shape: {
            type: 'polygon',
            vertices: [
              { x: 0, y: 0 },
              { x: 2, y: 0 },
              { x: 1, y: 1.5 },
            ],
            radius: 0.2,
          },
          position: { x: 4, y: -3 },
        },
      ],
    },
  },
  {
    name: 'bounds-motion',
    op: 'bounds',
    request: {
      body: {
        shape: { type: 'box', width: 3, height: 1 },
        position: { x: 2, y: 3 },
        velocity: { x: 4, y: 1 },
        angularVelocity: 2,
      },
      duration: 1.5,
    },
  },
  {
    name: 'bounds-halfplane',
    op: 'bounds',
    request: { body: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } } },
  },
  {
    name: 'support-rounded',
    op: 'support',
    request: { body: { shape: { type: 'box', width: 4, height: 2, radius: 1 } }, direction: { x: 3, y: 4 } },
  },
  {
    name: 'mass-region',
    op: 'mass',
    request: {
      shape: {
        type: 'region',
        outer: [
          { x: 0, y: 0 },
          { x: 6, y: 0 },
          { x: 6, y: 1.5 },
          { x: 2, y: 2 },
          { x: 2, y: 5 },
          { x: 0, y: 5 },
        ],
        holes: [
          [
            { x: 0.5, y: 0.5 },
            { x: 1.5, y: 0.5 },
            { x: 1.5, y: 1.5 },
          ],
        ],
      },
      density: 2,
    },
  },
  {
    name: 'hull-points',
    op: 'hull',
    request: {
      points: [
        { x: 0, y: 0 },
        { x: 2, y: 0 },
        { x: 4, y: 0 },
        { x: 1, y: 1 },
        { x: 4, y: 3 },
        { x: 0, y: 3 },
        { x: 2, y: 2 },
        { x: 3, y: 1 },
        { x: 5, y: 1.5 },
        { x: 2.2, y: 3.4 },
      ],
    },
  },
  {
    name: 'minkowski-sum',
    op: 'minkowski',
    request: {
      a: { shape: { type: 'box', width: 4, height: 2 }, position: { x: 7, y: 1 } },
      b: {
        shape: {
          type: 'polygon',
          vertices: [
            { x: 0, y: 0 },
            { x: 2, y: 0 },
            { x: 0, y: 2 },
          ],
        },
        position: { x: 1, y: 0 },
      },
      operation: 'sum',
    },
  },
  {
    name: 'minkowski-difference',
    op: 'minkowski',
    request: {
      a: { shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 1 }, radius: 0.5 } },
      b: { shape: { type: 'box', width: 1, height: 2 }, position: { x: 1.3, y: 1.2 } },
      operation: 'difference',
    },
  },
  {
    name: 'decompose-exact',
    op: 'decompose',
    request: {
      region: {
        type: 'region',
        outer: [
          { x: 4.976, y: 0.49 },
          { x: 4.785, y: 1.451 },
          { x: 3.175, y: 1.697 },
          { x: 2.783, y: 2.284 },
          { x: 3.172, y: 3.865 },
          { x: 2.357, y: 4.41 },
          { x: 1.045, y: 3.445 },
          { x: 0.353, y: 3.583 },
          { x: -0.49, y: 4.976 },
          { x: -1.451, y: 4.785 },
          { x: -1.697, y: 3.175 },
          { x: -2.284, y: 2.783 },
          { x: -3.865, y: 3.172 },
          { x: -4.41, y: 2.357 },
          { x: -3.445, y: 1.045 },
          { x: -3.583, y: 0.353 },
          { x: -4.976, y: -0.49 },
          { x: -4.785, y: -1.451 },
          { x: -3.175, y: -1.697 },
          { x: -2.783, y: -2.284 },
          { x: -3.172, y: -3.865 },
          { x: -2.357, y: -4.41 },
          { x: -1.045, y: -3.445 },
          { x: -0.353, y: -3.583 },
          { x: 0.49, y: -4.976 },
          { x: 1.451, y: -4.785 },
          { x: 1.697, y: -3.175 },
          { x: 2.284, y: -2.783 },
          { x: 3.865, y: -3.172 },
          { x: 4.41, y: -2.357 },
          { x: 3.445, y: -1.045 },
          { x: 3.583, y: -0.353 },
        ],
        holes: [
          [
            { x: 1.5, y: 0.0 },
            { x: 0.75, y: 1.299 },
            { x: -0.75, y: 1.299 },
            { x: -1.5, y: 0.0 },
            { x: -0.75, y: -1.299 },
            { x: 0.75, y: -1.299 },
          ],
        ],
      },
      method: 'exact',
    },
  },
  {
    name: 'decompose-triangles',
    op: 'decompose',
    request: {
      region: {
        type: 'region',
        outer: [
          { x: 0, y: 0 },
          { x: 6, y: 0 },
          { x: 6, y: 4 },
          { x: 4, y: 4 },
          { x: 4, y: 1.5 },
          { x: 2, y: 1.5 },
          { x: 2, y: 4 },
          { x: 0, y: 4 },
        ],
      },
      method: 'triangles',
    },
  },
  {
    name: 'decompose-approximate',
    op: 'decompose',
    request: {
      region: {
        type: 'region',
        outer: [
          { x: 4.976, y: 0.49 },
          { x: 4.785, y: 1.451 },
          { x: 3.175, y: 1.697 },
          { x: 2.783, y: 2.284 },
          { x: 3.172, y: 3.865 },
          { x: 2.357, y: 4.41 },
          { x: 1.045, y: 3.445 },
          { x: 0.353, y: 3.583 },
          { x: -0.49, y: 4.976 },
          { x: -1.451, y: 4.785 },
          { x: -1.697, y: 3.175 },
          { x: -2.284, y: 2.783 },
          { x: -3.865, y: 3.172 },
          { x: -4.41, y: 2.357 },
          { x: -3.445, y: 1.045 },
          { x: -3.583, y: 0.353 },
          { x: -4.976, y: -0.49 },
          { x: -4.785, y: -1.451 },
          { x: -3.175, y: -1.697 },
          { x: -2.783, y: -2.284 },
          { x: -3.172, y: -3.865 },
          { x: -2.357, y: -4.41 },
          { x: -1.045, y: -3.445 },
          { x: -0.353, y: -3.583 },
          { x: 0.49, y: -4.976 },
          { x: 1.451, y: -4.785 },
          { x: 1.697, y: -3.175 },
          { x: 2.284, y: -2.783 },
          { x: 3.865, y: -3.172 },
          { x: 4.41, y: -2.357 },
          { x: 3.445, y: -1.045 },
          { x: 3.583, y: -0.353 },
        ],
      },
      method: 'approximate',
      maxPieces: 3,
    },
  },
  {
    name: 'validate-findings',
    op: 'validate',
    request: {
      shape: {
        type: 'region',
        outer: [
          { x: 0, y: 0 },
          { x: 0, y: 5 },
          { x: 3, y: 5 },
          { x: 6, y: 5 },
          { x: 6, y: 5 },
          { x: 6, y: 0 },
        ],
        holes: [
          [
            { x: 1, y: 1 },
            { x: 3, y: 1 },
            { x: 3, y: 3 },
            { x: 1, y: 3 },
          ],
          [
            { x: 5, y: 2 },
            { x: 7, y: 2 },
            { x: 7, y: 3 },
            { x: 5, y: 3 },
          ],
        ],
      },
    },
  },
  {
    name: 'validate-polygon',
    op: 'validate',
    request: {
      shape: {
        type: 'polygon',
        vertices: [
          { x: 0, y: 0 },
          { x: 4, y: 0 },
          { x: 2, y: 1 },
          { x: 4, y: 4 },
          { x: 0, y: 4 },
        ],
        radius: 0.3,
      },
    },
  },
  {
    name: 'repair-rings',
    op: 'repair',
    request: {
      rings: [
        [
          { x: 0, y: 0 },
          { x: 5, y: 4 },
          { x: 5, y: 0 },
          { x: 0, y: 4 },
        ],
        [
          { x: 4, y: 2 },
          { x: 8, y: 2 },
          { x: 8, y: 4 },
          { x: 4, y: 4 },
        ],
        [
          { x: 6, y: 2.5 },
          { x: 7, y: 2.5 },
          { x: 7, y: 3.5 },
        ],
        [
          { x: 1, y: -1 },
          { x: 7, y: -1 },
        ],
      ],
      rule: 'evenodd',
    },
  },
  {
    name: 'contact-y-down',
    op: 'contact',
    request: {
      a: { shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 6, y: 2 }, radius: 1 }, rotation: 0.2 },
      b: { shape: { type: 'ellipse', rx: 2, ry: 1 }, position: { x: 3, y: 3.5 }, rotation: 0.6 },
    },
    yDown: true,
  },
  {
    name: 'contact-y-up',
    op: 'contact',
    request: {
      a: { shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 6, y: 2 }, radius: 1 }, rotation: 0.2 },
      b: { shape: { type: 'ellipse', rx: 2, ry: 1 }, position: { x: 3, y: 3.5 }, rotation: 0.6 },
    },
  },
  {
    name: 'ray-far-away',
    op: 'ray-cast',
    request: {
      ray: { origin: { x: 1000000.0, y: 0 }, direction: { x: -1, y: 0.2 }, maxDistance: 1000000000.0 },
      targets: [{ shape: { type: 'box', width: 4, height: 40 }, position: { x: 999990, y: 0 } }],
    },
  },
  {
    name: 'impact-halfplane',
    op: 'time-of-impact',
    request: {
      a: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } },
      b: {
        shape: { type: 'box', width: 2, height: 1 },
        position: { x: 0, y: 3 },
        velocity: { x: 3, y: -2 },
        angularVelocity: 1.2,
      },
      duration: 2,
    },
  },
  {
    name: 'table-distances',
    op: 'table',
    request: {
      measure: 'distance',
      a: [
        { shape: { type: 'circle', radius: 1 } },
        { shape: { type: 'box', width: 3, height: 1 }, position: { x: 0, y: 4 }, rotation: 0.3 },
        { shape: { type: 'point' }, position: { x: 7, y: 1 } },
      ],
      b: [
        { shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 2, y: 2 }, radius: 0.5 }, position: { x: 3, y: 0 } },
        { shape: { type: 'ellipse', rx: 2, ry: 0.7 }, position: { x: 1.2, y: 5 } },
        { shape: { type: 'box', width: 1, height: 1 }, position: { x: -3, y: 1 } },
        { shape: { type: 'box', width: 1, height: 2 }, position: { x: 7.2, y: 1.5 } },
      ],
    },
  },
  {
    name: 'table-impacts',
    op: 'table',
    request: {
      measure: 'time-of-impact',
      duration: 3,
      a: [
        { shape: { type: 'circle', radius: 0.5 }, velocity: { x: 2, y: 0.5 } },
        { shape: { type: 'circle', radius: 0.5 }, position: { x: 0, y: 3 }, velocity: { x: 2, y: 0 } },
      ],
      b: [
        { shape: { type: 'box', width: 1, height: 3 }, position: { x: 6, y: 2 } },
        { shape: { type: 'box', width: 1, height: 1 }, position: { x: 3, y: 6 }, velocity: { x: 0, y: -1.5 } },
      ],
    },
  },
  { name: 'pairs-crowd', op: 'pairs', request: { bodies: crowd } },
  {
    name: 'ray-y-down',
    op: 'ray-cast',
    yDown: true,
    request: {
      ray: { origin: { x: 0, y: 0 }, direction: { x: 3, y: 2 } },
      targets: [
        { shape: { type: 'halfplane', normal: { x: 0, y: -1 }, offset: -4 } },
        { shape: { type: 'box', width: 1, height: 1 }, position: { x: 2, y: 3 } },
      ],
    },
  },
  {
    name: 'cast-ground',
    op: 'shape-cast',
    request: {
      body: {
        shape: {
          type: 'compound',
          children: [
            { shape: { type: 'box', width: 1, height: 2 } },
            { shape: { type: 'circle', radius: 0.6 }, position: { x: 0, y: 1.5 } },
          ],
        },
        position: { x: 0, y: 5 },
      },
      translation: { x: 4, y: -6 },
      targets: [{ shape: { type: 'box', width: 10000, height: 2 } }],
    },
  },
  {
    name: 'pairs-degenerate',
    op: 'pairs',
    request: {
      bodies: [
        { shape: { type: 'box', width: 0, height: 2 } },
        { shape: { type: 'box', width: 2, height: 0 }, position: { x: 2, y: 0 } },
        { shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x: 0, y: 0 } }, position: { x: 2, y: 2 } },
        {
          shape: {
            type: 'polygon',
            vertices: [
              { x: 0, y: 0 },
              { x: 1, y: 1 },
              { x: 2, y: 2 },
            ],
            radius: 0.2,
          },
          position: { x: -3, y: -1 },
        },
        {
          shape: {
            type: 'chain',
            vertices: [
              { x: 0, y: 0 },
              { x: 2, y: 1 },
              { x: 0, y: 1 },
              { x: 2, y: 0 },
            ],
            loop: true,
          },
          position: { x: 0, y: -3 },
        },
        { shape: { type: 'capsule', a: { x: 1, y: 1 }, b: { x: 1, y: 1 }, radius: 0.5 }, position: { x: 3, y: -3 } },
        { shape: { type: 'circle', radius: 0 }, position: { x: 3, y: -2 } },
        { shape: { type: 'box', width: 1, height: 0, radius: 0.3 }, position: { x: -2, y: 2 } },
      ],
    },
  },
  {
    name: 'contact-halfplanes',
    op: 'contact',
    request: {
      a: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } },
      b: { shape: { type: 'halfplane', normal: { x: 1, y: 1 }, offset: 1 } },
    },
  },
  {
    name: 'impact-bullet',
    op: 'time-of-impact',
    request: {
      a: { shape: { type: 'box', width: 0.01, height: 8 }, position: { x: 100, y: 0 } },
      b: { shape: { type: 'circle', radius: 0.05 }, position: { x: 0, y: 0.3 }, velocity: { x: 1000, y: 1 } },
      duration: 1,
    },
  },
  {
    name: 'ray-nothing',
    op: 'ray-cast',
    request: { ray: { origin: { x: 1, y: 2 }, direction: { x: 1, y: 0 } }, targets: [] },
  },
  {
    name: 'distance-point',
    op: 'distance',
    request: {
      a: { shape: { type: 'point' }, position: { x: 3, y: 4 } },
      b: { shape: { type: 'point' }, position: { x: 3, y: 4 } },
    },
  },
]
