/** How a character moves in the plane: over what `walker.ts` does. */

import type { Pace, Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { measureOuterBox } from '../../core2d/queries/body-boxes.ts'
import { createSupport, support } from '../../core2d/queries/support.ts'
import { X, Y } from '../../core2d/shape/body.ts'
import type { Plane } from '../state/geometry.ts'
import type { PlaneView } from '../state/view.ts'
import { byId, type Climb, type Gait, type GaitQuery, isTooSteep, type Leg, type Place, type Stop } from './gait.ts'
import { separateWalker } from './separate.ts'
import { NO_WAY_OUT_RATIO, TOUCH_RATIO } from './tolerances.ts'
import {
  advance,
  type Block,
  blockBy,
  blocksOf,
  createWalker,
  finiteReach,
  isBare,
  putWalker,
  settleBeside,
  type Walker,
} from './walker.ts'

export interface PlaneStop extends Stop {
  block: Block
}

export function planeGait(view: PlaneView, query: GaitQuery<Plane>, pace: Pace): Gait<Plane, PlaneStop> {
  const { body, describe, accepts, climb, translation } = query
  const walker = createWalker(view, body, accepts, describe, pace)
  /** The lines that it stays beside. A line has no inside, so only the position tells on which side the walker is. */
  let lines: Block[] = []
  return {
    view,
    pace,
    body,
    reach: finiteReach(body),
    position: () => [body.numbers[X], body.numbers[Y]],
    put: ([x, y]) => putWalker(walker, x, y),
    getOut: () => separateWalker(walker),
    leaves: (way) => linesLeft(walker, way),
    *go(way, keepsSides) {
      const { leg, length } = yield* goStraight(walker, way)
      if (keepsSides) {
        lines = linesAlong(lines, way)
        for (const line of lines) yield* settleBeside(walker, line, leg.passed * length)
      }
      return leg
    },
    *look([dx, dy]) {
      const blocks = yield* blocksOf(walker, dx, dy, instantOf(walker, Math.hypot(dx, dy)), false)
      return yield* stopsOf(walker, blocks)
    },
    *turn(rest, stops) {
      const blocks = stops.map(({ block }) => block)
      lines.push(...blocks.filter(({ isLine }) => isLine))
      return yield* turn(walker, translation, climb, blocks, rest)
    },
    lowest: ([x, y]) => {
      support(body, -x, -y, found)
      return found.x * x + found.y * y
    },
    width: ([x, y]) => {
      measureOuterBox(body, box, 0)
      return Math.abs(x) * (box[2] - box[0]) + Math.abs(y) * (box[3] - box[1])
    },
  }
}

const found = createSupport()
const box = new Float64Array(4)

/** Share of a motion of that length that is its start. */
function instantOf({ body }: Walker, length: number): number {
  return (TOUCH_RATIO * (Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]) + length)) / length
}

function* goStraight(walker: Walker, [dx, dy]: Place): FarSlices<{ leg: Leg<PlaneStop>; length: number }> {
  const length = Math.hypot(dx, dy)
  const instant = instantOf(walker, length)
  let blocks = yield* blocksOf(walker, dx, dy, instant, false)
  let time = earliest(blocks)
  let passed = yield* advance(walker, dx, dy, time, blocks)
  if (passed === 0 && time > instant) {
    // it would overlap a body that it was judged to slide along
    blocks = yield* blocksOf(walker, dx, dy, instant, false, true)
    time = earliest(blocks)
    passed = yield* advance(walker, dx, dy, time, blocks)
  }
  return { leg: { time, passed, stops: yield* stopsOf(walker, blocks) }, length }
}

function earliest(blocks: readonly Block[]): number {
  return blocks.reduce((least, { time }) => Math.min(least, time), 1)
}

/** By id. */
function* stopsOf({ view, pace }: Walker, blocks: readonly Block[]): Slices<PlaneStop[]> {
  const sorted = yield* byId(view, pace, blocks)
  return sorted.map((block) => {
    const { slot, x, y, nx, ny } = block
    return { slot, point: [x, y], normal: [nx, ny], block }
  })
}

/** The lines that the walker lies on and would leave. */
function* linesLeft(walker: Walker, [dx, dy]: Place): FarSlices<PlaneStop[]> {
  const length = Math.hypot(dx, dy)
  if (!(length > 0) || !isBare(walker.body)) return []
  const blocks = yield* blocksOf(walker, dx, dy, 0, true)
  return yield* stopsOf(
    walker,
    blocks.filter(({ isLine, time }) => isLine && time === 0),
  )
}

/** The lines along which (dx, dy) leads. */
function linesAlong(lines: readonly Block[], [dx, dy]: Place): Block[] {
  const most = NO_WAY_OUT_RATIO * Math.hypot(dx, dy)
  return lines.filter(({ nx, ny }) => Math.abs(nx * dx + ny * dy) <= most)
}

/** The best way along the blocks for the rest of a motion; (0, 0) in a corner. */
function* turn(
  walker: Walker,
  [dx, dy]: Place,
  climb: Climb | null,
  blocks: readonly Block[],
  rest: Place,
): FarSlices<number[]> {
  const [restX, restY] = rest
  const { pace } = walker
  const length = Math.hypot(restX, restY)
  let best = 0
  let along = [0, 0]
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
    if (climb !== null && isTooSteep(climb, [[nx, ny]], rest, [alongX, alongY], TOUCH_RATIO)) continue
    const way = `${alongX} ${alongY}`
    if (closed.has(way)) continue
    if (!(yield* leadsOn(walker, blocks, alongX, alongY))) {
      closed.add(way)
      continue
    }
    best = progress
    along = [alongX, alongY]
  }
  return along
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
