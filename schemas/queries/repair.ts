// POST /v1/2d/repair: outlines that cross themselves or each other, as the regions that they fill.

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MAX_OUTLINE_VERTICES } from '../shapes2d.ts'
import { Vec2 } from '../vector.ts'

/** Changes of one kind that an answer lists at most. */
export const MAX_CHANGES = 1000

const FILL_RULES = ['nonzero', 'evenodd'] as const

/** In the order in which the changes are listed. */
export const CHANGE_KINDS = [
  'crossing',
  'overlap',
  'spike',
  'repeated',
  'no-area',
  'no-effect',
  'turned',
  'divided',
] as const

const at = (x: number, y: number): Vec2 => ({ x, y })
const BOW_TIE = [at(0, 0), at(2, 2), at(2, 0), at(0, 2)]

export const RepairRequest = Type.Object(
  {
    rings: Type.Array(
      Type.Array(reference(Vec2), {
        minItems: 1,
        maxItems: MAX_OUTLINE_VERTICES,
        description: 'The vertices of one ring, in either direction. Do not repeat the first one at the end.',
      }),
      {
        minItems: 1,
        maxItems: MAX_OUTLINE_VERTICES,
        description:
          'Closed rings, in any order. They may cross, overlap, touch, repeat vertices and have no area; a ring and a hole are told apart by the rule alone.',
      },
    ),
    rule: word(
      FILL_RULES,
      'What is filled. nonzero: every point that the rings wind around, the turns to the left less those to the right. evenodd: every point from which a line to the outside crosses the rings an odd number of times.',
    ),
  },
  named('RepairRequest', 'Rings to find the filled regions of.', {
    'bow-tie': { rings: [BOW_TIE], rule: 'nonzero' },
    'square-with-hole': {
      rings: [
        [at(0, 0), at(4, 0), at(4, 4), at(0, 4)],
        [at(1, 1), at(3, 1), at(3, 3), at(1, 3)],
      ],
      rule: 'evenodd',
    },
  }),
)
export type RepairRequest = Static<typeof RepairRequest>

export const RepairedRegion = Type.Object(
  {
    outer: Type.Array(reference(Vec2), {
      minItems: 3,
      description: 'The outer ring, counter-clockwise from its leftmost vertex (the lowest of these).',
    }),
    holes: Type.Array(Type.Array(reference(Vec2), { minItems: 3 }), {
      description: 'The holes, clockwise, each from its leftmost vertex; none where there is no hole.',
    }),
  },
  named(
    'RepairedRegion',
    'A simple outline with its holes. Add "type": "region" and every other query takes it as a shape.',
  ),
)
export type RepairedRegion = Static<typeof RepairedRegion>

export const RepairChange = Type.Object(
  {
    kind: word(
      CHANGE_KINDS,
      'What was done. crossing: two edges that cross were cut there; overlap: a stretch that two edges share was joined; spike: a ring that goes back along itself lost that part; repeated: a vertex on the one before was dropped; no-area: a ring on one line was dropped; no-effect: a ring was dropped that has filled area on both sides, or on neither; turned: a ring runs the other way now; divided: a ring that touches itself or others was divided or joined where it does.',
    ),
    detail: Type.String({ description: 'What was there, in one sentence.' }),
    action: Type.String({ description: 'What was done about it, in one sentence.' }),
    pointers: Type.Array(Type.String(), {
      minItems: 1,
      description:
        'Where: JSON Pointers into the request body, as URI fragments. Of edges the vertices at which they start; of a ring the ring.',
    }),
    points: Type.Array(reference(Vec2), {
      description: 'Where in the plane: the crossing, both ends of a stretch, the vertex, the first vertex of a ring.',
    }),
  },
  named('RepairChange', 'Something that had to be done to the rings.'),
)
export type RepairChange = Static<typeof RepairChange>

export const RepairResponse = Type.Object(
  {
    regions: Type.Array(reference(RepairedRegion), {
      description:
        'What the rings fill, from left to right by the leftmost vertices. Regions and holes do not cross and have no inside in common; rings may touch each other at single points. Vertices of the request are kept to the last bit; a crossing is rounded once, to the nearest doubles, and nothing crosses anew after that. (Where so many edges lie within rounding of each other that this has no end, all points are rounded to the last digit of the largest coordinate.) The answer depends only on the set that is filled and on the vertices, not on the order or direction of the rings. Empty where nothing is filled.',
    }),
    changes: Type.Array(reference(RepairChange), {
      description: `What was done to the rings and where, by kind; at most ${MAX_CHANGES} of each kind. Empty where the rings were simple already and ran the right way.`,
    }),
    truncated: Type.Boolean({ description: 'True when there are, or may be, more changes than those listed.' }),
  },
  named('RepairResponse', 'The regions, and what was done.', [
    {
      regions: [
        { outer: [at(0, 0), at(1, 1), at(0, 2)], holes: [] },
        { outer: [at(1, 1), at(2, 0), at(2, 2)], holes: [] },
      ],
      changes: [
        {
          kind: 'crossing',
          detail: 'Edge 0 and edge 2 of ring 0 cross at (1, 1).',
          action: 'Both are cut there.',
          pointers: ['#/rings/0/0', '#/rings/0/2'],
          points: [at(1, 1)],
        },
      ],
      truncated: false,
    },
  ]),
)
export type RepairResponse = Static<typeof RepairResponse>
