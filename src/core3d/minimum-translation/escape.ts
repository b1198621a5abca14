/**
 * The shortest way of a body out of another one, or of many that are the parts of one: the least translation after which the two do
 * not overlap.
 *
 * Method: what a pair of convex leaves forbids lies behind walls (`walls.ts`), and what is free is on or beyond one of them. Places wait in
 * a queue by their distance. Each is the shortest translation beyond up to three walls (`shortest.ts`), so nothing free that lies
 * beyond these is nearer. At the nearest place the pair of leaves that overlaps the most is looked for: the places beyond its walls, one
 * by one, go into the queue. The first place at which nothing overlaps, as the exact relation of the moved bodies tells, is the
 * nearest free one of all. This is branch and bound over a disjunctive program (E. Balas, "Disjunctive programming", Annals of
 * Discrete Mathematics 5 (1979)).
 * Where a pair has walls without number, as curved ones do, or a solid mesh holds what touches no triangle of it, the way found is short
 * and free, but another one may be shorter: `exact` is false then.
 * Frame: world axes. Cost: as a rule a few dozens of places; at most `ESCAPE_PLACE_COUNT`.
 */

import { spend } from '../../containers/budget.ts'
import {
  addToQueue,
  createPriorityQueue,
  leastKey,
  type PriorityQueue,
  takeFromQueue,
} from '../../containers/priority-queue.ts'
import { scaleBy, vectorLength3d } from '../../numeric/safe-range.ts'
import { exitAlong, movedBody } from '../narrow-phase/composite-exit.ts'
import { createNearestLeaves, nearestLeaves, relateComposites } from '../narrow-phase/composite-relation.ts'
import { AXES, type CompositeTranslation, partComposites } from '../narrow-phase/composite-translation.ts'
import {
  type CompositeFrame,
  createCompositeFrame,
  gapMeasure,
  leafOf,
  orderComposites,
  visitLeafPairs,
} from '../narrow-phase/composite-walk.ts'
import { createDepth } from '../narrow-phase/depth.ts'
import { createSeparation, pairInRange } from '../narrow-phase/pair-frame.ts'
import { measure, relate } from '../narrow-phase/separate.ts'
import { type Body, CENTER, COMPOSITE, dot, POSITION, plus, REACH, scaled, type Vector } from '../shape/body.ts'
import { EXIT_MARGIN_COUNT, LEAF_PAIR_STEP_COUNT, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { shortestBeyond, wayOff } from './shortest.ts'
import {
  EQUAL_WAY_RATIO,
  ESCAPE_PLACE_COUNT,
  HELD_PLACE_COUNT,
  LONG_ESCAPE_COUNT,
  SHORTENED_WAY_COUNT,
  SHORTENED_WAY_RATIO,
} from './tolerances.ts'
import { type Wall, wallAlong, wallsOf } from './walls.ts'

export interface Escape {
  /** False where no way was found: nothing else is set then, but `exact`. */
  found: boolean
  /** Translation of the second body: it stands on walls then, but for rounding. */
  way: Vector
  /** Unit vector that leads off all of them, 0 0 0 for no translation; and how far along it nothing overlaps for certain: a few roundings. */
  off: Vector
  room: number
  /** No translation shorter than this one parts them, and where none was found, none does. */
  exact: boolean
}

export function createEscape(): Escape {
  return { found: false, way: [0, 0, 0], off: [0, 0, 0], room: 0, exact: true }
}

/** Walls of a pair of leaves, by their indices, and the error of their heights. */
interface LeafWalls {
  walls: number[]
  isWhole: boolean
  error: number
}

/** A translation, and the walls that it is on. */
interface Place {
  way: Vector
  walls: readonly number[]
}

interface Search {
  a: Body
  b: Body
  frame: CompositeFrame
  /** By how much the second body is kept farther off. */
  margin: number
  walls: Wall[]
  /** Walls of whole pairs by their planes: in a level of many bodies one plane has many. */
  planes: Map<string, number>
  /** The leaves whose wall each is, as in `leaves`. */
  owners: number[]
  /** By the leaf of A times the leaves of B, plus the leaf of B. */
  leaves: Map<number, LeafWalls>
  leavesB: number
  places: Place[]
  /** The walls of all places so far. */
  known: Set<string>
  queue: PriorityQueue
  /** Nothing farther is looked at. */
  limit: number
  /** A place that is free for certain, so far away. */
  bound: Place | null
  /** False once something was passed over that may be nearer. */
  isExact: boolean
  heldCount: number
  /** No free place is nearer than what the first body that is curved asks for. */
  leastDepth: number
}

/** `margin`: a length by which B is kept farther off than touching asks. B has bounds. */
export function findEscape(a: Body, b: Body, margin: number, out: Escape): void {
  const search = beginSearch(a, b, margin)
  put(search, { way: [0, 0, 0], walls: [] })
  const best = nearestFree(search)
  if (best === null) takeBound(search)
  const found = best ?? search.bound
  out.found = found !== null
  out.exact = search.isExact
  if (found === null) return
  const place = out.exact ? found : drawnIn(search, shortened(search, found))
  // The depth of one pair is the least that there is.
  out.exact ||= lengthOf(place.way) <= search.leastDepth * (1 + EQUAL_WAY_RATIO)
  out.way = place.way
  out.off = offOf(search, place)
  out.room = roomAt(search, place)
}

function beginSearch(a: Body, b: Body, margin: number): Search {
  const frame = createCompositeFrame()
  orderComposites(a, b, frame)
  return {
    ...{ a, b, frame, margin, walls: [], planes: new Map(), owners: [], leaves: new Map() },
    ...{ leavesB: b.kind === COMPOSITE ? (b.composite?.leafCount ?? 1) : 1, places: [], known: new Set() },
    ...{ queue: createPriorityQueue(), limit: Infinity, bound: null, isExact: true, heldCount: 0, leastDepth: 0 },
  }
}

function isConvex({ a, b }: Pick<Search, 'a' | 'b'>): boolean {
  return a.kind !== COMPOSITE && b.kind !== COMPOSITE
}

function lengthOf([x, y, z]: Vector): number {
  return vectorLength3d(x, y, z)
}

/** Queues a place, if its walls are new. */
function put(search: Search, place: Place): void {
  spend(PLACE_STEPS)
  const { known, places, queue, limit } = search
  const length = lengthOf(place.way)
  if (length > limit) return
  const name = [...place.walls].sort((i, j) => i - j).join()
  if (known.has(name)) return
  known.add(name)
  addToQueue(queue, length, places.push(place) - 1)
}

/** Steps of a place that is queued. */
const PLACE_STEPS = 8

/** The nearest free place, of several equally near ones the first by its coordinates; null where none is found. */
function nearestFree(search: Search): Place | null {
  const { queue, places } = search
  let best: Place | null = null
  for (let count = 0; leastKey(queue) <= search.limit; count++) {
    if (queue.count === 0) break
    if (count === LONG_ESCAPE_COUNT) takeBound(search)
    if (count === ESCAPE_PLACE_COUNT) {
      search.isExact = false
      break
    }
    const place = places[takeFromQueue(queue)]
    const leaves = deepestAt(search, place.way)
    if (leaves !== null) putBeyond(search, place, leaves)
    else if (isFree(search, place)) {
      if (best === null || comesBefore(place.way, best.way)) best = place
      search.limit = Math.min(search.limit, lengthOf(place.way) * (1 + EQUAL_WAY_RATIO))
    } else if (!(isConvex(search) ? putOnWall(search, place) : putHeld(search, place))) break
  }
  return best
}

function comesBefore(p: Vector, q: Vector): boolean {
  const k = [0, 1, 2].find((i) => p[i] !== q[i])
  return k !== undefined && p[k] < q[k]
}

/** Puts the places that are also beyond one of the walls of a pair of leaves. */
function putBeyond(search: Search, place: Place, { walls, error }: LeafWalls): void {
  spend(walls.length)
  for (const wall of walls) {
    const next = shortestBeyond(search.walls, place.walls, wall, error)
    if (next !== null) put(search, { way: next.place, walls: next.walls })
  }
}

// What overlaps at a place.

/** The frame with the caller's B moved. */
function frameAt({ frame }: Search, way: Vector): CompositeFrame {
  const side = frame.swapped ? -1 : 1
  const dx = frame.dx + side * way[0]
  const dy = frame.dy + side * way[1]
  const dz = frame.dz + side * way[2]
  const size = Math.abs(frame.dx) + Math.abs(frame.dy) + Math.abs(frame.dz) + lengthOf(way)
  return { ...frame, dx, dy, dz, slack: frame.slack + 4 * SEPARATION_ERROR_RATIO * size }
}

/** The walls of the leaves that overlap the most at a place; null where none do by more than rounding. */
function deepestAt(search: Search, way: Vector): LeafWalls | null {
  const { frame, margin } = search
  let deepest: LeafWalls | null = null
  let most = 0
  const there = frameAt(search, way)
  visitLeafPairs(there, margin, gapMeasure(there), (first, second) => {
    spend(LEAF_PAIR_STEP_COUNT)
    const i = frame.swapped ? second : first
    const j = frame.swapped ? first : second
    const leaves = leafWalls(search, i, j)
    const depth = leaves.isWhole ? depthBehind(search, leaves, way) : depthOf(search, leaves, i, j, way)
    if (depth > most && depth > leaves.error) {
      deepest = leaves
      most = depth
    }
    return margin
  })
  return deepest
}

function leafBodies({ frame }: Search, i: number, j: number): readonly [Body, Body] {
  const { first, second, swapped } = frame
  return swapped ? [leafOf(second, i), leafOf(first, j)] : [leafOf(first, i), leafOf(second, j)]
}

function leafWalls(search: Search, i: number, j: number): LeafWalls {
  const { leaves, leavesB } = search
  const number = i * leavesB + j
  const made = leaves.get(number)
  if (made !== undefined) return made
  const [a, b] = leafBodies(search, i, j)
  const { walls, isWhole } = wallsOf(a, b)
  const found: LeafWalls = { walls: [], isWhole, error: 0 }
  leaves.set(number, found)
  for (const wall of walls) addWall(search, found, number, wall)
  return found
}

function addWall(search: Search, leaves: LeafWalls, owner: number, { normal, height }: Wall): number {
  const plane = leaves.isWhole ? `${normal} ${height}` : ''
  const known = search.planes.get(plane)
  const wall = known ?? search.walls.push({ normal, height: height + search.margin }) - 1
  if (known === undefined) search.owners.push(owner)
  if (leaves.isWhole) search.planes.set(plane, wall)
  leaves.walls.push(wall)
  leaves.error = Math.max(leaves.error, SEPARATION_ERROR_RATIO * Math.abs(height))
  return wall
}

/** How far the place is behind the nearest of all walls; 0 where it is beyond one. */
function depthBehind({ walls }: Search, leaves: LeafWalls, way: Vector): number {
  spend(leaves.walls.length >> 2)
  let least = Infinity
  for (const wall of leaves.walls) {
    const { normal, height } = walls[wall]
    const depth = height - dot(normal, way)
    if (depth <= 0) return 0
    if (depth < least) least = depth
  }
  return least
}

const apart = createSeparation()
const depth = createDepth()

/** How deep leaves with walls without number overlap at a place; the wall that is the way out of that joins theirs. */
function depthOf(search: Search, leaves: LeafWalls, i: number, j: number, way: Vector): number {
  const [a, b] = leafBodies(search, i, j)
  const pair = pairInRange(a, movedBody(b, way))
  const isMet = measure(pair, apart, depth)
  const { exponent, swapped } = pair
  const side = swapped ? -1 : 1
  const found = search.margin + scaleBy(isMet ? depth.depth : -apart.distance, exponent)
  // the moved body is where the doubles of its coordinates allow, which may be farther off than walls are wrong
  if (!(found > leaves.error + SEPARATION_ERROR_RATIO * coordinatesOf({ a, b }, way))) return 0
  const [x, y, z] = isMet ? [depth.nx, depth.ny, depth.nz] : apart.normal
  if (x !== 0 || y !== 0 || z !== 0) {
    const wall = wallAlong(a, b, [side * x + 0, side * y + 0, side * z + 0])
    addWall(search, leaves, i * search.leavesB + j, wall)
  }
  if (way.every((coordinate) => coordinate === 0)) search.leastDepth = Math.max(search.leastDepth, found)
  search.isExact = false
  return found
}

// Whether a place is free.

const moved = createCompositeFrame()

function isOverlapping({ a, b }: Search, way: Vector): boolean {
  const there = movedBody(b, way)
  if (isConvex({ a, b })) return relate(pairInRange(a, there)) < 0
  orderComposites(a, there, moved)
  return relateComposites(moved) < 0
}

/** How far off its walls the place is to be moved until nothing overlaps, which is no more than rounding; Infinity where something does still. */
function roomAt(search: Search, { way, walls }: Place): number {
  const off = offOf(search, { way, walls })
  let error = 0
  for (const wall of walls) {
    error = Math.max(error, SEPARATION_ERROR_RATIO * (Math.abs(search.walls[wall].height) + lengthOf(way)))
  }
  // the doubles of its coordinates may lie farther apart
  for (const each of [error, SEPARATION_ERROR_RATIO * coordinatesOf(search, way)]) {
    for (const count of EXIT_MARGIN_COUNT) {
      if (!isOverlapping(search, plus(way, off, count * each))) return count * each
    }
  }
  return Infinity
}

/** Size of the coordinates of two bodies. */
function coordinatesOf({ a, b }: Pick<Search, 'a' | 'b'>, way: Vector): number {
  let size = lengthOf(way)
  for (const { numbers } of [a, b]) {
    if (numbers[REACH] < Infinity) size += numbers[REACH]
    for (let k = 0; k < 3; k++) size += Math.abs(numbers[POSITION + k]) + Math.abs(numbers[CENTER + k])
  }
  return size
}

/**
 * Puts the place of two convex bodies on the wall that is nearest, behind which it is by less than the error of its height; false where it
 * is on that already.
 */
function putOnWall(search: Search, { way, walls }: Place): boolean {
  const leaves = leafWalls(search, 0, 0)
  if (!leaves.isWhole) wallBetween(search, leaves, 0, way)
  const depth = (wall: number): number => search.walls[wall].height - dot(search.walls[wall].normal, way)
  const nearest = leaves.walls.reduce((p, q) => (depth(q) < depth(p) ? q : p))
  if (walls.includes(nearest)) return false
  put(search, { way, walls: [nearest] })
  return true
}

function isFree(search: Search, place: Place): boolean {
  return roomAt(search, place) < Infinity
}

function offOf({ walls }: Search, place: Place): Vector {
  const off = wayOff(place.walls.map((wall) => walls[wall].normal))
  const length = lengthOf(off)
  return length > 0 ? scaled(off, 1 / length) : off
}

// Places that no wall forbids, and that are not free: what a solid holds, or lies in the seam of two parts.

const nearest = createNearestLeaves()

/** Puts the places at the exits from it along a few ways; false where it has been done too often. */
function putHeld(search: Search, { way, walls }: Place): boolean {
  search.isExact = false
  if (search.heldCount++ === HELD_PLACE_COUNT) return false
  orderComposites(search.a, movedBody(search.b, way), moved)
  const side = moved.swapped ? -1 : 1
  const ways = [...AXES]
  if (!nearestLeaves(moved, nearest)) {
    const [x, y, z] = nearest.separation.normal
    ways.push([x + 0, y + 0, z + 0], [0 - x, 0 - y, 0 - z])
  }
  for (const normal of ways) {
    const exit = exitAlong(moved, scaled(normal, side), search.limit, true)
    if (!(exit > 0 && exit < Infinity)) continue
    const wall = search.walls.push({ normal, height: dot(normal, way) + exit }) - 1
    search.owners.push(-1)
    const next = shortestBeyond(search.walls, walls, wall, SEPARATION_ERROR_RATIO * exit)
    if (next !== null) put(search, { way: next.place, walls: next.walls })
  }
  return true
}

const translation: CompositeTranslation = { found: false, way: [0, 0, 0], length: 0 }

/** Looks for a place that is free for certain, once; what is farther away is no longer looked at. */
function takeBound(search: Search): void {
  const { frame } = search
  if (search.bound !== null || isConvex(search)) return
  partComposites(frame, translation)
  const { found, way, length } = translation
  if (!found) return
  search.limit = Math.min(search.limit, length)
  const normal = scaled(way, frame.swapped ? -1 : 1)
  const wall = search.walls.push({ normal, height: length }) - 1
  search.owners.push(-1)
  search.bound = { way: scaled(normal, length), walls: [wall] }
}

// Ways past curves, which the walls that were made of them leave too long.

/**
 * The place, or one nearer on the way to it: the walls that it is on are turned to where the bodies are nearest to each other there, which
 * keeps it beyond them, until that gains nothing or something else is in the way.
 */
function shortened(search: Search, found: Place): Place {
  let place = found
  for (let round = 0; round < SHORTENED_WAY_COUNT; round++) {
    const next = turned(search, place)
    if (next === null || !(lengthOf(next.way) < lengthOf(place.way) * (1 - SHORTENED_WAY_RATIO))) break
    if (deepestAt(search, next.way) !== null || !isFree(search, next)) break
    place = next
  }
  return place
}

/** The place, or one nearer on the straight way to it, just beyond what overlaps there. */
function drawnIn(search: Search, place: Place): Place {
  let low = 0
  let high = 1
  for (let step = 0; step < DRAWING_COUNT; step++) {
    const middle = low + (high - low) / 2
    if (isOverlapping(search, scaled(place.way, middle))) low = middle
    else high = middle
  }
  return high < 1 ? { way: scaled(place.way, high), walls: place.walls } : place
}

/** Halvings of the way. */
const DRAWING_COUNT = 44

function turned(search: Search, { way, walls }: Place): Place | null {
  const turns = walls.map((wall) => turnedWall(search, wall, way))
  const added = turns.pop()
  if (added === undefined) return null
  let best: Place | null = null
  for (const last of [added, ...turns]) {
    const kept = [added, ...turns].filter((wall) => wall !== last)
    const next = shortestBeyond(search.walls, kept, last, 0)
    if (next !== null && (best === null || lengthOf(next.place) < lengthOf(best.way))) {
      best = { way: next.place, walls: next.walls }
    }
  }
  return best
}

/** The wall of the same leaves across the way between them at a place; the same wall where that is not known. */
function turnedWall(search: Search, wall: number, way: Vector): number {
  const owner = search.owners[wall]
  const leaves = search.leaves.get(owner)
  if (leaves === undefined || leaves.isWhole) return wall
  return wallBetween(search, leaves, owner, way) ?? wall
}

/** Adds the wall of two leaves across the shortest way from the one to the other, or out of it, at a place; null where there is none. */
function wallBetween(search: Search, leaves: LeafWalls, owner: number, way: Vector): number | null {
  const j = owner % search.leavesB
  const [a, b] = leafBodies(search, (owner - j) / search.leavesB, j)
  const pair = pairInRange(a, movedBody(b, way))
  const isMet = measure(pair, apart, depth)
  const side = pair.swapped ? -1 : 1
  const [x, y, z] = isMet ? [depth.nx, depth.ny, depth.nz] : apart.normal
  if (x === 0 && y === 0 && z === 0) return null
  return addWall(search, leaves, owner, wallAlong(a, b, [side * x + 0, side * y + 0, side * z + 0]))
}
