/**
 * The result of reading an editor's file: bodies with ids, tags and data of the file's own, and reports of everything that became none.
 *
 * Frame: that of the editor, its pixels and its origin, y down where it has y down; angles in radians, from +x towards +y. Mirroring,
 * scale and offset come last, here and nowhere else.
 */

import { createHash } from 'node:crypto'
import { MAX_DATA_BYTES, tagText } from '../../schemas/scenes/body.ts'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import type { MovingBody3d } from '../../schemas/shapes3d.ts'
import { noteCount } from '../containers/progress.ts'
import { ImportFault } from './source-files.ts'

export type ImportedBody<Moving = MovingBody2d> = Moving & {
  id: string
  tags?: string[]
  sensor?: boolean
  /** JSON text. */
  data?: string
}

/** How bodies come from the frame of the file into that of the scene. */
export interface Framing<Moving> {
  /** Whether all stay as they are. */
  readonly isPlain: boolean
  /** Factor of lengths. */
  readonly scale: number
  moving<M extends Moving>(body: M): M
  /** The body without other fields; a pose that does nothing is left out. */
  drawn(body: Moving): Moving
}

/** Something of the file that became no body, or not all of it. */
export interface Skipped {
  /** Where in the file: layers and objects by their own names. */
  where: string
  /** In a word or two, what it is. */
  what: string
  /** A sentence. */
  why: string
}

/** Something of the file that has an extent. */
export type Drawn<Moving = MovingBody2d> = Moving & {
  /** Name of the layer, as the file has it; absent in files without layers. */
  layer?: string | undefined
  /** Distinguishes it within its layer: the file's own id if it has one. */
  key: string
  kind: string
  isHidden?: boolean
  /** It is met, and stands in nobody's way. */
  sensor?: boolean
  /** Tags besides those of layer and kind. */
  tags?: readonly string[]
  /** The custom properties. */
  data?: Record<string, unknown>
  where: string
}

export interface Drawing<Moving = MovingBody2d> {
  readonly framing: Framing<Moving>
  /** Of one region: what has more is cut where that can be done. */
  readonly mostVertices: number
  /** More cannot be written at once, so that no file need be read to its end that has them. */
  readonly mostBodies: number
  /** Limit for pieces of cells and all bodies drawn before them, whatever is in the scene already. */
  readonly mostPieces: number
  /** Cells on a side of blocks whose small pieces are drawn together; 0: each is a body. */
  readonly groupSide: number
  /** Called for every body, with the body before it was mirrored, scaled and moved. */
  readonly take: (body: ImportedBody<Moving>, before: Moving) => void
  bodyCount: number
  /** Each `Skipped` as JSON text: there may be very many. */
  readonly skipped: TextPages
  /** Each repair as JSON text. */
  readonly repaired: TextPages
  /** Ids that are taken, and how often each was wanted. */
  readonly ids: Map<string, number>
  /** Solid cells of grids. */
  cells: number
  /** Bodies that they became, where cells were joined. */
  merged: number
}

/** Advice about a file of too many bodies. */
export const FEWER_OPERATIONS = 'Cells can be joined by merge=true, and a file cut in several.'

/** Of files of space. */
export type Drawing3d = Drawing<MovingBody3d>

export function createDrawing<Moving>(
  given: Pick<Drawing<Moving>, 'framing' | 'mostVertices' | 'mostBodies' | 'mostPieces' | 'groupSide' | 'take'>,
): Drawing<Moving> {
  return {
    ...given,
    bodyCount: 0,
    skipped: new TextPages(),
    repaired: new TextPages(),
    ids: new Map(),
    cells: 0,
    merged: 0,
  }
}

/** Most skipped things that are listed: a file with more is no level. */
const MOST_SKIPPED = 100_000

export function skip({ skipped }: Pick<Drawing, 'skipped'>, where: string, what: string, why: string): void {
  if (skipped.count === MOST_SKIPPED) {
    const message = `More than ${MOST_SKIPPED} things of the file have no shape; so many are not listed.`
    throw new ImportFault('import-malformed', cut(where), message)
  }
  skipped.add(JSON.stringify({ where: cut(where), what, why: cut(why) } satisfies Skipped))
}

/** Of something that became a body, but not as it is in the file. No more are listed than things that became none. */
export function noteRepaired({ repaired }: Pick<Drawing, 'repaired'>, where: string, what: string, why: string): void {
  if (repaired.count < MOST_SKIPPED)
    repaired.add(JSON.stringify({ where: cut(where), what, why: cut(why) } satisfies Skipped))
}

/** Names of a file that stand in sentences may be of any length. */
const MOST_LETTERS = 1000

function cut(text: string): string {
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`
}

export function draw<Moving extends MovingBody2d | MovingBody3d>(drawing: Drawing<Moving>, drawn: Drawn<Moving>): void {
  const { layer, key, kind, isHidden, sensor, tags = [], data, where } = drawn
  if (drawing.bodyCount === drawing.mostBodies) {
    const message = `The file has more bodies than one write can put into the scene. ${FEWER_OPERATIONS}`
    throw new ImportFault('too-many-operations', where, message)
  }
  const layerTags = layer === undefined ? [] : [tagOf(`layer:${layer}`)]
  const body: ImportedBody<Moving> = {
    id: freeId(drawing.ids, layer === undefined ? key : `${layer}:${key}`),
    ...drawing.framing.drawn(drawn),
    tags: [...new Set([...layerTags, `kind:${kind}`, ...tags.map(tagOf), ...(isHidden ? ['hidden'] : [])])],
    ...(sensor && { sensor }),
  }
  if (data !== undefined && Object.keys(data).length > 0) {
    const text = JSON.stringify(data)
    const bytes = Buffer.byteLength(text)
    if (bytes <= MAX_DATA_BYTES) body.data = text
    else skip(drawing, where, 'properties', `They have ${bytes} bytes; a body takes ${MAX_DATA_BYTES} of data.`)
  }
  noteCount('bodies', ++drawing.bodyCount)
  drawing.take(body, drawn)
}

/** Longest id of a body. */
const ID_LENGTH = 128

/** The text in the letters of ids; where that is taken, with a number behind. */
function freeId(ids: Map<string, number>, whole: string): string {
  const letters = whole.slice(0, ID_LENGTH).replaceAll(/[^A-Za-z0-9._:-]/g, '_')
  const plain = letters === '' || letters === '.' || letters === '..' ? `_${letters}` : letters
  const id = plain.length <= ID_LENGTH - 8 ? plain : `${plain.slice(0, ID_LENGTH - 24)}.${digest(whole)}`
  let times = ids.get(id) ?? 0
  let free = times === 0 ? id : `${id}.${++times}`
  while (ids.has(free)) free = `${id}.${++times}`
  ids.set(id, Math.max(times, 1))
  if (free !== id) ids.set(free, 1)
  return free
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Cut to what a tag may be. */
export function tagOf(text: string): string {
  // letters of two units count once; the rest of a long text is not looked at
  return [...text.slice(0, 2 * tagText.maxLength)].slice(0, tagText.maxLength).join('')
}

// Very many texts in a few pieces of memory, which one thread hands to another without copying them, and which are made texts of again
// one by one.

export interface Texts {
  /** UTF-8. A text lies in one page. */
  pages: Uint8Array<ArrayBuffer>[]
  /** Of each text: its page, where it begins there, and where it ends. */
  places: Int32Array<ArrayBuffer>
}

const PAGE_LENGTH = 2 ** 18
const PLACE_LENGTH = 3
/** Most bytes of a unit of text. */
const UNIT_BYTES = 3

export class TextPages {
  count = 0
  #pages: Buffer<ArrayBuffer>[] = []
  #places = new Int32Array(PLACE_LENGTH * 64)
  /** Of the last page: how much of it is full. */
  #size = 0

  add(text: string): void {
    if (PLACE_LENGTH * this.count === this.#places.length) {
      const larger = new Int32Array(2 * this.#places.length)
      larger.set(this.#places)
      this.#places = larger
    }
    const page = this.#pageFor(text)
    const start = this.#size
    this.#size += page.write(text, start)
    this.#places.set([this.#pages.length - 1, start, this.#size], PLACE_LENGTH * this.count++)
  }

  finish(): Texts {
    return { pages: this.#pages, places: this.#places.subarray(0, PLACE_LENGTH * this.count) }
  }

  #pageFor(text: string): Buffer {
    const last = this.#pages.at(-1)
    const most = UNIT_BYTES * text.length
    if (last !== undefined && last.length - this.#size >= most) return last
    // a page of its own is as long as the text
    const length = most <= PAGE_LENGTH ? PAGE_LENGTH : Buffer.byteLength(text)
    if (last !== undefined && last.length - this.#size >= length) return last
    const page = Buffer.from(new ArrayBuffer(length))
    this.#pages.push(page)
    this.#size = 0
    return page
  }
}

export function textCount({ places }: Texts): number {
  return places.length / PLACE_LENGTH
}

export function textAt({ pages, places }: Texts, index: number): string {
  const at = PLACE_LENGTH * index
  const { buffer, byteOffset, length } = pages[places[at]]
  return Buffer.from(buffer, byteOffset, length).toString('utf8', places[at + 1], places[at + 2])
}
