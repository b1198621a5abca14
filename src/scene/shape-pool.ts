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
  /** A number that no other shape has had for long. */
  serials: Uint32Array
  taken: number
  /** What is held of shapes that bodies share. */
  shared: Map<number, SharedShape>
}

export interface SharedShape {
  value: object
  /** Of a circle or polygon unrotated at the origin; null until known. */
  extents: Extents | null
}

/** The box around the core points of a body, and the radius of the skin around them. */
export interface Extents {
  minX: number
  minY: number
  maxX: number
  maxY: number
  radius: number
}

export function createShapePool(): ShapePool {
  return {
    used: 0,
    free: [],
    slotOf: new Map(),
    texts: [],
    references: new Int32Array(8),
    serials: new Uint32Array(8),
    taken: 0,
    shared: new Map(),
  }
}

/** The slot of a shape, one more reference to it. Cost O(size of the shape). */
export function takeShape(pool: ShapePool, shape: object): number {
  return takeShapeText(pool, canonicalText(shape))
}

/** The same of its canonical text. */
export function takeShapeText(pool: ShapePool, text: string): number {
  const known = pool.slotOf.get(text)
  if (known !== undefined) {
    pool.references[known]++
    return known
  }
  const slot = pool.free.pop() ?? pool.used++
  reserve(pool, pool.used)
  pool.slotOf.set(text, slot)
  pool.texts[slot] = text
  pool.references[slot] = 1
  pool.serials[slot] = pool.taken++
  return slot
}

/** One reference less; the shape goes with the last one. */
export function dropShape(pool: ShapePool, slot: number): void {
  if (--pool.references[slot] > 0) return
  pool.slotOf.delete(pool.texts[slot])
  pool.texts[slot] = ''
  pool.shared.delete(slot)
  pool.free.push(slot)
}

/** The value, which must not be changed. */
export function shapeValue(pool: ShapePool, slot: number): object {
  return sharedShape(pool, slot)?.value ?? JSON.parse(pool.texts[slot])
}

/** What is held of a shape; null when no two bodies share it. */
export function sharedShape(pool: ShapePool, slot: number): SharedShape | null {
  const known = pool.shared.get(slot)
  if (known !== undefined) return known
  if (pool.references[slot] < 2) return null
  const shape = { value: JSON.parse(pool.texts[slot]), extents: null }
  pool.shared.set(slot, shape)
  return shape
}

function reserve(pool: ShapePool, count: number): void {
  if (pool.references.length >= count) return
  const capacity = 2 * pool.references.length
  const references = new Int32Array(capacity)
  references.set(pool.references)
  pool.references = references
  const serials = new Uint32Array(capacity)
  serials.set(pool.serials)
  pool.serials = serials
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
