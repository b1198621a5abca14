/**
 * Whether a point lies inside an outline, on it, or outside, decided exactly.
 *
 * Method: crossing number of the ray from the point to the right; edges count with their lower end and without their upper
 * one, so a ray through a vertex counts right. The side of an edge comes from Shewchuk's orientation test; where the point is
 * a sum that is no double, from expansions of its terms whenever rounding leaves it open.
 * Frame: the outline's own (its part's position is the origin).
 */
import type { Body } from './body.ts'
import { ELLIPSE } from './body.ts'
import { createInputRange, exactly, includeInput, type Ring, type Sign } from './exact-ring.ts'
import { type Expansion, expansionOf, expansionSign, expansionSum } from './expansion.ts'
import { orientation } from './orientation.ts'
import type { Outline } from './outline.ts'
import { SMALLEST_SAFE_DETERMINANT, TURN_ERROR_RATIO, UNIT_ROUNDOFF } from './tolerances.ts'

/** −1 inside, 0 on the boundary, 1 outside. An outline that is not solid has no inside. Cost O(edges). */
export function pointInOutline(outline: Outline, px: number, py: number): Sign {
  const { vertices, edgeEnd, edgeCount } = outline
  let inside = false
  for (let edge = 0; edge < edgeCount; edge++) {
    const end = 2 * edgeEnd[edge]
    const ay = vertices[2 * edge + 1]
    const by = vertices[end + 1]
    const above = ay > py
    if (above === by > py) {
      if ((ay === py || by === py) && onLevelEdge(vertices, 2 * edge, end, px, py)) return 0
      continue
    }
    const ax = vertices[2 * edge]
    const bx = vertices[end]
    if (ax < px && bx < px) continue
    if (ax > px && bx > px) {
      inside = !inside
      continue
    }
    const side = orientation(ax, ay, bx, by, px, py)
    if (side === 0) return 0
    // The edge lies to the right of the point: to its left seen upwards.
    if (side > 0 !== above) inside = !inside
  }
  return inside && outline.solid ? -1 : 1
}

/** For an edge whose ends lie at or below the point's height, one of them level with it. */
function onLevelEdge(vertices: Float64Array, start: number, end: number, px: number, py: number): boolean {
  const ax = vertices[start]
  const bx = vertices[end]
  if (vertices[start + 1] !== py) return bx === px
  if (vertices[end + 1] !== py) return ax === px
  return ax <= px ? px <= bx : bx <= px
}

/**
 * The same for core point `vertex` of `other` (of an ellipse its centre), of which position + vertex counts as an exact
 * number, against an outline at the position of `pose`.
 */
export function vertexInOutline(outline: Outline, pose: Body, other: Body, vertex: number): Sign {
  const centred = other.kind === ELLIPSE
  const vx = centred ? 0 : other.vertices[2 * vertex]
  const vy = centred ? 0 : other.vertices[2 * vertex + 1]
  if (pose.x === other.x && pose.y === other.y && pose.xLow === other.xLow && pose.yLow === other.yLow) {
    return pointInOutline(outline, vx, vy)
  }
  const x = relative(pose.x, pose.xLow, other.x, other.xLow, vx)
  const y = relative(pose.y, pose.yLow, other.y, other.yLow, vy)
  if (x.length <= 1 && y.length <= 1) return pointInOutline(outline, x[0] ?? 0, y[0] ?? 0)
  return sumInOutline(outline, x, y)
}

/** vertex + position − origin, exactly. */
function relative(origin: number, originLow: number, position: number, positionLow: number, vertex: number): Expansion {
  let sum = expansionSum(expansionOf(position), expansionOf(-origin))
  sum = expansionSum(sum, expansionOf(vertex))
  return expansionSum(sum, expansionSum(expansionOf(positionLow), expansionOf(-originLow)))
}

/** `pointInOutline` for a point that is no pair of doubles. */
function sumInOutline(outline: Outline, x: Expansion, y: Expansion): Sign {
  const { vertices, edgeEnd, edgeCount } = outline
  const px = x[x.length - 1] ?? 0
  const py = y[y.length - 1] ?? 0
  // The leading term is off by less than one unit in the last place.
  const slackX = 2 * UNIT_ROUNDOFF * Math.abs(px)
  const slackY = 2 * UNIT_ROUNDOFF * Math.abs(py)
  let inside = false
  for (let edge = 0; edge < edgeCount; edge++) {
    const end = 2 * edgeEnd[edge]
    const ay = vertices[2 * edge + 1]
    const by = vertices[end + 1]
    if (ay < py - slackY && by < py - slackY) continue
    if (ay > py + slackY && by > py + slackY) continue
    const ax = vertices[2 * edge]
    const bx = vertices[end]
    const sideA = Math.abs(ay - py) > slackY ? Math.sign(ay - py) : compare(ay, y)
    const sideB = Math.abs(by - py) > slackY ? Math.sign(by - py) : compare(by, y)
    const above = sideA > 0
    if (above === sideB > 0) {
      if (sideA === 0 || sideB === 0) {
        const left = compare(ax, x)
        const right = compare(bx, x)
        if (sideA === 0 && left === 0) return 0
        if (sideB === 0 && right === 0) return 0
        if (sideA === 0 && sideB === 0 && left !== right) return 0
      }
      continue
    }
    if (ax < px - slackX && bx < px - slackX) continue
    if (ax > px + slackX && bx > px + slackX) {
      inside = !inside
      continue
    }
    const side = sideOfSum(ax, ay, bx, by, px, py, slackX, slackY, x, y)
    if (side === 0) return 0
    if (side > 0 !== above) inside = !inside
  }
  return inside && outline.solid ? -1 : 1
}

/** Sign of value − sum. */
function compare(value: number, sum: Expansion): Sign {
  return -expansionSign(expansionSum(sum, expansionOf(-value))) as Sign
}

function sideOfSum(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  px: number,
  py: number,
  slackX: number,
  slackY: number,
  x: Expansion,
  y: Expansion,
): Sign {
  const left = (ax - px) * (by - py)
  const right = (ay - py) * (bx - px)
  const turn = left - right
  const moved = slackX * (Math.abs(by - py) + Math.abs(ay - py)) + slackY * (Math.abs(ax - px) + Math.abs(bx - px))
  const error = TURN_ERROR_RATIO * (Math.abs(left) + Math.abs(right)) + 2 * moved + 2 * slackX * slackY
  if (Math.abs(turn) > error + SMALLEST_SAFE_DETERMINANT) return turn > 0 ? 1 : -1
  const range = createInputRange()
  for (const value of [ax, ay, bx, by, ...x, ...y]) includeInput(range, value)
  return exactly(range, 2, <T>({ of, integer, add, sub, mul, sign }: Ring<T>) => {
    const sumX = x.reduce((sum, term) => add(sum, of(term)), integer(0))
    const sumY = y.reduce((sum, term) => add(sum, of(term)), integer(0))
    const toLeft = mul(sub(of(ax), sumX), sub(of(by), sumY))
    return sign(sub(toLeft, mul(sub(of(ay), sumY), sub(of(bx), sumX))))
  })
}
