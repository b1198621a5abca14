// Headers and path parameters of requests about scenes, and responses with the headers that name a version.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { SvgPicture } from '../picture.ts'
import { reference } from '../reference.ts'
import { identifier } from './body.ts'

const NAME = '(0|[1-9][0-9]{0,14})([.][0-9a-f]{8})?'
const TAG = `(W/)?"${NAME}"`
export const IF_MATCH_PATTERN = `^ *([*]|${TAG}( *, *${TAG})*) *$`
/** A version outside an ETag too: with quotes or without. */
export const NAMED_VERSION_PATTERN = `^(${NAME}|${TAG})$`
export const IF_NONE_MATCH_PATTERN = '^ *([*]|(W/)?"[^"]*"( *, *(W/)?"[^"]*")*) *$'
export const IDEMPOTENCY_KEY_PATTERN = '^[ -~]{1,255}$'

const ifMatch = Type.Optional(
  Type.String({
    pattern: IF_MATCH_PATTERN,
    description:
      'The ETag of the version that the write builds on, such as "12.1f3a9c07", or of several; it is refused when the scene has moved on. "12" alone is taken too, and * for any version.',
  }),
)
const ifNoneMatch = Type.Optional(
  Type.String({
    pattern: IF_NONE_MATCH_PATTERN,
    description: 'The ETag of what is known already; the answer is 304 without a body when that is still the version.',
  }),
)
const idempotencyKey = Type.Optional(
  Type.String({
    pattern: IDEMPOTENCY_KEY_PATTERN,
    description:
      'Any text that is new for each write, such as a UUID. The same request sent again with the same key, to any instance, within a day and a hundred thousand writes to the scene, is answered as the first was, and changes nothing more. Another request with that key is refused.',
  }),
)

const AT_LEAST =
  'The version that the answer is to be of, or a later one, such as 12 or the ETag of a write: an instance that has not heard of it waits for it, for as long as Prefer: wait=… says.'
const waiting = {
  'if-version-at-least': Type.Optional(Type.String({ pattern: NAMED_VERSION_PATTERN, description: AT_LEAST })),
  prefer: Type.Optional(
    Type.String({
      description:
        'wait=3: most seconds to wait for the version that is wanted at least; 5 when absent, and never longer than the time that a query has.',
    }),
  ),
}

/** For clients that cannot send headers: the query-string form of If-Version-At-Least. */
export const atLeast = Type.Optional(
  Type.String({
    pattern: NAMED_VERSION_PATTERN,
    description: 'The same as If-Version-At-Least, which counts where both are given.',
  }),
)
export const ReadParameters = Type.Object({ atLeast })

/** Of reads of bodies. */
export const content = Type.Optional(
  Type.Boolean({
    description:
      'true: in place of each reference to a kept shape stands its content, which the scene holds. false when absent: shapes are as they were put.',
  }),
)
export const BodyReadParameters = Type.Object({ content, atLeast })

/** Headers of queries. */
export const QuestionHeaders = Type.Object(waiting)

/** Headers of queries that may write. */
export const MendHeaders = Type.Object({ 'if-match': ifMatch, ...waiting })

export const ReadHeaders = Type.Object({ 'if-none-match': ifNoneMatch, ...waiting })
export type ReadHeaders = Static<typeof ReadHeaders>

export const WriteHeaders = Type.Object({ 'if-match': ifMatch, 'idempotency-key': idempotencyKey })
export type WriteHeaders = Static<typeof WriteHeaders>

/** Headers of requests that create a scene with a generated id. */
export const BeginHeaders = Type.Object({ 'idempotency-key': idempotencyKey })

export const SceneParameters = Type.Object({ sceneId: identifier('The scene.') })
export type SceneParameters = Static<typeof SceneParameters>

export const BodyParameters = Type.Object({ ...SceneParameters.properties, bodyId: identifier('The body.') })
export type BodyParameters = Static<typeof BodyParameters>

const ETag = {
  type: 'string',
  description:
    'The version of the scene and the first digits of its digest in double quotes, such as "12.1f3a9c07". The digest tells it from another twelfth version, of a scene that was begun anew. "12" where the digest is not known, after a write of an earlier release that is repeated.',
}
const TangentStale = {
  type: 'string',
  description:
    'Seconds since when it is not known what other instances have written. Only while the database cannot be reached.',
}
const PreferenceApplied = {
  type: 'string',
  description: 'wait=3, where Prefer says so and a version is wanted at least.',
}
const Location = { type: 'string', description: 'Its path.' }

/** Header of every response about a scene. */
export const VERSION_HEADER = { ETag }
/** Headers of every response to a read. */
export const READ_HEADERS = { ETag, 'Tangent-Stale': TangentStale, 'Preference-Applied': PreferenceApplied }

/** A response about a scene, with its version. */
export function answered(schema: TSchema, description: string) {
  return { description, headers: VERSION_HEADER, content: { 'application/json': { schema: reference(schema) } } }
}

/** A response to a read, with its version. */
export function read(schema: TSchema, description: string) {
  return { ...answered(schema, description), headers: READ_HEADERS }
}

/** A response to a read as JSON or as a drawing. `what` has no full stop. */
export function answeredInPictures(schema: TSchema, what: string) {
  const answer = read(
    schema,
    `${what}; with \`Accept: image/svg+xml\` a drawing of it and of the scene around it instead, which is a self-contained SVG.`,
  )
  return { ...answer, content: { ...answer.content, 'image/svg+xml': { schema: SvgPicture } } }
}

/** A response as JSON, or as lines of which the last is that JSON. */
export function answeredInLines(schema: TSchema, line: TSchema, description: string) {
  const answer = answered(schema, description)
  return { ...answer, content: { ...answer.content, 'application/x-ndjson': { schema: reference(line) } } }
}

/** A response about a new scene or body, with its location. */
export function created(schema: TSchema, description: string) {
  return { ...answered(schema, description), headers: { ETag, Location } }
}

export const unchanged = {
  type: 'null',
  description: 'Still the version that If-None-Match names.',
  headers: READ_HEADERS,
}
