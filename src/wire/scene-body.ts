// Bodies of scenes: listed, checked when they arrive, and prepared for the core when a query needs them.

import type { TSchema } from '@sinclair/typebox'
import { reference } from '../../schemas/reference.ts'
import { MAX_DATA_BYTES } from '../../schemas/scenes/body.ts'
import { DEFAULT_PAGE_SIZE, type SceneBodyListParameters } from '../../schemas/scenes/scene.ts'
import { type Body2d, MAX_COMPOUND_PARTS, type MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import { type Body3d, MAX_MESH_VERTICES, type MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import { OutOfBudget, type Slices, within } from '../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import { bounds, createBounds } from '../core2d/queries/bounds.ts'
import { createBody } from '../core2d/shape/body.ts'
import { createMotion } from '../core2d/shape/motion.ts'
import { bounds as bounds3d, createBounds as createBounds3d } from '../core3d/queries/bounds.ts'
import { createMotion as createMotion3d } from '../core3d/shape/motion.ts'
import { assertReadable, TooMuchToRead } from '../json/input.ts'
import { describeText } from '../scene/queries/described-body.ts'
import type { PrepareTask } from '../scene/queries/scene-tasks.ts'
import { COSTLY_SHAPE_ITEMS, LIGHT_SHAPE_ITEMS, LIGHT_STEPS } from '../scene/queries/thresholds.ts'
import { compileFilter, listBodies } from '../scene/state/filter.ts'
import {
  type Geometry,
  type Kinds,
  PLANE,
  type Plane,
  type Prepares,
  type SceneDimension,
  SPACE,
  type Space,
} from '../scene/state/geometry.ts'
import { contentsOf, idsInBytes, idsInText, noteContents, referencesIn } from '../scene/state/kept-content.ts'
import { type BodyPatch, type MoveOperation, type SceneBody, shapeWeight } from '../scene/state/operation.ts'
import { type FoundBody, foundOf, noteFound } from '../scene/state/shape-pool.ts'
import {
  bodyWithContent,
  canonicalText,
  PackedShape,
  plainShape,
  shapeText,
  shownShape,
} from '../scene/state/shape-text.ts'
import { sceneBodyAt, type View } from '../scene/state/view.ts'
import { decodeBody, decodeMovingBody, releaseLarge, SCHEMA_LIMITS, type ShapeLimits } from './body.ts'
import {
  checkOrientation,
  createSlot as createSlot3d,
  decodeBody as decodeBody3d,
  decodeMovingBody as decodeMovingBody3d,
  releaseSlots,
} from './body-3d.ts'
import {
  type DecodeProblem,
  inRange,
  isProblem,
  outOfRange,
  problemAt,
  problemOf,
  under,
  vectorOutOfRange,
} from './decode-problem.ts'
import { hasPreparedMeshes, plainShape3d, rememberMeshes } from './mesh-3d.ts'
import { schemasByName } from './named-schemas.ts'
import { parseKept, sceneBodyText } from './scene-body-text.ts'
import { areQuick, findContents, type HeldContents, putContents, sourceShapeOf } from './scene-references.ts'
import { violationProblem } from './schema-violation.ts'
import { type Dimension, putShapes, type ShapeSource, type ShapesTask, unknownShape } from './shape-source.ts'
import { UnreadShape } from './unread-shape.ts'
import { bodyCompiler, takeErrors } from './validators.ts'

// A page of the bodies of a scene, as text.

/** Characters from which on a page is full, however few bodies it has. */
const PAGE_LENGTH = 2 ** 22
/** Characters after which a piece is converted to bytes; and characters that cost as much as a point of a body. */
const PIECE_LENGTH = 2 ** 16
const POINT_LENGTH = 2 ** 7

function listBox({ table }: View, parameters: SceneBodyListParameters): Float64Array {
  const { minX = -Infinity, minY = -Infinity, minZ = -Infinity } = parameters
  const { maxX = Infinity, maxY = Infinity, maxZ = Infinity } = parameters
  return table.geometry.axes === 2
    ? Float64Array.of(minX, minY, maxX, maxY)
    : Float64Array.of(minX, minY, minZ, maxX, maxY, maxZ)
}

/** A page of bodies, as bytes: a string of that length would stay on the heap, and be copied once more to be sent. */
export function* sceneBodyListText(view: View, parameters: SceneBodyListParameters): Slices<Buffer> {
  const { tag, limit = DEFAULT_PAGE_SIZE, cursor = '-1', content = false } = parameters
  const box = listBox(view, parameters)
  const accepts = compileFilter(view, tag === undefined ? undefined : { tags: { all: [tag] } })
  const query = { accepts, box: box.some(Number.isFinite) ? box : null, after: Number(cursor) }
  const pieces: Buffer[] = []
  let text = `{"version":${view.version},"bodies":[`
  let length = 0
  let count = 0
  let last = 0
  const isCut = yield* listBodies(view, query, (slot) => {
    if (count === limit || length >= PAGE_LENGTH) return -1
    const found = sceneBodyAt(view, slot)
    const body = sceneBodyText(content ? bodyWithContent(found) : found)
    text += count === 0 ? body : `,${body}`
    count++
    last = slot
    length += body.length
    if (text.length >= PIECE_LENGTH) {
      pieces.push(Buffer.from(text))
      text = ''
    }
    return body.length / POINT_LENGTH
  })
  pieces.push(Buffer.from(`${text}],"next":${isCut ? `"${last}"` : 'null'}}`))
  return Buffer.concat(pieces)
}

// What decoding does in each dimension.

const PLAIN: ShapeLimits = { ...SCHEMA_LIMITS, isPlain: true }
const PLAIN_3D: ShapeLimits = { maxVertices: MAX_MESH_VERTICES, maxParts: MAX_COMPOUND_PARTS }

/** Properties of a body with fewer points are computed as fast as they are looked up. */
const NOTED_POINTS = 32

interface Decoding<K extends Kinds> {
  readonly name: Dimension
  readonly geometry: Geometry<K>
  readonly schema: TSchema
  /** A slot for one check after the other. */
  readonly scratch: K['body']
  readonly motion: K['motion']
  decode(body: object, out: K['body'], limits: ShapeLimits): DecodeProblem | null
  decodeMoving(body: object, out: K['body'], motion: K['motion'], limits: ShapeLimits): DecodeProblem | null
  /** To be called when what it holds is not needed any more. */
  release(scratch: K['body']): void
  /** Whether the body is a few large arrays, and not many small ones. */
  isCheapToHandOn(body: K['body']): boolean
  /** Keeps what was prepared of the shape for other bodies that share it. */
  remember(shape: object, body: K['body']): void
  /** The box of the body at rest: its low sides, then its high ones. */
  boundsOf(body: K['body'], motion: K['motion']): number[]
}

const box = createBounds()
const box3d = createBounds3d()

const IN_PLANE: Decoding<Plane> = {
  name: '2d',
  geometry: PLANE,
  schema: Shape2d,
  scratch: createBody(),
  motion: createMotion(),
  decode: (body, out, limits) => decodeBody(body as Body2d, out, limits),
  decodeMoving: (body, out, motion, limits) => decodeMovingBody(body as MovingBody2d, out, motion, limits),
  release: releaseLarge,
  isCheapToHandOn: ({ composite }) =>
    composite !== null && composite.partCount === 1 && composite.parts[0].outline !== null,
  remember: () => undefined,
  boundsOf(body, motion) {
    bounds(body, motion, 0, box)
    return [box.minX, box.minY, box.maxX, box.maxY]
  },
}

const IN_SPACE: Decoding<Space> = {
  name: '3d',
  geometry: SPACE,
  schema: Shape3d,
  scratch: createSlot3d(),
  motion: createMotion3d(),
  decode: (body, out, limits) => decodeBody3d(body as Body3d, out, limits),
  decodeMoving: (body, out, motion, limits) => decodeMovingBody3d(body as MovingBody3d, out, motion, limits),
  release: releaseSlots,
  // its mesh is prepared once for all bodies that have it
  isCheapToHandOn: () => false,
  remember: (shape, body) => rememberMeshes(shape as Shape3d, body),
  boundsOf(body) {
    bounds3d(body, box3d)
    // no negative zeros
    return [...box3d.min, ...box3d.max].map((side) => side + 0)
  },
}

function decodingOf(dimension: SceneDimension): Decoding<Kinds> {
  return dimension === 2 ? IN_PLANE : IN_SPACE
}

/** Fills a body with a shape that was accepted before, under whatever limits there were then. */
export const prepareShape: Prepares = {
  2: (shape, poses, at, out, isPlain = false) => {
    const limits = isPlain ? PLAIN : SCHEMA_LIMITS
    const position = { x: poses[at], y: poses[at + 1] }
    expectNone(decodeBody({ shape, position, rotation: poses[at + 2] } as Body2d, out, limits))
  },
  3: (shape, poses, at, out) => {
    const position = { x: poses[at], y: poses[at + 1], z: poses[at + 2] }
    const orientation = { x: poses[at + 3], y: poses[at + 4], z: poses[at + 5], w: poses[at + 6] }
    expectNone(decodeBody3d({ shape, position, orientation } as Body3d, out, PLAIN_3D))
    rememberMeshes(shape as Shape3d, out)
  },
}

function expectNone(problem: DecodeProblem | null): void {
  if (problem !== null) throw new Error(`A shape of a scene is none: ${problem.detail}`)
}

/**
 * The problem of a body, with pointers relative to it, or null. `data` is text. Properties of a shape that is costly to
 * prepare are noted.
 */
export function checkSceneBody(
  dimension: SceneDimension,
  body: Omit<SceneBody, 'id'>,
  limits: ShapeLimits,
): DecodeProblem | null {
  const decoding = decodingOf(dimension)
  const { scratch, motion } = decoding
  try {
    const problem = decoding.decodeMoving(body, scratch, motion, limits)
    if (problem !== null) return problem
    if (limits.isPlain !== true && isWorthNoting(decoding, scratch)) {
      noteFound(body.shape, findBody(decoding, scratch, body, false))
    }
    return checkDataSize(body.data)
  } finally {
    decoding.release(scratch)
  }
}

function isWorthNoting({ geometry }: Decoding<Kinds>, { kind, count }: Kinds['body']): boolean {
  return kind === geometry.compositeKind || count >= NOTED_POINTS
}

type Turned = Pick<SceneBody, 'rotation' | 'orientation'>

/** Properties of a decoded body that a scene keeps; `isHandedOn`: with the body itself, which must not change afterwards. */
function findBody({ geometry }: Decoding<Kinds>, body: Kinds['body'], turn: Turned, isHandedOn: boolean): FoundBody {
  const pose = [...geometry.positionOf(body), ...turnNumbers(geometry, turn)]
  const box = new Float64Array(2 * geometry.axes)
  geometry.measureOuterBox(body, box, 0)
  return { pose, box, isPlain: !geometry.touchesItself(body), core: isHandedOn ? body : null }
}

/** What a pose has behind the position. */
function turnNumbers({ axes }: Geometry, { rotation = 0, orientation }: Turned): readonly number[] {
  if (axes === 2) return [rotation]
  const { x, y, z, w } = orientation ?? NO_TURN
  return [x, y, z, w]
}

const NO_TURN = { x: 0, y: 0, z: 0, w: 1 }

/** A body that was found to be one. */
interface ExaminedBody {
  readonly found: FoundBody
  /** Its box, low sides first; null where it has no bounds. */
  readonly bounds: readonly number[] | null
}

/** Checks a body whose fields fit the schema, and says what a scene keeps of it. Meshes of its shape stay prepared. */
export function examineBody(
  dimension: SceneDimension,
  body: Omit<SceneBody, 'id'>,
  limits: ShapeLimits,
): ExaminedBody | DecodeProblem {
  const decoding = decodingOf(dimension)
  const { scratch, motion } = decoding
  try {
    const problem = decoding.decodeMoving(body, scratch, motion, limits)
    if (problem !== null) return problem
    decoding.remember(body.shape, scratch)
    const bounds = decoding.boundsOf(scratch, motion)
    return { found: findBody(decoding, scratch, body, false), bounds: bounds.every(Number.isFinite) ? bounds : null }
  } finally {
    decoding.release(scratch)
  }
}

/** The problem of new fields of a body, as far as it does not depend on the body; or null. */
export function checkFields(fields: BodyPatch | Omit<MoveOperation, 'op' | 'id'>): DecodeProblem | null {
  const { position, rotation, orientation, velocity, angularVelocity } = fields
  if (position && !isPlaceInRange(position)) return vectorOutOfRange(position, '/position')
  if (rotation && !inRange(rotation)) return outOfRange(rotation, '/rotation', 'Angles')
  const problem = orientation ? checkOrientation(orientation) : null
  if (problem !== null) return problem
  if (velocity && !isPlaceInRange(velocity)) return vectorOutOfRange(velocity, '/velocity', 'Velocities')
  if (typeof angularVelocity === 'number' && !inRange(angularVelocity)) {
    return outOfRange(angularVelocity, '/angularVelocity', 'Angular velocities')
  }
  if (typeof angularVelocity === 'object' && angularVelocity !== null && !isPlaceInRange(angularVelocity)) {
    return vectorOutOfRange(angularVelocity, '/angularVelocity', 'Angular velocities')
  }
  return 'data' in fields ? checkDataSize(fields.data) : null
}

function isPlaceInRange({ x, y, z = 0 }: NonNullable<SceneBody['position']>): boolean {
  return inRange(x) && inRange(y) && inRange(z)
}

/** The problem of the data of a body, which is text; or null. */
export function checkDataSize(data: unknown): DecodeProblem | null {
  if (typeof data !== 'string' || 3 * data.length <= MAX_DATA_BYTES) return null
  const actual = Buffer.byteLength(data)
  if (actual <= MAX_DATA_BYTES) return null
  const detail = `data may have at most ${MAX_DATA_BYTES} bytes, got ${actual}.`
  return problemAt('/data', 'data-too-large', detail, { limit: MAX_DATA_BYTES, actual })
}

// Tasks that a worker does: shapes are read, checked and prepared.

/** Check a body. */
interface CheckTask extends FarTask {
  readonly kind: 'check'
  readonly dimension: SceneDimension
  /** JSON text of the body, without its id and its data. */
  readonly text: string
  readonly limits: ShapeLimits
}

/** The body is valid; properties of it. */
interface CheckedShape {
  readonly found: FoundBody | null
}

/** Fields of a body that say where it is and how it moves. */
const PLACEMENT = ['position', 'rotation', 'orientation', 'velocity', 'angularVelocity'] as const

/** Read, check and prepare a shape. */
interface ReadTask extends FarTask {
  readonly kind: 'read'
  readonly dimension: SceneDimension
  /** JSON text of the shape, perhaps. */
  readonly bytes: Uint8Array
  /** Of the body. */
  readonly pose: {
    readonly [Field in (typeof PLACEMENT)[number]]: SceneBody[Field] | undefined
  }
  readonly limits: ShapeLimits
  /** Pointer to the body. */
  readonly where: string
  /** Whether it is for a scene to keep: as it was sent, with references to kept shapes. Scenes do not distinguish −0 from 0. */
  readonly isKept: boolean
  /** Ids and texts of shapes that it may refer to, whether they are still kept or not. */
  readonly held?: readonly (readonly [id: string, text: string])[]
}

/** See `PackedShape`. */
export interface ReadShape {
  readonly form: string
  readonly items: number
  readonly found: FoundBody
}

const validators = new Map<SceneDimension, ReturnType<ReturnType<typeof bodyCompiler>>>()

export function isBodyTask(task: FarTask): task is CheckTask | ReadTask {
  return task.kind === 'check' || task.kind === 'read'
}

/** `shapes`: kept ones that the body may refer to. */
export function doBodyTask(task: CheckTask | ReadTask, shapes: ShapeSource): ReadShape | CheckedShape | DecodeProblem {
  if (task.kind === 'read') return readShape(task, shapes)
  const body = JSON.parse(task.text)
  return checkSceneBody(task.dimension, body, task.limits) ?? { found: foundOf(body.shape) }
}

/** The problem has pointers relative to the body. */
function readShape(task: ReadTask, shapes: ShapeSource): ReadShape | DecodeProblem {
  const { dimension, bytes, pose, limits, where, isKept, held = [] } = task
  const decoding = decodingOf(dimension)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let read: object
  try {
    assertReadable(buffer)
    read = isKept ? parseKept(buffer.toString()) : JSON.parse(buffer.toString())
  } catch (error) {
    if (error instanceof TooMuchToRead) {
      return error.pointer === null
        ? problemOf('schema-violation', error.message)
        : problemAt(`/shape${error.pointer}`, 'schema-violation', error.message)
    }
    return problemOf('malformed-json', `The body is not JSON: ${(error as Error).message}.`)
  }
  const invalid = violationOf(dimension, read, where)
  if (invalid !== null) return invalid
  const sent =
    isKept && referencesIn(read).length > 0 ? { form: canonicalText(read), items: shapeWeight(read, Infinity) } : null
  const holder = { shape: read }
  const wrong = putShapes(holder, decoding.name, alsoHeld(shapes, decoding.name, held))
  if (wrong !== null) return wrong
  const shape = dimension === 2 ? holder.shape : plainShape3d(holder.shape as Shape3d)
  // not a kept one, because it may be transferred
  const core = decoding.geometry.createBody()
  const problem = decoding.decodeMoving({ shape, ...pose }, core, decoding.geometry.createMotion(), limits)
  if (problem !== null) return problem
  const turn = { ...(pose.rotation !== undefined && { rotation: pose.rotation }), ...orientationOf(pose) }
  const found = findBody(decoding, core, turn, decoding.isCheapToHandOn(core))
  return { ...(sent ?? { form: canonicalText(shape), items: shapeWeight(shape, Infinity) }), found }
}

function alsoHeld(shapes: ShapeSource, dimension: Dimension, held: NonNullable<ReadTask['held']>): ShapeSource {
  if (held.length === 0) return shapes
  const texts = new Map(held)
  const find = (id: string) => {
    const text = texts.get(id)
    return text === undefined ? undefined : sourceShapeOf(dimension, JSON.parse(text))
  }
  return { find: (id) => shapes.find(id) ?? find(id) }
}

function orientationOf({ orientation }: ReadTask['pose']): Pick<SceneBody, 'orientation'> {
  return orientation === undefined ? {} : { orientation }
}

function violationOf(dimension: SceneDimension, shape: object, where: string): DecodeProblem | null {
  const validate = validators.get(dimension) ?? bodyCompiler(schemasByName)(reference(decodingOf(dimension).schema))
  validators.set(dimension, validate)
  if (validate(shape)) return null
  return under('/shape', violationProblem(takeErrors(validate)[0], `${where}/shape`))
}

// Bodies of requests: small ones are checked here, and costly ones by a worker.

const POINT = { type: 'point' }
const ORIGIN: NonNullable<SceneBody['position']> = { x: 0, y: 0 }

/**
 * Puts kept shapes in place of the references of the shape of a query, which then has all its content itself. What has much of it is left
 * for a worker to read. Returns the problem, or null.
 */
function* putKept(dimension: SceneDimension, holder: { shape: object }): FarSlices<DecodeProblem | null> {
  const ids = referencesIn(holder.shape)
  if (ids.length === 0) return null
  const task: ShapesTask = { kind: 'kept-shapes', ids }
  const shapes = yield* callFar<ShapeSource | null>(task)
  const sent = holder.shape
  if (shapes !== null) {
    const copy = { shape: structuredClone(sent) }
    const problem = putShapes(copy, decodingOf(dimension).name, shapes)
    if (problem !== null) return problem
    holder.shape = dimension === 2 ? copy.shape : plainShape3d(copy.shape as Shape3d)
    return null
  }
  holder.shape = new UnreadShape(Buffer.from(JSON.stringify(holder.shape)))
  return null
}

/**
 * The problem of a body that a scene is to keep, with pointers relative to it, or null. A shape that was not read is packed then. `where`:
 * the pointer to the body. `held`: what the scene holds.
 */
export function* checkInSlices(
  dimension: SceneDimension,
  body: Omit<SceneBody, 'id'>,
  limits: ShapeLimits,
  where: string,
  held: HeldContents = HOLDS_NOTHING,
): FarSlices<DecodeProblem | null> {
  const { shape, data, ...pose } = body
  const problem =
    shape instanceof UnreadShape
      ? yield* readInto(dimension, body, body, limits, where, held)
      : referencesIn(shape).length === 0
        ? yield* checkShape(dimension, { shape, ...pose }, limits)
        : yield* checkNamed(dimension, { shape, ...pose }, limits, where, held)
  return problem ?? checkDataSize(data)
}

const HOLDS_NOTHING: HeldContents = new Map()

function* checkShape(
  dimension: SceneDimension,
  body: Omit<SceneBody, 'id' | 'data'>,
  limits: ShapeLimits,
): FarSlices<DecodeProblem | null> {
  const { shape } = body
  if (dimension === 3 && hasPreparedMeshes(shape as Shape3d)) return checkSceneBody(dimension, body, limits)
  const items = shapeWeight(shape, COSTLY_SHAPE_ITEMS)
  if (items <= LIGHT_SHAPE_ITEMS) return checkSceneBody(dimension, body, limits)
  try {
    if (items < COSTLY_SHAPE_ITEMS) return within(LIGHT_STEPS, () => checkSceneBody(dimension, body, limits))
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
  }
  const checked = yield* callFar<DecodeProblem | CheckedShape>(checkTask(dimension, body, limits))
  if (isProblem(checked)) return checked
  if (checked.found !== null) noteFound(shape, checked.found)
  return null
}

/** Checks a body whose shape names kept ones, and notes their contents. */
function* checkNamed(
  dimension: SceneDimension,
  body: Omit<SceneBody, 'id' | 'data'>,
  limits: ShapeLimits,
  where: string,
  held: HeldContents,
): FarSlices<DecodeProblem | null> {
  const { shape } = body
  const named = yield* findContents(decodingOf(dimension).name, [...new Set(referencesIn(shape))], held)
  if (!areQuick(named.contents)) {
    const unread = { shape: new UnreadShape(Buffer.from(JSON.stringify(shape))) as object }
    const problem = yield* readInto(dimension, unread, body, limits, where, held)
    const found = foundOf(unread.shape)
    if (found !== null) noteFound(shape, found)
    noteContents(shape, contentsOf(unread.shape))
    return problem
  }
  const shown = putContents(decodingOf(dimension).name, shape, named)
  if (isProblem(shown)) return shown
  const problem = yield* checkShape(dimension, { ...body, ...shown }, limits)
  const found = foundOf(shown.shape)
  if (problem === null && found !== null) noteFound(shape, found)
  return problem
}

function checkTask(dimension: SceneDimension, body: object, limits: ShapeLimits): CheckTask {
  return { kind: 'check', dimension, text: JSON.stringify(body), limits: { ...limits } }
}

/** The problem of new fields of a body, as far as it does not depend on the body, or null. A costly shape is checked by a worker. */
export function* checkFieldsInSlices(
  dimension: SceneDimension,
  fields: BodyPatch,
  limits: ShapeLimits,
  where: string,
  held: HeldContents = HOLDS_NOTHING,
): FarSlices<DecodeProblem | null> {
  const { shape } = fields
  if (shape === undefined) return checkFields(fields)
  const isUnread = shape instanceof UnreadShape
  if (!isUnread && referencesIn(shape).length === 0) return checkFields(fields)
  const problem = isUnread
    ? yield* readInto(dimension, fields as { shape: object }, {}, limits, where, held)
    : yield* checkNamed(dimension, { shape }, limits, where, held)
  return problem ?? checkFields(fields)
}

/** A body of a request. */
export type WireBody = Pick<SceneBody, 'shape' | 'position' | 'rotation' | 'orientation'>

/** Fills `slot` with the body of a request; a worker reads and checks a costly shape. Returns the problem, or null. */
export function* decodeInSlices<K extends Kinds>(
  geometry: Geometry<K>,
  wire: WireBody,
  slot: K['body'],
  limits: ShapeLimits,
  where: string,
): FarSlices<DecodeProblem | null> {
  const { dimension } = geometry
  const unput = yield* putKept(dimension, wire)
  if (unput !== null) return unput
  if (wire.shape instanceof PackedShape) return yield* decodePacked(geometry, wire, slot, limits)
  if (wire.shape instanceof UnreadShape) {
    const problem = yield* readInto(dimension, wire, wire, limits, where, null)
    const core = foundOf(wire.shape)?.core ?? null
    if (problem !== null || core === null) return problem ?? (yield* decodePacked(geometry, wire, slot, limits))
    takeOver(geometry, slot, core)
    return null
  }
  const { shape } = wire
  const decoding = decodingOf(dimension)
  if (dimension === 3 && hasPreparedMeshes(shape as Shape3d)) return decoding.decode(wire, slot, limits)
  if (shapeWeight(shape, COSTLY_SHAPE_ITEMS) < COSTLY_SHAPE_ITEMS) return decoding.decode(wire, slot, limits)
  const checked = yield* callFar<DecodeProblem | CheckedShape>(checkTask(dimension, wire, limits))
  if (isProblem(checked)) return checked
  if (dimension === 2) return decoding.decode(wire, slot, { ...limits, isPlain: checked.found?.isPlain === true })
  yield* fetchPrepared(geometry, wire, canonicalText(shape), false, slot)
  return null
}

/** Fills `slot` with a body that was prepared elsewhere, and shares nothing with others. */
function takeOver<K extends Kinds>(geometry: Geometry<K>, slot: K['body'], body: Kinds['body']): void {
  Object.assign(slot, body)
  geometry.packNumbers(slot)
}

/** Has a worker prepare a body whose shape was accepted before. */
function* fetchPrepared<K extends Kinds>(
  geometry: Geometry<K>,
  wire: WireBody,
  form: string,
  isPlain: boolean,
  slot: K['body'],
): FarSlices<void> {
  const pose = poseNumbers(geometry, wire)
  const { dimension, axes } = geometry
  const shape = describeText(form, isPlain)
  const task: PrepareTask = { kind: 'prepare', body: { dimension, shape, pose, position: pose.slice(0, axes) } }
  takeOver(geometry, slot, yield* callFar<Kinds['body']>(task))
}

/** Fills `slot` with a body whose shape has been read and checked, perhaps at another pose. The slot shares nothing. */
function* decodePacked<K extends Kinds>(
  geometry: Geometry<K>,
  wire: WireBody,
  slot: K['body'],
  limits: ShapeLimits,
): FarSlices<DecodeProblem | null> {
  const { position = ORIGIN, rotation = 0 } = wire
  const packed = wire.shape as PackedShape
  const found = foundOf(packed)
  const isPlain = found?.isPlain === true
  if (geometry.dimension === 3 || (found !== null && found.core !== null)) {
    const misplaced = checkPose(geometry.dimension, { id: '', ...placementOf(wire), shape: packed }, limits)
    if (misplaced !== null) return misplaced
    yield* fetchPrepared(geometry, wire, packed.form, isPlain, slot)
    return null
  }
  yield
  const shape = packed.toJSON()
  yield
  const problem = decodingOf(2).decode({ shape, position, rotation }, slot, { ...limits, isPlain })
  yield
  return problem
}

function placementOf({ position, rotation, orientation }: WireBody): Partial<WireBody> {
  return {
    ...(position !== undefined && { position }),
    ...(rotation !== undefined && { rotation }),
    ...(orientation !== undefined && { orientation }),
  }
}

/** The numbers of the pose that a body was given. */
export function poseNumbers(geometry: Geometry, wire: Omit<WireBody, 'shape'>): number[] {
  const { x, y, z = 0 } = wire.position ?? ORIGIN
  return [x, y, z].slice(0, geometry.axes).concat(turnNumbers(geometry, wire))
}

/**
 * Packs the unread shape of `holder`, if a body with it is valid; returns the problem otherwise. `held`: what the scene holds that is to
 * keep it; null: it is of a request, and kept shapes take the places of their references.
 */
function* readInto(
  dimension: SceneDimension,
  holder: { shape: object },
  body: Omit<SceneBody, 'id' | 'shape'>,
  limits: ShapeLimits,
  where: string,
  held: HeldContents | null,
): FarSlices<DecodeProblem | null> {
  const { bytes } = holder.shape as UnreadShape
  const { position, rotation, orientation, velocity, angularVelocity } = body
  const pose = { position, rotation, orientation, velocity, angularVelocity }
  const own = held === null || held.size === 0 ? [] : idsInBytes(bytes).flatMap((id) => held.get(id) ?? [])
  const task: ReadTask = {
    kind: 'read',
    dimension,
    bytes,
    pose,
    limits: { ...limits },
    where,
    isKept: held !== null,
    ...(own.length > 0 && { held: own.map(({ id, text }) => [id, text] as const) }),
  }
  const read = yield* callFar<ReadShape | DecodeProblem>(task)
  if (isProblem(read)) return read
  const shape = new PackedShape(read.form, read.items)
  noteFound(shape, read.found)
  holder.shape = shape
  const ids = held === null ? [] : idsInText(read.form)
  if (ids.length === 0) return null
  const { name } = decodingOf(dimension)
  const { contents } = yield* findContents(name, ids, held as HeldContents)
  noteContents(shape, contents)
  // one may have gone since it was read
  const missing = ids.find((id) => !contents.some((content) => content.id === id))
  return missing === undefined ? null : under('/shape', unknownShape(missing, name))
}

/** The problem of a body whose shape was accepted before, or null. */
export function checkPose(dimension: SceneDimension, body: SceneBody, limits: ShapeLimits): DecodeProblem | null {
  const { shape } = body
  const contents = contentsOf(shape)
  // only the problem is of interest
  const known = { ...limits, isPlain: true }
  // of the pose, only a turn can be a problem: not every shape takes one
  const turns = (body.rotation ?? 0) !== 0 || body.orientation !== undefined
  if (contents.length > 0) {
    const mayBeAabb = [shapeText(shape), ...contents.map(({ text }) => text)].some((text) => text.includes('"aabb"'))
    const taken = turns && mayBeAabb ? shownShape(shape) : POINT
    return checkSceneBody(dimension, { ...body, shape: taken }, known)
  }
  const isMesh = 'type' in shape && (shape.type === 'mesh' || shape.type === 'heightfield')
  if (!isMesh && (!(shape instanceof PackedShape) || (turns && shape.form.includes('"aabb"')))) {
    return checkSceneBody(dimension, { ...body, shape: plainShape(shape) }, known)
  }
  return checkSceneBody(dimension, { ...body, shape: POINT }, known)
}
