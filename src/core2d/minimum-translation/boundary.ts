/**
 * The boundary of what is forbidden, as paths: the outer edges and corner arcs of the obstacle of two leaves, and the lines of
 * half-planes.
 * Frame: as `search-body.ts`; translations are B's.
 */

import { spend } from '../../containers/budget.ts'
import { TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import type { Outline } from '../outline/outline.ts'
import { HALFPLANE, isCurved, LOCAL, OFFSET, RADIUS, UNIT_X, UNIT_Y } from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf } from '../shape/kinds.ts'
import {
  GAP_LOOK_COUNT,
  GAP_PLACE_COUNT,
  GAP_SLIP_COUNT,
  LEAF_PAIR_STEP_COUNT,
  PARALLEL_RATIO,
  SEPARATION_ERROR_RATIO,
  TRANSLATION_STEP_COUNT,
} from '../tolerances.ts'
import { type CObstacle, createCObstacle, INNER, isBehindInner } from './c-obstacle.ts'
import { type Cover, discAt, isInDisc } from './cover.ts'
import { BY_LEAVES, BY_OUTLINE, CLEARANCE_COUNT, causeAt, FREE, type Search } from './forbidden.ts'
import { CONVEX, type Leaf } from './leaf-loop.ts'
import {
  addArc,
  addLine,
  createPathPoint,
  isLine,
  measureWay,
  type PathPoint,
  type Paths,
  setLineEnd,
  setPathPoint,
  takeBack,
  type Way,
} from './paths.ts'
import type { SearchBody } from './search-body.ts'
import { wayToOutline } from './ways.ts'

/** Adds the paths of `scene.spare`, the obstacle of the leaves last read. */
export function addPaths(paths: Paths, scene: Search): void {
  const { spare, a, b } = scene
  const { count, x, y, border, owned, radius } = spare
  paths.partA = a.leaf.part
  paths.partB = b.leaf.part
  for (let k = 0; k < count; k++) {
    if (border[k] !== INNER && owned[k] !== 0) addEdge(paths, scene, k, 0, lengthOf(spare, k))
  }
  if (radius === 0) return
  if (count === 0) addArc(paths, { x: x[0], y: y[0], radius, fx: 1, fy: 0 }, 2 * Math.PI)
  for (let k = 0; k < count; k++) addCorner(paths, spare, k, a.leaf, b.leaf)
}

/** Adds the boundary paths of an obstacle without a skin, cut to a square about (cx, cy). */
export function addPathsWithin(paths: Paths, scene: Search, cx: number, cy: number, half: number): void {
  const { spare, a, b } = scene
  const { count, x, y, nx, ny, height, border, owned } = spare
  paths.partA = a.leaf.part
  paths.partB = b.leaf.part
  for (let k = 0; k < count; k++) {
    if (border[k] === INNER || owned[k] === 0) continue
    // Before anything is divided: whether the edge's line passes through the square.
    if (Math.abs(nx[k] * cx + ny[k] * cy - height[k]) > half * (Math.abs(nx[k]) + Math.abs(ny[k]))) continue
    const ux = -ny[k]
    const uy = nx[k]
    const enter = Math.max(slabEnd(x[k] - cx, ux, half, -1), slabEnd(y[k] - cy, uy, half, -1), 0)
    const leave = Math.min(slabEnd(x[k] - cx, ux, half, 1), slabEnd(y[k] - cy, uy, half, 1), lengthOf(spare, k))
    if (enter <= leave) addEdge(paths, scene, k, enter, leave)
  }
}

function lengthOf({ count, x, y, nx, ny }: CObstacle, k: number): number {
  const next = k + 1 === count ? 0 : k + 1
  return (x[next] - x[k]) * -ny[k] + (y[next] - y[k]) * nx[k]
}

/** The part of edge `k` of the obstacle between two lengths from where it begins, unless one disc covers it. */
function addEdge(paths: Paths, { spare, tolerance, cover }: Search, k: number, from: number, to: number): void {
  const { radius } = spare
  const nx = spare.nx[k]
  const ny = spare.ny[k]
  const x = spare.x[k] + radius * nx - from * ny
  const y = spare.y[k] + radius * ny + from * nx
  const path = addLine(paths, { x, y, nx, ny, length: to - from }, tolerance)
  if (path >= 0 && cover.active && isLineCovered(cover, paths, path)) takeBack(paths, path)
}

/** Where a line that begins at `from` enters (`side` −1) or leaves (1) what is between −half and half, if it ever does. */
function slabEnd(from: number, rate: number, half: number, side: number): number {
  return rate === 0 ? side * Infinity : ((rate > 0 ? side * half : -side * half) - from) / rate
}

const first = createPathPoint()
const last = createPathPoint()

/** Whether a path that has just begun lies in one disc of what is forbidden: then no point of it is free. */
function isLineCovered(cover: Cover, paths: Paths, path: number): boolean {
  setLineEnd(paths, path, true, first)
  setLineEnd(paths, path, false, last)
  const disc = discAt(cover, (first.x + last.x) / 2, (first.y + last.y) / 2)
  return disc >= 0 && isInDisc(cover, disc, first.x, first.y) && isInDisc(cover, disc, last.x, last.y)
}

/**
 * Whether two edges of regions have no boundary of what is forbidden between them, or none that a way from the origin comes to, told
 * by normals alone: an edge of one adds to it only with the vertex of the other that turns an outer side to it. False where that
 * is within rounding.
 */
export function tracesNothing({ a, b, tolerance }: Search, leafA: number, leafB: number): boolean {
  if (!isSolidEdge(a, leafA) || !isSolidEdge(b, leafB)) return false
  return facesInside(a, leafA, b, leafB, tolerance) && facesInside(b, leafB, a, leafA, tolerance)
}

function isSolidEdge({ view, radii }: SearchBody, leaf: number): boolean {
  return view.parts[view.leafPart[leaf]].outline?.solid === true && radii[leaf] > 0
}

/** Whether edge `j`, turned over, is no outer direction at the vertex at which edge `i` begins, or lies beyond the origin from it. */
function facesInside(own: SearchBody, i: number, other: SearchBody, j: number, tolerance: number): boolean {
  const { normals, radii, centers } = own
  const x = -other.normals[2 * j]
  const y = -other.normals[2 * j + 1]
  const ux = -normals[2 * i + 1]
  const uy = normals[2 * i]
  const acrossX = centers[2 * i] - radii[i] * ux - other.centers[2 * j]
  const acrossY = centers[2 * i + 1] - radii[i] * uy - other.centers[2 * j + 1]
  if (x * acrossX + y * acrossY < -4 * tolerance) return true
  const length = other.radii[j]
  if (isTurned(x * ux + y * uy, Math.min(length, radii[i]), tolerance)) return true
  const { firstLeaf, outline } = own.view.parts[own.view.leafPart[i]]
  const before = firstLeaf + (outline as Outline).edgeBefore[i - firstLeaf]
  const ahead = x * normals[2 * before + 1] - y * normals[2 * before]
  return isTurned(ahead, Math.min(length, radii[before]), tolerance)
}

/** Whether the sine of an angle is positive beyond what rounding does to edges so long. */
function isTurned(sine: number, length: number, tolerance: number): boolean {
  return sine > 2 * PARALLEL_RATIO && sine * length > tolerance
}

/** The skin of vertex k, where the directions are outer ones of both leaves. */
function addCorner(paths: Paths, o: CObstacle, k: number, a: Leaf, b: Leaf): void {
  const { count, nx, ny, pointA, pointB } = o
  const before = k === 0 ? count - 1 : k - 1
  span.fx = nx[before]
  span.fy = ny[before]
  span.tx = nx[k]
  span.ty = ny[k]
  if (a.outline !== CONVEX && !narrow(a, pointA[k], 1)) return
  if (b.outline !== CONVEX && !narrow(b, pointB[k], -1)) return
  const { fx, fy, tx, ty } = span
  const angle = Math.atan2(fx * ty - fy * tx, fx * tx + fy * ty)
  // Half a turn may come out as −π.
  const turn = angle < -Math.PI / 2 ? angle + 2 * Math.PI : angle
  if (turn > 0) addArc(paths, { x: o.x[k], y: o.y[k], radius: o.radius, fx, fy }, turn)
}

/** The directions of a corner, counter-clockwise from … to …, half a turn at most. */
const span = { fx: 0, fy: 0, tx: 0, ty: 0 }

/** Cuts `span` down to the outer directions of an outline's point, times `sign`; false when none is left to this leaf. */
function narrow(leaf: Leaf, point: number, sign: number): boolean {
  if (leaf.hasCone[point] === 0 || (point === 1 && !leaf.ownsEnd)) return false
  const fx = sign * leaf.coneFromX[point]
  const fy = sign * leaf.coneFromY[point]
  const tx = sign * leaf.coneToX[point]
  const ty = sign * leaf.coneToY[point]
  // Both lie in the half turn about the edge's end.
  if (span.fx * fy - span.fy * fx > 0) {
    span.fx = fx
    span.fy = fy
  }
  if (tx * span.ty - ty * span.tx > 0) {
    span.tx = tx
    span.ty = ty
  }
  const turn = span.fx * span.ty - span.fy * span.tx
  return turn > 0 || (turn >= -PARALLEL_RATIO && span.fx * span.tx + span.fy * span.ty < 0)
}

const separation = createSeparation()

/**
 * Sets `scene.planes`: what each half-plane among the parts forbids, against the whole of the other body. False when two of
 * them overlap however they are moved. Cost O(log n) for each, as a rule.
 */
export function setPlanes(scene: Search): boolean {
  const { a, b, planes } = scene
  planes.length = 0
  if (a.halfplaneCount > 0) addPlanes(planes, a, b, 1)
  if (b.halfplaneCount > 0) addPlanes(planes, b, a, -1)
  return a.halfplaneCount === 0 || b.halfplaneCount === 0 || addOpposites(scene)
}

/** `sign`: 1 when `owner` is A. */
function addPlanes(planes: number[], owner: SearchBody, other: SearchBody, sign: number): void {
  const { view, baseX, baseY } = owner
  for (let p = 0; p < view.partCount; p++) {
    const { body } = view.parts[p]
    if (!isHalfplane(owner, p)) continue
    const { numbers } = body
    const unitX = numbers[UNIT_X]
    const unitY = numbers[UNIT_Y]
    const offset = numbers[OFFSET]
    const height = unitX * baseX[p] + unitY * baseY[p] + offset - lowest(other, unitX, unitY, 1)
    if (height > -Infinity) planes.push(sign * unitX, sign * unitY, height)
  }
}

function isHalfplane({ view }: SearchBody, p: number): boolean {
  return view.parts[p].outline === null && view.parts[p].body.kind === HALFPLANE
}

/** Half-planes of A against half-planes of B: only opposite ones can be parted. */
function addOpposites({ a, b, planes }: Search): boolean {
  for (let p = 0; p < a.view.partCount; p++) {
    if (!isHalfplane(a, p)) continue
    for (let q = 0; q < b.view.partCount; q++) {
      if (!isHalfplane(b, q)) continue
      const { body } = a.view.parts[p]
      spend(LEAF_PAIR_STEP_COUNT)
      const { swapped } = separate(body, b.view.parts[q].body, separation)
      if (separation.value === -Infinity) return false
      const side = swapped ? -1 : 1
      planes.push(side * separation.nx, side * separation.ny, -separation.value)
    }
  }
  return true
}

const support = createBoundaryPoint()

/** Nodes yet to visit: one more for each level, at most. */
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

/** What the boxes of a body may be off by, relative to its size: they are placed by a rounded shift. */
const BOX_ERROR_RATIO = 16 * SEPARATION_ERROR_RATIO

/** Least height of the bounded parts along ±(nx, ny); Infinity when there are none. Cost O(log n) as a rule. */
export function lowest(side: SearchBody, nx: number, ny: number, sign: number): number {
  const { view, shiftX, shiftY, reach } = side
  const { boxes, child, nodeCount } = view.tree
  const x = sign * nx
  const y = sign * ny
  // Of each box, the corner that is lowest, and how far below what it comes out as it may be.
  const cornerX = x < 0 ? 2 : 0
  const cornerY = y < 0 ? 3 : 1
  const base = x * shiftX + y * shiftY - BOX_ERROR_RATIO * (reach + Math.abs(shiftX) + Math.abs(shiftY))
  let least = Infinity
  let visits = 0
  let top = 0
  if (nodeCount > 0) stack[top++] = 0
  while (top > 0) {
    const node = stack[--top]
    visits++
    // An unbounded box may come out as no number: then it is looked at.
    if (base + x * boxes[4 * node + cornerX] + y * boxes[4 * node + cornerY] > least) continue
    const first = child[node]
    if (first < 0) {
      least = Math.min(least, lowestOfLeaf(side, ~first, nx, ny, sign))
      continue
    }
    const a = 4 * first
    const isNearA =
      x * (boxes[a + cornerX] - boxes[a + 4 + cornerX]) <= y * (boxes[a + 4 + cornerY] - boxes[a + cornerY])
    stack[top++] = isNearA ? first + 1 : first
    stack[top++] = isNearA ? first : first + 1
  }
  spend(visits)
  return least
}

/** Least height of one leaf along ±(nx, ny); Infinity for a half-plane. */
function lowestOfLeaf({ view, baseX, baseY }: SearchBody, leaf: number, nx: number, ny: number, sign: number): number {
  const p = view.leafPart[leaf]
  const { body, outline } = view.parts[p]
  const base = sign * (nx * baseX[p] + ny * baseY[p])
  if (outline !== null) {
    const { vertices, edgeEnd } = outline
    const i = view.leafEdge[leaf]
    const end = edgeEnd[i]
    const height = nx * (vertices[2 * i] - vertices[0]) + ny * (vertices[2 * i + 1] - vertices[1])
    const endHeight = nx * (vertices[2 * end] - vertices[0]) + ny * (vertices[2 * end + 1] - vertices[1])
    return Math.min(base + sign * height, base + sign * endHeight)
  }
  if (isCurved(body)) return base - curveOf(body).support(body, -sign * nx, -sign * ny, support)
  const { numbers, count } = body
  const radius = numbers[RADIUS]
  let least = Infinity
  spend(count >>> 1)
  for (let i = 0; i < count; i++) {
    least = Math.min(least, base + sign * (nx * numbers[LOCAL + 2 * i] + ny * numbers[LOCAL + 2 * i + 1]) - radius)
  }
  return least
}

// The way out where obstacles forbid only by the tolerance that they reach beyond their inner edges.
//
// Why: behind an inner edge the bodies go on, and what they forbid there does too; but where a body is no thicker than rounding
// (a spike, a sliver, two walls that fall upon each other) it ends behind that edge, and beyond may be free.
// Method: translations that lie a little farther on the free side of the path are asked about, at several distances and in
// several directions: what is free there, tolerances and all, is free. Where none is, it is asked again where what forbids
// them ends.
// Frame: as `search-body.ts`; translations are B's.

/** Directions in which is looked, in shares of the path's own and of its free side. */
const WAYS = [
  [0, 1],
  [1, 1],
  [-1, 1],
  [1, 1 / 8],
] as const
/** Tolerances to the nearest look; each next one is so many times farther. */
const NEAREST_COUNT = 8
const FACTOR = 8

/** Takes the place of the obstacle that forbade last, which is not to be disturbed. */
let scratch = createCObstacle()
const beside = createPathPoint()
const place = createPathPoint()
/** Until the path is clear of what forbids what is nearest on its free side. */
const wayBeside: Way = { step: 0, trueStep: 0, unit: 1 }

/**
 * Looks for a way out of the obstacle that forbids `point` of a path, which leaves it by `way`. True when there is one here: then
 * `point` is where the path stands exactly. Where there is one later on, `way` ends there.
 */
export function findGap(scene: Search, paths: Paths, path: number, point: PathPoint, way: Way): boolean {
  const { obstacle, blocking, tolerance } = scene
  const least = (GAP_SLIP_COUNT * tolerance) / way.unit
  if (blocking !== obstacle || obstacle.radius > 0 || !(way.step > least)) return false
  const straight = isLine(paths, path)
  const shallow = isBehindInner(obstacle, point.x, point.y, point.nx, point.ny, tolerance)
  const start = shallow ? 0 : straight ? Math.max(way.trueStep, 0) : way.step
  if (way.step - start <= least) return false
  setPathPoint(paths, path, true, place)
  const end = straight ? way.step - least : least
  const gap = undisturbed(scene, () => wayToGap(scene, paths, path, start, end, least))
  if (gap === 0) Object.assign(point, place)
  else if (gap < way.step) way.step = way.trueStep = gap
  return gap === 0
}

/** Runs `search` and then restores the obstacle that forbade last and the work counted so far. */
function undisturbed(scene: Search, search: () => number): number {
  const { obstacle, work } = scene
  scene.obstacle = scratch
  scratch.hollow = true
  try {
    return search()
  } finally {
    scratch = scene.obstacle
    scene.obstacle = obstacle
    scene.blocking = obstacle
    scene.work = work
  }
}

/** How far from `place` on a path there is a gap, from `start` on; `Infinity` when there is none before `end`. */
function wayToGap(scene: Search, paths: Paths, path: number, start: number, end: number, least: number): number {
  const { x, y, ux, uy } = place
  for (
    let at = start, places = 0;
    at < end && scene.steps < TRANSLATION_STEP_COUNT;
    at += Math.max(wayBeside.step, least), places++
  ) {
    if (at > 0) {
      place.x = x + at * ux
      place.y = y + at * uy
    }
    // After so many the path is to wait for its turn again.
    if (isFreeBeside(scene, paths, path) || places === GAP_PLACE_COUNT) return at
  }
  return Infinity
}

/** Whether a translation beside `place` is free; else `wayBeside` is set. */
function isFreeBeside(scene: Search, paths: Paths, path: number): boolean {
  const { tolerance } = scene
  Object.assign(beside, place)
  wayBeside.step = Infinity
  let step = NEAREST_COUNT * tolerance
  for (let look = 0; look < GAP_LOOK_COUNT; look++, step *= FACTOR) {
    for (const [along, aside] of WAYS) {
      beside.x = place.x + step * (along * place.ux + aside * place.nx)
      beside.y = place.y + step * (along * place.uy + aside * place.ny)
      const cause = causeAt(scene, beside)
      if (cause === FREE) return true
      if (cause === BY_OUTLINE) {
        // An outline that holds a part clear of its edges is no thinner than the steps.
        wayBeside.step = Math.min(wayBeside.step, wayToOutline(scene, paths, path, beside))
        return false
      }
      if (cause === BY_LEAVES && wayBeside.step === Infinity) {
        measureWay(paths, path, beside, scene.blocking, tolerance, wayBeside)
      }
    }
  }
  return false
}

const beyond = createPathPoint()

/**
 * Whether what an outline is said to hold is free but for rounding: a path leaves an obstacle that it crosses at a small angle
 * a good deal before its true end.
 */
export function isFreeBeyond(scene: Search, paths: Paths, path: number): boolean {
  const { holderIsA, holder, held, tolerance } = scene
  setPathPoint(paths, path, true, beyond)
  beyond.x += 2 * CLEARANCE_COUNT * tolerance * beyond.ux
  beyond.y += 2 * CLEARANCE_COUNT * tolerance * beyond.uy
  if (causeAt(scene, beyond) === FREE) return true
  Object.assign(scene, { holderIsA, holder, held })
  return false
}
