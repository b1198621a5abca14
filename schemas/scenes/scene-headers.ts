// Headers and path parameters of requests about scenes.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { SvgPicture } from '../picture.ts'
import { reference } from '../reference.ts'
import { identifier } from './scene-body.ts'

export const IF_MATCH_PATTERN = '^("(0|[1-9][0-9]{0,15})"|[*])$'
export const IF_NONE_MATCH_PATTERN = '^ *([*]|(W/)?"[^"]*"( *, *(W/)?"[^"]*")*) *$'
export const IDEMPOTENCY_KEY_PATTERN = '^[ -~]{1,255}$'

const ifMatch = Type.Optional(
  Type.String({
    pattern: IF_MATCH_PATTERN,
    description:
      'The ETag of the version that the write builds on, such as "12"; it is refused when the scene has moved on. * for any version.',
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
      'Any text that is new for each write. The same request sent again with the same key, within a day and a thousand such writes, is answered as the first was, and changes nothing more.',
  }),
)

export const ReadHeaders = Type.Object({ 'if-none-match': ifNoneMatch })
export type ReadHeaders = Static<typeof ReadHeaders>

export const WriteHeaders = Type.Object({ 'if-match': ifMatch })
export type WriteHeaders = Static<typeof WriteHeaders>

export const OperationsHeaders = Type.Object({ 'if-match': ifMatch, 'idempotency-key': idempotencyKey })
export type OperationsHeaders = Static<typeof OperationsHeaders>

export const SceneParameters = Type.Object({ sceneId: identifier('The scene.') })
export type SceneParameters = Static<typeof SceneParameters>

export const BodyParameters = Type.Object({ ...SceneParameters.properties, bodyId: identifier('The body.') })
export type BodyParameters = Static<typeof BodyParameters>

const ETag = { type: 'string', description: 'The version of the scene in double quotes, such as "12".' }
const Location = { type: 'string', description: 'Its path.' }

/** Of every answer about a scene. */
export const VERSION_HEADER = { ETag }

/** An answer about a scene, with its version. */
export function answered(schema: TSchema, description: string) {
  return { description, headers: VERSION_HEADER, content: { 'application/json': { schema: reference(schema) } } }
}

/** The same, or a drawing of it. `what`: without a full stop. */
export function answeredInPictures(schema: TSchema, what: string) {
  const answer = answered(
    schema,
    `${what}; with \`Accept: image/svg+xml\` a drawing of it and of the scene around it instead, which is a self-contained SVG.`,
  )
  return { ...answer, content: { ...answer.content, 'image/svg+xml': { schema: SvgPicture } } }
}

/** The same, or lines of which the last is that. */
export function answeredInLines(schema: TSchema, line: TSchema, description: string) {
  const answer = answered(schema, description)
  return { ...answer, content: { ...answer.content, 'application/x-ndjson': { schema: reference(line) } } }
}

/** The same for what is new. */
export function created(schema: TSchema, description: string) {
  return { ...answered(schema, description), headers: { ETag, Location } }
}

export const unchanged = { type: 'null', description: 'Still the version that If-None-Match names.', headers: { ETag } }
