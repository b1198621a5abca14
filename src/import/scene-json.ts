/**
 * The service's own JSON, as scenes are exported: bodies as they are, with ids, tags, motion and data of their own, the data to the byte,
 * and behind them the kept shapes that they name. Pages of bodies, as the service lists them, are such documents too.
 *
 * Frame: that of the document; mirroring, scale and offset are those of the import.
 */

import { reference } from '../../schemas/reference.ts'
import { SceneBody, SceneBody3d } from '../../schemas/scenes/body.ts'
import { type MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import { type MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
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
import { contentId } from '../kept/canonical-content.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import {
  idsInText,
  type KeptContent,
  keptContent,
  noteContents,
  referencesIn,
  referenceText,
  textWithContents,
} from '../scene/state/kept-content.ts'
import { canonicalText } from '../scene/state/shape-text.ts'
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

const SCHEMAS = { body: { 2: SceneBody, 3: SceneBody3d }, shape: { 2: Shape2d, 3: Shape3d } } as const
const validators = new Map<object, ReturnType<ReturnType<typeof bodyCompiler>>>()

export function importSceneJson<Moving extends MovingBody2d | MovingBody3d>(
  { main }: SourceFiles,
  dimension: SceneDimension,
  drawing: Drawing<Moving>,
): void {
  let count = 0
  const document = openDocument(main.name, utf8Of(main))
  const kept = new Map<string, KeptContent>()
  for (const value of document.shapes()) keepShape(value, dimension, `/shapes/${kept.size}`, kept)
  for (const value of document.bodies()) {
    const where = `/bodies/${count++}`
    const body = bodyOf<Moving>(value, dimension, where)
    takeBody(drawing, kept.size === 0 ? body : named(body, kept, drawing.framing.isPlain), where)
  }
}

/** Adds a kept shape to those that bodies of the document may name. */
function keepShape(value: unknown, dimension: SceneDimension, where: string, kept: Map<string, KeptContent>): void {
  const validate = validatorOf(dimension, 'shape')
  const { id, shape } = { ...(value as { id?: unknown; shape?: unknown }) }
  if (typeof id !== 'string' || !validate(shape)) {
    const { detail } = violationProblem(takeErrors(validate)[0], where)
    throw new ImportFault('import-malformed', where, typeof id === 'string' ? detail : 'A kept shape must have an id.')
  }
  const text = canonicalText(shape)
  const own = contentId(dimension === 2 ? '2d' : '3d', shape as object)
  if (idsInText(text).length > 0) throw new ImportFault('import-malformed', where, 'A kept shape names another.')
  // a compound of kept shapes has its id from their ids, and is known by its content from here on
  kept.set(id, keptContent(own, text))
}

/** The body with the kept shapes that it names: by reference where the frame leaves them as they are. */
function named<Moving>(
  body: ImportedBody<Moving>,
  kept: ReadonlyMap<string, KeptContent>,
  isPlain: boolean,
): ImportedBody<Moving> {
  const { shape } = body as { shape?: object }
  const ids = shape === undefined ? [] : referencesIn(shape)
  const contents = ids.flatMap((id) => kept.get(id) ?? [])
  if (shape === undefined || contents.length === 0 || contents.length < ids.length) return body
  const put = ids.reduce((text, id) => renamed(text, id, kept.get(id) as KeptContent), canonicalText(shape))
  if (!isPlain) return { ...body, shape: JSON.parse(textWithContents(put, contents)) }
  const taken = JSON.parse(put)
  noteContents(taken, [...new Set(contents)])
  return { ...body, shape: taken }
}

function renamed(text: string, id: string, content: KeptContent): string {
  return id === content.id ? text : text.replaceAll(referenceText(id), referenceText(content.id))
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

/** The values in its lists, a piece of them after another: as a whole they may need more memory than there is. */
interface OpenDocument {
  bodies(): Iterable<unknown>
  shapes(): Iterable<unknown>
}

function openDocument(name: string, bytes: Buffer): OpenDocument {
  const bodies = cutList(bytes, 'bodies')
  const shapes = cutList(bodies?.around ?? bytes, 'shapes')
  const around = shapes?.around ?? bodies?.around ?? bytes
  const document = asObject(parsed(name, bytes, around, MOST_AROUND), name)
  if (document.bodies === undefined) throw new ImportFault('import-malformed', name, 'It must have a list of bodies.')
  return {
    bodies: () => (bodies === null ? listAt(document, 'bodies', '') : itemsOf(name, bytes, bodies.pieces)),
    shapes: () => (shapes === null ? [] : itemsOf(name, bytes, shapes.pieces)),
  }
}

function* itemsOf(name: string, bytes: Buffer, pieces: readonly Buffer[]): Generator<unknown> {
  for (const piece of pieces) {
    const { bodies } = parsed(name, bytes, Buffer.concat([BEFORE, piece, BEHIND])) as { bodies: unknown[] }
    if (bodies.length === 0 && pieces.length > 1) throw malformedJson(name, bytes, new Error('an item is missing'))
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

function validatorOf(
  dimension: SceneDimension,
  what: keyof typeof SCHEMAS = 'body',
): ReturnType<ReturnType<typeof bodyCompiler>> {
  const schema = SCHEMAS[what][dimension]
  const validate = validators.get(schema) ?? bodyCompiler(schemasByName)(reference(schema))
  validators.set(schema, validate)
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
