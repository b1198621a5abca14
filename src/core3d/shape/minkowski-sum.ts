/**
 * Minkowski sum and difference of two bodies of core points: all a + b, and all a − b.
 *
 * Method: a corner of the sum is the sum of two core points that are the farthest along a common direction. Where the Gauss maps lie
 * over each other such directions meet in a node of either or in a crossing of two arcs, so these name all pairs of core points that
 * can make a corner, and some more. The pairs are summed with the error of each addition kept, and rounded once; their hull is exact
 * about these doubles, and what is flat up to that rounding becomes one face (`points/rounded-faces.ts`).
 * Frame: world. Cost: O(arcs of A · arcs of B) comparisons, and the hull of what is left.
 */

import { spend } from '../../containers/budget.ts'
import { convexHull as shadowHull } from '../../core2d/points/convex-hull.ts'
import { sumOfFour } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { convexHull } from '../points/convex-hull.ts'
import { type RoundedFaces, roundedFaces } from '../points/rounded-faces.ts'
import { ALL_SUMS_COUNT, ARC_SLACK, SUM_CORNER_COUNT } from '../tolerances.ts'
import { type Body, CENTER, type CoreSurface, cross, dot, POSITION, RADIUS, REACH, VERTICES } from './body.ts'
import { exponentOf, scaleBody } from './body-scaling.ts'
import { PLANE_SIZE, planesOf, surfaceOf } from './core-surface.ts'

// The Gauss map of a body's core: directions on the unit sphere, a node for each face, an arc for each edge, and between them for each
// core point the directions along which it is the farthest.
//
// Method: an edge's arc leads from the normal of the face on one side to that on the other (E. Fogel, D. Halperin, "Exact and
// efficient construction of Minkowski sums of convex polyhedra with applications", Computer-Aided Design 39 (2007)). Arcs are cut so
// that none is longer than a quarter of a circle, in nodes of their own: the edges of what is flat have half circles, a segment has a whole one. Normals are
// rounded; `slack` bounds by how much.
// Frame: world axes.

type Direction = readonly [number, number, number]

interface GaussArc {
  /** The core points at the ends of the edge. */
  i: number
  j: number
  from: Direction
  to: Direction
  slack: number
}

interface GaussNode {
  direction: Direction
  slack: number
}

interface GaussMap {
  /** The largest slack of a node. */
  slack: number
  nodes: GaussNode[]
  arcs: GaussArc[]
}

/** Of a body of core points; of one point it is empty. Cost O(edges). */
function gaussMap(given: Body): GaussMap {
  const exponent = exponentOf(given.numbers[REACH])
  const body = exponent === 0 ? given : scaleBody(given, exponent)
  const map: GaussMap = { slack: ARC_SLACK, nodes: [], arcs: [] }
  if (body.count < 2) return map
  if (body.count === 2) {
    putSegment(map, body, 0, 1)
    return map
  }
  const surface = surfaceOf(body)
  if (surface.dimension === 3) putSolid(map, body, surface)
  else if (surface.dimension === 2) putFlat(map, body, surface)
  else if (surface.dimension === 1) putSegment(map, body, surface.corners[0], surface.corners[1])
  for (const { slack } of map.nodes) map.slack = Math.max(map.slack, slack)
  return map
}

function putSolid(map: GaussMap, body: Body, surface: CoreSurface): void {
  const { starts, corners, neighbours } = surface
  const nodes = nodesOf(body, surface)
  map.nodes = nodes.slice()
  for (let f = 0; f + 1 < starts.length; f++) {
    for (let c = starts[f]; c < starts[f + 1]; c++) {
      if (neighbours[c] < f) continue
      const to = corners[c + 1 < starts[f + 1] ? c + 1 : starts[f]]
      putArc(map, body, corners[c], to, nodes[f], nodes[neighbours[c]])
    }
  }
}

function nodesOf(body: Body, surface: CoreSurface): GaussNode[] {
  const planes = planesOf(body, surface)
  const reach = body.numbers[REACH]
  return Array.from({ length: surface.starts.length - 1 }, (_, f) => {
    const at = PLANE_SIZE * f
    // A height's error over the reach is what the normal is off.
    return {
      direction: [planes[at], planes[at + 1], planes[at + 2]],
      slack: Math.min(1, ARC_SLACK + (4 * planes[at + 4]) / reach),
    }
  })
}

/** The arc between two nodes; longer than a quarter circle by way of the direction between. */
function putArc({ nodes, arcs }: GaussMap, body: Body, i: number, j: number, one: GaussNode, other: GaussNode): void {
  const slack = Math.max(one.slack, other.slack)
  const n = one.direction
  const m = other.direction
  if (dot(n, m) >= 0) {
    arcs.push({ i, j, from: n, to: m, slack })
    return
  }
  const sum: Direction = [n[0] + m[0], n[1] + m[1], n[2] + m[2]]
  const size = vectorLength3d(sum[0], sum[1], sum[2])
  // Of opposite normals the sum says nothing: it is the way out from the middle across the edge.
  const middle = size > Math.sqrt(slack) ? along(sum, size) : outward(body, i, cross(n, edgeOf(body, i, j)))
  nodes.push({ direction: middle, slack })
  arcs.push({ i, j, from: n, to: middle, slack }, { i, j, from: middle, to: m, slack })
}

/** A unit vector along the given one or against it, away from the middle of the body at core point i. */
function outward({ numbers, local }: Body, i: number, way: Direction): Direction {
  const rise = [0, 1, 2].reduce((sum, k) => sum + way[k] * (numbers[local + 3 * i + k] - numbers[CENTER + k]), 0)
  return along(way, (rise < 0 ? -1 : 1) * vectorLength3d(way[0], way[1], way[2]))
}

function putFlat(map: GaussMap, body: Body, surface: CoreSurface): void {
  const { starts, corners } = surface
  const [up, down] = nodesOf(body, surface)
  map.nodes = [up, down]
  for (let c = 0; c < starts[1]; c++) {
    const i = corners[c]
    const j = corners[c + 1 < starts[1] ? c + 1 : 0]
    const way = cross(edgeOf(body, i, j), up.direction)
    const out = along(way, vectorLength3d(way[0], way[1], way[2]))
    const { slack } = up
    map.nodes.push({ direction: out, slack })
    map.arcs.push({ i, j, from: up.direction, to: out, slack }, { i, j, from: out, to: down.direction, slack })
  }
}

function putSegment({ nodes, arcs }: GaussMap, body: Body, i: number, j: number): void {
  const edge = edgeOf(body, i, j)
  const least = edge.map(Math.abs).indexOf(Math.min(...edge.map(Math.abs)))
  const axis: Direction = [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0]
  const across = cross(edge, axis)
  const u = along(across, vectorLength3d(across[0], across[1], across[2]))
  const v = cross(edge, u)
  const round = [u, v, along(u, -1), along(v, -1)]
  round.forEach((direction, k) => {
    nodes.push({ direction, slack: ARC_SLACK })
    arcs.push({ i, j, from: direction, to: round[(k + 1) % 4], slack: ARC_SLACK })
  })
}

/** The unit vector from core point i to j. */
function edgeOf({ numbers }: Body, i: number, j: number): Direction {
  const at = (k: number): number => numbers[VERTICES + 3 * j + k] - numbers[VERTICES + 3 * i + k]
  const edge: Direction = [at(0), at(1), at(2)]
  return along(edge, vectorLength3d(edge[0], edge[1], edge[2]))
}

/** Whether the arcs cross, and do so well off their ends: what is met by an end is found from the node there. */
function doCross(a: GaussArc, b: GaussArc): boolean {
  const slack = a.slack + b.slack
  const circle = cross(b.from, b.to)
  const from = dot(circle, a.from)
  const to = dot(circle, a.to)
  if (!(Math.min(from, to) < -slack && Math.max(from, to) > slack)) return false
  const own = cross(a.from, a.to)
  const otherFrom = dot(own, b.from)
  const otherTo = dot(own, b.to)
  if (!(Math.min(otherFrom, otherTo) < -slack && Math.max(otherFrom, otherTo) > slack)) return false
  // Where each goes through the circle of the other: in the same place, or in opposite ones.
  const p = blend(a.from, Math.abs(to), a.to, Math.abs(from))
  const q = blend(b.from, Math.abs(otherTo), b.to, Math.abs(otherFrom))
  return dot(p, q) > 0
}

function blend(a: Direction, shareA: number, b: Direction, shareB: number): Direction {
  return [shareA * a[0] + shareB * b[0], shareA * a[1] + shareB * b[1], shareA * a[2] + shareB * b[2]]
}

function along([x, y, z]: Direction, length: number): Direction {
  return [x / length, y / length, z / length]
}

export interface MinkowskiSum extends RoundedFaces {
  /** Skin around them. */
  radius: number
}

/**
 * A + B, or with side −1 A − B, of bodies of core points. The sum of B and A is the same bit for bit. Null where more than
 * `SUM_CORNER_COUNT` pairs of core points may make corners.
 */
export function minkowskiSum(a: Body, b: Body, side: 1 | -1): MinkowskiSum | null {
  const pairs = a.count * b.count <= ALL_SUMS_COUNT ? allPairs(a, b) : cornerPairs(a, b, side)
  if (pairs === null) return null
  const points = sumsOf(a, b, side, pairs)
  const reaches = a.numbers[REACH] + b.numbers[REACH]
  // A turn has rounded the core points, and the sum is rounded once more.
  const errorOf = (axis: number): number => {
    let largest = 0
    for (let i = axis; i < points.length; i += 3) largest = Math.max(largest, Math.abs(points[i]))
    return 2 * UNIT_ROUNDOFF * (2 * reaches + largest)
  }
  const hull = convexHull(points, pairs.length)
  return {
    ...roundedFaces(points, hull, [errorOf(0), errorOf(1), errorOf(2)]),
    radius: a.numbers[RADIUS] + b.numbers[RADIUS],
  }
}

/** Pairs as one number each: that of A times the count of B, and that of B. */
type Pairs = number[]

function allPairs(a: Body, b: Body): Pairs {
  return Array.from({ length: a.count * b.count }, (_, k) => k)
}

function cornerPairs(a: Body, b: Body, side: 1 | -1): Pairs | null {
  const mapA = gaussMap(a)
  const mapB = side > 0 ? gaussMap(b) : reflected(gaussMap(b))
  const found = new Set<number>()
  const slack = mapA.slack + mapB.slack
  for (const { direction } of [...mapA.nodes, ...mapB.nodes]) {
    const topsA = topsAlong(a, direction, 1, slack)
    const topsB = topsAlong(b, direction, side, slack)
    if (topsA.length * topsB.length <= ALL_SUMS_COUNT) addAll(topsA, topsB, b.count, found)
    else addRound(a, topsA, b, topsB, direction, side, slack, found)
    if (found.size > SUM_CORNER_COUNT) return null
  }
  return crossArcs(mapA.arcs, mapB.arcs, b.count, found) ? Array.from(found).sort((p, q) => p - q) : null
}

function addAll(topsA: Iterable<number>, topsB: readonly number[], countB: number, found: Set<number>): void {
  for (const i of topsA) for (const j of topsB) found.add(i * countB + j)
}

/** Of two faces across the same direction: the pairs that are the farthest along a way across it, as edges of either have. */
function addRound(
  a: Body,
  topsA: number[],
  b: Body,
  topsB: number[],
  n: Direction,
  side: 1 | -1,
  slack: number,
  found: Set<number>,
): void {
  const ringA = ringOf(a, topsA, n)
  const ringB = ringOf(b, topsB, n)
  ringA.forEach((i, k) => {
    const j = ringA[k + 1 < ringA.length ? k + 1 : 0]
    addAll([i, j], topsAlong(b, wayOut(a, i, j, n), side, slack, ringB), b.count, found)
  })
  ringB.forEach((i, k) => {
    const j = ringB[k + 1 < ringB.length ? k + 1 : 0]
    const [x, y, z] = wayOut(b, i, j, n)
    addAll(topsAlong(a, [side * x, side * y, side * z], 1, slack, ringA), [i, j], b.count, found)
  })
}

/** Those of the core points that are on the outline of them all seen against the direction, counter-clockwise. */
function ringOf({ numbers, local }: Body, tops: readonly number[], n: Direction): number[] {
  const sizes = n.map(Math.abs)
  const axis = sizes.indexOf(Math.max(...sizes))
  const shadow = new Float64Array(2 * tops.length)
  tops.forEach((top, k) => {
    shadow[2 * k] = numbers[local + 3 * top + ((axis + 1) % 3)]
    shadow[2 * k + 1] = numbers[local + 3 * top + ((axis + 2) % 3)]
  })
  const ring = new Int32Array(tops.length)
  const size = shadowHull(shadow, tops.length, ring)
  const around = Array.from(ring.subarray(0, size), (k) => tops[k])
  return n[axis] < 0 ? around.reverse() : around
}

/** The unit vector out of a face across its edge from one core point to the next. */
function wayOut({ numbers, local }: Body, i: number, j: number, n: Direction): Direction {
  const at = (k: number): number => numbers[local + 3 * j + k] - numbers[local + 3 * i + k]
  const [x, y, z] = cross([at(0), at(1), at(2)], n)
  const length = vectorLength3d(x, y, z)
  return [x / length, y / length, z / length]
}

/** As seen through the origin. */
function reflected({ nodes, arcs, slack }: GaussMap): GaussMap {
  const turned = ([x, y, z]: Direction): Direction => [-x, -y, -z]
  return {
    slack,
    nodes: nodes.map((node) => ({ ...node, direction: turned(node.direction) })),
    arcs: arcs.map((arc) => ({ ...arc, from: turned(arc.from), to: turned(arc.to) })),
  }
}

/** Of the core points, or of those `among` them, the ones that are the farthest along the direction, or may be within the slack. */
function topsAlong(
  body: Body,
  [x, y, z]: Direction,
  side: 1 | -1,
  slack: number,
  among: number[] | null = null,
): number[] {
  const { numbers, local } = body
  const count = among === null ? body.count : among.length
  spend(1 + (count >> 1))
  if (heights.length < count) heights = new Float64Array(2 * count)
  let top = -Infinity
  for (let k = 0; k < count; k++) {
    const at = local + 3 * (among === null ? k : among[k])
    const height = side * (x * numbers[at] + y * numbers[at + 1] + z * numbers[at + 2])
    heights[k] = height
    if (height > top) top = height
  }
  const least = top - 4 * slack * numbers[REACH]
  const tops: number[] = []
  for (let k = 0; k < count; k++) if (heights[k] >= least) tops.push(among === null ? k : among[k])
  return tops
}

let heights = new Float64Array(64)

/** Adds the ends of edges whose arcs cross; false where there are too many. */
function crossArcs(
  arcsA: readonly GaussArc[],
  arcsB: readonly GaussArc[],
  countB: number,
  found: Set<number>,
): boolean {
  const boxes = Float64Array.from(arcsB.flatMap(boxOf))
  for (const arc of arcsA) {
    const [x, y, z, toX, toY, toZ] = boxOf(arc)
    spend(1 + (arcsB.length >> 3))
    for (let k = 0, at = 0; k < arcsB.length; k++, at += 6) {
      if (boxes[at] > toX || boxes[at + 3] < x || boxes[at + 1] > toY || boxes[at + 4] < y) continue
      if (boxes[at + 2] > toZ || boxes[at + 5] < z) continue
      spend(2)
      const other = arcsB[k]
      if (doCross(arc, other)) addAll([arc.i, arc.j], [other.i, other.j], countB, found)
    }
    if (found.size > SUM_CORNER_COUNT) return false
  }
  return true
}

/** It bulges beyond its chord by no more than half the square of that. */
function boxOf({ from, to }: GaussArc): number[] {
  const x = to[0] - from[0]
  const y = to[1] - from[1]
  const z = to[2] - from[2]
  const room = (x * x + y * y + z * z) / 2
  const low = [0, 1, 2].map((k) => Math.min(from[k], to[k]) - room)
  return [...low, ...[0, 1, 2].map((k) => Math.max(from[k], to[k]) + room)]
}

function sumsOf({ numbers: a }: Body, { numbers: b, count }: Body, side: 1 | -1, pairs: Pairs): Float64Array {
  spend(pairs.length)
  const points = new Float64Array(3 * pairs.length)
  pairs.forEach((pair, n) => {
    const i = VERTICES + 3 * Math.floor(pair / count)
    const j = VERTICES + 3 * (pair % count)
    // + 0: no negative zeros.
    for (let k = 0; k < 3; k++) {
      points[3 * n + k] = sumOfFour(a[POSITION + k], a[i + k], side * b[POSITION + k], side * b[j + k]) + 0
    }
  })
  return points
}
