/**
 * The query `move` (move and slide): a character moves through a scene, stops at what blocks it, and slides along it with the rest of
 * the motion.
 *
 * Method: a sequence of casts. At each stop, the directions along the touched surfaces are tried, and the one that leads farthest
 * without going into any of them is taken. If there is none, as in a corner, the motion ends. The character never ends in a body:
 * every stop is checked exactly, and overlaps due to rounding are undone.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { type Body, X, Y } from '../../core2d/shape/body.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import { idAt, type PlaneView } from '../state/view.ts'
import { type Describe, UNDESCRIBED } from './described-body.ts'
import { type Separated, separateWalker } from './separate.ts'
import { NO_WAY_OUT_RATIO, TOUCH_RATIO } from './tolerances.ts'
import { advance, type Block, blockBy, blocksOf, createWalker, isBare, settleBeside, type Walker } from './walker.ts'

export interface MoveQuery {
  /** Left where it ended. */
  body: Body
  describe?: Describe
  dx: number
  dy: number
  /** How many surfaces it may slide along, one after another. */
  maxSlides: number
  /** Which way is up, a unit vector, and how steep a surface it climbs at most, in radians from level; null: any. */
  climb: { upX: number; upY: number; maxSlope: number } | null
  accepts: Accepts
  /** Most contacts that are of use; the first one beyond is given too. */
  mostContacts: number
}

export interface MoveContact {
  slot: number
  id: string
  x: number
  y: number
  /** Unit normal, from the body that was met. */
  nx: number
  ny: number
}

export interface MoveAnswer {
  /** Corners of the way, start and end included. */
  path: { x: number; y: number }[]
  contacts: MoveContact[]
  /** The rest of the motion, which is blocked, or left after `max-slides`. */
  restX: number
  restY: number
  status: 'completed' | 'blocked' | 'max-slides'
  /** How it left what it overlapped at the start; null if it was free. If not `separated`, it did not move. */
  start: Separated | null
}

export function* queryMove(view: PlaneView, query: MoveQuery): FarSlices<MoveAnswer> {
  const { body, describe = UNDESCRIBED, dx, dy, maxSlides, accepts, mostContacts } = query
  const pace = new Pace()
  const walker = createWalker(view, body, accepts, describe, pace)
  const path = [{ x: body.numbers[X], y: body.numbers[Y] }]
  const contacts: MoveContact[] = []
  const start = yield* separateWalker(walker)
  const answer: MoveAnswer = { path, contacts, restX: dx, restY: dy, status: 'blocked', start }
  if (start !== null && !start.separated) return answer
  addCorner(path, body)
  /** The lines that it stays beside. A line has no inside, so only the position tells on which side the walker is. */
  let lines: Block[] = []
  yield* addLines(walker, query, contacts)
  for (let slides = 0; ; slides++) {
    const { restX, restY } = answer
    const length = Math.hypot(restX, restY)
    if (!(length > 0)) {
      answer.status = slides === 0 ? 'completed' : 'blocked'
      return answer
    }
    const instant = instantOf(walker, length)
    let blocks = yield* blocksOf(walker, restX, restY, instant, false)
    let time = earliest(blocks)
    let passed = yield* advance(walker, restX, restY, time, blocks)
    if (passed === 0 && time > instant) {
      // it would overlap a body that it was judged to slide along
      blocks = yield* blocksOf(walker, restX, restY, instant, false, true)
      time = earliest(blocks)
      passed = yield* advance(walker, restX, restY, time, blocks)
    }
    lines = linesAlong(lines, restX, restY)
    for (const line of lines) yield* settleBeside(walker, line, passed * length)
    addCorner(path, body)
    answer.restX = (1 - time) * restX
    answer.restY = (1 - time) * restY
    if (blocks.length === 0) {
      // unless rounding leaves no free position on the way
      if (passed > 0) answer.status = 'completed'
      else Object.assign(answer, { restX, restY })
      return answer
    }
    const sorted = yield* sortBlocks(walker, blocks)
    for (const block of sorted) {
      if (contacts.length > mostContacts) break
      addContact(view, contacts, block)
      if (pace.isDue(1)) yield
    }
    if (slides === maxSlides) {
      answer.status = 'max-slides'
      return answer
    }
    lines.push(...sorted.filter(({ isLine }) => isLine))
    yield* turn(walker, query, sorted, answer)
  }
}

function earliest(blocks: readonly Block[]): number {
  return blocks.reduce((least, { time }) => Math.min(least, time), 1)
}

/** Share of a motion of that length that is its start. */
function instantOf({ body }: Walker, length: number): number {
  return (TOUCH_RATIO * (Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]) + length)) / length
}

/** Adds the contacts with lines that the walker lies on and would leave. */
function* addLines(walker: Walker, { dx, dy }: MoveQuery, contacts: MoveContact[]): FarSlices<void> {
  const length = Math.hypot(dx, dy)
  if (!(length > 0) || !isBare(walker.body)) return
  const blocks = yield* blocksOf(walker, dx, dy, 0, true)
  const lines = blocks.filter(({ isLine, time }) => isLine && time === 0)
  for (const block of yield* sortBlocks(walker, lines)) addContact(walker.view, contacts, block)
}

/** The lines along which (dx, dy) leads. */
function linesAlong(lines: readonly Block[], dx: number, dy: number): Block[] {
  const most = NO_WAY_OUT_RATIO * Math.hypot(dx, dy)
  return lines.filter(({ nx, ny }) => Math.abs(nx * dx + ny * dy) <= most)
}

/** By id. */
function* sortBlocks({ view, pace }: Walker, blocks: readonly Block[]): Slices<Block[]> {
  const blockOf = new Map(blocks.map((block) => [block.slot, block]))
  const slots = [...blockOf.keys()]
  yield* sortById(view, slots, pace)
  return slots.map((slot) => blockOf.get(slot) as Block)
}

/** Sets the rest of the motion to the best way along the blocks; to nothing in a corner. */
function* turn(
  walker: Walker,
  { dx, dy, climb }: MoveQuery,
  blocks: readonly Block[],
  answer: MoveAnswer,
): FarSlices<void> {
  const { restX, restY } = answer
  const { pace } = walker
  const length = Math.hypot(restX, restY)
  answer.restX = 0
  answer.restY = 0
  let best = 0
  /** Directions that lead into something: surfaces side by side have the same one. */
  const closed = new Set<string>()
  for (const { nx, ny } of blocks) {
    if (pace.isDue(1)) yield
    const into = (restX * nx + restY * ny) / (nx * nx + ny * ny)
    const alongX = restX - into * nx
    const alongY = restY - into * ny
    const progress = (alongX * restX + alongY * restY) / length
    // never back, and not along the rounding error of a head-on hit
    if (progress <= Math.max(best, TOUCH_RATIO * length) || alongX * dx + alongY * dy <= 0) continue
    if (climb !== null && isTooSteep(climb, nx, ny, alongX, alongY)) continue
    const way = `${alongX} ${alongY}`
    if (closed.has(way)) continue
    if (!(yield* leadsOn(walker, blocks, alongX, alongY))) {
      closed.add(way)
      continue
    }
    best = progress
    answer.restX = alongX
    answer.restY = alongY
  }
}

function isTooSteep(
  { upX, upY, maxSlope }: NonNullable<MoveQuery['climb']>,
  nx: number,
  ny: number,
  alongX: number,
  alongY: number,
): boolean {
  const rises = alongX * upX + alongY * upY > TOUCH_RATIO * Math.hypot(alongX, alongY)
  return rises && nx * upX + ny * upY < Math.cos(maxSlope)
}

/** Whether no touched body stops the motion at once. */
function* leadsOn(walker: Walker, blocks: readonly Block[], dx: number, dy: number): FarSlices<boolean> {
  const instant = instantOf(walker, Math.hypot(dx, dy))
  for (const { slot } of blocks) {
    const block = yield* blockBy(walker, [slot], dx, dy, false)
    if (block !== null && block.time <= instant) return false
  }
  return true
}

function addCorner(path: { x: number; y: number }[], { numbers }: Body): void {
  const x = numbers[X]
  const y = numbers[Y]
  const last = path[path.length - 1]
  if (last.x !== x || last.y !== y) path.push({ x, y })
}

function addContact(view: PlaneView, contacts: MoveContact[], { slot, x, y, nx, ny }: Block): void {
  contacts.push({ slot, id: idAt(view, slot), x, y, nx, ny })
}
