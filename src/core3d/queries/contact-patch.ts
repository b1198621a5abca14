/**
 * The part of a body that faces another: a corner, an edge, a face, or of a curved body a point, a line of its side, or a ring
 * of points round its disc.
 *
 * Method: of the faces at the farthest corner along the direction, the one with most corners as far, of these the one most turned
 * towards it: the incident face of E. Catto, "Contact Manifolds" (GDC 2007).
 * A disc is a ring that has, besides eight points well spread, those towards the other body's corners, where its edges or its rim
 * cross this one, and amid what they cut off: so the common part of the two loses no corner, however narrow it is.
 * Frame: world axes, from the body's anchor. Cost O(points and corners of faces). Patches are slots, overwritten in place.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import {
  ANCHOR,
  type Body,
  CONE,
  type CoreSurface,
  CYLINDER,
  ELLIPSOID,
  LENGTHS,
  POINTS,
  REACH,
  ROTATION,
} from '../shape/body.ts'
import { BOX_CORNERS, PLANE_SIZE, planesWith, surfaceOf } from '../shape/core-surface.ts'
import { kindOf } from '../shape/kinds.ts'
import {
  BOX_CORNER_RATIO,
  CONTACT_DEPTH_RATIO,
  RIM_ANGLE,
  RIM_LEAN_RATIO,
  RIM_POINT_COUNT,
  SIDE_COSINE_MARGIN,
} from '../tolerances.ts'

export interface ContactPatch {
  count: number
  /** x, y, z of each, in order around the direction, one way or the other. */
  points: Float64Array
  /** The caller's index of each; −1 on what is curved. */
  names: Int32Array
  /** The places of those that lie as far along the direction as the farthest, as far as a direction's error lets one tell. */
  level: Int32Array
  levelCount: number
  /** Radius and middle of the disc that the points lie round, where it lies flat across the direction; else the radius is −1. */
  radius: number
  middle: Float64Array
  /** The points as seen along the normal of a contact: two coordinates across it and the height along it; set by `seePatch`. */
  u: Float64Array
  v: Float64Array
  h: Float64Array
}

/** Points that a patch has room for from the start. */
const KEPT_SIZE = 64

export function createContactPatch(): ContactPatch {
  return { count: 0, levelCount: 0, radius: -1, middle: new Float64Array(3), ...roomFor(KEPT_SIZE) }
}

function roomFor(size: number): Pick<ContactPatch, 'points' | 'names' | 'level' | 'u' | 'v' | 'h'> {
  return {
    points: new Float64Array(3 * size),
    names: new Int32Array(size),
    level: new Int32Array(size),
    u: new Float64Array(size),
    v: new Float64Array(size),
    h: new Float64Array(size),
  }
}

function begin(patch: ContactPatch, count: number): void {
  patch.count = count
  patch.levelCount = 0
  patch.radius = -1
  const room = patch.names.length
  if (room < count || (room > KEPT_ENTRIES && count <= KEPT_ENTRIES)) Object.assign(patch, roomFor(2 * count))
}

/**
 * `other`: the other body's patch, whose anchor lies at `way` from this one's, for discs. `extent`: that of the pair. Directions and ways
 * are triples.
 */
export function setPatch(
  patch: ContactPatch,
  body: Body,
  direction: Float64Array,
  extent: number,
  other: ContactPatch | null,
  way: Float64Array,
): void {
  const { kind } = body
  const margin = CONTACT_DEPTH_RATIO * extent
  if (kind === POINTS) setPointsPatch(patch, body, direction, margin)
  else if (kind === CYLINDER || kind === CONE) setTurnedPatch(patch, body, direction, margin, other, way)
  else if (kind !== ELLIPSOID) begin(patch, 0)
  else {
    begin(patch, 1)
    kindOf(body).support(body, direction[0], direction[1], direction[2], patch.points)
    finishCurved(patch, direction, margin)
  }
}

/** Of points without names, which have been set. */
function finishCurved(patch: ContactPatch, direction: Float64Array, margin: number): void {
  const { count, points, h } = patch
  const x = direction[0]
  const y = direction[1]
  const z = direction[2]
  let top = -Infinity
  for (let k = 0; k < count; k++) {
    h[k] = points[3 * k] * x + points[3 * k + 1] * y + points[3 * k + 2] * z
    patch.names[k] = -1
    top = Math.max(top, h[k])
  }
  for (let k = 0; k < count; k++) if (h[k] >= top - margin) patch.level[patch.levelCount++] = k
}

/** Heights of the core points along the direction; module scratch. */
let heights = new Float64Array(64)

function setPointsPatch(patch: ContactPatch, body: Body, direction: Float64Array, margin: number): void {
  const { count } = body
  spend(1 + (count >> 1))
  const least = setHeights(body, direction) - margin
  if (count > 2) {
    const face = body.isBox ? facingSide(body, least) : -1
    if (face < 0) setFacing(patch, body, direction, least)
    else putCorners(patch, body, BOX_CORNERS, 4 * face, 4, least)
    return
  }
  begin(patch, count)
  for (let i = 0; i < count; i++) putCorner(patch, body, i, i, least)
}

/** Core point i is the k-th of the patch. */
function putCorner(patch: ContactPatch, body: Body, k: number, i: number, least: number): void {
  const { numbers, local } = body
  const { points } = patch
  const at = local + 3 * i
  points[3 * k] = numbers[at]
  points[3 * k + 1] = numbers[at + 1]
  points[3 * k + 2] = numbers[at + 2]
  // Each corner of a box has its own place as a name: these need not be fetched.
  patch.names[k] = body.isBox ? i : body.names[i]
  if (heights[i] >= least) patch.level[patch.levelCount++] = k
}

/** Returns the greatest of the heights. */
function setHeights({ count, numbers, local }: Body, direction: Float64Array): number {
  const x = direction[0]
  const y = direction[1]
  const z = direction[2]
  if (heights.length < count || (heights.length > KEPT_ENTRIES && count <= KEPT_ENTRIES)) {
    heights = new Float64Array(2 * count)
  }
  let top = -Infinity
  for (let i = 0, at = local; i < count; i++, at += 3) {
    const height = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z
    heights[i] = height
    if (height > top) top = height
  }
  return top
}

function putCorners(
  patch: ContactPatch,
  body: Body,
  corners: Int32Array,
  from: number,
  count: number,
  least: number,
): void {
  begin(patch, count)
  for (let k = 0; k < count; k++) putCorner(patch, body, k, corners[from + k], least)
}

/**
 * The side of a box that faces the direction of the heights: the one that `setFacing` finds, without a look at its planes; −1 where
 * rounding leaves it open. The cosine with a side is the height of an edge over its length. Each corner is off by some roundoffs of its
 * coordinates, so edges and sides are turned by less than 2 ** −35 where these are no more than `BOX_CORNER_RATIO` edges.
 */
function facingSide({ numbers, local }: Body, least: number): number {
  let level = 0
  for (let i = 0; i < 8; i++) if (heights[i] >= least) level |= 1 << i
  const from = Math.max(Math.abs(numbers[ANCHOR]), Math.abs(numbers[ANCHOR + 1]), Math.abs(numbers[ANCHOR + 2]))
  const size = (from + 2 * numbers[REACH]) / BOX_CORNER_RATIO
  let best = -1
  let closest = 0
  let next = -1
  for (let k = 0; k < 3; k++) {
    const at = local + 3 * (1 << k)
    const square = numbers[at] ** 2 + numbers[at + 1] ** 2 + numbers[at + 2] ** 2
    if (!(square > size * size)) return -1
    const side = (level & HIGH_CORNERS[k]) === 0 ? 2 * k : (level & ~HIGH_CORNERS[k]) === 0 ? 2 * k + 1 : -1
    if (side < 0) continue
    const rise = heights[1 << k]
    const cosine = (rise * rise) / square
    if (cosine > closest) {
      next = closest
      closest = cosine
      best = side
    } else if (cosine > next) next = cosine
  }
  return closest - next > SIDE_COSINE_MARGIN ? best : -1
}

/** By axis: the corners, as bits, at the greater coordinate. */
const HIGH_CORNERS = [0b10101010, 0b11001100, 0b11110000] as const

/** Core points of the face, or of the one edge, that faces the direction; those of at least this height count as the farthest. */
function setFacing(patch: ContactPatch, body: Body, direction: Float64Array, least: number): void {
  const surface = surfaceOf(body)
  const { starts, corners } = surface
  if (starts.length < 2) {
    // Of a segment these are its ends.
    begin(patch, corners.length > 1 ? 2 : 1)
    for (let k = 0; k < patch.count; k++) putCorner(patch, body, k, patch.count > 1 ? corners[k] : 0, least)
    return
  }
  spend(corners.length)
  choice.face = -1
  if (!chooseRound(body, surface, direction, least)) chooseOfAll(body, surface, direction, least)
  const from = starts[choice.face]
  putCorners(patch, body, corners, from, starts[choice.face + 1] - from, least)
}

/** The best face so far, and the cosine of its normal with the direction, −Infinity where that is not known yet. */
const choice = { face: -1, cosine: 0 }

/** Takes the face if it is more turned towards the direction than the best, or as much and before it; planes of a single one are not asked for. */
function consider(body: Body, surface: CoreSurface, f: number, direction: Float64Array): void {
  if (choice.face < 0) {
    choice.face = f
    choice.cosine = -Infinity
    return
  }
  if (choice.cosine === -Infinity) choice.cosine = cosineOf(body, surface, choice.face, direction)
  const cosine = cosineOf(body, surface, f, direction)
  if (!(cosine > choice.cosine || (cosine === choice.cosine && f < choice.face))) return
  choice.face = f
  choice.cosine = cosine
}

function cosineOf(body: Body, surface: CoreSurface, f: number, direction: Float64Array): number {
  const planes = planesWith(body, surface, f)
  const at = PLANE_SIZE * f
  return planes[at] * direction[0] + planes[at + 1] * direction[1] + planes[at + 2] * direction[2]
}

/**
 * Chooses among the faces round the first of the farthest core points: all faces that have all of the farthest are there. False where
 * none has.
 */
function chooseRound(body: Body, surface: CoreSurface, direction: Float64Array, least: number): boolean {
  const { starts, corners, neighbours } = surface
  let first = -1
  let size = 0
  for (let i = 0; i < body.count; i++) {
    if (!(heights[i] >= least)) continue
    if (size++ === 0) first = i
  }
  let at = 0
  while (at < corners.length && corners[at] !== first) at++
  if (at === corners.length) return false
  const last = neighbours[at]
  let face = last
  do {
    let level = 0
    for (let c = starts[face]; c < starts[face + 1]; c++) {
      if (heights[corners[c]] >= least) level++
      if (corners[c] === first) at = c
    }
    if (level === size) consider(body, surface, face, direction)
    face = neighbours[at]
  } while (face !== last)
  return choice.face >= 0
}

/** Chooses among those that have most of the farthest core points. */
function chooseOfAll(body: Body, surface: CoreSurface, direction: Float64Array, least: number): void {
  const most = setLevels(surface, least)
  for (let f = 0; f + 1 < surface.starts.length; f++) if (levels[f] >= most) consider(body, surface, f, direction)
}

/** Of each face how many of its corners are as high as that; module scratch. */
let levels = new Int32Array(64)

/** Returns the greatest of the levels. */
function setLevels({ starts, corners }: CoreSurface, least: number): number {
  const count = starts.length - 1
  if (levels.length < count || (levels.length > KEPT_ENTRIES && count <= KEPT_ENTRIES)) {
    levels = new Int32Array(2 * count)
  }
  let most = 0
  let c = 0
  for (let f = 0; f < count; f++) {
    const end = starts[f + 1]
    let level = 0
    for (; c < end; c++) if (heights[corners[c]] >= least) level++
    levels[f] = level
    if (level > most) most = level
  }
  return most
}

/** Sets numbers from `at` on to a place that is given along the body's own axes. */
function place({ numbers }: Body, x: number, y: number, z: number, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    const row = ROTATION + 3 * k
    out[at + k] = x * numbers[row] + y * numbers[row + 1] + z * numbers[row + 2]
  }
}

/** A component, along the body's own axis, of a vector. */
function along({ numbers }: Body, axis: 0 | 1 | 2, x: number, y: number, z: number): number {
  const at = ROTATION + axis
  return x * numbers[at] + y * numbers[at + 3] + z * numbers[at + 6]
}

function setTurnedPatch(
  patch: ContactPatch,
  body: Body,
  direction: Float64Array,
  margin: number,
  other: ContactPatch | null,
  way: Float64Array,
): void {
  const { numbers, kind } = body
  const radius = numbers[LENGTHS]
  const half = numbers[LENGTHS + 1]
  const x = along(body, 0, direction[0], direction[1], direction[2])
  const y = along(body, 1, direction[0], direction[1], direction[2])
  const z = along(body, 2, direction[0], direction[1], direction[2])
  const flat = vectorLength(x, z)
  const isCap = kind === CYLINDER ? Math.abs(y) > flat : -y > flat
  if (!isCap) {
    begin(patch, flat > 0 ? 2 : 1)
    const rimX = (radius * x) / flat
    const rimZ = (radius * z) / flat
    if (flat > 0) place(body, rimX, -half, rimZ, patch.points, 0)
    if (flat > 0 && kind === CYLINDER) place(body, rimX, half, rimZ, patch.points, 3)
    else place(body, 0, half, 0, patch.points, 3 * (patch.count - 1))
    finishCurved(patch, direction, margin)
    return
  }
  const end = y > 0 ? half : -half
  const lean = radius * flat
  if (other !== null && isCornered(other) && lean > margin && lean > RIM_LEAN_RATIO * (radius + half)) {
    begin(patch, 1)
    putRim(patch, body, 0, turned(Math.atan2(z, x)), end)
    finishCurved(patch, direction, margin)
    return
  }
  setAngles(body, x, z, flat, other, way)
  begin(patch, rim.count)
  for (let k = 0; k < rim.count; k++) putRim(patch, body, k, rim.angles[k], end)
  finishCurved(patch, direction, margin)
  place(body, 0, end, 0, patch.middle, 0)
  setCap(patch, radius)
}

/** Whether it has no more of a contact with a rim than corners and edges, of core points: the rim then has one point. */
function isCornered({ names, count, levelCount }: ContactPatch): boolean {
  return count > 0 && names[0] >= 0 && !(levelCount > 2 && levelCount === count)
}

function putRim({ points }: ContactPatch, body: Body, k: number, angle: number, end: number): void {
  const radius = body.numbers[LENGTHS]
  place(body, radius * Math.cos(angle), end, radius * Math.sin(angle), points, 3 * k)
}

/** Of a rim: it faces the direction with all of it, or with one point, near which others lie nearly as far. */
function setCap(patch: ContactPatch, radius: number): void {
  const { count, h } = patch
  if (patch.levelCount === count) {
    patch.radius = radius
    return
  }
  let farthest = 0
  for (let k = 1; k < count; k++) if (h[k] > h[farthest]) farthest = k
  patch.level[0] = farthest
  patch.levelCount = 1
}

/** Angles round a disc, about its axis; module scratch. Of each its place in the order in which they were added. */
const rim = { count: 0, angles: new Float64Array(64), ranks: new Int32Array(64) }

/** Sets those of the points of a rim, which faces x, z of its own axes, or 0, 0. */
function setAngles(
  body: Body,
  x: number,
  z: number,
  flat: number,
  other: ContactPatch | null,
  way: Float64Array,
): void {
  const radius = body.numbers[LENGTHS]
  const count = other === null ? 0 : other.count
  // Of each corner itself, two crossings and the middle between them.
  const size = 4 * count + RIM_POINT_COUNT + 4
  if (rim.ranks.length < size || (rim.ranks.length > KEPT_ENTRIES && size <= KEPT_ENTRIES)) {
    rim.angles = new Float64Array(2 * size)
    rim.ranks = new Int32Array(2 * size)
  }
  rim.count = 0
  if (other !== null && other.radius >= 0) {
    setShadow(body, other.middle, 0, way)
    addLensAngles(other.radius, radius)
  }
  if (flat > 0) addAngle(Math.atan2(z, x))
  spend(1 + count)
  if (other !== null) addRimAngles(body, other, way, radius)
  for (let k = 0; k < RIM_POINT_COUNT; k++) addAngle((2 * Math.PI * k) / RIM_POINT_COUNT)
  spend(rim.count)
  sortAngles()
  keepApart()
}

/** Between 0 and a whole turn. */
function turned(angle: number): number {
  return angle - 2 * Math.PI * Math.floor(angle / (2 * Math.PI))
}

function addAngle(angle: number): void {
  rim.ranks[rim.count] = rim.count
  rim.angles[rim.count++] = turned(angle)
}

/** More angles than that are sorted by the library. */
const INSERTED_COUNT = 64

/** Puts them in order, those that are the same in the order of their ranks. */
function sortAngles(): void {
  const { count, angles, ranks } = rim
  if (count > INSERTED_COUNT) {
    const given = angles.slice(0, count)
    ranks.subarray(0, count).sort((p, q) => given[p] - given[q] || p - q)
    for (let k = 0; k < count; k++) angles[k] = given[ranks[k]]
    return
  }
  for (let k = 1; k < count; k++) {
    const angle = angles[k]
    let m = k
    for (; m > 0 && angles[m - 1] > angle; m--) {
      angles[m] = angles[m - 1]
      ranks[m] = ranks[m - 1]
    }
    angles[m] = angle
    ranks[m] = k
  }
}

/** Leaves none near another, in order: of those that are near each other the first that was added. */
function keepApart(): void {
  const { count, angles, ranks } = rim
  let last = 0
  for (let k = 1; k < count; k++) {
    if (angles[k] - angles[last] > RIM_ANGLE) last++
    else if (ranks[k] >= ranks[last]) continue
    angles[last] = angles[k]
    ranks[last] = ranks[k]
  }
  rim.count = last + 1
  // The last one may be near the first, once round.
  if (last === 0 || angles[0] + 2 * Math.PI - angles[last] > RIM_ANGLE) return
  rim.count = last
  if (ranks[0] < ranks[last]) return
  for (let k = 0; k < last; k++) angles[k] = angles[k + 1]
}

/** A place as seen along a disc's axis, across it. */
const shadow = { x: 0, y: 0 }

function setShadow(body: Body, points: Float64Array, k: number, way: Float64Array): void {
  const x = points[k] + way[0]
  const y = points[k + 1] + way[1]
  const z = points[k + 2] + way[2]
  shadow.x = along(body, 0, x, y, z)
  shadow.y = along(body, 2, x, y, z)
}

/** Angles of corners, of where the edges between them cross the rim, and of the middle of the arc that they cut off. */
function addRimAngles(body: Body, { points, count }: ContactPatch, way: Float64Array, radius: number): void {
  setShadow(body, points, 0, way)
  for (let k = 0; k < count; k++) {
    const { x, y } = shadow
    if (x !== 0 || y !== 0) addAngle(Math.atan2(y, x))
    setShadow(body, points, k + 1 === count ? 0 : 3 * (k + 1), way)
    const dx = shadow.x - x
    const dy = shadow.y - y
    const a = dx * dx + dy * dy
    const b = x * dx + y * dy
    const root = Math.sqrt(b * b - a * (x * x + y * y - radius * radius))
    const before = rim.count
    addCrossing((-b - root) / a, x, y, dx, dy)
    addCrossing((-b + root) / a, x, y, dx, dy)
    const across = x * dy - y * dx
    if (rim.count > before && across !== 0) addAngle(Math.atan2(-across * dx, across * dy))
  }
}

/** Adds the angle of the place at t of an edge, if it has one there. */
function addCrossing(t: number, x: number, y: number, dx: number, dy: number): void {
  if (t > 0 && t < 1) addAngle(Math.atan2(y + t * dy, x + t * dx))
}

/** Angles of where the rim crosses that of another disc about `shadow`, and of its point that lies deepest in that. */
function addLensAngles(other: number, radius: number): void {
  const { x, y } = shadow
  const far = vectorLength(x, y)
  if (far === 0) return
  const middle = Math.atan2(y, x)
  // The square of the sine of half the angle from there to a crossing, without cancellation where the lens is thin.
  const square = ((other - (far - radius)) * (other + (far - radius))) / (4 * far * radius)
  const turn = square > 0 && square < 1 ? 2 * Math.asin(Math.sqrt(square)) : 0
  if (turn > RIM_ANGLE) {
    addAngle(middle - turn)
    addAngle(middle + turn)
  }
  addAngle(middle)
}

/** Sets how the patch, `way` from where it is, is seen along a normal, with two vectors across it. */
export function seePatch(patch: ContactPatch, way: Float64Array, across: Float64Array, normal: Float64Array): void {
  const { count, points, u, v, h } = patch
  for (let k = 0; k < count; k++) {
    const x = points[3 * k] + way[0]
    const y = points[3 * k + 1] + way[1]
    const z = points[3 * k + 2] + way[2]
    u[k] = x * across[0] + y * across[1] + z * across[2]
    v[k] = x * across[3] + y * across[4] + z * across[5]
    h[k] = x * normal[0] + y * normal[1] + z * normal[2]
  }
}

/** A known contact: normal from A to B, signed separation, and a point midway between the surfaces. */
export interface KnownContact {
  separation: number
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
  px: number
  py: number
  pz: number
}

export interface ContactPoint {
  x: number
  y: number
  z: number
  /** Signed distance of the surfaces here, along the normal. */
  separation: number
  /** The caller's vertices that the features are made of: one, the two of an edge, those of a face; none on what is curved. */
  featureA: readonly number[]
  featureB: readonly number[]
  /** The leaves of composite bodies that they are of; −1 of a convex one. */
  leafA: number
  leafB: number
}
