// What a scene takes in memory, more or less, without looking at its bodies.

import type { Scene } from '../state/scene.ts'
import type { BodyTable } from '../table/body-table.ts'

/** A scene without bodies, with what belongs to it here. */
const SCENE_BYTES = 30_000
/** A text of data, with its place in the map; a number of a body that is kept prepared; a pair that is kept. */
const DATA_BYTES = 300
const PREPARED_BYTES = 12

/** What the columns of a scene take, as of a version. */
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

function columnByteCount({ ids, flags, places, tagsOf, vx, vy, spin, shapes, tree }: BodyTable): number {
  const columns = [ids.bytes, ids.startOf, ids.index, flags, places, tagsOf, vx, vy, spin]
  let count = 0
  for (const column of columns) count += column?.byteLength ?? 0
  for (const part of [shapes, tree]) {
    for (const column of Object.values(part)) if (ArrayBuffer.isView(column)) count += column.byteLength
  }
  return count
}
