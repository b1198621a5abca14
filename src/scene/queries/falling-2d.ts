/**
 * How a body falls and turns in the plane: over what `walker.ts` does.
 *
 * Turning: it rolls about its lowest corner, the one that looks farthest against the normal, to whichever side another corner comes
 * down to the ground first. Corners with a skin are discs: two discs of radii r and s rest on a line together where the line of
 * their centres is steeper by asin((s − r) / d). Ellipses lie on their long side.
 * Frame: angles in radians, counter-clockwise, in world axes.
 */

import { spend } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
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
import type { Plane } from '../state/geometry.ts'
import type { Falling, FallStop, FirstStop } from './falling.ts'
import type { Place } from './placing.ts'
import { planePlacing } from './placing-2d.ts'
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

interface PlaneStop extends FallStop {
  block: Block
}

export const PLANE_FALLING: Readonly<Falling<Plane, PlaneStop, number>> = {
  faller(view, { body, describe }, accepts, pace) {
    const walker = createWalker(view, body, accepts, describe, pace)
    return {
      ...planePlacing(walker),
      reach: finiteReach(body),
      standing: () => standing(walker),
      *stops([dx, dy], instant, isStrict) {
        const blocks = yield* blocksOf(walker, dx, dy, instant, true, isStrict)
        return blocks.map((block) => {
          const { slot, time, x, y, nx, ny } = block
          return { slot, time, point: [x, y], normal: [nx, ny], block }
        })
      },
      land: (way, stop) => land(walker, way, stop),
    }
  },
  noTurn: 0,
  toNormal: ([ux, uy], [nx, ny]) => turnToNormal(ux, uy, nx, ny),
  // biome-ignore lint/correctness/useYield: nothing takes long here
  *toFace({ body }, [nx, ny]) {
    return turnToFace(body, nx, ny)
  },
  sum: (turn, more) => turn + more,
  rest: (turn, sum) => sum - turn,
  angle: Math.abs,
}

/** Multiple of the rounding error from which on an estimated depth cannot be a rounding error. */
const CLEAR_DEPTH_COUNT = 8

function* standing(walker: Walker): FarSlices<'free' | 'shallow' | 'deep'> {
  const overlapped = yield* overlappedBy(walker)
  if (overlapped.length === 0) return 'free'
  const rounding = roundingOf(walker, 0, 0)
  // an estimate decides most cases at once
  if (overlapped.some(({ gap }) => -gap > CLEAR_DEPTH_COUNT * rounding)) return 'deep'
  for (const { slot } of overlapped) {
    const found = yield* gapTo(walker, slot)
    if (found === null || -found.gap > rounding) return 'deep'
  }
  return 'shallow'
}

function* land(walker: Walker, [ux, uy]: Place, stop: FirstStop<PlaneStop>): FarSlices<boolean> {
  const { length, time, block, slot } = stop
  const { numbers } = walker.body
  const way = length * time
  putWalker(walker, numbers[X] + way * ux, numbers[Y] + way * uy)
  const isOut = yield* settleOn(walker, block, way, false, { nx: -ux, ny: -uy })
  return yield* settleWalker(walker, roundingOf(walker, way * ux, way * uy), isOut ? [slot] : [])
}

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
