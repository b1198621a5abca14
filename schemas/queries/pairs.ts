// POST /v1/2d/pairs and /v1/3d/pairs: which of many bodies overlap or touch?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { index, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'

/** Hard limit of the list; the configured limit is at most this. */
export const MAX_PAIRED_BODIES = 1_000_000

export const METHODS = ['sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force'] as const

const PairsStats = Type.Object(
  {
    method: word(METHODS, 'The method that found the pairs of boxes.'),
    reason: Type.String({ description: 'Why it was that one, for people to read.' }),
    boxTests: index('How many times two boxes were compared; nodes of a tree are boxes too.'),
    narrowTests: index('How many pairs of bodies were themselves compared; 0 for the broad phase.'),
  },
  named('PairsStats', 'How the pairs were found.'),
)

function pairs<B extends TSchema>(
  { tag, body, inSpace }: { tag: string; body: B; inSpace: string },
  examples: Examples,
) {
  const request = Type.Object(
    {
      bodies: Type.Array(reference(body), {
        maxItems: MAX_PAIRED_BODIES,
        description: 'The bodies; answers name them by their index in this list.',
      }),
      method: Type.Optional(
        word(
          ['auto', ...METHODS],
          'How bodies near each other are found. All methods give the same pairs; auto picks the one that suits the number and the sizes of the bodies. auto when absent.',
        ),
      ),
      cellSize: Type.Optional(
        real('Side of the cells of a spatial hash, a length; chosen by the sizes of the bodies when absent.', {
          exclusiveMinimum: 0,
        }),
      ),
      phase: Type.Optional(
        word(
          ['broad', 'narrow'],
          'broad: pairs whose axis-aligned boxes meet; narrow: pairs that meet themselves, as overlap has it. Touching counts for both. narrow when absent.',
        ),
      ),
    },
    named(`Pairs${tag}Request`, `Bodies${inSpace} of which those pairs are wanted that meet.`, examples.request),
  )
  const response = Type.Object(
    {
      pairs: Type.Array(
        Type.Array(index('Index of a body.'), {
          minItems: 2,
          maxItems: 2,
          description: 'Two bodies, the lower index first.',
        }),
        { description: 'The pairs, sorted by the first index and then by the second.' },
      ),
      stats: reference(PairsStats, 'How they were found.'),
      truncated: Type.Boolean({
        description:
          'True when more pairs of boxes meet than are looked at (see maxPairs at /v1/limits): what is given are all pairs among the first ones, in the order of the answer.',
      }),
    },
    named(`Pairs${tag}Response`, `The pairs${inSpace} that meet.`, examples.response),
  )
  return { request, response }
}

export const { request: PairsRequest, response: PairsResponse } = pairs(plane, {
  request: {
    'three-bodies': {
      bodies: [
        { shape: { type: 'circle', radius: 1 } },
        { shape: { type: 'box', width: 2, height: 2 }, position: { x: 2, y: 0 } },
        { shape: { type: 'box', width: 2, height: 2 }, position: { x: 2, y: 2 } },
      ],
    },
  },
  response: [
    {
      pairs: [
        [0, 1],
        [1, 2],
      ],
      stats: { method: 'brute-force', reason: 'at most 48 boxes', boxTests: 3, narrowTests: 3 },
      truncated: false,
    },
  ],
})
export type PairsRequest = Static<typeof PairsRequest>
export type PairsResponse = Static<typeof PairsResponse>

const cube = { type: 'box', size: { x: 2, y: 2, z: 2 } }

export const { request: Pairs3dRequest, response: Pairs3dResponse } = pairs(space, {
  request: {
    'three-bodies-in-space': {
      bodies: [
        { shape: { type: 'sphere', radius: 1 } },
        { shape: cube, position: { x: 0, y: 2, z: 0 } },
        { shape: cube, position: { x: 2, y: 2, z: 2 } },
      ],
    },
  },
  response: [
    {
      pairs: [
        [0, 1],
        [1, 2],
      ],
      stats: { method: 'brute-force', reason: 'at most 48 boxes', boxTests: 3, narrowTests: 3 },
      truncated: false,
    },
  ],
})
export type Pairs3dRequest = Static<typeof Pairs3dRequest>
export type Pairs3dResponse = Static<typeof Pairs3dResponse>
