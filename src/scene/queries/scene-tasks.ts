/**
 * Long work on scenes, on a main thread that must not block.
 *
 * Pausing. A query of a scene is a generator (`FarSlices`, `containers/far-call.ts`). It yields every few thousand points
 * (`containers/budget.ts`), and the event loop serves other requests before the generator continues (`queries/ask/slices.ts`). Scratch
 * that is shared between queries is not held over a `yield`.
 *
 * Handing over. A single question about one pair of bodies, or a ray and a body, has no place to pause. If the bodies have few points,
 * it is answered at once. Otherwise it is tried within `LIGHT_STEPS` steps; past those the generator yields a `FarCall`, whose task
 * describes the bodies completely (`described-body.ts`), and a worker answers it from the start, without the scene
 * (`answerSceneTask`). A query continues with the result, which is the same to the last bit.
 *
 * Each question below is one function that both threads call (`contactOf`, `impactOf`, …), and one that decides where (`costly…`).
 * Callers check `isLight` first and answer light pairs themselves: a generator for each pair costs some 3 % of an overlap query.
 */

import { OutOfBudget, Pace, type Slices, within } from '../../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../../containers/far-call.ts'
import { type PackedCells, PassedCells } from '../../core/passed-cells.ts'
import { type SectorGrid, TooManyPassages } from '../../core/sectors.ts'
import type { Want } from '../../core/want.ts'
import { type Advance, createEntry, type Entry, firstEntry } from '../../core2d/motion/entry.ts'
import type { RelatedGap, Relation } from '../../core2d/queries/overlap.ts'
import type { StartInside } from '../../core2d/ray/ray-cast.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { unionOf } from '../../core2d/shape/composite.ts'
import type { Motion } from '../../core2d/shape/motion.ts'
import { restingTurn } from '../../core3d/fit/resting-turn.ts'
import {
  createEntry as createEntry3d,
  type Entry as Entry3d,
  firstEntry as firstEntry3d,
} from '../../core3d/motion/entry.ts'
import type { Body as Body3d, Vector } from '../../core3d/shape/body.ts'
import type { Motion as Motion3d } from '../../core3d/shape/motion.ts'
import type { Turn } from '../../core3d/shape/turn.ts'
import { adoptBody, isCostlyRow, prepareInSlices } from '../state/body-cache.ts'
import { shapeSlot } from '../state/body-table.ts'
import {
  type Geometry,
  geometryOf,
  type Kinds,
  type Obstacle,
  type Plane,
  type Prepares,
  type WayOut,
} from '../state/geometry.ts'
import { formAt, isCostlyShape } from '../state/shape-pool.ts'
import { textLength } from '../state/shape-text.ts'
import { type PlaneView, rowAt, tableOf, type View } from '../state/view.ts'
import {
  type Describe,
  type DescribedBody,
  type DescribedUnion,
  describeBody,
  describeUnion,
  isSameDescription,
  prepareDescribed,
  prepareUnion,
  UNDESCRIBED,
  Undescribed,
} from './described-body.ts'
import { LIGHT_POINTS, LIGHT_RAY_POINTS, LIGHT_STEPS, LIGHT_UNION_POINTS } from './thresholds.ts'

/** A question about two bodies. */
interface PairTask extends FarTask {
  readonly kind: 'relate' | 'meet' | 'contact' | 'distance'
  readonly a: DescribedBody
  readonly b: DescribedBody
}

/** Find when two moving bodies first meet. */
interface ImpactTask extends FarTask {
  readonly kind: 'impact'
  readonly a: DescribedBody
  readonly motionA: Kinds['motion']
  readonly b: DescribedBody
  readonly motionB: Kinds['motion']
  readonly duration: number
  readonly ignoreSeparating: boolean
  readonly want: Want
}

/** Find where a ray hits a body. */
interface RayTask extends FarTask {
  readonly kind: 'ray'
  readonly ray: Kinds['ray']
  readonly body: DescribedBody
  readonly startInside: StartInside
}

/** Find the cells of a grid that a body passes through. */
interface SectorsTask extends FarTask {
  readonly kind: 'sectors'
  readonly body: DescribedBody
  readonly grid: SectorGrid
  readonly most: number
}

/** Find when a moving body goes into the union of others. */
interface EntryTask extends FarTask {
  readonly kind: 'entry'
  readonly union: DescribedUnion
  readonly body: DescribedBody
  readonly motion: Motion
  readonly isHeld: boolean
  readonly isStrict: boolean
}

/** Find when a body that moves in space goes into another. */
interface Entry3dTask extends FarTask {
  readonly kind: 'entry-3d'
  readonly a: DescribedBody
  readonly b: DescribedBody
  readonly motion: Motion3d
  readonly isHeld: boolean
}

/** Find how a body in space turns to lie on a plane. */
interface RestingTask extends FarTask {
  readonly kind: 'resting'
  readonly body: DescribedBody
  readonly normal: Vector
}

/** Find the shortest way of a body out of the union of others. */
interface EscapeTask extends FarTask {
  readonly kind: 'escape'
  readonly union: DescribedUnion
  readonly body: DescribedBody
}

/** Find the path of a body among obstacles. */
interface TrajectoryTask extends FarTask {
  readonly kind: 'trajectory'
  readonly body: DescribedBody
  readonly motion: Kinds['motion']
  readonly obstacles: DescribedUnion
  /** Of each obstacle. */
  readonly motions: readonly Kinds['motion'][]
  readonly duration: number
  readonly restitution: number
  readonly maxBounces: number
}

/** Prepares a body. */
export interface PrepareTask extends FarTask {
  readonly kind: 'prepare'
  readonly body: DescribedBody
}

/** Every task that queries of scenes hand to a worker. */
export type SceneTask =
  | PairTask
  | ImpactTask
  | EntryTask
  | Entry3dTask
  | RestingTask
  | RayTask
  | SectorsTask
  | EscapeTask
  | TrajectoryTask
  | PrepareTask

/** Whether questions about two bodies that do not turn are answered at once. */
export function isLight<K extends Kinds>({ compositeKind }: Geometry<K>, a: K['body'], b: K['body']): boolean {
  return isLightBody(compositeKind, a) && isLightBody(compositeKind, b)
}

function isLightBody(compositeKind: number, { kind, count }: Kinds['body']): boolean {
  return kind !== compositeKind && count <= LIGHT_POINTS
}

/** Whether a ray is cast at a body at once. */
export function isLightForRay<K extends Kinds>(geometry: Geometry<K>, body: K['body']): boolean {
  return geometry.points(body) <= LIGHT_RAY_POINTS
}

/** Answers a question here if it takes at most `LIGHT_STEPS` steps, and otherwise has a worker do the task. */
function* hereOrElsewhere<Result>(ask: () => Result, describeTask: () => FarTask): FarSlices<Result> {
  try {
    return within(LIGHT_STEPS, ask)
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
  }
  let task: FarTask
  try {
    task = describeTask()
  } catch (error) {
    if (error instanceof Undescribed) return ask()
    throw error
  }
  return yield* callFar<Result>(task)
}

function askPair<Result>(
  kind: PairTask['kind'],
  describeA: Describe,
  describeB: Describe,
  ask: () => Result,
): FarSlices<Result> {
  return hereOrElsewhere(ask, (): PairTask => ({ kind, a: describeA(), b: describeB() }))
}

/** The relation of two bodies. `out` gets the gap if the question is answered here, and else stays as it is. */
export function costlyRelation<K extends Kinds>(
  geometry: Geometry<K>,
  a: K['body'],
  describeA: Describe,
  b: K['body'],
  describeB: Describe,
  out: RelatedGap = { gap: Number.NaN },
): FarSlices<Relation> {
  return askPair('relate', describeA, describeB, () => geometry.relateByGap(a, b, out))
}

export function costlyMeeting<K extends Kinds>(
  geometry: Geometry<K>,
  a: K['body'],
  describeA: Describe,
  b: K['body'],
  describeB: Describe,
): FarSlices<boolean> {
  return askPair('meet', describeA, describeB, () => geometry.bodiesMeet(a, b))
}

/** Fills `out` with the contact of two bodies, including its points. */
export function* costlyContact<K extends Kinds>(
  geometry: Geometry<K>,
  a: K['body'],
  describeA: Describe,
  b: K['body'],
  describeB: Describe,
  out: K['contact'],
): FarSlices<void> {
  Object.assign(out, yield* askPair('contact', describeA, describeB, () => contactOf(geometry, a, b, out)))
}

function contactOf<K extends Kinds>(
  geometry: Geometry<K>,
  a: K['body'],
  b: K['body'],
  out = geometry.createContact(),
): K['contact'] {
  geometry.contact(a, b, out)
  return out
}

/** Fills `out` with the distance of two bodies. */
export function* costlyDistance<K extends Kinds>(
  geometry: Geometry<K>,
  a: K['body'],
  describeA: Describe,
  b: K['body'],
  describeB: Describe,
  out: K['distance'],
): FarSlices<void> {
  Object.assign(out, yield* askPair('distance', describeA, describeB, () => distanceOf(geometry, a, b, out)))
}

function distanceOf<K extends Kinds>(
  geometry: Geometry<K>,
  a: K['body'],
  b: K['body'],
  out = geometry.createDistance(),
): K['distance'] {
  geometry.distance(a, b, out)
  return out
}

interface MovingBody<K extends Kinds> {
  readonly body: K['body']
  readonly motion: K['motion']
  readonly describe: Describe
}

type ImpactQuestion = Pick<ImpactTask, 'duration' | 'ignoreSeparating' | 'want'>

/** The first impact of two moving bodies. `out` is not held over a pause. */
export function costlyImpact<K extends Kinds>(
  geometry: Geometry<K>,
  { body: a, motion: motionA, describe: describeA }: MovingBody<K>,
  { body: b, motion: motionB, describe: describeB }: MovingBody<K>,
  question: ImpactQuestion,
  out: K['impact'],
): FarSlices<K['impact']> {
  const { duration, ignoreSeparating, want } = question
  return hereOrElsewhere(
    () => impactOf(geometry, a, motionA, b, motionB, question, out),
    (): ImpactTask => {
      return { kind: 'impact', a: describeA(), motionA, b: describeB(), motionB, duration, ignoreSeparating, want }
    },
  )
}

function impactOf<K extends Kinds>(
  geometry: Geometry<K>,
  a: K['body'],
  motionA: K['motion'],
  b: K['body'],
  motionB: K['motion'],
  { duration, ignoreSeparating, want }: ImpactQuestion,
  out = geometry.createImpact(),
): K['impact'] {
  geometry.timeOfImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, out)
  return out
}

/** The hit of a ray on a body, or null. `out` is not held over a pause. */
export function costlyRayHit<K extends Kinds>(
  geometry: Geometry<K>,
  ray: K['ray'],
  body: K['body'],
  describe: Describe,
  startInside: StartInside,
  out: K['hit'],
): FarSlices<K['hit'] | null> {
  return hereOrElsewhere(
    () => rayHitOf(geometry, ray, body, startInside, out),
    (): RayTask => ({ kind: 'ray', ray: { ...ray }, body: describe(), startInside }),
  )
}

function rayHitOf<K extends Kinds>(
  geometry: Geometry<K>,
  ray: K['ray'],
  body: K['body'],
  startInside: StartInside,
  out = geometry.createHit(),
): K['hit'] | null {
  return geometry.rayCast(ray, body, startInside, out) ? out : null
}

/** Adds the cells that a body of the view passes through; false, and none are added, where there are too many. */
export function* costlySectors<K extends Kinds>(
  view: View<K>,
  slot: number,
  body: K['body'],
  index: number,
  passed: PassedCells,
): FarSlices<boolean> {
  const { grid, left } = passed
  const { geometry } = view.table
  const found = yield* hereOrElsewhere<PackedCells | boolean>(
    () => isAdded(geometry, index, body, passed),
    (): SectorsTask => ({ kind: 'sectors', body: describeBody(view, slot), grid, most: left }),
  )
  if (typeof found === 'boolean') return found
  passed.take(index, found)
  return true
}

function isAdded<K extends Kinds>(
  { sectors }: Geometry<K>,
  index: number,
  body: K['body'],
  passed: PassedCells,
): boolean {
  try {
    passed.add(index, body, sectors)
    return true
  } catch (error) {
    if (error instanceof TooManyPassages) return false
    throw error
  }
}

function sectorsOf(body: Kinds['body'], { body: { dimension }, grid, most }: SectorsTask): PackedCells | false {
  const passed = new PassedCells(grid, most)
  return isAdded(geometryOf(dimension), 0, body, passed) && passed.packed()
}

/**
 * When a body first goes into the union of bodies of a view, whose slots are given with them: as `firstEntry` has it. `out` is not held
 * over a pause.
 */
export function costlyEntry(
  view: PlaneView,
  slots: readonly number[],
  bodies: readonly Body[],
  { b, motion, isHeld, isStrict }: Pick<Advance, 'b' | 'motion' | 'isHeld' | 'isStrict'>,
  describe: Describe,
  out: Entry,
): FarSlices<Entry> {
  return hereOrElsewhere(
    () => entryOf(bodies, b, motion, isHeld, isStrict, out),
    (): EntryTask => {
      return { kind: 'entry', union: describeUnion(view, new Set(slots)), body: describe(), motion, isHeld, isStrict }
    },
  )
}

function entryOf(
  bodies: readonly Body[],
  b: Body,
  motion: Motion,
  isHeld: boolean,
  isStrict: boolean,
  out = createEntry(),
): Entry {
  firstEntry({ a: unionOf(bodies), b, motion, duration: 1, isHeld, isStrict }, out)
  return out
}

/** When a body first goes into another one in space. `out` is not held over a pause. */
export function costlyEntry3d(
  a: Body3d,
  describeA: Describe,
  b: Body3d,
  describeB: Describe,
  { motion, isHeld }: Pick<Entry3dTask, 'motion' | 'isHeld'>,
  out: Entry3d,
): FarSlices<Entry3d> {
  return hereOrElsewhere(
    () => entryOf3d(a, b, motion, isHeld, out),
    (): Entry3dTask => ({ kind: 'entry-3d', a: describeA(), b: describeB(), motion, isHeld }),
  )
}

function entryOf3d(a: Body3d, b: Body3d, motion: Motion3d, isHeld: boolean, out = createEntry3d()): Entry3d {
  firstEntry3d(a, b, motion, isHeld, out)
  return out
}

/** As `restingTurn`. */
export function costlyRestingTurn(body: Body3d, describe: Describe, normal: Vector): FarSlices<Turn | null> {
  return hereOrElsewhere(
    () => restingTurn(body, normal),
    (): RestingTask => ({ kind: 'resting', body: describe(), normal }),
  )
}

/**
 * The shortest way of a body out of the union of bodies of a view. `points`: how many the union has. `prepare` gives the bodies of the
 * union where the question is tried here.
 */
export function* costlyEscape<K extends Kinds>(
  view: View<K>,
  slots: ReadonlySet<number>,
  points: number,
  body: K['body'],
  describe: Describe,
  prepare: () => FarSlices<K['body'][]>,
): FarSlices<WayOut> {
  const { geometry } = view.table
  const describeTask = (): EscapeTask => ({ kind: 'escape', union: describeUnion(view, slots), body: describe() })
  const isMuch = points + geometry.points(body) > LIGHT_UNION_POINTS
  if (isMuch && describe !== UNDESCRIBED) return yield* callFar<WayOut>(describeTask())
  const bodies = yield* prepare()
  return yield* hereOrElsewhere(() => geometry.wayOut(bodies, body), describeTask)
}

/** Everything that a path depends on, except for the obstacles. */
export interface PathQuery<K extends Kinds> {
  /** The body; after the query it is where the path ends. */
  readonly body: K['body']
  readonly describe?: Describe
  readonly motion: K['motion']
  readonly duration: number
  readonly restitution: number
  readonly maxBounces: number
}

/** A path, and where the body was left. */
interface FollowedPath<K extends Kinds> {
  readonly isPacked: false
  readonly path: K['path']
  readonly position: number[]
}

/** The path as numbers: a worker would take a tenth of a second to send 100,000 bounces as records. */
interface PackedPath<K extends Kinds> {
  readonly isPacked: true
  readonly path: Omit<K['path'], 'bounces'>
  /** Those of each bounce. */
  readonly packed: Float64Array
  readonly position: number[]
}

/** Cost of reading a bounce, in points of bodies. */
const BOUNCE_POINTS = 2

/** The path of a body among obstacles, which are bodies of the view in the given slots. `start` puts the body where the path begins. */
export function* costlyPath<K extends Kinds>(
  view: View<K>,
  query: PathQuery<K>,
  slots: readonly number[],
  obstacles: readonly Obstacle<K>[],
  start: () => void,
): FarSlices<FollowedPath<K>> {
  const { geometry } = view.table
  const { describe = UNDESCRIBED, motion, duration, restitution, maxBounces } = query
  const found = yield* hereOrElsewhere<FollowedPath<K> | PackedPath<K>>(
    (): FollowedPath<K> => {
      start()
      return pathOf(geometry, query, obstacles)
    },
    (): TrajectoryTask => {
      start()
      const union = describeUnion(view, new Set(slots))
      const motions = obstacles.map((obstacle) => obstacle.motion)
      const asked = { motion, duration, restitution, maxBounces }
      return { kind: 'trajectory', body: describe(), obstacles: union, motions, ...asked }
    },
  )
  return found.isPacked ? yield* unpackPath(geometry, found) : found
}

function pathOf<K extends Kinds>(
  geometry: Geometry<K>,
  { body, motion, duration, restitution, maxBounces }: PathQuery<K>,
  obstacles: readonly Obstacle<K>[],
): FollowedPath<K> {
  const path = geometry.trajectory(body, motion, obstacles, duration, restitution, maxBounces)
  return { isPacked: false, path, position: geometry.positionOf(body) }
}

function packPath<K extends Kinds>(geometry: Geometry<K>, { path, position }: FollowedPath<K>): PackedPath<K> {
  const { bounces, ...rest } = path
  const numbers = bounces.map((bounce) => geometry.bounceNumbers(bounce))
  const size = numbers[0]?.length ?? 0
  const packed = new Float64Array(size * numbers.length)
  for (const [k, each] of numbers.entries()) packed.set(each, size * k)
  return { isPacked: true, path: rest, packed, position }
}

function* unpackPath<K extends Kinds>(
  geometry: Geometry<K>,
  { path, packed, position }: PackedPath<K>,
): Slices<FollowedPath<K>> {
  const pace = new Pace()
  const bounces: K['path']['bounces'] = []
  const size = 2 + 5 * geometry.axes
  for (let at = 0; at < packed.length; at += size) {
    bounces.push(geometry.bounceOf(packed.subarray(at, at + size)))
    if (pace.isDue(BOUNCE_POINTS)) yield
  }
  return { isPacked: false, path: { ...path, bounces } as K['path'], position }
}

/** Whether a body takes long to prepare and is not prepared yet, so that `fetchBody` must come before a question about it. */
export function isCostly(view: View, slot: number): boolean {
  return isCostlyRow(tableOf(view, slot), rowAt(view, slot))
}

/** Whether the shape of a body takes long to read, whether the body is prepared or not. */
export function hasCostlyShape(view: View, slot: number): boolean {
  const table = tableOf(view, slot)
  return isCostlyShape(table.shapes, shapeSlot(table, rowAt(view, slot)))
}

/**
 * Has a costly body prepared, and keeps it until others take its place. An outline is a few large arrays, which a worker prepares and
 * transfers. A compound is many small ones, which take as long to transfer as to make: it is prepared here, between pauses.
 */
export function* fetchBody<K extends Kinds>(view: View<K>, slot: number): FarSlices<K['body']> {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  const { isOutline } = formAt(table.shapes, shapeSlot(table, row))
  const body = yield* isOutline ? callFar<K['body']>(prepareTask(view, slot)) : prepareInSlices(table, row)
  if (isOutline) table.geometry.packNumbers(body)
  // the row may have moved during the pause
  adoptBody(tableOf(view, slot), rowAt(view, slot), body)
  return body
}

function prepareTask(view: View, slot: number): PrepareTask {
  return { kind: 'prepare', body: describeBody(view, slot) }
}

/** Answers a task on a worker. The result is the one that the asking thread would have found, to the last bit. */
export function answerSceneTask(prepares: Prepares, task: SceneTask): unknown {
  const bodyOf = (description: DescribedBody) => preparedBody(prepares, description)
  const planeBodyOf = (description: DescribedBody) => bodyOf(description) as Body
  switch (task.kind) {
    case 'relate':
      return geometryOf(task.a.dimension).relate(bodyOf(task.a), bodyOf(task.b))
    case 'meet':
      return geometryOf(task.a.dimension).bodiesMeet(bodyOf(task.a), bodyOf(task.b))
    case 'contact':
      return contactOf(geometryOf(task.a.dimension), bodyOf(task.a), bodyOf(task.b))
    case 'sectors':
      return sectorsOf(bodyOf(task.body), task)
    case 'distance':
      return distanceOf(geometryOf(task.a.dimension), bodyOf(task.a), bodyOf(task.b))
    case 'impact': {
      const { motionA, motionB, a, b } = task
      return impactOf(geometryOf(a.dimension), bodyOf(a), motionA, bodyOf(b), motionB, task)
    }
    case 'ray':
      return rayHitOf(geometryOf(task.body.dimension), task.ray, bodyOf(task.body), task.startInside)
    case 'entry': {
      const { motion, isHeld, isStrict } = task
      return entryOf(prepareUnion<Plane>(prepares, task.union), planeBodyOf(task.body), motion, isHeld, isStrict)
    }
    case 'entry-3d':
      return entryOf3d(bodyOf(task.a) as Body3d, bodyOf(task.b) as Body3d, task.motion, task.isHeld)
    case 'resting':
      return restingTurn(bodyOf(task.body) as Body3d, task.normal)
    case 'escape':
      return geometryOf(task.body.dimension).wayOut(prepareUnion(prepares, task.union), bodyOf(task.body))
    case 'trajectory': {
      const geometry = geometryOf(task.body.dimension)
      // a fresh one, because it is moved
      const body = freshBody(prepares, task.body)
      const bodies = prepareUnion(prepares, task.obstacles)
      const obstacles = bodies.map((each, k) => ({ body: each, motion: task.motions[k] }))
      return packPath(geometry, pathOf(geometry, { ...task, body }, obstacles))
    }
    case 'prepare':
      // a fresh one, because it is transferred
      return freshBody(prepares, task.body)
    default:
      throw new Error(`There is no task ${(task as FarTask).kind}`)
  }
}

function freshBody(prepares: Prepares, description: DescribedBody): Kinds['body'] {
  const body = geometryOf(description.dimension).createBody()
  prepareDescribed(prepares, description, body)
  return body
}

/** Most bodies that a worker keeps prepared, and most characters of their shapes together. */
const MOST_KEPT = 16
const MOST_LENGTH = 2 ** 22

interface KeptBody {
  readonly description: DescribedBody
  readonly body: Kinds['body']
}

/** Least recently used first. A body with many points is often the subject of several questions in a row. */
const kept: KeptBody[] = []
let keptLength = 0

function preparedBody(prepares: Prepares, description: DescribedBody): Kinds['body'] {
  const index = kept.findIndex((each) => isSameDescription(each.description, description))
  if (index >= 0) {
    const [found] = kept.splice(index, 1)
    kept.push(found)
    return found.body
  }
  const body = freshBody(prepares, description)
  kept.push({ description, body })
  keptLength += textLength(description.shape.form)
  // the two bodies of the question stay, whatever their size
  while (kept.length > 2 && (kept.length > MOST_KEPT || keptLength > MOST_LENGTH)) {
    keptLength -= textLength((kept.shift() as KeptBody).description.shape.form)
  }
  return body
}

/** Forgets the bodies that a worker keeps prepared. */
export function forgetPrepared(): void {
  kept.length = 0
  keptLength = 0
}
