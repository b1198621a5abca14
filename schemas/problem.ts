// Problem documents (RFC 9457): the body of every error response.

import { type Static, Type } from '@sinclair/typebox'
import { index, real, word } from './quantity.ts'
import { named, reference } from './reference.ts'

/** A published code keeps its meaning and is never reused for another problem. */
export const PROBLEM_CODES = [
  'malformed-request',
  'malformed-json',
  'empty-body',
  'schema-violation',
  'unauthorized',
  'read-only-token',
  'not-found',
  'scene-not-found',
  'body-not-found',
  'shape-not-found',
  'method-not-allowed',
  'not-acceptable',
  'request-timeout',
  'version-mismatch',
  'body-too-large',
  'too-many-vertices',
  'too-many-triangles',
  'too-many-reflex-edges',
  'too-many-parts',
  'too-many-targets',
  'too-many-obstacles',
  'too-many-impacts',
  'too-many-bodies',
  'too-many-cells',
  'too-many-queries',
  'too-many-rays',
  'too-many-operations',
  'too-many-scenes',
  'too-many-scene-bodies',
  'data-too-large',
  'import-malformed',
  'import-file-missing',
  'picture-too-large',
  'unsupported-media-type',
  'aabb-inverted',
  'aabb-rotated',
  'answer-out-of-range',
  'body-not-convex',
  'compound-too-deep',
  'coordinate-out-of-range',
  'direction-zero',
  'halfplane-normal-zero',
  'halfspace-normal-zero',
  'heightfield-misshapen',
  'idempotency-key-reused',
  'mesh-index-out-of-range',
  'mesh-misshapen',
  'mesh-not-closed',
  'minkowski-shape-unsupported',
  'orientation-not-unit',
  'polygon-not-convex',
  'ray-direction-zero',
  'region-hole-misplaced',
  'region-self-intersecting',
  'shape-unbounded',
  'shape-unknown',
  'too-complex',
  'trajectory-spinning',
  'rate-limited',
  'headers-too-large',
  'internal-error',
  'scene-damaged',
  'starting',
  'draining',
  'overloaded',
  'deadline-exceeded',
  'out-of-memory',
  'outcome-unknown',
  'store-unavailable',
  'storage-failed',
  'version-not-reached',
  'storage-full',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

export const ProblemError = Type.Object(
  {
    pointer: Type.String({
      description:
        'JSON Pointer from the root of the request body, as a URI fragment; `#` is the whole body. In a list of queries or operations it has the index: `#/queries/3/a/shape`. A line of a batch of lines is a document of its own.',
      examples: ['#/a/shape/radius'],
    }),
    detail: Type.String({
      description: 'What is wrong there: what was expected, and what was there.',
    }),
  },
  named('ProblemError', 'One place of the request that is wrong.'),
)
export type ProblemError = Static<typeof ProblemError>

export const ProblemDetails = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'Names the kind of problem, and leads to a page about it.',
    }),
    title: Type.String({
      description: 'The kind of problem, in a few words; the same for every problem of one code.',
    }),
    status: index('The HTTP status code.'),
    detail: Type.String({ description: 'What went wrong with this request, in one sentence.' }),
    code: word(PROBLEM_CODES, 'The kind of problem, for programs.'),
    errors: Type.Optional(
      Type.Array(reference(ProblemError), {
        description: 'Where the request is wrong, when one place can be named.',
      }),
    ),
    limit: Type.Optional(real('The limit that was passed, when the problem is one of size.')),
    actual: Type.Optional(
      real(
        'What was sent where limit applies, when it is known; the version that a scene is at, where If-Match asked for another, or If-Version-At-Least for a later one.',
      ),
    ),
    shape: Type.Optional(
      Type.String({ description: 'The id of the kept shape that is not here, when that is the problem.' }),
    ),
    requestId: Type.String({
      description: 'The id of the request, also in the X-Request-Id header; quote it when asking for help.',
    }),
  },
  named('ProblemDetails', 'A problem in the form of RFC 9457.', [
    {
      type: '/problems/schema-violation',
      title: 'The request does not match the schema',
      status: 400,
      detail: 'radius must be at least 0, got -1.',
      code: 'schema-violation',
      errors: [{ pointer: '#/a/shape/radius', detail: 'radius must be at least 0, got -1.' }],
      requestId: 'req-1',
    },
  ]),
)
export type ProblemDetails = Static<typeof ProblemDetails>

export const ProblemKind = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'The address of this document.' }),
    code: word(PROBLEM_CODES, 'The code.'),
    status: index('The HTTP status code that goes with it.'),
    title: Type.String({ description: 'The kind of problem, in a few words.' }),
    description: Type.String({ description: 'When it is answered, and what to do about it: cause and fix.' }),
    cause: Type.String({ description: 'When it is answered.' }),
    fix: Type.String({ description: 'What to do about it.' }),
  },
  named('ProblemKind', 'What a problem code means.'),
)
export type ProblemKind = Static<typeof ProblemKind>

export const ProblemList = Type.Object(
  { problems: Type.Array(reference(ProblemKind), { description: 'The kinds of problems.' }) },
  named('ProblemList', 'What may go wrong.'),
)
export type ProblemList = Static<typeof ProblemList>
