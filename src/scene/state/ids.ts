/**
 * The ids of a table's bodies: which slot has which, both ways.
 *
 * A million strings and a map of them take a hundred megabytes of a heap that is walked through at every collection; here ids
 * lie one behind the other as bytes, each behind its length, and slots are found by hash in an open table with linear probing (D. Knuth, "The Art of
 * Computer Programming", vol. 3, 6.4, algorithms L and R). Ids have at most 255 characters, none beyond U+00FF.
 */

import { fillInSlices, type Pace, type Slices } from '../../containers/budget.ts'

export interface IdList {
  count: number
  bytes: Buffer
  /** Bytes up to here were written; so many of them belong to no id any more. */
  used: number
  wasted: number
  /** Of each slot: where the length of its id is, and the id behind it; 0, where a length of 0 is, for none. */
  startOf: Uint32Array
  /** Slots by the hash of their ids, −1 where there is none. */
  index: Int32Array
}

const MOST_LENGTH = 255

export function createIdList(): IdList {
  return {
    count: 0,
    bytes: Buffer.alloc(64),
    used: 1,
    wasted: 0,
    startOf: new Uint32Array(8),
    index: new Int32Array(16).fill(-1),
  }
}

/** '' where the slot is free. */
export function idOf({ bytes, startOf }: IdList, slot: number): string {
  const start = startOf[slot] + 1
  return bytes.toString('latin1', start, start + bytes[start - 1])
}

/** How long the id of a slot is, 0 where there is none. */
export function idLength({ bytes, startOf }: IdList, slot: number): number {
  return bytes[startOf[slot]]
}

/** The slot of an id, −1 when nobody has it. */
export function slotOfId(ids: IdList, id: string): number {
  return isId(id) ? find(ids, write(id)) : -1
}

/** Gives a slot without an id one that no other has. Throws a `RangeError` for what can be none. */
export function addId(ids: IdList, slot: number, id: string): void {
  if (!isId(id)) throw new RangeError('An id has 1 to 255 characters, none beyond U+00FF.')
  addIdBytes(ids, slot, scratch, 0, write(id))
}

/** The slot of the body with an id that is given as bytes. */
export function addIdBytes(ids: IdList, slot: number, bytes: Uint8Array, at: number, length: number): void {
  if (slot >= ids.startOf.length) reserveIds(ids, 2 * (slot + 1))
  if (ids.used + 1 + length > ids.bytes.length) makeRoom(ids, 1 + length)
  ids.startOf[slot] = ids.used
  ids.bytes[ids.used++] = length
  for (let k = 0; k < length; k++) ids.bytes[ids.used++] = bytes[at + k]
  ids.count++
  // At most 3 of 4 places are taken.
  if (4 * ids.count > 3 * ids.index.length) rebuildIndex(ids, 2 * ids.index.length)
  else insert(ids.index, slot, hashOf(ids, slot))
}

export function removeId(ids: IdList, slot: number): void {
  const { index, startOf } = ids
  const mask = index.length - 1
  let gap = hashOf(ids, slot) & mask
  while (index[gap] !== slot) gap = (gap + 1) & mask
  for (let k = (gap + 1) & mask; index[k] >= 0; k = (k + 1) & mask) {
    const other = index[k]
    const home = hashOf(ids, other) & mask
    // An entry whose search starts behind the gap stays.
    if (((k - home) & mask) < ((k - gap) & mask)) continue
    index[gap] = other
    gap = k
  }
  index[gap] = -1
  ids.wasted += 1 + idLength(ids, slot)
  startOf[slot] = 0
  ids.count--
}

/** Makes room for the ids of so many slots. */
export function reserveIds(ids: IdList, count: number): void {
  if (count <= ids.startOf.length) return
  const startOf = new Uint32Array(count)
  startOf.set(ids.startOf)
  ids.startOf = startOf
}

/** How many bytes the ids take, moved together. */
export function idByteCount({ used, wasted }: IdList): number {
  return used - wasted
}

/** Makes room for ids that take so many bytes together with those that are there. */
export function reserveIdBytes(ids: IdList, byteCount: number): void {
  if (byteCount > ids.bytes.length) makeRoom(ids, byteCount - idByteCount(ids))
}

/** Makes room in the index for `count` ids, with pauses in which nobody may change the list. */
export function* reserveIndex(ids: IdList, count: number, pace: Pace): Slices<void> {
  let size = ids.index.length
  while (4 * count > 3 * size) size *= 2
  if (size === ids.index.length) return
  const index = new Int32Array(size)
  yield* fillInSlices(index, -1)
  for (let slot = 0; slot < ids.startOf.length; slot++) {
    if (ids.startOf[slot] > 0) insert(index, slot, hashOf(ids, slot))
    if (pace.isDue(1)) yield
  }
  ids.index = index
}

const scratch = new Uint8Array(MOST_LENGTH)

function isId(id: string): boolean {
  if (id.length === 0 || id.length > MOST_LENGTH) return false
  for (let k = 0; k < id.length; k++) if (id.charCodeAt(k) > 0xff) return false
  return true
}

/** Writes the id to the scratch; its length. */
function write(id: string): number {
  for (let k = 0; k < id.length; k++) scratch[k] = id.charCodeAt(k)
  return id.length
}

/** FNV-1a, its bits mixed once more: ids that differ in the last character alone are apart. */
function hash(bytes: Uint8Array, at: number, length: number): number {
  let bits = 0x811c9dc5
  for (let k = at; k < at + length; k++) bits = Math.imul(bits ^ bytes[k], 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  return bits ^ (bits >>> 13)
}

function hashOf(ids: IdList, slot: number): number {
  return hash(ids.bytes, ids.startOf[slot] + 1, idLength(ids, slot))
}

/** The slot of the id in the scratch. */
function find({ index, bytes, startOf }: IdList, length: number): number {
  const mask = index.length - 1
  for (let k = hash(scratch, 0, length) & mask; ; k = (k + 1) & mask) {
    const slot = index[k]
    if (slot < 0) return -1
    const start = startOf[slot] + 1
    if (bytes[start - 1] !== length) continue
    let same = 0
    while (same < length && bytes[start + same] === scratch[same]) same++
    if (same === length) return slot
  }
}

function insert(index: Int32Array, slot: number, bits: number): void {
  const mask = index.length - 1
  let k = bits & mask
  while (index[k] >= 0) k = (k + 1) & mask
  index[k] = slot
}

function rebuildIndex(ids: IdList, size: number): void {
  ids.index = new Int32Array(size).fill(-1)
  for (let slot = 0; slot < ids.startOf.length; slot++) {
    if (ids.startOf[slot] > 0) insert(ids.index, slot, hashOf(ids, slot))
  }
}

/** Moves the ids together, to where there is room for `length` more bytes. */
function makeRoom(ids: IdList, length: number): void {
  const { bytes, startOf } = ids
  const needed = idByteCount(ids) + length
  // what lies behind the ids is not looked at
  const moved = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(needed + needed / 4)))
  ids.bytes = moved
  if (ids.wasted === 0) {
    moved.set(bytes.subarray(0, ids.used))
    return
  }
  moved[0] = 0
  let used = 1
  for (let slot = 0; slot < startOf.length; slot++) {
    const start = startOf[slot]
    if (start === 0) continue
    startOf[slot] = used
    for (let k = start; k <= start + bytes[start]; k++) moved[used++] = bytes[k]
  }
  ids.used = used
  ids.wasted = 0
}

// The lists of tags of a scene's bodies: equal lists are stored once and counted, so that a filter looks at each only once.

export interface TagSets {
  used: number
  free: number[]
  slotOf: Map<string, number>
  /** Of each slot, in the caller's order. */
  lists: (readonly string[])[]
  texts: string[]
  references: number[]
}

export function createTagSets(): TagSets {
  return { used: 0, free: [], slotOf: new Map(), lists: [], texts: [], references: [] }
}

/** The slot of a list, one more reference to it. */
export function takeTags(sets: TagSets, tags: readonly string[]): number {
  const text = JSON.stringify(tags)
  const known = sets.slotOf.get(text)
  if (known !== undefined) {
    sets.references[known]++
    return known
  }
  const slot = sets.free.pop() ?? sets.used++
  sets.slotOf.set(text, slot)
  sets.texts[slot] = text
  sets.lists[slot] = [...tags]
  sets.references[slot] = 1
  return slot
}

export function dropTags(sets: TagSets, slot: number): void {
  if (--sets.references[slot] > 0) return
  sets.slotOf.delete(sets.texts[slot])
  sets.texts[slot] = ''
  sets.lists[slot] = NO_TAGS
  sets.free.push(slot)
}

const NO_TAGS: readonly string[] = []
