/**
 * The Gauss map of a body's core: directions on the unit sphere, a node for each face, an arc for each edge, and between them for each
 * core point the directions along which it is the farthest.
 *
 * Method: an edge's arc leads from the normal of the face on one side to that on the other (E. Fogel, D. Halperin, "Exact and
 * efficient construction of Minkowski sums of convex polyhedra with applications", Computer-Aided Design 39 (2007)). Arcs are cut so
 * that none is longer than a quarter of a circle, in nodes of their own: the edges of what is flat have half circles, a segment has a whole one. Normals are
 * rounded; `slack` bounds by how much.
 * Where two maps lie over each other, the faces of the Minkowski sum have their normals in the nodes of either and in the crossings of two arcs.
 * Frame: world axes.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { ARC_SLACK } from '../tolerances.ts'
import { type Body, CENTER, type CoreSurface, cross, dot, REACH, VERTICES, type Vector } from './body.ts'
import { exponentOf, scaleBody } from './body-scaling.ts'
import { PLANE_SIZE, planesOf, surfaceOf } from './core-surface.ts'

export interface GaussArc {
  /** The core points at the ends of the edge. */
  i: number
  j: number
  from: Vector
  to: Vector
  slack: number
}

export interface GaussNode {
  direction: Vector
  slack: number
}

export interface GaussMap {
  /** The largest slack of a node. */
  slack: number
  nodes: GaussNode[]
  arcs: GaussArc[]
}

/** Of a body of core points; of one point it is empty. Cost O(edges). */
export function gaussMap(given: Body): GaussMap {
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
  const sum: Vector = [n[0] + m[0], n[1] + m[1], n[2] + m[2]]
  const size = vectorLength3d(sum[0], sum[1], sum[2])
  // Of opposite normals the sum says nothing: it is the way out from the middle across the edge.
  const middle = size > Math.sqrt(slack) ? along(sum, size) : outward(body, i, cross(n, edgeOf(body, i, j)))
  nodes.push({ direction: middle, slack })
  arcs.push({ i, j, from: n, to: middle, slack }, { i, j, from: middle, to: m, slack })
}

/** A unit vector along the given one or against it, away from the middle of the body at core point i. */
function outward({ numbers, local }: Body, i: number, way: Vector): Vector {
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
  // of two equal points, as of a cylinder without a height, it has no direction
  if (edge.some(Number.isNaN)) return
  const least = edge.map(Math.abs).indexOf(Math.min(...edge.map(Math.abs)))
  const axis: Vector = [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0]
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
function edgeOf({ numbers }: Body, i: number, j: number): Vector {
  const at = (k: number): number => numbers[VERTICES + 3 * j + k] - numbers[VERTICES + 3 * i + k]
  const edge: Vector = [at(0), at(1), at(2)]
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

function blend(a: Vector, shareA: number, b: Vector, shareB: number): Vector {
  return [shareA * a[0] + shareB * b[0], shareA * a[1] + shareB * b[1], shareA * a[2] + shareB * b[2]]
}

function along([x, y, z]: Vector, length: number): Vector {
  return [x / length, y / length, z / length]
}

/** As seen through the origin. */
export function reflected({ nodes, arcs, slack }: GaussMap): GaussMap {
  const turned = ([x, y, z]: Vector): Vector => [-x, -y, -z]
  return {
    slack,
    nodes: nodes.map((node) => ({ ...node, direction: turned(node.direction) })),
    arcs: arcs.map((arc) => ({ ...arc, from: turned(arc.from), to: turned(arc.to) })),
  }
}

/** Calls `visit` with the arcs that cross, until it returns false; returns whether it never did. Cost O(arcs of A · arcs of B) comparisons. */
export function visitCrossings(
  arcsA: readonly GaussArc[],
  arcsB: readonly GaussArc[],
  visit: (a: GaussArc, b: GaussArc) => boolean,
): boolean {
  const boxes = Float64Array.from(arcsB.flatMap(boxOf))
  for (const arc of arcsA) {
    const [x, y, z, toX, toY, toZ] = boxOf(arc)
    spend(1 + (arcsB.length >> 3))
    for (let k = 0, at = 0; k < arcsB.length; k++, at += 6) {
      if (boxes[at] > toX || boxes[at + 3] < x || boxes[at + 1] > toY || boxes[at + 4] < y) continue
      if (boxes[at + 2] > toZ || boxes[at + 5] < z) continue
      spend(2)
      if (doCross(arc, arcsB[k]) && !visit(arc, arcsB[k])) return false
    }
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
