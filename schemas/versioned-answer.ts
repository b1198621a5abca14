// Answers about a version of a scene, and the headers that say which.

import type { TSchema } from '@sinclair/typebox'
import { SvgPicture } from './picture.ts'
import { reference } from './reference.ts'

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

/** Of every answer about a scene. */
export const VERSION_HEADER = { ETag }
/** Of every answer to a read. */
export const READ_HEADERS = { ETag, 'Tangent-Stale': TangentStale, 'Preference-Applied': PreferenceApplied }

/** An answer about a scene, with its version. */
export function answered(schema: TSchema, description: string) {
  return { description, headers: VERSION_HEADER, content: { 'application/json': { schema: reference(schema) } } }
}

/** The same to a read. */
export function read(schema: TSchema, description: string) {
  return { ...answered(schema, description), headers: READ_HEADERS }
}

/** The same, or a drawing of it. `what`: without a full stop. */
export function answeredInPictures(schema: TSchema, what: string) {
  const answer = read(
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

export const unchanged = {
  type: 'null',
  description: 'Still the version that If-None-Match names.',
  headers: READ_HEADERS,
}
