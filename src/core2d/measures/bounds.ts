/**
 * The bounds query: the axis-aligned box of a body, or of everything it covers while it moves.
 *
 * Method: the box of a convex hull is that of its points, so core points are followed one by one (`numeric/orbit.ts`), the
 * skin is added at the end, and curves are followed by their support (`bounds-curve.ts`). Each side of the box is the
 * greatest height along one of four directions.
 * Frame: the answer is in world coordinates; heights are counted from the body's position at the start.
 */

import { spend } from '../../containers/budget.ts'
import { highestOnOrbit, type Orbit } from '../../numeric/orbit.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { type Body, COMPOSITE, type Composite } from '../shape/body.ts'
import { isCored, isCurved } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { highestOfCurve } from './bounds-curve.ts'

/** Infinite where a half-plane reaches to infinity. */
export interface Bounds {
  minX: number
  minY: number
  maxX: number
  maxY: number
}

export function createBounds(): Bounds {
  return { minX: 0, minY: 0, maxX: 0, maxY: 0 }
}

/** The four directions: right, up, left, down. */
const COS = [1, 0, -1, 0] as const
const SIN = [0, 1, 0, -1] as const

const orbit: Orbit = { along: 0, across: 0, speed: 0, spin: 0, duration: 0, cos: 1, sin: 0 }
/** Greatest heights along the four directions so far; module scratch. */
const heights = new Float64Array(4)
/** How far the body travels along each, if it does. */
const travels = new Float64Array(4)

/** Fills `out` with the tight box of the body over [0, duration]; `duration` 0 for the body as it stands. Cost O(points). */
export function bounds(body: Body, motion: Motion, duration: number, out: Bounds): void {
  heights.fill(-Infinity)
  orbit.duration = duration
  orbit.spin = duration > 0 ? motion.spin : 0
  const turn = orbit.spin * duration
  orbit.cos = turn === 0 ? 1 : Math.cos(turn)
  orbit.sin = turn === 0 ? 0 : Math.sin(turn)
  for (let side = 0; side < 4; side++) {
    const speed = COS[side] * motion.vx + SIN[side] * motion.vy
    travels[side] = Math.max(0, speed * duration)
  }
  if (body.kind === COMPOSITE) addComposite(body, motion)
  else addConvex(body, body.xLow, body.yLow, motion)
  out.maxX = body.x + heights[0]
  out.maxY = body.y + heights[1]
  out.minX = body.x - heights[2]
  out.minY = body.y - heights[3]
}

function addComposite(body: Body, motion: Motion): void {
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    const dx = part.x - body.x + part.xLow
    const dy = part.y - body.y + part.yLow
    if (outline === null) addConvex(part, dx, dy, motion)
    else addPoints(outline.vertices, outline.vertexCount, 0, dx, dy, motion)
  }
}

/** The body stands at (dx, dy) from the pivot. */
function addConvex(body: Body, dx: number, dy: number, motion: Motion): void {
  if (isCored(body)) addPoints(body.vertices, body.count, body.radius, dx, dy, motion)
  else if (isCurved(body)) addCurve(body, dx, dy, motion)
  else addHalfplane(body, dx, dy)
}

/** Core points with a skin of `radius`. */
function addPoints(
  points: Float64Array,
  count: number,
  radius: number,
  dx: number,
  dy: number,
  { vx, vy, spin }: Motion,
): void {
  const turns = orbit.spin !== 0
  spend(turns ? 4 * count : count)
  for (let i = 0; i < count; i++) {
    const x = points[2 * i] + dx
    const y = points[2 * i + 1] + dy
    const far = turns ? vectorLength(x, y) : 0
    for (let side = 0; side < 4; side++) {
      const cos = COS[side]
      const sin = SIN[side]
      const along = cos * x + sin * y
      let height = along + travels[side]
      if (turns) {
        if (far + travels[side] + radius <= heights[side]) continue
        orbit.along = along
        orbit.across = cos * y - sin * x
        orbit.speed = cos * vx + sin * vy
        orbit.spin = spin
        height = highestOnOrbit(orbit)
      }
      if (height + radius > heights[side]) heights[side] = height + radius
    }
  }
}

function addCurve(body: Body, dx: number, dy: number, { vx, vy }: Motion): void {
  for (let side = 0; side < 4; side++) {
    const cos = COS[side]
    const sin = SIN[side]
    orbit.along = cos * dx + sin * dy
    orbit.across = cos * dy - sin * dx
    orbit.speed = cos * vx + sin * vy
    const height = highestOfCurve(orbit, body, cos, sin)
    if (height > heights[side]) heights[side] = height
  }
}

/** Bounded only along its own normal, and only if that is an axis and stays one. */
function addHalfplane({ unitX, unitY, offset }: Body, dx: number, dy: number): void {
  for (let side = 0; side < 4; side++) {
    const isNormal = unitX === COS[side] && unitY === SIN[side] && orbit.spin === 0
    const height = isNormal ? COS[side] * dx + SIN[side] * dy + offset + travels[side] : Infinity
    if (height > heights[side]) heights[side] = height
  }
}
