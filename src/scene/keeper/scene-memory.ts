// What a scene takes in memory, more or less, without looking at its bodies.

import type { Scene } from '../state/scene.ts'

/** A scene without bodies, with what belongs to it here. */
const SCENE_BYTES = 30_000
/** A text of data, with its place in the map; a number of a body that is kept prepared; a pair that is kept. */
const DATA_BYTES = 300
const PREPARED_BYTES = 12

/** In bytes. */
export function sceneByteCount({ table }: Scene): number {
  const { ids, flags, places, tagsOf, vx, vy, spin, shapes, tree, data, keptWeight } = table
  const columns = [ids.bytes, ids.startOf, ids.index, flags, places, tagsOf, vx, vy, spin]
  let count = SCENE_BYTES + DATA_BYTES * data.size + PREPARED_BYTES * keptWeight
  for (const column of columns) count += column?.byteLength ?? 0
  for (const part of [shapes, tree]) {
    for (const column of Object.values(part)) if (ArrayBuffer.isView(column)) count += column.byteLength
  }
  return count
}
