/**
 * Where a body is brought by laying one of its features exactly on one of another body, or of a grid.
 *
 * Corners go onto corners and sides, sides onto corners and onto sides that face them, middles onto middles, and corners, middles and
 * sides of the body onto a grid. With turns, a side is turned until it faces a side of the other, and laid on it.
 * Frame: world; angles in radians, counter-clockwise.
 */

import { spend } from '../../containers/budget.ts'
import type { Pace, Slices } from '../../containers/pace.ts'
import { sumError } from '../../numeric/expansion.ts'
import { PARALLEL_RATIO } from '../queries/tolerances.ts'
import type { SnapEdge, SnapFeatures, SnapPlace, SnapPoint } from './snap-features.ts'

/** Where the body is brought to. */
export interface SnapCandidate {
  /** Its position and turn, and how far that is. */
  x: number
  y: number
  turn: number
  distance: number
  /** Unit vector, which way is off the target; 0 where it is not laid against anything. */
  nx: number
  ny: number
  own: SnapPoint | SnapEdge
  /** null: the grid. */
  target: SnapPoint | SnapEdge | null
  /** −1: the grid. */
  slot: number
}

/** Where the body stands, how far it may go and whether it may turn. */
export interface SnapSource {
  x: number
  y: number
  maxDistance: number
  mayTurn: boolean
}

export interface SnapGrid {
  originX: number
  originY: number
  width: number
  height: number
}

/** Most it is turned to lie on a side. */
const MOST_TURN = Math.PI / 2

export function isEdge(feature: SnapPoint | SnapEdge): feature is SnapEdge {
  return 'ex' in feature
}

/** Adds the candidates of all features of the body with all of another one. */
export function* addPairs(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapFeatures,
  target: SnapFeatures,
  slot: number,
  pace: Pace,
): Slices<void> {
  for (const to of target.points) {
    for (const from of own.points) if (from.kind === to.kind) addPointOnPoint(out, source, from, to, slot)
    if (to.kind === 'vertex') for (const from of own.edges) addEdgeOnPoint(out, source, from, to, slot)
    if (pace.isDue(own.points.length + own.edges.length)) yield
  }
  for (const to of target.edges) {
    for (const from of own.points) if (from.kind === 'vertex') addPointOnEdge(out, source, from, to, slot)
    for (const from of own.edges) addEdgeOnEdge(out, source, from, to, slot)
    if (pace.isDue(own.points.length + own.edges.length)) yield
  }
  spend((target.points.length + target.edges.length) * (own.points.length + own.edges.length))
}

/** Adds the nearest point of the grid for each point of the body, and the nearest line for each side along one. */
export function addGrid(out: SnapCandidate[], source: SnapSource, own: SnapFeatures, grid: SnapGrid): void {
  const { originX, originY, width, height } = grid
  const nearest = (at: number, origin: number, size: number) => origin + Math.round((at - origin) / size) * size
  for (const from of own.points) {
    const to = { x: nearest(from.x, originX, width), xLow: 0, y: nearest(from.y, originY, height), yLow: 0 }
    add(out, source, { ...moved(source, from, to), turn: 0, nx: 0, ny: 0, own: from, target: null, slot: -1 })
  }
  for (const from of own.edges) {
    const { nx, ny, radius, x, y } = from
    if (nx !== 0 && ny !== 0) continue
    const isUpright = ny === 0
    const to = isUpright
      ? { x: nearest(x + nx * radius, originX, width) - nx * radius, xLow: 0, y, yLow: from.yLow }
      : { x, xLow: from.xLow, y: nearest(y + ny * radius, originY, height) - ny * radius, yLow: 0 }
    add(out, source, { ...moved(source, from, to), turn: 0, nx: 0, ny: 0, own: from, target: null, slot: -1 })
  }
}

function addPointOnPoint(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapPoint,
  target: SnapPoint,
  slot: number,
): void {
  add(out, source, { ...moved(source, own, target), turn: 0, nx: 0, ny: 0, own, target, slot })
}

/** The point goes straight to the side, its skin included. */
function addPointOnEdge(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapPoint,
  target: SnapEdge,
  slot: number,
): void {
  const { nx, ny } = target
  const [dx, dy] = apart(own, target)
  if (!isBeside(target, dx * ny - dy * nx)) return
  add(out, source, { ...lifted(source, own, target, target.radius, nx, ny), turn: 0, nx, ny, own, target, slot })
}

function addEdgeOnPoint(
  out: SnapCandidate[],
  source: SnapSource,
  own: SnapEdge,
  target: SnapPoint,
  slot: number,
): void {
  const { nx, ny } = own
  const [dx, dy] = apart(target, own)
  if (!isBeside(own, dx * ny - dy * nx)) return
  const place = lifted(source, own, target, own.radius, -nx, -ny)
  add(out, source, { ...place, turn: 0, nx: -nx, ny: -ny, own, target, slot })
}

/** The sides face each other, the one turned if need be, and lie side by side for more than a point. */
function addEdgeOnEdge(out: SnapCandidate[], source: SnapSource, own: SnapEdge, target: SnapEdge, slot: number): void {
  const { nx, ny } = target
  const sine = nx * own.ny - ny * own.nx
  const isFacing = own.nx * nx + own.ny * ny < 0 && Math.abs(sine) <= PARALLEL_RATIO
  if (isFacing) {
    addFacing(out, source, own, own, target, 0, slot)
    return
  }
  if (!source.mayTurn) return
  const turn = Math.atan2(sine, -(own.nx * nx + own.ny * ny))
  if (Math.abs(turn) <= MOST_TURN)
    addFacing(out, source, turnedEdge(own, source, turn, -nx, -ny), own, target, turn, slot)
}

function addFacing(
  out: SnapCandidate[],
  source: SnapSource,
  standing: SnapEdge,
  own: SnapEdge,
  target: SnapEdge,
  turn: number,
  slot: number,
): void {
  const { nx, ny } = target
  const [dx, dy] = apart(standing, target)
  const start = dx * ny - dy * nx
  const end = start + (standing.ex * ny - standing.ey * nx)
  // Counted along the side of the target, from its start.
  const length = target.isEndless ? Infinity : Math.hypot(target.ex, target.ey)
  const least = target.isEndless ? -Infinity : 0
  const way = target.ex * ny - target.ey * nx < 0 ? -1 : 1
  if (Math.max(way * start, way * end) <= least || Math.min(way * start, way * end) >= length) return
  const place = lifted(source, standing, target, target.radius + own.radius, nx, ny)
  add(out, source, { ...place, turn, nx, ny, own, target, slot })
}

/** The side as it lies when the body is turned about its position; its normal is known then. */
function turnedEdge(edge: SnapEdge, { x, y }: SnapSource, turn: number, nx: number, ny: number): SnapEdge {
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  const [dx, dy] = [edge.x - x + edge.xLow, edge.y - y + edge.yLow]
  return {
    ...edge,
    x: x + cos * dx - sin * dy,
    xLow: 0,
    y: y + sin * dx + cos * dy,
    yLow: 0,
    ex: cos * edge.ex - sin * edge.ey,
    ey: sin * edge.ex + cos * edge.ey,
    nx,
    ny,
  }
}

/** From the second place to the first, rounded. */
function apart(a: SnapPlace, b: SnapPlace): [number, number] {
  return [a.x - b.x + (a.xLow - b.xLow), a.y - b.y + (a.yLow - b.yLow)]
}

/** Whether a point so far along a side, in the direction of the side or against it, is beside it. */
function isBeside({ ex, ey, nx, ny, isEndless }: SnapEdge, along: number): boolean {
  if (isEndless) return true
  const whole = ex * ny - ey * nx
  return whole > 0 ? along >= 0 && along <= whole : along <= 0 && along >= whole
}

/** Where the body stands when the place `from` of it lies on `to`. */
function moved({ x, y }: SnapSource, from: SnapPlace, to: SnapPlace): { x: number; y: number } {
  return { x: movedTo(x, from.x, from.xLow, to.x, to.xLow), y: movedTo(y, from.y, from.yLow, to.y, to.yLow) }
}

/** at + (to − from), rounded once. */
function movedTo(at: number, from: number, fromLow: number, to: number, toLow: number): number {
  const way = to - from
  const sum = at + way
  return sum + (sumError(at, way, sum) + sumError(to, -from, way) + (toLow - fromLow))
}

/** Where it stands when `from` lies as high over `to`, along the normal, as the skins are thick: it moves along the normal alone. */
function lifted(
  source: SnapSource,
  from: SnapPlace,
  to: SnapPlace,
  skin: number,
  nx: number,
  ny: number,
): { x: number; y: number } {
  const { x, y } = source
  // Where the normal is an axis, one coordinate stays, and the other is that of the place.
  if (ny === 0) return { x: movedTo(x, from.x, from.xLow, to.x + skin * nx, skinLow(to.x, skin * nx) + to.xLow), y }
  if (nx === 0) return { x, y: movedTo(y, from.y, from.yLow, to.y + skin * ny, skinLow(to.y, skin * ny) + to.yLow) }
  const [dx, dy] = apart(to, from)
  const height = dx * nx + dy * ny + skin
  return { x: x + height * nx, y: y + height * ny }
}

function skinLow(at: number, skin: number): number {
  return sumError(at, skin, at + skin)
}

function add(
  out: SnapCandidate[],
  { x, y, maxDistance }: SnapSource,
  candidate: Omit<SnapCandidate, 'distance'>,
): void {
  const distance = Math.hypot(candidate.x - x, candidate.y - y)
  // Adding 0 turns −0 into 0.
  if (distance <= maxDistance) out.push({ ...candidate, x: candidate.x + 0, y: candidate.y + 0, distance })
}
