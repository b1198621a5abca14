/**
 * What an import changes in a scene: bodies of the file that are not there or are otherwise, and those that an earlier import of the
 * same source had and the file has no more. Others are left alone.
 */

import { Pace, type Slices } from '../containers/pace.ts'
import { findBody, hasBody, idAt, sceneBodyAt, slotLimit, tableOf, tagsAt, type View } from '../scene/state/view.ts'
import { noteFound } from '../scene/table/found-bodies.ts'
import type { Operation, SceneBody } from '../scene/table/operation.ts'
import { shapeOfText } from '../scene/table/packed-shape.ts'
import { sceneBodyText } from '../wire/scenes/scene-data.ts'
import type { Skipped } from './drawing/drawing.ts'
import { type Texts, textAt, textCount } from './drawing/text-pages.ts'
import { sourceTag } from './import-file.ts'
import { type PackedBodies, type ReadyBody, unpackedBodies } from './packed-bodies.ts'

/** What it costs to read an entry of a list, in points of bodies. */
const ENTRY_POINTS = 4

export interface ImportDiff {
  operations: Operation[]
  added: number
  updated: number
  removed: number
  /** Bodies of the file whose ids others have. */
  taken: Skipped[]
}

/** What it costs to compare a body, in points of bodies. */
const COMPARE_POINTS = 8

/** `source`: null where all bodies of these ids are the file's, and no others. */
export function* diffImport(view: View, bodies: PackedBodies, source: string | null): Slices<ImportDiff> {
  const tag = source === null ? null : sourceTag(source)
  const diff: ImportDiff = { operations: [], added: 0, updated: 0, removed: 0, taken: [] }
  const pace = new Pace()
  const ids = new Set<string>()
  for (const ready of unpackedBodies(bodies)) {
    if (pace.isDue(COMPARE_POINTS + ready.items)) yield
    ids.add(ready.id)
    const slot = findBody(view, ready.id)
    const body = sceneBodyOf(ready)
    if (slot < 0) diff.added++
    else {
      const before = sceneBodyAt(view, slot)
      if (tag !== null && before.tags?.includes(tag) !== true) {
        const why =
          'The scene has a body of this id that did not come from an import of this source; it was left as it is.'
        diff.taken.push({ where: ready.id, what: 'id', why })
        continue
      }
      if (sceneBodyText(before) === sceneBodyText(body)) continue
      diff.updated++
    }
    diff.operations.push({ op: 'put', body })
  }
  if (tag !== null) yield* findVanished(view, tag, ids, diff, pace)
  return diff
}

function* findVanished(view: View, tag: string, ids: ReadonlySet<string>, diff: ImportDiff, pace: Pace): Slices<void> {
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot)) continue
    const tags = tagsAt(view, slot)
    if (tags < 0 || !tableOf(view, slot).tags.lists[tags].includes(tag)) continue
    const id = idAt(view, slot)
    if (ids.has(id)) continue
    diff.removed++
    diff.operations.push({ op: 'remove', id })
  }
}

/** What of the file became no body. */
export function* readSkipped(texts: Texts): Slices<Skipped[]> {
  const pace = new Pace()
  const skipped: Skipped[] = []
  for (let k = 0; k < textCount(texts); k++) {
    if (pace.isDue(ENTRY_POINTS)) yield
    skipped.push(JSON.parse(textAt(texts, k)))
  }
  return skipped
}

function sceneBodyOf({ form, items: _, found, ...rest }: ReadyBody): SceneBody {
  const { id, position, rotation, velocity, angularVelocity, tags, sensor, data } = rest
  const shape = shapeOfText(form)
  noteFound(shape, found)
  return {
    id,
    shape,
    ...(position && { position }),
    ...(rotation !== undefined && { rotation }),
    ...(velocity && { velocity }),
    ...(angularVelocity !== undefined && { angularVelocity }),
    ...(tags && { tags }),
    ...(sensor !== undefined && { sensor }),
    ...(data !== undefined && { data }),
  }
}
