// Facts about a scene in memory: its summary for lists, the answers that are remembered for retries, and the bytes that it takes.

import type { BodyTable } from '../state/body-table.ts'
import type { Entry } from '../state/operation.ts'
import { bodyCountOf, type Scene } from '../state/scene.ts'
import { boundsOfScene } from '../state/view.ts'
import type { SceneSummary } from '../store/store.ts'

/** As readers see the scene now. */
export function summaryOf(scene: Scene): SceneSummary {
  const { id, version, digest, name, dimension, ttl, margin, createdAt, updatedAt } = scene
  const settings = { id, version, digest, name, dimension, ttl, margin, createdAt, updatedAt }
  const box = boundsOfScene(scene)
  const bounds = box && cornersOf(box)
  return { ...settings, bodyCount: bodyCountOf(scene), bounds }
}

function cornersOf(box: Float64Array): NonNullable<SceneSummary['bounds']> {
  if (box.length === 4) return { min: { x: box[0], y: box[1] }, max: { x: box[2], y: box[3] } }
  return { min: { x: box[0], y: box[1], z: box[2] }, max: { x: box[3], y: box[4], z: box[5] } }
}

/** Answers that are longer are not remembered: then the answer is made of the scene as it is. */
export const LONGEST_ANSWER = 2 ** 18

/**
 * The part of an answer, beside the version, that is remembered for a write with a key: that of its entry, or the settings of the scene
 * that it leaves, which are equal wherever the entry is applied. `scene`: as the entry leaves it. Null: nothing.
 */
export function answerOf(scene: Scene, { key }: Entry): string | null {
  if (key?.answer === undefined) return null
  return key.answer === true ? JSON.stringify({ ...summaryOf(scene), digest: undefined }) : key.answer
}

/** Whether `answerOf` reads the scene. */
export function isAnsweredByScene({ key }: Entry): boolean {
  return key?.answer === true
}

/** The settings as they were remembered. */
export function answeredSummary(answer: string): SceneSummary {
  return JSON.parse(answer) as SceneSummary
}

/** A scene without bodies, with what belongs to it here. */
const SCENE_BYTES = 30_000
/** A text of data, with its place in the map; a number of a body that is kept prepared; a pair that is kept. */
const DATA_BYTES = 300
const PREPARED_BYTES = 12

/** Bytes of the columns of a scene, at a version. */
const columnsOf = new WeakMap<Scene, { version: number; byteCount: number }>()

/** In bytes. To be asked of thousands of scenes each second: columns grow only where something is written. */
export function sceneByteCount(scene: Scene): number {
  const { version, table } = scene
  let columns = columnsOf.get(scene)
  if (columns?.version !== version) {
    columns = { version, byteCount: columnByteCount(table) }
    columnsOf.set(scene, columns)
  }
  return SCENE_BYTES + DATA_BYTES * table.data.size + PREPARED_BYTES * table.keptWeight + columns.byteCount
}

function columnByteCount({ ids, flags, places, tagsOf, motions, shapes, tree }: BodyTable): number {
  const columns = [ids.bytes, ids.startOf, ids.index, flags, places, tagsOf, ...motions]
  let count = 0
  for (const column of columns) count += column?.byteLength ?? 0
  for (const part of [shapes, tree]) {
    for (const column of Object.values(part)) if (ArrayBuffer.isView(column)) count += column.byteLength
  }
  return count
}
