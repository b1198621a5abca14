// POST /v1/3d/pairs: which of many bodies meet?

import { type Static, Type } from '@sinclair/typebox'
import { MAX_PAIRED_BODIES, PairsRequest, PairsResponse } from '../queries/pairs.ts'
import { named, reference } from '../reference.ts'
import { Body3d } from '../shapes3d/body.ts'

const cube = { type: 'box', size: { x: 2, y: 2, z: 2 } }

export const Pairs3dRequest = Type.Object(
  {
    bodies: Type.Array(reference(Body3d), {
      maxItems: MAX_PAIRED_BODIES,
      description: 'The bodies; answers name them by their index in this list.',
    }),
    method: PairsRequest.properties.method,
    cellSize: PairsRequest.properties.cellSize,
    phase: PairsRequest.properties.phase,
  },
  named('Pairs3dRequest', 'Bodies in space of which those pairs are wanted that meet.', {
    'three-bodies-in-space': {
      bodies: [
        { shape: { type: 'sphere', radius: 1 } },
        { shape: cube, position: { x: 0, y: 2, z: 0 } },
        { shape: cube, position: { x: 2, y: 2, z: 2 } },
      ],
    },
  }),
)
export type Pairs3dRequest = Static<typeof Pairs3dRequest>

export const Pairs3dResponse = Type.Object(
  PairsResponse.properties,
  named('Pairs3dResponse', 'The pairs in space that meet.', [
    {
      pairs: [
        [0, 1],
        [1, 2],
      ],
      stats: { method: 'brute-force', reason: 'at most 48 boxes', boxTests: 3, narrowTests: 3 },
      truncated: false,
    },
  ]),
)
export type Pairs3dResponse = Static<typeof Pairs3dResponse>
