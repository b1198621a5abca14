/**
 * The service's own JSON, as scenes are exported: bodies as they are, with ids, tags, motion and data of their own, the data to the byte.
 * Pages of bodies, as the service lists them, are such documents too.
 *
 * Frame: that of the document; mirroring, scale and offset are those of the import.
 */

import { reference } from '../../schemas/reference.ts'
import { SceneBody, SceneBody3d } from '../../schemas/scenes/body.ts'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import type { MovingBody3d } from '../../schemas/shapes3d.ts'
import { noteCount } from '../containers/progress.ts'
import {
  assertReadable,
  BETWEEN,
  CLOSE,
  isSpace,
  kinds,
  type MostOfText,
  OPEN,
  STRING,
  skipString,
  TooMuchToRead,
} from '../json/input.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import { schemasByName } from '../wire/named-schemas.ts'
import { checkDataSize } from '../wire/scene-body.ts'
import { parseBodies } from '../wire/scene-body-text.ts'
import { violationProblem } from '../wire/schema-violation.ts'
import { bodyCompiler, takeErrors } from '../wire/validators.ts'
import { type Drawing, type ImportedBody, skip } from './drawing.ts'
import { asObject, listAt, malformedJson } from './json-file.ts'
import { ImportFault, type SourceFiles, utf8Of } from './source-files.ts'

/** Of what there is beside the bodies. */
const MOST_AROUND: MostOfText = { parts: 2 ** 16, items: 2 ** 16, fields: 2 ** 10, sequences: 2 ** 15 }
const [BEFORE, BEHIND] = [Buffer.from('{"bodies":'), Buffer.from('}')]

const SCHEMAS = { 2: SceneBody, 3: SceneBody3d } as const
const validators = new Map<SceneDimension, ReturnType<ReturnType<typeof bodyCompiler>>>()

export function importSceneJson<Moving extends MovingBody2d | MovingBody3d>(
  { main }: SourceFiles,
  dimension: SceneDimension,
  drawing: Drawing<Moving>,
): void {
  let count = 0
  for (const value of bodiesOf(main.name, utf8Of(main))) {
    const where = `/bodies/${count++}`
    const body = bodyOf<Moving>(value, dimension, where)
    takeBody(drawing, body, where)
  }
}

/** A body that has an id of its own. */
export function takeBody<Moving extends MovingBody2d | MovingBody3d>(
  drawing: Drawing<Moving>,
  body: ImportedBody<Moving>,
  where: string,
): void {
  if (drawing.ids.has(body.id)) {
    skip(drawing, where, 'body', `The document has another body ${body.id} before it.`)
    return
  }
  if (drawing.bodyCount === drawing.mostBodies) {
    const message = 'The document has more bodies than one write can put into the scene: cut its bodies in several.'
    throw new ImportFault('too-many-operations', where, message)
  }
  drawing.ids.set(body.id, 1)
  noteCount('bodies', ++drawing.bodyCount)
  drawing.take(drawing.framing.moving(body), body)
}

/** The values in the list of bodies, a piece of it after another: as a whole they may need more memory than there is. */
function* bodiesOf(name: string, bytes: Buffer): Generator<unknown> {
  const cut = cutList(bytes, 'bodies')
  const document = asObject(parsed(name, bytes, cut?.around ?? bytes, MOST_AROUND), name)
  if (document.bodies === undefined) throw new ImportFault('import-malformed', name, 'It must have a list of bodies.')
  if (cut === null) return yield* listAt(document, 'bodies', '')
  for (const piece of cut.pieces) {
    const { bodies } = parsed(name, bytes, Buffer.concat([BEFORE, piece, BEHIND])) as { bodies: unknown[] }
    if (bodies.length === 0 && cut.pieces.length > 1) throw malformedJson(name, bytes, new Error('a body is missing'))
    yield* bodies
  }
}

/** Parses a part of the file. */
function parsed(name: string, bytes: Buffer, part: Buffer, most?: MostOfText): unknown {
  try {
    assertReadable(part, 0, part.length, most)
    return parseBodies(part.toString())
  } catch (error) {
    if (error instanceof TooMuchToRead) throw new ImportFault('import-malformed', name, error.message)
    throw malformedJson(name, bytes, error as Error)
  }
}

function bodyOf<Moving>(value: unknown, dimension: SceneDimension, where: string): ImportedBody<Moving> {
  const validate = validatorOf(dimension)
  if (!validate(value)) {
    const { detail, places } = violationProblem(takeErrors(validate)[0], where)
    throw new ImportFault('import-malformed', `${where}${places[0]?.pointer ?? ''}`, detail)
  }
  const body = value as ImportedBody<Moving>
  const problem = checkDataSize(body.data)
  if (problem !== null) throw new ImportFault('import-malformed', `${where}/data`, problem.detail)
  return body
}

function validatorOf(dimension: SceneDimension): ReturnType<ReturnType<typeof bodyCompiler>> {
  const validate = validators.get(dimension) ?? bodyCompiler(schemasByName)(reference(SCHEMAS[dimension]))
  validators.set(dimension, validate)
  return validate
}

/** The body that a value with `data` as text is; null where it is none. */
export function readBody<Moving>(value: unknown, dimension: SceneDimension): ImportedBody<Moving> | null {
  const body = value as ImportedBody<Moving>
  return validatorOf(dimension)(value) && checkDataSize(body.data) === null ? body : null
}

// A long list cut out of a JSON document, and into pieces, before anything is parsed: what is in it need never be there as a whole.
//
// Method: strings are skipped, brackets counted. The document is JSON if, and only if, what is around the list and each piece between
// brackets are: whoever parses them finds out.

/** Bytes after which a piece ends with the item that it is in. */
const PIECE_LENGTH = 2 ** 16
const COLON = 58
const LIST = 91
const BEGIN = Buffer.from('[')
const END = Buffer.from(']')

interface CutDocument {
  /** The document with an empty list. */
  readonly around: Buffer
  /** Its items, as lists; several, or one that may be empty. */
  readonly pieces: readonly Buffer[]
}

/** The list that the outermost object has under a name; null where there is none, or more than one. Cost: one look at each byte. */
export function cutList(bytes: Buffer, name: string): CutDocument | null {
  const quoted = JSON.stringify(name)
  const cuts: number[] = []
  let [depth, nameStart, nameEnd] = [0, 0, 0]
  let isInside = false
  let end = -1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    const kind = kinds[byte]
    if (kind === STRING) {
      nameStart = at
      nameEnd = skipString(bytes, at + 1, bytes.length)
      at = nameEnd - 1
    } else if (kind === OPEN) depth++
    else if (kind === CLOSE) {
      depth--
      if (isInside && depth === 1) {
        isInside = false
        end = at
      }
    } else if (byte === COLON && depth === 1 && bytes.toString('latin1', nameStart, nameEnd) === quoted) {
      if (cuts.length > 0) return null
      do at++
      while (isSpace(bytes[at]))
      if (bytes[at] !== LIST) return null
      depth++
      isInside = true
      cuts.push(at)
    } else if (kind === BETWEEN && isInside && depth === 2 && at - cuts[cuts.length - 1] > PIECE_LENGTH) cuts.push(at)
  }
  if (end < 0) return null
  const around = Buffer.concat([bytes.subarray(0, cuts[0] + 1), bytes.subarray(end)])
  cuts.push(end)
  const pieces = cuts.slice(1).map((to, k) => Buffer.concat([BEGIN, bytes.subarray(cuts[k] + 1, to), END]))
  return { around, pieces }
}
