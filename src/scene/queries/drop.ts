/**
 * The query `drop`: a body falls along a direction until it rests on something, and turns to align with it if asked.
 *
 * Method: casts, the first as long as the body is wide, and each next one eight times as long, so that rounding errors are those of
 * the way fallen and not of the whole scene. Lengths are powers of two, so that integers stay integers. A body does not stop at what it
 * only slides along (`walker.ts`). To align it, the turn is computed from where it lands, and it falls again with that turn, until
 * it lands aligned.
 * Frame: world.
 */

import { Pace, spend } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { compareIds } from '../../containers/ranking.ts'
import {
  type Body,
  COMPOSITE,
  COS,
  type Composite,
  ELLIPSE,
  RADIUS,
  RX,
  RY,
  SIN,
  verticesOf,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../../core2d/shape/body.ts'
import type { Accepts } from '../state/filter.ts'
import { idAt, type PlaneView, reachOf, visitUnbounded } from '../state/view.ts'
import type { Describe } from './described-body.ts'
import { type Separated, separateWalker } from './separate.ts'
import { TOUCH_RATIO, TURN_RATIO } from './tolerances.ts'
import {
  type Block,
  blocksOf,
  createWalker,
  finiteReach,
  gapTo,
  overlappedBy,
  putWalker,
  roundingOf,
  settleOn,
  settleWalker,
  type Walker,
} from './walker.ts'

/** A body at a rotation, and its description for workers. */
interface Dropped {
  body: Body
  describe: Describe
}

export interface DropQuery {
  /** Unit vector. */
  ux: number
  uy: number
  /** How far it falls, at most; may be infinite. */
  maxDistance: number
  /** face: a side of its own lies on what it lands on, by the least turn; normal: what looked against the fall looks along the normal. */
  align: 'face' | 'normal' | null
  accepts: Accepts
  /** The body where it starts, turned by so much more; its own to move. */
  turned(turn: number): FarSlices<Dropped>
}

/** What it landed on, and where. */
interface Landing {
  slot: number
  id: string
  x: number
  y: number
  /** Unit normal, from the body that was met. */
  nx: number
  ny: number
}

export interface DropAnswer {
  status: 'landed' | 'nothing-below' | 'started-overlapping'
  /** Where it lies, and how far that is from where it started. */
  x: number
  y: number
  distance: number
  /** How far it was turned, in radians. */
  turn: number
  /** Whether it lies as `align` asks. */
  aligned: boolean
  contact: Landing | null
  /** How it left an overlap by rounding at the start; null if it was free. */
  start: Separated | null
}

/** Multiple of the rounding error from which on an estimated depth cannot be a rounding error. */
const CLEAR_DEPTH_COUNT = 8
/** Falls of one body, each turned to what it landed on in the one before. */
const TURN_COUNT = 8
/** Casts of one fall: from the size of a body to the limit of coordinates. */
const CAST_COUNT = 512
/** How much longer each cast is than the one before, within the bounds of the scene and beyond, where only half-planes are. */
const FACTOR = 2 ** 3
const FAR_FACTOR = 2 ** 20
/** Beyond the sum of any two coordinates. */
const FARTHEST = 2 ** 340

export function* queryDrop(view: PlaneView, query: DropQuery): FarSlices<DropAnswer> {
  const { ux, uy, align, turned } = query
  let turn = 0
  let landed = yield* fall(view, query, yield* turned(0))
  if (landed.contact === null || align === null) return landed
  for (let k = 0; k < TURN_COUNT; k++) {
    const { nx, ny } = landed.contact as Landing
    const { body } = yield* turned(turn)
    const more = align === 'normal' ? turnToNormal(ux, uy, nx, ny) - turn : turnToFace(body, nx, ny)
    if (Math.abs(more) <= TURN_RATIO) return { ...landed, turn, aligned: true }
    const next = yield* fall(view, query, yield* turned(turn + more))
    // turned, it has no room, or nothing is below it
    if (next.contact === null) break
    turn += more
    landed = next
  }
  return { ...landed, turn, aligned: false }
}

function* fall(view: PlaneView, query: DropQuery, { body, describe }: Dropped): FarSlices<DropAnswer> {
  const walker = createWalker(view, body, query.accepts, describe, new Pace())
  const answer: DropAnswer = {
    status: 'nothing-below',
    x: body.numbers[X],
    y: body.numbers[Y],
    distance: 0,
    turn: 0,
    aligned: false,
    contact: null,
    start: null,
  }
  const start = yield* letOut(walker)
  if (start !== null && !start.separated) return { ...answer, status: 'started-overlapping' }
  answer.start = start
  for (const isStrict of [false, true]) {
    const landed = yield* landing(walker, query, isStrict)
    if (landed === null) return answer
    if (landed !== 'in something') return { ...answer, ...landed }
  }
  return { ...answer, status: 'started-overlapping' }
}

/**
 * Lets the walker fall. 'in something': at the stop it would overlap a body that it was judged to slide along; it is put back, and with
 * `isStrict` that body blocks it.
 */
function* landing(
  walker: Walker,
  query: DropQuery,
  isStrict: boolean,
): FarSlices<Partial<DropAnswer> | 'in something' | null> {
  const { view, body } = walker
  const { ux, uy, maxDistance } = query
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const block = yield* firstBlock(walker, query, isStrict)
  if (block === null) return null
  const { length, time, slot } = block
  const way = length * time
  if (way > maxDistance) return null
  putWalker(walker, x + way * ux, y + way * uy)
  const isOut = yield* settleOn(walker, block, way, false, { nx: -ux, ny: -uy })
  if (!(yield* settleWalker(walker, roundingOf(walker, way * ux, way * uy), isOut ? [slot] : []))) {
    putWalker(walker, x, y)
    return 'in something'
  }
  const contact = { slot, id: idAt(view, slot), x: block.x, y: block.y, nx: block.nx, ny: block.ny }
  return {
    status: 'landed',
    x: body.numbers[X],
    y: body.numbers[Y],
    distance: Math.hypot(body.numbers[X] - x, body.numbers[Y] - y),
    contact,
  }
}

/** Moves the walker out of overlaps by rounding; null if it overlaps nothing, and not `separated` if an overlap is deeper. */
function* letOut(walker: Walker): FarSlices<Separated | null> {
  const { body } = walker
  const overlapped = yield* overlappedBy(walker)
  if (overlapped.length === 0) return null
  const stays: Separated = { separated: false, dx: 0, dy: 0, exact: false, slots: [], ids: [] }
  const rounding = roundingOf(walker, 0, 0)
  // an estimate decides most cases at once
  if (overlapped.some(({ gap }) => -gap > CLEAR_DEPTH_COUNT * rounding)) return stays
  for (const { slot } of overlapped) {
    const found = yield* gapTo(walker, slot)
    if (found === null || -found.gap > rounding) return stays
  }
  const { numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const start = yield* separateWalker(walker)
  if (start === null || !start.separated || Math.hypot(start.dx, start.dy) <= 2 * rounding) return start
  putWalker(walker, x, y)
  return stays
}

interface FirstBlock extends Block {
  /** The length of the cast, of which `time` is a fraction. */
  length: number
}

function* firstBlock(
  walker: Walker,
  { ux, uy, maxDistance }: DropQuery,
  isStrict: boolean,
): FarSlices<FirstBlock | null> {
  const { view, body, pace } = walker
  const size = Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]) + finiteReach(body)
  const bounds = 2 * (reachOf(view) + size)
  let hasUnbounded = false
  visitUnbounded(view, () => {
    hasUnbounded = true
  })
  const farthest = Math.min(maxDistance, hasUnbounded ? FARTHEST : bounds)
  let length = powerAbove(Math.max(finiteReach(body), bounds * 2 ** -40, Number.MIN_VALUE * 2 ** 60))
  for (let cast = 0; cast < CAST_COUNT; cast++) {
    const block = yield* blockWithin(walker, ux, uy, length, isStrict)
    if (block !== null) return yield* closer(walker, ux, uy, block, isStrict)
    if (length >= farthest) return null
    length *= length < bounds ? FACTOR : FAR_FACTOR
    if (pace.isDue(1)) yield
  }
  return null
}

/** Repeats a cast that was much longer than the way to the block, with a length that is not: rounding is smaller then. */
function* closer(walker: Walker, ux: number, uy: number, block: FirstBlock, isStrict: boolean): FarSlices<FirstBlock> {
  const length = powerAbove(block.length * block.time * (1 + 2 ** -20))
  if (!(length < block.length)) return block
  return (yield* blockWithin(walker, ux, uy, length, isStrict)) ?? block
}

/** The first body that stops a fall of that length; of several, the one with the least id. */
function* blockWithin(
  walker: Walker,
  ux: number,
  uy: number,
  length: number,
  isStrict: boolean,
): FarSlices<FirstBlock | null> {
  const { view, body } = walker
  const instant = (TOUCH_RATIO * (Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]) + length)) / length
  const blocks = yield* blocksOf(walker, length * ux, length * uy, instant, true, isStrict)
  let first: Block | null = null
  let id = ''
  let time = Infinity
  for (const block of blocks) {
    time = Math.min(time, block.time)
    const own = idAt(view, block.slot)
    if (first !== null && compareIds(own, id) > 0) continue
    first = block
    id = own
  }
  return first === null ? null : { ...first, time, length }
}

/** A power of two that is no less. */
function powerAbove(value: number): number {
  const power = 2 ** Math.ceil(Math.log2(value))
  return power < value ? 2 * power : power
}

// How a body turns to lie flat on what it has landed on.
//
// Method: it rolls about its lowest corner, the one that looks farthest against the normal, to whichever side another corner comes
// down to the ground first. Corners with a skin are discs: two discs of radii r and s rest on a line together where the line of
// their centres is steeper by asin((s − r) / d). Ellipses lie on their long side.
// Frame: angles in radians, counter-clockwise, in world axes.

/** From against the direction (ux, uy) to the unit normal (nx, ny), by the shorter way. */
function turnToNormal(ux: number, uy: number, nx: number, ny: number): number {
  // Adding 0 turns −0 into 0.
  return Math.atan2(uy * nx - ux * ny, -(ux * nx + uy * ny)) + 0
}

/**
 * The least turn after which a side of the body, or of the hull around it, lies on a plane with the unit normal (nx, ny); 0 where it
 * has none. Curved parts of compounds count for nothing. Cost O(points).
 */
function turnToFace(body: Body, nx: number, ny: number): number {
  if (body.kind === ELLIPSE) return turnOfEllipse(body, nx, ny)
  lowest.height = Infinity
  visitDiscs(body, (x, y, radius) => {
    const height = x * nx + y * ny - radius
    if (height < lowest.height) Object.assign(lowest, { height, x, y, radius })
  })
  let least = Infinity
  visitDiscs(body, (x, y, radius) => {
    const dx = x - lowest.x
    const dy = y - lowest.y
    const apart = Math.hypot(dx, dy)
    const rise = radius - lowest.radius
    if (!(apart > Math.abs(rise))) return
    // Along the ground and up from it; the tangent is (ny, −nx).
    const along = dx * ny - dy * nx
    const up = dx * nx + dy * ny
    const tilt = Math.asin(rise / apart)
    const angle = Math.atan2(up, along)
    for (const turn of [tilt - angle, Math.PI - tilt - angle]) {
      const around = wrapped(turn)
      if (Math.abs(around) < Math.abs(least)) least = around
    }
  })
  return least === Infinity ? 0 : least
}

const lowest = { height: Infinity, x: 0, y: 0, radius: 0 }

/** By the shorter axis to the normal. */
function turnOfEllipse({ numbers }: Body, nx: number, ny: number): number {
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  if (rx === ry) return 0
  const ax = rx < ry ? cos : -sin
  const ay = rx < ry ? sin : cos
  const side = ax * nx + ay * ny < 0 ? -1 : 1
  return Math.atan2(side * (ax * ny - ay * nx), side * (ax * nx + ay * ny)) + 0
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)) + 0
}

/** Calls `visit` with each core point, counted from the body's position, and its skin. */
function visitDiscs(body: Body, visit: (x: number, y: number, radius: number) => void): void {
  if (body.kind !== COMPOSITE) {
    visitPoints(verticesOf(body), body.count, 0, 0, body.numbers[RADIUS], visit)
    return
  }
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    const dx = part.numbers[X] - body.numbers[X] + part.numbers[X_LOW]
    const dy = part.numbers[Y] - body.numbers[Y] + part.numbers[Y_LOW]
    if (outline !== null) visitPoints(outline.vertices, outline.vertexCount, dx, dy, 0, visit)
    else if (part.kind !== ELLIPSE) visitPoints(verticesOf(part), part.count, dx, dy, part.numbers[RADIUS], visit)
  }
}

function visitPoints(
  vertices: Float64Array,
  count: number,
  dx: number,
  dy: number,
  radius: number,
  visit: (x: number, y: number, radius: number) => void,
): void {
  spend(count)
  for (let i = 0; i < count; i++) visit(vertices[2 * i] + dx, vertices[2 * i + 1] + dy, radius)
}
