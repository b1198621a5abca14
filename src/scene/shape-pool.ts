/**
 * The shapes of a scene: equal ones are stored once, as canonical JSON text, and counted.
 *
 * Two shapes are equal when their values are, in whatever order their fields come. The text is what is kept; its value is
 * parsed again when it is needed, and held only where several bodies share it.
 */

export interface ShapePool {
  /** Slots ever taken, and those given back. */
  used: number
  free: number[]
  slotOf: Map<string, number>
  /** Of each slot; '' when it is free. */
  texts: string[]
  /** Bodies, and old rows of views, that have the shape. */
  references: Int32Array
  /** Values that were asked for and are shared. */
  values: (object | null)[]
  /**
   * Of convex shapes that stand unrotated at the origin: min x, min y, max x, max y of their points, at 4·slot. NaN until known.
   */
  extents: Float64Array
  /** The skin around those points. */
  radii: Float64Array
}

export function createShapePool(): ShapePool {
  return {
    used: 0,
    free: [],
    slotOf: new Map(),
    texts: [],
    references: new Int32Array(8),
    values: [],
    extents: new Float64Array(32),
    radii: new Float64Array(8),
  }
}

/** The slot of a shape, one more reference to it. Cost O(size of the shape). */
export function takeShape(pool: ShapePool, shape: object): number {
  const text = canonicalText(shape)
  const known = pool.slotOf.get(text)
  if (known !== undefined) {
    pool.references[known]++
    return known
  }
  const slot = pool.free.pop() ?? pool.used++
  reserve(pool, pool.used)
  pool.slotOf.set(text, slot)
  pool.texts[slot] = text
  pool.values[slot] = null
  pool.references[slot] = 1
  pool.extents[4 * slot] = NaN
  return slot
}

/** One reference less; whether the shape is gone with it. */
export function dropShape(pool: ShapePool, slot: number): boolean {
  if (--pool.references[slot] > 0) return false
  pool.slotOf.delete(pool.texts[slot])
  pool.texts[slot] = ''
  pool.values[slot] = null
  pool.free.push(slot)
  return true
}

/** The value, which must not be changed. */
export function shapeValue(pool: ShapePool, slot: number): object {
  const held = pool.values[slot]
  if (held !== null) return held
  const value = JSON.parse(pool.texts[slot]) as object
  if (pool.references[slot] > 1) pool.values[slot] = value
  return value
}

function reserve(pool: ShapePool, count: number): void {
  if (pool.references.length >= count) return
  const capacity = 2 * pool.references.length
  const references = new Int32Array(capacity)
  references.set(pool.references)
  pool.references = references
  const extents = new Float64Array(4 * capacity)
  extents.set(pool.extents)
  pool.extents = extents
  const radii = new Float64Array(capacity)
  radii.set(pool.radii)
  pool.radii = radii
}

/** JSON with the fields of every object in the order of their names, and nothing that is undefined. */
export function canonicalText(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    let text = '['
    for (let i = 0; i < value.length; i++) text += i === 0 ? canonicalText(value[i]) : `,${canonicalText(value[i])}`
    return `${text}]`
  }
  let text = '{'
  for (const name of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[name]
    if (field === undefined) continue
    if (text.length > 1) text += ','
    text += `${JSON.stringify(name)}:${canonicalText(field)}`
  }
  return `${text}}`
}
