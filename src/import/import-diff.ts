/**
 * The changes of an import to a scene: bodies of the file that are not there or are otherwise, and those that an earlier import of the
 * same source had and the file has no more. Others are left alone.
 */

import { Pace, type Slices } from '../containers/budget.ts'
import type { PendingBodies } from '../scene/keeper/write-checks.ts'
import { idsInText, type KeptContent, keptContent, noteContents } from '../scene/state/kept-content.ts'
import { bodyIdOf, type Operation, type SceneBody } from '../scene/state/operation.ts'
import { noteFound } from '../scene/state/shape-pool.ts'
import { PackedShape, shapeText } from '../scene/state/shape-text.ts'
import {
  findBody,
  hasBody,
  idAt,
  idsChangedSince,
  idsOf,
  sceneBodyAt,
  slotLimit,
  tableOf,
  tagsAt,
  type View,
  type Viewed,
} from '../scene/state/view.ts'
import { sceneBodyText } from '../wire/scene-body-text.ts'
import { type Skipped, type Texts, textAt, textCount } from './drawing.ts'
import {
  bodyAt,
  bodyCount,
  type ImportedFile,
  LONG_FORM,
  type PackedBodies,
  type ReadyBody,
  sourceTag,
} from './import-file.ts'

/** Cost of reading an entry of a list, in points of bodies. */
const ENTRY_POINTS = 4
/** Cost of comparing a body, in points of bodies. */
const COMPARE_POINTS = 8

export interface ImportDiff {
  operations: Operation[]
  added: number
  updated: number
  removed: number
  /** Bodies of the file whose ids others have. */
  taken: Skipped[]
}

/** A file, and the bodies of a scene that it is compared with. */
export class ComparedFile {
  readonly #bodies: PackedBodies
  /** Of the bodies that come from the source; null where all bodies of these ids are the file's, and no others. */
  readonly #tag: string | null
  /** Of the kept shapes that they name. */
  readonly #contents: ReadonlyMap<string, KeptContent>
  /** Long shapes by their texts: bodies that share one have the same value. */
  readonly #shapes = new Map<string, object>()
  /** Where each body of the file lies, by its id. */
  readonly #places = new Map<string, number>()

  constructor({ bodies, kept }: Pick<ImportedFile, 'bodies' | 'kept'>, source: string | null) {
    this.#bodies = bodies
    this.#contents = new Map(kept.map(([id, text]) => [id, keptContent(id, text)]))
    this.#tag = source === null ? null : sourceTag(source)
  }

  /** The changes to the scene as the view has it. */
  *diff(view: View): Slices<ImportDiff> {
    const diff: ImportDiff = { operations: [], added: 0, updated: 0, removed: 0, taken: [] }
    const pace = new Pace()
    for (let k = 0; k < bodyCount(this.#bodies); k++) {
      const ready = bodyAt(this.#bodies, k)
      if (pace.isDue(COMPARE_POINTS + ready.items)) yield
      this.#places.set(ready.id, k)
      const slot = findBody(view, ready.id)
      this.#compare(ready, slot < 0 ? undefined : sceneBodyAt(view, slot), diff)
    }
    if (this.#tag !== null) yield* this.#findVanished(view, this.#tag, diff, pace)
    return diff
  }

  /**
   * The changes to the scene as it will be once the writes in flight are durable: `diff` was made from the view, which is still open. It
   * looks only at the changes that others have made since, unless these may be everything.
   */
  *revised(diff: ImportDiff, view: View, scene: Viewed, ahead: PendingBodies): Slices<ImportDiff> {
    const changed = new Set(ahead.changedIds())
    const since = ahead.isCleared ? null : yield* idsChangedSince(view, scene)
    for (const id of since ?? (yield* this.#allIds(diff, scene))) changed.add(id)
    if (changed.size === 0) return diff
    const pace = new Pace()
    const revised: ImportDiff = { operations: [], added: 0, updated: 0, removed: 0, taken: [] }
    for (const operation of diff.operations) {
      if (pace.isDue(ENTRY_POINTS)) yield
      const id = bodyIdOf(operation) as string
      if (changed.has(id)) continue
      revised.operations.push(operation)
      revised[operation.op === 'remove' ? 'removed' : findBody(view, id) < 0 ? 'added' : 'updated']++
    }
    revised.taken = diff.taken.filter(({ where }) => !changed.has(where))
    for (const id of changed) {
      const place = this.#places.get(id)
      const before = ahead.body(id)
      if (place !== undefined) {
        const ready = bodyAt(this.#bodies, place)
        if (pace.isDue(COMPARE_POINTS + ready.items)) yield
        this.#compare(ready, before, revised)
      } else {
        if (pace.isDue(ENTRY_POINTS)) yield
        if (this.#tag !== null && before?.tags?.includes(this.#tag)) this.#remove(id, revised)
      }
    }
    return revised
  }

  /** Of all bodies that the file or the scene has, or had when they were compared and the file had them no more. */
  *#allIds({ operations }: ImportDiff, { table }: Viewed): Slices<Set<string>> {
    const ids = new Set(this.#places.keys())
    const pace = new Pace()
    for (const operation of operations) {
      if (pace.isDue(1)) yield
      ids.add(bodyIdOf(operation) as string)
    }
    for (const id of idsOf(table)) {
      if (pace.isDue(1)) yield
      ids.add(id)
    }
    return ids
  }

  #compare(ready: ReadyBody, before: SceneBody | undefined, diff: ImportDiff): void {
    const body = sceneBodyOf(ready, this.#shapeOf(ready))
    noteFound(body, ready.found)
    if (before === undefined) diff.added++
    else if (this.#tag !== null && before.tags?.includes(this.#tag) !== true) {
      const why =
        'The scene has a body of this id that did not come from an import of this source; it was left as it is.'
      diff.taken.push({ where: ready.id, what: 'id', why })
      return
    } else if (shapeText(before.shape) === ready.form && textBesideShape(before) === textBesideShape(body)) return
    else diff.updated++
    diff.operations.push({ op: 'put', body })
  }

  #shapeOf({ form, items, found }: ReadyBody): object {
    const known = this.#shapes.get(form)
    if (known !== undefined) return known
    const isLong = form.length >= LONG_FORM
    const shape = isLong ? new PackedShape(form, items) : JSON.parse(form)
    noteFound(shape, found)
    if (isLong) this.#shapes.set(form, shape)
    if (this.#contents.size > 0) noteContents(shape, this.#contentsIn(form))
    return shape
  }

  #contentsIn(form: string): KeptContent[] {
    return idsInText(form).flatMap((id) => this.#contents.get(id) ?? [])
  }

  *#findVanished(view: View, tag: string, diff: ImportDiff, pace: Pace): Slices<void> {
    for (let slot = 0; slot < slotLimit(view); slot++) {
      if (pace.isDue(1)) yield
      if (!hasBody(view, slot)) continue
      const tags = tagsAt(view, slot)
      if (tags < 0 || !tableOf(view, slot).tags.lists[tags].includes(tag)) continue
      const id = idAt(view, slot)
      if (!this.#places.has(id)) this.#remove(id, diff)
    }
  }

  #remove(id: string, diff: ImportDiff): void {
    diff.removed++
    diff.operations.push({ op: 'remove', id })
  }
}

/** Reads the reports about parts of the file that became no body. */
export function* readSkipped(texts: Texts): Slices<Skipped[]> {
  const pace = new Pace()
  const skipped: Skipped[] = []
  for (let k = 0; k < textCount(texts); k++) {
    if (pace.isDue(ENTRY_POINTS)) yield
    skipped.push(JSON.parse(textAt(texts, k)))
  }
  return skipped
}

const textBesideShape = (body: SceneBody) => sceneBodyText({ ...body, shape: NO_SHAPE })
const NO_SHAPE = {}

function sceneBodyOf(ready: ReadyBody, shape: object): SceneBody {
  const { id, position, rotation, orientation, velocity, angularVelocity, tags, sensor, data } = ready
  return {
    id,
    shape,
    ...(position && { position }),
    ...(rotation !== undefined && { rotation }),
    ...(orientation && { orientation }),
    ...(velocity && { velocity }),
    ...(angularVelocity !== undefined && { angularVelocity }),
    ...(tags && { tags }),
    ...(sensor !== undefined && { sensor }),
    ...(data !== undefined && { data }),
  }
}
