/**
 * Axes of a box about points with a skin, near those of the least one, by volume or by surface.
 *
 * Method: with one axis given, the least box is the least rectangle about the points seen along it, which has a side along an edge of
 * their shadow (rotating calipers, as `core2d/fit/calipers.ts`; of the surface of a box of height c, a·b + c·(a + b) is least where
 * (a + c)·(b + c) is). This is done for the axes of the world, for each face and for each edge. The least box has two adjacent faces
 * that each hold an edge (J. O'Rourke, "Finding minimal enclosing boxes", International Journal of Computer and Information Sciences 14
 * (1985)): such boxes are candidates too, for some normals of each edge. From the best ones each axis in turn is held and the other two
 * are found anew, until nothing gains (C.-T. Chang, B. Gorissen, S. Melchior, "Fast oriented bounding box optimization on the rotation
 * group SO(3, R)", ACM TOG 30 (2011)); the best of these are turned about axes in between by a pattern search, where that finds
 * nothing. The box along the axes of the world stays where nothing is less.
 * Frame: that of the points, in units near their size. Cost: O(n) for each candidate, of which there are up to some thousands.
 */

import { spend } from '../../containers/budget.ts'
import { convexHull } from '../../core2d/outline/convex-hull.ts'
import { patternSearch, type Steps } from '../../numeric/pattern-search.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { cross, dot, type Vector } from '../shape/body.ts'
import { FLAT_BOX_RATIO } from '../tolerances.ts'
import { AXES, type Span } from './span.ts'

export type Least = 'volume' | 'area'
/** Three unit vectors across each other, right-handed. */
export type Frame = readonly [Vector, Vector, Vector]

/** Best candidates that hold their axes in turn, how often they do, and those of them that end in a pattern search. */
const START_COUNT = 16
const TURN_COUNT = 12
const FINALIST_COUNT = 4
/** Directions between the normals beside an edge. */
const ARC_COUNT = 6
/** Of the pattern search, the first in radians. */
const STEPS: Steps = { first: 0.1, halvingCount: 36, roundCount: 160 }

interface Candidate {
  frame: Frame
  score: number
}

export const WORLD: Frame = [AXES[0], AXES[1], AXES[2]]

/** The frame of a box near the least. */
export function leastFrame(span: Span, least: Least): Frame {
  const own = scored(span, WORLD, least)
  const starts: Candidate[] = []
  for (const normal of [...AXES, ...span.normals, ...span.edges.map(({ along }) => along)]) {
    starts.push(scored(span, frameAlong(span, normal, least), least))
  }
  addEdgePairs(span, least, starts)
  const turned = bestOf(starts, START_COUNT).map((start) => turnedInTurn(span, start, least))
  const found = bestOf(turned, FINALIST_COUNT).map((start) => turnedInTurn(span, searched(span, start, least), least))
  const [best] = bestOf(found, 1)
  return own.score <= best.score * (1 + FLAT_BOX_RATIO) ? WORLD : best.frame
}

/** The least of different scores, from the least on. */
function bestOf(candidates: Candidate[], count: number): Candidate[] {
  const sorted = candidates.sort((a, b) => a.score - b.score)
  return sorted.filter(({ score }, i) => i === 0 || score > sorted[i - 1].score * (1 + FLAT_BOX_RATIO)).slice(0, count)
}

const extents = new Float64Array(3)

/** Extents of the points with their skin along the axes. */
function measure({ points, count, skin }: Span, [u, v, w]: Frame): void {
  spend(1 + (count >> 2))
  const [ux, uy, uz] = u
  const [vx, vy, vz] = v
  const [wx, wy, wz] = w
  let [lowU, lowV, lowW] = [Infinity, Infinity, Infinity]
  let [highU, highV, highW] = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < 3 * count; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]]
    const a = ux * x + uy * y + uz * z
    const b = vx * x + vy * y + vz * z
    const c = wx * x + wy * y + wz * z
    if (a < lowU) lowU = a
    if (a > highU) highU = a
    if (b < lowV) lowV = b
    if (b > highV) highV = b
    if (c < lowW) lowW = c
    if (c > highW) highW = c
  }
  extents[0] = highU - lowU + 2 * skin
  extents[1] = highV - lowV + 2 * skin
  extents[2] = highW - lowW + 2 * skin
}

function scored(span: Span, frame: Frame, least: Least): Candidate {
  measure(span, frame)
  const [a, b, c] = extents
  const area = a * b + b * c + c * a
  const whole = least === 'volume' ? a * b * c + FLAT_BOX_RATIO * area : area
  return { frame, score: whole + FLAT_BOX_RATIO * FLAT_BOX_RATIO * (a + b + c) }
}

/** The least box with an axis along a unit vector. */
function frameAlong(span: Span, w: Vector, least: Least): Frame {
  const { points, count, skin } = span
  const u = acrossOf(w)
  const v = cross(w, u)
  let [low, high] = [Infinity, -Infinity]
  const flat = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]]
    flat[2 * i] = u[0] * x + u[1] * y + u[2] * z
    flat[2 * i + 1] = v[0] * x + v[1] * y + v[2] * z
    const height = w[0] * x + w[1] * y + w[2] * z
    if (height < low) low = height
    if (height > high) high = height
  }
  const margin = 2 * skin + (least === 'volume' ? 0 : high - low + 2 * skin)
  const [c, s] = leastDirection(flat, count, margin)
  const along: Vector = [c * u[0] + s * v[0], c * u[1] + s * v[1], c * u[2] + s * v[2]]
  return [along, cross(w, along), w]
}

let corners = new Int32Array(64)

/** Along a side of the least rectangle about points of a plane, each side of which counts for as much more as the margin. */
function leastDirection(flat: Float64Array, count: number, margin: number): [number, number] {
  if (corners.length < count) corners = new Int32Array(2 * count)
  const n = convexHull(flat, count, corners)
  if (n === 1) return [1, 0]
  const next = (i: number): number => (i + 1 === n ? 0 : i + 1)
  let best = Infinity
  let [bestX, bestY] = [1, 0]
  let [right, top, left] = [1, 1, 1]
  spend(n)
  for (let edge = 0; edge < n; edge++) {
    const [i, j] = [2 * corners[edge], 2 * corners[next(edge)]]
    const [dx, dy] = [flat[j] - flat[i], flat[j + 1] - flat[i + 1]]
    const length = Math.hypot(dx, dy)
    const [c, s] = [dx / length, dy / length]
    const along = (k: number): number => c * flat[2 * corners[k]] + s * flat[2 * corners[k] + 1]
    const across = (k: number): number => c * flat[2 * corners[k] + 1] - s * flat[2 * corners[k]]
    if (edge === 0) {
      for (let k = 0; k < n; k++) {
        if (along(k) > along(right)) right = k
        if (along(k) < along(left)) left = k
        if (across(k) > across(top)) top = k
      }
    }
    for (let steps = 0; steps < n && along(next(right)) > along(right); steps++) right = next(right)
    for (let steps = 0; steps < n && across(next(top)) > across(top); steps++) top = next(top)
    for (let steps = 0; steps < n && along(next(left)) < along(left); steps++) left = next(left)
    const size = (along(right) - along(left) + margin) * (across(top) - across(edge) + margin)
    // Of points on one line, or nearly so, the longest edge tells the direction best.
    const score = size + FLAT_BOX_RATIO * (along(right) - along(left) + across(top) - across(edge))
    if (!(score < best)) continue
    best = score
    bestX = c
    bestY = s
  }
  return [bestX, bestY]
}

/** Some unit vector across a unit vector. */
export function acrossOf([x, y, z]: Vector): Vector {
  const [a, b, c] = [Math.abs(x), Math.abs(y), Math.abs(z)]
  const other: Vector = a <= b && a <= c ? [0, z, -y] : b <= c ? [-z, 0, x] : [y, -x, 0]
  return unitOf(other)
}

export function unitOf([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

/** Holds each axis in turn while that gains. */
function turnedInTurn(span: Span, start: Candidate, least: Least): Candidate {
  let best = start
  let idle = 0
  for (let turn = 0; turn < TURN_COUNT && idle < 3; turn++) {
    const found = scored(span, frameAlong(span, best.frame[turn % 3], least), least)
    if (found.score < best.score * (1 - 16 * UNIT_ROUNDOFF)) {
      best = found
      idle = 0
    } else idle++
  }
  return best
}

/** Boxes of which one face holds one edge, and an adjacent face another: each normal lies between those of the faces beside its edge. */
function addEdgePairs(span: Span, least: Least, out: Candidate[]): void {
  const arcs = span.edges.map(({ along, from, to }) => {
    const cosine = dot(from, to)
    return { along, from, to, above: lessOf(to, from, cosine), below: lessOf(from, to, cosine) }
  })
  for (const { from, to } of arcs) {
    spend(ARC_COUNT * arcs.length)
    for (let k = 0; k < ARC_COUNT; k++) {
      const s = (k + 0.5) / ARC_COUNT
      const sum: Vector = [0, 1, 2].map((c) => (1 - s) * from[c] + s * to[c]) as unknown as Vector
      // What is flat has faces back to back.
      if (!(dot(sum, sum) > 16 * UNIT_ROUNDOFF)) continue
      const normal = unitOf(sum)
      for (const { along, above, below } of arcs) {
        const other = cross(along, normal)
        const [p, q] = [dot(other, above), dot(other, below)]
        // Of both ways round one may lie between them.
        if (p * q < 0 || !(dot(other, other) > 16 * UNIT_ROUNDOFF)) continue
        const second = unitOf(other)
        out.push(scored(span, [normal, second, cross(normal, second)], least))
      }
    }
  }
}

/** a − scale · b. */
function lessOf(a: Vector, b: Vector, scale: number): Vector {
  return [a[0] - scale * b[0], a[1] - scale * b[1], a[2] - scale * b[2]]
}

/** Turns about its axes, one or several at once, while that gains. */
function searched(span: Span, from: Candidate, least: Least): Candidate {
  return patternSearch(from, STEPS, (start, step) => {
    let best = start
    for (const way of WAYS) {
      const found = scored(span, rolled(best.frame, way, step), least)
      if (found.score < best.score) best = found
    }
    return best
  })
}

/** The unit vectors towards the corners, edges and faces of a cube. */
const WAYS: readonly Vector[] = Array.from(
  { length: 27 },
  (_, i): Vector => [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1],
)
  .filter((way) => way.some((x) => x !== 0))
  .map(unitOf)

/** The frame turned about an axis, given by its components along those of the frame. O. Rodrigues's formula, by its axes. */
function rolled([u, v, w]: Frame, [a, b, c]: Vector, angle: number): Frame {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const rest = 1 - cos
  const inFrame = (x: number, y: number, z: number): Vector => [
    x * u[0] + y * v[0] + z * w[0],
    x * u[1] + y * v[1] + z * w[1],
    x * u[2] + y * v[2] + z * w[2],
  ]
  const one = unitOf(inFrame(cos + a * a * rest, a * b * rest + c * sin, a * c * rest - b * sin))
  const two = inFrame(a * b * rest - c * sin, cos + b * b * rest, b * c * rest + a * sin)
  // Turned again and again, axes would come to lean on each other.
  const third = unitOf(cross(one, two))
  return [one, cross(third, one), third]
}
