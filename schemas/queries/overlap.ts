// POST /v1/2d/overlap and /v1/3d/overlap: do two bodies share a point, how can the client check it, and does one contain the other?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { length, word } from '../quantity.ts'
import { named, reference, taggedUnion } from '../reference.ts'

/** `check`: how a client verifies a separating axis; `present`: when there is a certificate. */
interface Words {
  readonly check: string
  readonly present: string
}

function overlap<V extends TSchema, B extends TSchema>(
  { tag, vector, body }: { tag: string; vector: V; body: B },
  { check, present }: Words,
  examples: Examples,
) {
  const request = Type.Object(
    {
      a: reference(body, 'The first body, A.'),
      b: reference(body, 'The second body, B.'),
      explain: Type.Optional(
        Type.Boolean({
          description:
            'Ask for a certificate of the answer, and whether one body contains the other; false when absent.',
        }),
      ),
    },
    named(`Overlap${tag}Request`, 'Two bodies to test for a common point.', examples.request),
  )
  const separatingAxis = Type.Object(
    {
      kind: Type.Literal('separating-axis'),
      normal: reference(vector, 'Unit vector of the axis, from A to B, world frame.'),
      gap: length('Length of the empty interval between the projections of A and B on the axis, greater than 0.'),
    },
    named(
      `SeparatingAxisCertificate${tag}`,
      `Proof that the bodies are apart: projected on normal, all of A lies below all of B, with gap between them${check}`,
    ),
  )
  const commonPoint = Type.Object(
    {
      kind: Type.Literal('common-point'),
      point: reference(vector, 'A point of both bodies, world frame, to rounding.'),
    },
    named(
      `CommonPointCertificate${tag}`,
      'Proof that the bodies meet: a point that lies in both. Checked by testing it against each.',
    ),
  )
  const certificate = taggedUnion('kind', [separatingAxis, commonPoint] as const, {
    $id: `OverlapCertificate${tag}`,
    description: 'What the client can check the answer with; `kind` says which proof it is.',
  })
  const response = Type.Object(
    {
      overlap: Type.Boolean({ description: 'True when the bodies share at least one point; touching counts.' }),
      relation: word(
        ['separated', 'touching', 'overlapping'],
        'separated: no common point; touching: boundaries meet, insides do not; overlapping: insides meet.',
      ),
      aContainsB: Type.Optional(
        Type.Boolean({
          description:
            'Present when explain was true: whether every point of B is a point of A. Bodies are closed, so B may touch the boundary of A from inside.',
        }),
      ),
      bContainsA: Type.Optional(
        Type.Boolean({ description: 'Present when explain was true: whether every point of A is a point of B.' }),
      ),
      certificate: Type.Optional(reference(certificate, `Present when explain was true${present}.`)),
    },
    named(`Overlap${tag}Response`, 'Whether the bodies overlap, decided exactly.', examples.response),
  )
  return { request, response, certificate, separatingAxis }
}

const in2d = overlap(
  plane,
  {
    check: '. Checked by projecting every vertex once.',
    present: ', except where bodies that are not convex are apart and no straight line runs between them',
  },
  {
    request: {
      'box-and-circle': {
        a: { shape: { type: 'box', width: 2, height: 2 } },
        b: { shape: { type: 'circle', radius: 1 }, position: { x: 2, y: 0 } },
      },
      'separating-axis': {
        a: { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 16, y: 16 } } },
        b: {
          shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 0, y: 12 }, radius: 4 },
          position: { x: 21, y: 2 },
        },
        explain: true,
      },
      'common-point': {
        a: { shape: { type: 'ellipse', rx: 3, ry: 1 }, rotation: 0.5 },
        b: { shape: { type: 'point' }, position: { x: 1, y: 0.5 } },
        explain: true,
      },
    },
    response: [
      { overlap: true, relation: 'touching' },
      {
        overlap: false,
        relation: 'separated',
        aContainsB: false,
        bContainsA: false,
        certificate: { kind: 'separating-axis', normal: { x: 1, y: 0 }, gap: 1 },
      },
    ],
  },
)
export const { request: OverlapRequest, response: OverlapResponse } = in2d
export type OverlapRequest = Static<typeof OverlapRequest>
export type OverlapResponse = Static<typeof OverlapResponse>

const in3d = overlap(
  space,
  { check: ', so a plane across it runs between them.', present: '' },
  {
    request: {
      'box-and-ball': {
        a: { shape: { type: 'box', size: { x: 2, y: 2, z: 2 } } },
        b: { shape: { type: 'sphere', radius: 1 }, position: { x: 2, y: 0, z: 0 } },
      },
      'separating-axis': {
        a: { shape: { type: 'cylinder', radius: 1, height: 4 } },
        b: { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: 6, z: 0 } },
        explain: true,
      },
    },
    response: [
      { overlap: true, relation: 'touching' },
      {
        overlap: false,
        relation: 'separated',
        aContainsB: false,
        bContainsA: false,
        certificate: { kind: 'separating-axis', normal: { x: 0, y: 1, z: 0 }, gap: 3 },
      },
    ],
  },
)
export const { request: Overlap3dRequest, response: Overlap3dResponse } = in3d
export type Overlap3dRequest = Static<typeof Overlap3dRequest>
export type Overlap3dResponse = Static<typeof Overlap3dResponse>
