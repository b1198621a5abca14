/**
 * The lists of tags of a scene's bodies: equal lists are stored once and counted, so that a filter looks at each only once.
 */

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
