/**
 * Which bodies of a view a query looks at.
 *
 * Tags are decided once for each list of tags. What is absent lets every body pass.
 */
import { idAt, isSensorAt, tagsAt, type View } from './view.ts'

export interface BodyFilter {
  /** Bodies with one of `any` at least, with all of `all`, and with none of `none`. */
  tags?: { any?: readonly string[]; all?: readonly string[]; none?: readonly string[] }
  ids?: { include?: readonly string[]; exclude?: readonly string[] }
  sensors?: 'include' | 'exclude' | 'only'
}

export type Accepts = (slot: number) => boolean

/** `self`: a slot that never passes; −1 for none. Good for as long as the view. */
export function compileFilter(view: View, filter: BodyFilter | undefined, self = -1): Accepts {
  if (filter === undefined) return self < 0 ? acceptsAll : (slot) => slot !== self
  const { tags, ids, sensors = 'include' } = filter
  const include = ids?.include === undefined ? null : new Set(ids.include)
  const exclude = ids?.exclude === undefined || ids.exclude.length === 0 ? null : new Set(ids.exclude)
  /** By the slot of a list of tags, one further on. */
  const verdicts: (boolean | undefined)[] = []
  return (slot) => {
    if (slot === self) return false
    if (sensors !== 'include' && isSensorAt(view, slot) !== (sensors === 'only')) return false
    if (tags !== undefined) {
      const list = tagsAt(view, slot)
      verdicts[list + 1] ??= passes(tags, list < 0 ? [] : view.table.tags.lists[list])
      if (!verdicts[list + 1]) return false
    }
    if (include === null && exclude === null) return true
    const id = idAt(view, slot)
    return (include === null || include.has(id)) && (exclude === null || !exclude.has(id))
  }
}

function acceptsAll(): boolean {
  return true
}

function passes({ any, all, none }: NonNullable<BodyFilter['tags']>, tags: readonly string[]): boolean {
  if (any !== undefined && !any.some((tag) => tags.includes(tag))) return false
  if (all !== undefined && !all.every((tag) => tags.includes(tag))) return false
  return none === undefined || !none.some((tag) => tags.includes(tag))
}
