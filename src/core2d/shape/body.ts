/**
 * Bodies: shapes that have been checked, reduced to one of five kinds, turned by their rotation and placed.
 *
 * A `Body` is the only thing that pair and ray functions see. Kinds after reduction:
 *   CIRCLE     one point and a skin radius            (point, circle)
 *   POLYGON    two or more points and a skin radius   (segment, capsule, box, aabb, polygon, each rounded or not)
 *   ELLIPSE    centre, half axes, axis direction
 *   HALFPLANE  all x with n·x ≤ offset
 *   COMPOSITE  parts, see `composite.ts`                (chain, region, compound)
 * Frame: world axes, origin at the body's position; the rotation is already applied, the position is kept apart so that
 * position + vertex can be taken exactly. `local` repeats the vertices relative to the first one (the anchor): that
 * difference is small and rounds relative to the body's size, not to its distance from an origin.
 * A body's numbers lie together in one array, found by the offsets below. It is a plain array: engines keep its doubles unboxed in one
 * piece on the heap, where a typed array takes some 200 bytes beside its numbers, and a double in a field of its own 24.
 * Bodies are slots: the `set…` functions overwrite one in place, growing its array when needed. Callers pass checked
 * values (finite, convex, radii ≥ 0); see `polygon.ts` for the check of polygons.
 */

import { vectorLength } from '../../numeric/safe-range.ts'
import type { BoxTree } from '../broad-phase/box-tree.ts'
import { edgeFeature, type FeatureCode, SURFACE_FEATURE, vertexFeature } from '../feature.ts'
import type { Outline } from '../outline/outline.ts'
import { CLEAR_COSINE_RATIO, SMALLEST_SAFE_TURN } from '../tolerances.ts'

export const CIRCLE = 0
export const POLYGON = 1
export const ELLIPSE = 2
export const HALFPLANE = 3
export const COMPOSITE = 4
export type Kind = typeof CIRCLE | typeof POLYGON | typeof ELLIPSE | typeof HALFPLANE | typeof COMPOSITE

/** A convex body of core points and a skin. */
export function isCored({ kind }: Pick<Body, 'kind'>): boolean {
  return kind <= POLYGON
}

/** A convex body with bounds and without core points. */
export function isCurved({ kind }: Pick<Body, 'kind'>): boolean {
  return kind > POLYGON && kind < HALFPLANE
}

export function isComposite({ kind }: Pick<Body, 'kind'>): boolean {
  return kind === COMPOSITE
}

/** World position: x + low x, y + low y. The low halves are 0 except for parts of a compound, whose positions are sums. */
export const X = 0
export const Y = 1
export const X_LOW = 2
export const Y_LOW = 3
/** The first core point, which local points count from; 0 0 for kinds without. */
export const ANCHOR_X = 4
export const ANCHOR_Y = 5
/** Skin radius around the core points; 0 for the other kinds. */
export const RADIUS = 6
/** Bound on the distance from the anchor to any point of the body; of a half-plane, from its position to its boundary. */
export const REACH = 7
/** A point of the core, relative to the anchor: the mean of the vertices. */
export const CENTER_X = 8
export const CENTER_Y = 9
/** Cosine and sine of the rotation; exactly 1 and 0 when there is none. */
export const COS = 10
export const SIN = 11
/** Core points x0, y0, x1, y1, … relative to the anchor. Kinds without have the lengths that follow in the same place. */
export const LOCAL = 12
/** Of ellipses: half axes along (cos, sin) and (−sin, cos). */
export const RX = 12
export const RY = 13
/** Of half-planes: turned normal as given (any length), its unit vector, and the offset along the unit normal. */
export const NORMAL_X = 14
export const NORMAL_Y = 15
export const UNIT_X = 16
export const UNIT_Y = 17
export const OFFSET = 18

export interface Body {
  kind: Kind
  /** Number of core points. */
  count: number
  /** Pose, lengths and core points, by the offsets above and these. */
  numbers: number[]
  /** Where the outward unit normals of the edges i → i+1 begin in `numbers`. */
  normals: number
  /** Where normal · local of each edge begins: the edge's height over the anchor. */
  offsets: number
  /** Where the core points relative to the position begin, counter-clockwise. */
  vertices: number
  /** The user's names of vertices and edges; not to be written to unless the body owns them. */
  vertexFeatures: Int32Array
  edgeFeatures: Int32Array
  ownsNames: boolean
  /** How many of its own names, from the first on, are known to be vertex 0, edge 0, vertex 1, edge 1, …: saves writing them. */
  namedInOrder: number
  /** The parts of a composite body; a body that was one keeps them to be overwritten. */
  composite: Composite | null
  /** The two bodies of a Minkowski difference: its core points are exact differences of theirs. */
  difference: Difference | null
}

export interface Part {
  /** A convex part; of an outline, only its pose counts. */
  body: Body
  outline: Outline | null
  /** Indices of the children that lead from the user's compound to this part; empty for a chain or region by itself. */
  path: readonly number[]
  /** First leaf of this part. */
  firstLeaf: number
}

export interface Composite {
  partCount: number
  /** A pool: the first `partCount` are in use. */
  parts: Part[]
  /** Outlines that no part uses at present, to be taken up again. */
  spareOutlines: Outline[]
  leafCount: number
  /** Part of each leaf, and the edge of its outline (0 for a convex part). */
  leafPart: Int32Array
  leafEdge: Int32Array
  /** Boxes of the leaves: min x, min y, max x, max y; infinite for half-planes. */
  boxes: Float64Array
  tree: BoxTree
  /** The tree of the leaves that are on the outside of the body, as far as that is easily told; null until it is asked for. */
  outer: BoxTree | null
}

export interface Difference {
  a: Body
  b: Body
  /** Vertex of A and of B that each core point is the difference of. */
  fromA: Int32Array
  fromB: Int32Array
  /** Bound on the error of the difference's rounded position, and of the direction in which it is looked at. */
  error: number
}

/** Numbers of a body with one core point, and of any without. */
const LEAST_SIZE = LOCAL + 7

/** Doubles to copy: an array that begins as a copy of doubles never boxes them. */
const BLANK: number[] = []
for (let i = 0; i < LOCAL + 7 * 16; i++) BLANK.push(0.5)
BLANK.fill(0)

function blankNumbers(size: number): number[] {
  if (size <= BLANK.length) return BLANK.slice(0, size)
  const numbers = BLANK.slice()
  while (numbers.length < size) numbers.push(0)
  return numbers.slice()
}

/** Names in order, which bodies of so many corners share. */
const SHARED_NAME_COUNT = 64
const VERTICES_IN_ORDER = Int32Array.from({ length: SHARED_NAME_COUNT }, (_, i) => vertexFeature(i))
const EDGES_IN_ORDER = Int32Array.from({ length: SHARED_NAME_COUNT }, (_, i) => edgeFeature(i))
const SURFACE = Int32Array.of(SURFACE_FEATURE)

export function createBody(): Body {
  const numbers = blankNumbers(LEAST_SIZE)
  numbers[COS] = 1
  return {
    kind: CIRCLE,
    count: 0,
    numbers,
    normals: LOCAL + 2,
    offsets: LOCAL + 4,
    vertices: LOCAL + 5,
    vertexFeatures: VERTICES_IN_ORDER,
    edgeFeatures: EDGES_IN_ORDER,
    ownsNames: false,
    namedInOrder: 0,
    composite: null,
    difference: null,
  }
}

/** Makes room for `count` core points; those that were there are lost, the numbers before them stay. */
export function reservePoints(body: Body, count: number): void {
  body.normals = LOCAL + 2 * count
  body.offsets = LOCAL + 4 * count
  body.vertices = LOCAL + 5 * count
  const { numbers } = body
  const size = LOCAL + 7 * count
  if (numbers.length >= size) return
  const grown = blankNumbers(size)
  for (let i = 0; i < LOCAL; i++) grown[i] = numbers[i]
  body.numbers = grown
}

/** Makes room for `count` names of the body's own; those that were there are lost. */
export function reserveNames(body: Body, count: number): void {
  body.namedInOrder = 0
  if (body.ownsNames && body.edgeFeatures.length >= count) return
  body.vertexFeatures = new Int32Array(count)
  body.edgeFeatures = new Int32Array(count)
  body.ownsNames = true
}

/** Gives the body names of its own, `count` of them, as they are. */
function ownNames(body: Body, count: number): void {
  if (body.ownsNames) return
  const { vertexFeatures, edgeFeatures } = body
  reserveNames(body, count)
  body.vertexFeatures.set(vertexFeatures.subarray(0, count))
  body.edgeFeatures.set(edgeFeatures.subarray(0, count))
}

/** Names vertices and edges vertex 0, edge 0, vertex 1, edge 1, … */
export function nameInOrder(body: Body, count: number): void {
  if (!body.ownsNames && count <= SHARED_NAME_COUNT) {
    body.vertexFeatures = VERTICES_IN_ORDER
    body.edgeFeatures = EDGES_IN_ORDER
    return
  }
  if (!body.ownsNames || body.edgeFeatures.length < count) reserveNames(body, count)
  const { vertexFeatures, edgeFeatures } = body
  for (let k = body.namedInOrder; k < count; k++) {
    vertexFeatures[k] = vertexFeature(k)
    edgeFeatures[k] = edgeFeature(k)
  }
  body.namedInOrder = Math.max(body.namedInOrder, count)
}

/** Gives `slot` the names of `body`. */
export function copyNames(body: Body, slot: Body): void {
  const { count, vertexFeatures, edgeFeatures } = body
  if (!body.ownsNames && !slot.ownsNames) {
    slot.vertexFeatures = vertexFeatures
    slot.edgeFeatures = edgeFeatures
    return
  }
  reserveNames(slot, count)
  for (let i = 0; i < count; i++) {
    slot.vertexFeatures[i] = vertexFeatures[i]
    slot.edgeFeatures[i] = edgeFeatures[i]
  }
}

/** Makes `slot` the convex body `body`. Cost O(vertices). */
export function copyConvex(body: Body, slot: Body): void {
  const { numbers, normals, offsets, vertices, count } = body
  slot.kind = body.kind
  slot.count = count
  slot.difference = body.difference
  slot.composite = null
  reservePoints(slot, Math.max(count, 1))
  copyNames(body, slot)
  const to = slot.numbers
  const isAlike = normals === slot.normals && vertices === slot.vertices
  const end = isAlike ? LOCAL + 7 * Math.max(count, 1) : count > 0 ? LOCAL : LEAST_SIZE
  for (let i = 0; i < end; i++) to[i] = numbers[i]
  if (isAlike || count === 0) return
  copyRun(numbers, LOCAL, to, LOCAL, 2 * count)
  copyRun(numbers, normals, to, slot.normals, 2 * count)
  copyRun(numbers, offsets, to, slot.offsets, count)
  copyRun(numbers, vertices, to, slot.vertices, 2 * count)
}

/** Copies so many numbers from one place to another. */
export function copyRun(numbers: readonly number[], from: number, to: number[], at: number, count: number): void {
  for (let i = 0; i < count; i++) to[at + i] = numbers[from + i]
}

export function copyNumbers(numbers: readonly number[]): number[] {
  const copy = blankNumbers(numbers.length)
  for (let i = 0; i < numbers.length; i++) copy[i] = numbers[i]
  return copy
}

/** Copies the numbers of a body that comes from another thread, and of its parts: engines have boxed them on the way. */
export function packNumbers(body: Body): void {
  const { numbers, composite } = body
  body.numbers = copyNumbers(numbers)
  if (composite !== null) for (const part of composite.parts) packNumbers(part.body)
}

/** A copy of the core points relative to the position. */
export function verticesOf({ numbers, vertices, count }: Body): Float64Array {
  return Float64Array.from({ length: 2 * count }, (_, i) => numbers[vertices + i])
}

/** Sets the pose. Call before the `set…` function of the shape, which applies the rotation. Radians, counter-clockwise. */
export function setPose(body: Body, x: number, y: number, rotation: number): void {
  const { numbers } = body
  numbers[X] = x
  numbers[Y] = y
  numbers[X_LOW] = 0
  numbers[Y_LOW] = 0
  numbers[COS] = rotation === 0 ? 1 : Math.cos(rotation)
  numbers[SIN] = rotation === 0 ? 0 : Math.sin(rotation)
}

/** Point or circle about the body's origin. `feature`: vertex 0 for a point, the surface for a circle. */
export function setCircle(body: Body, radius: number, feature: FeatureCode = SURFACE_FEATURE): void {
  reservePoints(body, 1)
  const { numbers, vertices } = body
  numbers[vertices] = 0
  numbers[vertices + 1] = 0
  if (feature === vertexFeature(0)) nameInOrder(body, 1)
  else if (feature === SURFACE_FEATURE && !body.ownsNames) body.vertexFeatures = SURFACE
  else {
    reserveNames(body, 1)
    body.vertexFeatures[0] = feature
  }
  body.count = 1
  numbers[RADIUS] = radius
  finishPoints(body)
}

/** Segment or capsule. Equal end points make a circle. Edge 0 lies to the right of a → b, edge 1 to the left. */
export function setCapsule(body: Body, ax: number, ay: number, bx: number, by: number, radius: number): void {
  reservePoints(body, 2)
  nameInOrder(body, 2)
  putVertex(body, 0, ax, ay, 0)
  body.count = 1
  if (ax !== bx || ay !== by) {
    putVertex(body, 1, bx, by, 1)
    body.count = 2
  }
  body.numbers[RADIUS] = radius
  finishPoints(body)
}

/** Axis-aligned rectangle before rotation; flat ones become segments or points. Vertices from (min, min), counter-clockwise. */
export function setBox(body: Body, minX: number, minY: number, maxX: number, maxY: number, radius: number): void {
  reservePoints(body, 4)
  nameInOrder(body, 4)
  let count = 0
  putVertex(body, count++, minX, minY, 0)
  if (maxX > minX) putVertex(body, count++, maxX, minY, 1)
  if (maxY > minY) putVertex(body, count++, maxX, maxY, 2)
  if (maxX > minX && maxY > minY) putVertex(body, count++, minX, maxY, 3)
  body.count = count
  body.numbers[RADIUS] = radius
  finishPoints(body)
}

/**
 * Puts core point `slot`, turned by the body's rotation, naming it after the user's vertex `index`. Call `reservePoints` and
 * `nameInOrder` first.
 */
export function putVertex(body: Body, slot: number, x: number, y: number, index: number): void {
  const { numbers } = body
  const at = body.vertices + 2 * slot
  const cos = numbers[COS]
  const sin = numbers[SIN]
  if (sin === 0 && cos === 1) {
    numbers[at] = x
    numbers[at + 1] = y
  } else {
    numbers[at] = cos * x - sin * y
    numbers[at + 1] = sin * x + cos * y
  }
  if (slot === index) return
  ownNames(body, reservedPoints(body))
  body.vertexFeatures[slot] = vertexFeature(index)
  body.edgeFeatures[slot] = edgeFeature(index)
  body.namedInOrder = 0
}

function reservedPoints({ normals }: Body): number {
  return (normals - LOCAL) / 2
}

/** Derives everything that follows from `vertices`, `count` and the radius. */
export function finishPoints(body: Body): void {
  const { numbers, normals, offsets, vertices, count } = body
  body.kind = count === 1 ? CIRCLE : POLYGON
  const anchorX = numbers[vertices]
  const anchorY = numbers[vertices + 1]
  numbers[ANCHOR_X] = anchorX
  numbers[ANCHOR_Y] = anchorY
  numbers[LOCAL] = 0
  numbers[LOCAL + 1] = 0
  let sumX = 0
  let sumY = 0
  let perimeter = 0
  let fromX = anchorX
  let fromY = anchorY
  let fromLocalX = 0
  let fromLocalY = 0
  for (let i = 0; i < count && count > 1; i++) {
    const j = i + 1 < count ? 2 * i + 2 : 0
    const toX = numbers[vertices + j]
    const toY = numbers[vertices + j + 1]
    // From the vertices themselves: local points are rounded, and a short edge would lose its direction.
    const ex = toX - fromX
    const ey = toY - fromY
    const length = vectorLength(ex, ey)
    if (length === 0) {
      // A rotation has rounded two neighbours to one point.
      removeVertex(body, i)
      finishPoints(body)
      return
    }
    const nx = ey / length
    const ny = -ex / length
    numbers[normals + 2 * i] = nx
    numbers[normals + 2 * i + 1] = ny
    numbers[offsets + i] = nx * fromLocalX + ny * fromLocalY
    perimeter += length
    fromX = toX
    fromY = toY
    fromLocalX = toX - anchorX
    fromLocalY = toY - anchorY
    numbers[LOCAL + j] = fromLocalX
    numbers[LOCAL + j + 1] = fromLocalY
    sumX += fromLocalX
    sumY += fromLocalY
  }
  numbers[CENTER_X] = sumX / count
  numbers[CENTER_Y] = sumY / count
  numbers[REACH] = perimeter / 2 + numbers[RADIUS]
}

function removeVertex(body: Body, index: number): void {
  const { numbers, vertices, count } = body
  numbers.copyWithin(vertices + 2 * index, vertices + 2 * index + 2, vertices + 2 * count)
  ownNames(body, reservedPoints(body))
  body.vertexFeatures.copyWithin(index, index + 1, count)
  body.edgeFeatures.copyWithin(index, index + 1, count)
  body.namedInOrder = 0
  body.count = count - 1
}

/** Ellipse about the body's origin with half axes rx, ry > 0 along its own x and y. */
export function setEllipse(body: Body, rx: number, ry: number): void {
  body.kind = ELLIPSE
  body.count = 0
  const { numbers } = body
  numbers[RADIUS] = 0
  numbers[RX] = rx
  numbers[RY] = ry
  numbers[ANCHOR_X] = 0
  numbers[ANCHOR_Y] = 0
  numbers[REACH] = Math.max(rx, ry)
}

/** All x with n·x ≤ offset, n the unit vector along (normalX, normalY), which is turned by the body's rotation. */
export function setHalfplane(body: Body, normalX: number, normalY: number, offset: number): void {
  const { numbers } = body
  const cos = numbers[COS]
  const sin = numbers[SIN]
  body.kind = HALFPLANE
  body.count = 0
  numbers[RADIUS] = 0
  const turned = sin !== 0 || cos !== 1
  // A power of two, which loses nothing: only the direction counts, and a small normal would have no digits to turn.
  const small = Math.max(Math.abs(normalX), Math.abs(normalY)) < SMALLEST_SAFE_TURN
  const x = small ? normalX * 2 ** 600 : normalX
  const y = small ? normalY * 2 ** 600 : normalY
  const turnedX = turned ? cos * x - sin * y : x
  const turnedY = turned ? sin * x + cos * y : y
  const length = Math.hypot(turnedX, turnedY)
  numbers[NORMAL_X] = turnedX
  numbers[NORMAL_Y] = turnedY
  numbers[UNIT_X] = turnedX / length
  numbers[UNIT_Y] = turnedY / length
  numbers[OFFSET] = offset
  numbers[ANCHOR_X] = 0
  numbers[ANCHOR_Y] = 0
  numbers[REACH] = Math.abs(offset)
}

// Edges of a polygon core: who follows whom, and where a point lies along one.
// Edge i runs from vertex i to the one after it, counter-clockwise.

/** The vertex or edge after `i`. */
export function following(body: Body, i: number): number {
  return i + 1 === body.count ? 0 : i + 1
}

/** The vertex or edge before `i`. */
export function preceding(body: Body, i: number): number {
  return i === 0 ? body.count - 1 : i - 1
}

/** −1 when the point (relative to the anchor) lies before the start of the edge, 1 beyond its end, 0 beside it. */
export function sideOfEdge(body: Body, edge: number, px: number, py: number): -1 | 0 | 1 {
  const { numbers, normals } = body
  const from = LOCAL + 2 * edge
  const to = LOCAL + 2 * following(body, edge)
  const ux = -numbers[normals + 2 * edge + 1]
  const uy = numbers[normals + 2 * edge]
  if ((px - numbers[from]) * ux + (py - numbers[from + 1]) * uy < 0) return -1
  return (px - numbers[to]) * ux + (py - numbers[to + 1]) * uy > 0 ? 1 : 0
}

export interface Direction {
  nx: number
  ny: number
}

/** Whether both edges at vertex i lead away in the given direction (side −1: against it), or along an axis across it. */
export function isBehind(body: Body, i: number, direction: Direction, side: 1 | -1): boolean {
  const { count } = body
  if (count === 1) return true
  const nx = side * direction.nx
  const ny = side * direction.ny
  const next = i + 1 === count ? 0 : i + 1
  const previous = i === 0 ? count - 1 : i - 1
  return leadsAway(body, i, next, nx, ny) && leadsAway(body, i, previous, nx, ny)
}

function leadsAway({ numbers, vertices }: Body, i: number, j: number, nx: number, ny: number): boolean {
  const ex = numbers[vertices + 2 * j] - numbers[vertices + 2 * i]
  const ey = numbers[vertices + 2 * j + 1] - numbers[vertices + 2 * i + 1]
  const rise = nx * ex + ny * ey
  if (rise === 0) return ex === 0 || ey === 0
  return rise > CLEAR_COSINE_RATIO * (Math.abs(ex) + Math.abs(ey))
}
