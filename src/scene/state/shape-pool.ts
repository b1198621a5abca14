/**
 * The shapes of a scene: equal ones are stored once, and counted.
 *
 * Two shapes are equal when their values are, in whatever order their fields come. A shape is kept as its form and its numbers
 * (`shape-text.ts`): a few words in typed arrays, where an object would take a hundred bytes and more. Its value is put together
 * when it is needed.
 * Method: slots are found by hash in an open table with linear probing, from which what goes is taken by moving up what
 * comes behind it (D. Knuth, "The Art of Computer Programming", vol. 3, 6.4, algorithms L and R).
 */

import { fillInSlices, type Pace, type Slices } from '../../containers/budget.ts'
import type { Kinds } from './geometry.ts'
import { contentsOf, idsInText, type KeptContent } from './kept-content.ts'
import { MOST_NUMBERS, PackedShape, readShape, ShapeForm } from './shape-text.ts'

export interface ShapePool {
  /** Shapes, those that no body has any more left out. */
  count: number
  /** Slots ever taken, and the first of those given back, −1 for none; the list of them runs through `placeOf`. */
  used: number
  free: number
  forms: FormList
  /** Of each slot: its form, and where its numbers begin. */
  formOf: Int32Array
  placeOf: Int32Array
  /** Bodies, and old rows of views, that have the shape. */
  references: Int32Array
  /** A number that no other shape has had for long. */
  serials: Uint32Array
  /** 1 where it is known that no region in the shape touches itself. */
  plain: Uint8Array
  taken: number
  numbers: Float64Array
  numbersUsed: number
  /** Of places for k numbers that were given back the first, −1 for none; the list runs through the places. */
  freePlaces: Int32Array
  /** Slots by the hash of their shape, −1 where there is none. */
  index: Int32Array
  /** The value that was asked for last of those that are costly to build. */
  last: { serial: number; value: object } | null
  /** Values with meshes, which are prepared once for all bodies that have them, by the serials of their shapes: the latest last. */
  meshes: Map<number, { value: object; length: number }>
  meshLength: number
}

interface FormList {
  slotOf: Map<string, number>
  /** null where it is free. */
  forms: (ShapeForm | null)[]
  /** Shapes of the form. */
  references: number[]
  free: number[]
  /** Some that have been asked for lately. */
  latest: number[]
  /** How many are costly to prepare. */
  costly: number
  /** Contents of kept shapes, by id, which forms may name. */
  held: Map<string, KeptContent>
  /** How many forms name each kept shape, held or not. */
  named: Map<string, number>
}

export function createShapePool(): ShapePool {
  return {
    count: 0,
    used: 0,
    free: -1,
    forms: {
      slotOf: new Map(),
      forms: [],
      references: [],
      free: [],
      latest: [],
      costly: 0,
      held: new Map(),
      named: new Map(),
    },
    formOf: new Int32Array(8),
    placeOf: new Int32Array(8),
    references: new Int32Array(8),
    serials: new Uint32Array(8),
    plain: new Uint8Array(8),
    taken: 0,
    numbers: new Float64Array(16),
    numbersUsed: 0,
    freePlaces: new Int32Array(MOST_NUMBERS + 1).fill(-1),
    index: new Int32Array(16).fill(-1),
    last: null,
    meshes: new Map(),
    meshLength: 0,
  }
}

const NO_NUMBERS = new Float64Array(0)

/** The slot of a shape, one more reference to it. Cost O(size of the shape). */
export function takeShape(pool: ShapePool, shape: object): number {
  const found = foundOf(shape)
  const isPlain = found?.isPlain === true
  const contents = contentsOf(shape)
  if (shape instanceof PackedShape) {
    const slot = takeParts(pool, shape.form, NO_NUMBERS, 0, 0, contents)
    if (isPlain) pool.plain[slot] = 1
    if (found?.open !== undefined && pool.references[slot] === 1) holdValue(pool, slot, found.open())
    return slot
  }
  const known = knownForm(pool.forms, shape)
  if (known >= 0) {
    const slot = takeNumbers(pool, known, ownNumbers, 0, countOf(pool, known))
    if (isPlain) pool.plain[slot] = 1
    return slot
  }
  const read = readShape(shape)
  const slot = takeParts(pool, read.form, read.numbers, 0, read.count, contents)
  noteForm(pool.forms, pool.formOf[slot])
  if (isPlain) pool.plain[slot] = 1
  // it is asked for next, and costly to build again
  if (read.count === 0 && formAt(pool, slot).contents.length === 0) holdValue(pool, slot, shape)
  return slot
}

/** The slot of the shape with these numbers in a form. `contents`: of kept shapes that it names, those that the pool holds left out. */
function takeParts(
  pool: ShapePool,
  text: string,
  numbers: Float64Array,
  at: number,
  count: number,
  contents: readonly KeptContent[],
): number {
  const form = pool.forms.slotOf.get(text) ?? addForm(pool.forms, text, count, contents)
  return takeNumbers(pool, form, numbers, at, count)
}

function takeNumbers(pool: ShapePool, form: number, numbers: Float64Array, at: number, count: number): number {
  const known = find(pool, form, numbers, at)
  if (known < 0) return addShape(pool, form, numbers, at, count)
  pool.references[known]++
  return known
}

/** The slot of a shape that is not there yet. */
export function addParts(pool: ShapePool, text: string, numbers: Float64Array, at: number, count: number): number {
  return addShape(pool, pool.forms.slotOf.get(text) ?? addForm(pool.forms, text, count, []), numbers, at, count)
}

function addShape(pool: ShapePool, form: number, numbers: Float64Array, at: number, count: number): number {
  const slot = takeSlot(pool)
  const place = takePlace(pool, count)
  for (let k = 0; k < count; k++) pool.numbers[place + k] = numbers[at + k]
  pool.forms.references[form]++
  pool.formOf[slot] = form
  pool.placeOf[slot] = place
  pool.references[slot] = 1
  pool.serials[slot] = pool.taken++
  pool.plain[slot] = 0
  pool.count++
  addToIndex(pool, slot)
  return slot
}

/** One reference less; the shape goes with the last one. */
export function dropShape(pool: ShapePool, slot: number): void {
  if (--pool.references[slot] > 0) return
  const { formOf, placeOf, freePlaces, numbers, forms } = pool
  removeFromIndex(pool, slot)
  pool.count--
  const form = formOf[slot]
  const count = countOf(pool, form)
  if (count > 0) {
    numbers[placeOf[slot]] = freePlaces[count]
    freePlaces[count] = placeOf[slot]
  }
  if (pool.last?.serial === pool.serials[slot]) pool.last = null
  forgetMesh(pool, pool.serials[slot])
  if (--forms.references[form] === 0) dropForm(forms, form)
  placeOf[slot] = pool.free
  pool.free = slot
}

/** The value as it was put, newly made; packed where it is long. */
export function readShapeAt(pool: ShapePool, slot: number): object {
  return formAt(pool, slot).putShape(pool.numbers, pool.placeOf[slot])
}

/** The value, newly made but for the contents of kept shapes that it names, which must not be changed. */
export function shapeValue(pool: ShapePool, slot: number): object {
  return formAt(pool, slot).shape(pool.numbers, pool.placeOf[slot])
}

/** The value of a shape, shared with other callers: it must not be changed. */
export function sharedValue(pool: ShapePool, slot: number): object {
  const { count, contents } = formAt(pool, slot)
  if (count > 0 || contents.length > 0) return shapeValue(pool, slot)
  const serial = pool.serials[slot]
  if (pool.last?.serial === serial) return pool.last.value
  const value = pool.meshes.get(serial)?.value ?? shapeValue(pool, slot)
  holdValue(pool, slot, value)
  return value
}

/** Characters of the shapes whose meshes stay prepared; the latest does whatever its size. */
const MOST_MESH_LENGTH = 2 ** 26

function holdValue(pool: ShapePool, slot: number, value: object): void {
  const { text, hasMesh } = formAt(pool, slot)
  const serial = pool.serials[slot]
  pool.last = { serial, value }
  if (!hasMesh) return
  forgetMesh(pool, serial)
  pool.meshes.set(serial, { value, length: text.length })
  pool.meshLength += text.length
  for (const oldest of pool.meshes.keys()) {
    if (pool.meshLength <= MOST_MESH_LENGTH || oldest === serial) break
    forgetMesh(pool, oldest)
  }
}

function forgetMesh(pool: ShapePool, serial: number): void {
  pool.meshLength -= pool.meshes.get(serial)?.length ?? 0
  pool.meshes.delete(serial)
}

/** All of the shape as a form and a copy of its numbers: what kept shapes it names does not matter any more. */
export function shapeParts(pool: ShapePool, slot: number): { text: string; numbers: Float64Array } {
  return formAt(pool, slot).whole(pool.numbers, pool.placeOf[slot])
}

/** How many numbers a shape has, about. */
export function shapeNumbers(pool: ShapePool, slot: number): number {
  const { length, count, contents } = formAt(pool, slot)
  return count > 0 && contents.length === 0 ? count : length >> 4
}

/** Whether any does. */
export function hasCostlyShapes({ forms }: ShapePool): boolean {
  return forms.costly > 0
}

/** Whether a shape takes long to prepare. */
export function isCostlyShape(pool: ShapePool, slot: number): boolean {
  return pool.forms.costly > 0 && formAt(pool, slot).isCostly
}

export function formAt({ forms, formOf }: ShapePool, slot: number): ShapeForm {
  return forms.forms[formOf[slot]] as ShapeForm
}

function countOf({ forms }: ShapePool, form: number): number {
  return (forms.forms[form] as ShapeForm).count
}

/** So many forms are tried before the text of a shape is written. */
const LATEST_FORMS = 16
const ownNumbers = new Float64Array(MOST_NUMBERS)

/** The form of a shape, if it is one of the latest, which takes a quarter of the time, and its numbers in `ownNumbers`; −1 otherwise. */
function knownForm({ latest, forms }: FormList, shape: object): number {
  for (let k = 0; k < latest.length; k++) {
    const slot = latest[k]
    if (forms[slot]?.numbersOf(shape, ownNumbers) !== true) continue
    // those that come often are tried early
    if (k > 0) {
      latest[k] = latest[k - 1]
      latest[k - 1] = slot
    }
    return slot
  }
  return -1
}

function noteForm({ latest, forms }: FormList, slot: number): void {
  if (forms[slot]?.count === 0 || latest.includes(slot)) return
  if (latest.length === LATEST_FORMS) latest.pop()
  latest.push(slot)
}

/** `given`: contents beside those that are held. */
function addForm(list: FormList, text: string, count: number, given: readonly KeptContent[]): number {
  const { slotOf, forms, references, free, held, named } = list
  const contents = idsInText(text).map((id) => {
    const content = held.get(id) ?? given.find((each) => each.id === id)
    if (content === undefined) throw new Error(`the kept shape ${id} is missing`)
    return content
  })
  for (const { id } of contents) named.set(id, (named.get(id) ?? 0) + 1)
  const slot = free.pop() ?? forms.length
  const form = new ShapeForm(text, count, contents)
  if (form.isCostly) list.costly++
  forms[slot] = form
  references[slot] = 0
  slotOf.set(text, slot)
  return slot
}

function dropForm(list: FormList, slot: number): void {
  const { slotOf, forms, free, named } = list
  const form = forms[slot] as ShapeForm
  if (form.isCostly) list.costly--
  for (const { id } of form.contents) {
    const others = (named.get(id) as number) - 1
    if (others > 0) named.set(id, others)
    else named.delete(id)
  }
  slotOf.delete(form.text)
  forms[slot] = null
  free.push(slot)
}

// Contents of kept shapes. What is held is what the log says, and hangs on nothing else: whatever names a shape, bodies or old rows of
// views, has its content from then on.

/** The contents that bodies may name, by id. */
export function heldContents({ forms }: ShapePool): ReadonlyMap<string, KeptContent> {
  return forms.held
}

/** Holds further contents. */
export function holdContents({ forms }: ShapePool, contents: Iterable<KeptContent>): void {
  for (const content of contents) forms.held.set(content.id, content)
}

export function letGoContents({ forms }: ShapePool, ids: readonly string[]): void {
  for (const id of ids) forms.held.delete(id)
}

/** The ids of those that are held, and that no body names any more. */
export function* unusedContents({ forms: { held, named } }: ShapePool): Iterable<string> {
  for (const id of held.keys()) if (!named.has(id)) yield id
}

function takeSlot(pool: ShapePool): number {
  const slot = pool.free
  if (slot >= 0) {
    pool.free = pool.placeOf[slot]
    return slot
  }
  if (pool.used === pool.formOf.length) {
    const capacity = 2 * pool.used
    pool.formOf = grown(pool.formOf, new Int32Array(capacity))
    pool.placeOf = grown(pool.placeOf, new Int32Array(capacity))
    pool.references = grown(pool.references, new Int32Array(capacity))
    pool.serials = grown(pool.serials, new Uint32Array(capacity))
    pool.plain = grown(pool.plain, new Uint8Array(capacity))
  }
  return pool.used++
}

function takePlace(pool: ShapePool, count: number): number {
  if (count === 0) return 0
  const place = pool.freePlaces[count]
  if (place >= 0) {
    pool.freePlaces[count] = pool.numbers[place]
    return place
  }
  const end = pool.numbersUsed + count
  if (end > pool.numbers.length) pool.numbers = grown(pool.numbers, new Float64Array(2 ** Math.ceil(Math.log2(end))))
  pool.numbersUsed = end
  return end - count
}

function grown<Column extends Uint8Array | Int32Array | Uint32Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

function hash(form: number, numbers: Float64Array, at: number, count: number): number {
  let bits = Math.imul(form + 1, 0x9e3779b1)
  for (let k = at; k < at + count; k++) {
    double[0] = numbers[k]
    bits = Math.imul(bits ^ halves[0], 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 15) ^ halves[1], 0xc2b2ae35)
    bits ^= bits >>> 13
  }
  return bits ^ (bits >>> 16)
}

function hashAt(pool: ShapePool, slot: number): number {
  const form = pool.formOf[slot]
  return hash(form, pool.numbers, pool.placeOf[slot], countOf(pool, form))
}

/** The slot of a shape, or −1. −0 is not 0. */
function find(pool: ShapePool, form: number, numbers: Float64Array, at: number): number {
  const { index, formOf, placeOf } = pool
  const count = countOf(pool, form)
  const mask = index.length - 1
  for (let k = hash(form, numbers, at, count) & mask; ; k = (k + 1) & mask) {
    const slot = index[k]
    if (slot < 0) return -1
    if (formOf[slot] !== form) continue
    const place = placeOf[slot]
    let same = 0
    while (same < count && Object.is(pool.numbers[place + same], numbers[at + same])) same++
    if (same === count) return slot
  }
}

/** Makes room in the index for `count` shapes, with pauses in which nobody may change the pool. */
export function* reserveShapes(pool: ShapePool, count: number, pace: Pace): Slices<void> {
  let size = pool.index.length
  while (4 * count > 3 * size) size *= 2
  if (size === pool.index.length) return
  const index = new Int32Array(size)
  yield* fillInSlices(index, -1)
  for (const slot of pool.index) {
    if (slot >= 0) insert(pool, slot, index)
    if (pace.isDue(1)) yield
  }
  pool.index = index
}

/** At most 3 of 4 places are taken. */
function addToIndex(pool: ShapePool, slot: number): void {
  if (4 * pool.count > 3 * pool.index.length) {
    const former = pool.index
    pool.index = new Int32Array(2 * former.length).fill(-1)
    for (const other of former) if (other >= 0) insert(pool, other)
  }
  insert(pool, slot)
}

function insert(pool: ShapePool, slot: number, index = pool.index): void {
  const mask = index.length - 1
  let k = hashAt(pool, slot) & mask
  while (index[k] >= 0) k = (k + 1) & mask
  index[k] = slot
}

function removeFromIndex(pool: ShapePool, slot: number): void {
  const { index } = pool
  const mask = index.length - 1
  let gap = hashAt(pool, slot) & mask
  while (index[gap] !== slot) gap = (gap + 1) & mask
  for (let k = (gap + 1) & mask; index[k] >= 0; k = (k + 1) & mask) {
    // An entry whose search starts behind the gap stays.
    const home = hashAt(pool, index[k]) & mask
    if (((k - home) & mask) < ((k - gap) & mask)) continue
    index[gap] = index[k]
    gap = k
  }
  index[gap] = -1
}

/** The first fault in a pool whose slots have so many references, for tests; null without any. */
export function validateShapes(pool: ShapePool, references: ReadonlyMap<number, number>): string | null {
  const { count, forms, index } = pool
  if (count !== references.size) return `${count} shapes of ${references.size} used`
  if (index.filter((slot) => slot >= 0).length !== count) return 'the index of shapes holds others'
  const formReferences = new Map<number, number>()
  for (const [slot, bodies] of references) {
    if (pool.references[slot] !== bodies) return `shape ${slot} has ${bodies} bodies`
    const form = pool.formOf[slot]
    if (find(pool, form, pool.numbers, pool.placeOf[slot]) !== slot) return `shape ${slot} is not to be found`
    if (forms.slotOf.get(formAt(pool, slot).text) !== form) return `form ${form} is not to be found`
    formReferences.set(form, (formReferences.get(form) ?? 0) + 1)
  }
  if (forms.slotOf.size !== formReferences.size) return `${forms.slotOf.size} forms of ${formReferences.size} used`
  for (const [form, shapes] of formReferences) {
    if (forms.references[form] !== shapes) return `form ${form} has ${shapes} shapes`
  }
  return null
}

// Facts found about shapes when their bodies were accepted, by the values of the shapes, so that they need not be found again when the
// bodies are put. A value that is no longer referenced is forgotten.

/** About a shape at one pose. */
export interface FoundBody {
  readonly pose: ArrayLike<number>
  /** As `measureOuterBox` of its geometry has it. */
  readonly box: Float64Array
  /** No region in it touches itself. */
  readonly isPlain: boolean
  /** The prepared body, where that was worth handing on. */
  readonly core: Kinds['body'] | null
  /** Gives the value of the shape, whose meshes another thread has prepared. */
  readonly open?: () => object
}

const found = new WeakMap<object, FoundBody>()

export function noteFound(shape: object, body: FoundBody): void {
  found.set(shape, body)
}

export function foundOf(shape: object): FoundBody | null {
  return found.get(shape) ?? null
}
