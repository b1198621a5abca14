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
 * Bodies are slots: the `set…` functions overwrite one in place, growing its arrays when needed. Callers pass checked
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

export interface Body {
  kind: Kind
  /** World position: x + xLow, y + yLow. The low halves are 0 except for parts of a compound, whose positions are sums. */
  x: number
  y: number
  xLow: number
  yLow: number
  /** Cosine and sine of the rotation; exactly 1 and 0 when there is none. */
  cos: number
  sin: number
  /** Skin radius around the core points; 0 for ellipses and half-planes. */
  radius: number
  /** Number of core points. */
  count: number
  /** Core points x0, y0, x1, y1, …, counter-clockwise, relative to the position. */
  vertices: Float64Array
  /** Core points relative to the anchor, which is the first of them. */
  local: Float64Array
  anchorX: number
  anchorY: number
  /** Outward unit normals of the edges i → i+1. */
  normals: Float64Array
  /** normal · local of each edge: the edge's height over the anchor. */
  offsets: Float64Array
  /** A point of the core, relative to the anchor: the mean of the vertices. */
  centerX: number
  centerY: number
  /** Bound on the distance from the anchor to any point of the body; of a half-plane, from its position to its boundary. */
  reach: number
  /** The user's names of vertices and edges. */
  vertexFeatures: Int32Array
  edgeFeatures: Int32Array
  /** How many of the names, from the first on, are known to be vertex 0, edge 0, vertex 1, edge 1, …: saves writing them. */
  namedInOrder: number
  /** Ellipse: half axes along (cos, sin) and (−sin, cos). */
  rx: number
  ry: number
  /** Half-plane: turned normal as given (any length), its unit vector, and the offset along the unit normal. */
  normalX: number
  normalY: number
  unitX: number
  unitY: number
  offset: number
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

/** Points a fresh slot holds without growing: most shapes of games and editors have no more. */
const INITIAL_CAPACITY = 8

export function createBody(): Body {
  const { vertices, local, normals, offsets, vertexFeatures, edgeFeatures } = createPointArrays(INITIAL_CAPACITY)
  return {
    kind: CIRCLE,
    x: 0,
    y: 0,
    xLow: 0,
    yLow: 0,
    cos: 1,
    sin: 0,
    radius: 0,
    count: 0,
    vertices,
    local,
    normals,
    offsets,
    vertexFeatures,
    edgeFeatures,
    namedInOrder: 0,
    anchorX: 0,
    anchorY: 0,
    centerX: 0,
    centerY: 0,
    reach: 0,
    rx: 0,
    ry: 0,
    normalX: 0,
    normalY: 0,
    unitX: 0,
    unitY: 0,
    offset: 0,
    composite: null,
    difference: null,
  }
}

type PointArrays = Pick<Body, 'vertices' | 'local' | 'normals' | 'offsets' | 'vertexFeatures' | 'edgeFeatures'>

/** One block of memory, what the hot loops read side by side. */
function createPointArrays(capacity: number): PointArrays {
  const buffer = new ArrayBuffer(64 * capacity)
  return {
    local: new Float64Array(buffer, 0, 2 * capacity),
    normals: new Float64Array(buffer, 16 * capacity, 2 * capacity),
    offsets: new Float64Array(buffer, 32 * capacity, capacity),
    vertexFeatures: new Int32Array(buffer, 40 * capacity, capacity),
    edgeFeatures: new Int32Array(buffer, 44 * capacity, capacity),
    vertices: new Float64Array(buffer, 48 * capacity, 2 * capacity),
  }
}

/** Makes room for `count` core points; what was there is lost. */
export function reservePoints(body: Body, count: number): void {
  if (body.offsets.length >= count) return
  Object.assign(body, createPointArrays(2 ** Math.ceil(Math.log2(count))))
  body.namedInOrder = 0
}

/** Makes `slot` the convex body `body`, with its very arrays: only its pose may be written to. */
export function shareConvex(body: Body, slot: Body): void {
  Object.assign(slot, body)
  // the parts that `body` keeps from before are to be overwritten, and would be held here however large they grow
  slot.composite = null
}

/** Sets the pose. Call before the `set…` function of the shape, which applies the rotation. Radians, counter-clockwise. */
export function setPose(body: Body, x: number, y: number, rotation: number): void {
  body.x = x
  body.y = y
  body.xLow = 0
  body.yLow = 0
  if (rotation === 0) {
    body.cos = 1
    body.sin = 0
  } else {
    body.cos = Math.cos(rotation)
    body.sin = Math.sin(rotation)
  }
}

/** Point or circle about the body's origin. `feature`: vertex 0 for a point, the surface for a circle. */
export function setCircle(body: Body, radius: number, feature: FeatureCode = SURFACE_FEATURE): void {
  body.vertices[0] = 0
  body.vertices[1] = 0
  body.vertexFeatures[0] = feature
  body.namedInOrder = 0
  body.count = 1
  body.radius = radius
  finishPoints(body)
}

/** Segment or capsule. Equal end points make a circle. Edge 0 lies to the right of a → b, edge 1 to the left. */
export function setCapsule(body: Body, ax: number, ay: number, bx: number, by: number, radius: number): void {
  putVertex(body, 0, ax, ay, 0)
  body.count = 1
  if (ax !== bx || ay !== by) {
    putVertex(body, 1, bx, by, 1)
    body.count = 2
  }
  body.radius = radius
  finishPoints(body)
}

/** Axis-aligned rectangle before rotation; flat ones become segments or points. Vertices from (min, min), counter-clockwise. */
export function setBox(body: Body, minX: number, minY: number, maxX: number, maxY: number, radius: number): void {
  let count = 0
  putVertex(body, count++, minX, minY, 0)
  if (maxX > minX) putVertex(body, count++, maxX, minY, 1)
  if (maxY > minY) putVertex(body, count++, maxX, maxY, 2)
  if (maxX > minX && maxY > minY) putVertex(body, count++, minX, maxY, 3)
  body.count = count
  body.radius = radius
  finishPoints(body)
}

/** Puts core point `slot`, turned by the body's rotation, naming it after the user's vertex `index`. */
export function putVertex(body: Body, slot: number, x: number, y: number, index: number): void {
  const { cos, sin, vertices } = body
  if (sin === 0 && cos === 1) {
    vertices[2 * slot] = x
    vertices[2 * slot + 1] = y
  } else {
    vertices[2 * slot] = cos * x - sin * y
    vertices[2 * slot + 1] = sin * x + cos * y
  }
  body.vertexFeatures[slot] = vertexFeature(index)
  body.edgeFeatures[slot] = edgeFeature(index)
  if (slot !== index) body.namedInOrder = 0
}

/** Derives everything that follows from `vertices`, `count` and `radius`. */
export function finishPoints(body: Body): void {
  const { vertices, local, normals, offsets, count } = body
  body.kind = count === 1 ? CIRCLE : POLYGON
  const anchorX = vertices[0]
  const anchorY = vertices[1]
  body.anchorX = anchorX
  body.anchorY = anchorY
  local[0] = 0
  local[1] = 0
  let sumX = 0
  let sumY = 0
  let perimeter = 0
  let fromX = anchorX
  let fromY = anchorY
  let fromLocalX = 0
  let fromLocalY = 0
  for (let i = 0; i < count && count > 1; i++) {
    const j = i + 1 < count ? 2 * i + 2 : 0
    const toX = vertices[j]
    const toY = vertices[j + 1]
    // From the vertices themselves: `local` is rounded, and a short edge would lose its direction.
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
    normals[2 * i] = nx
    normals[2 * i + 1] = ny
    offsets[i] = nx * fromLocalX + ny * fromLocalY
    perimeter += length
    fromX = toX
    fromY = toY
    fromLocalX = toX - anchorX
    fromLocalY = toY - anchorY
    local[j] = fromLocalX
    local[j + 1] = fromLocalY
    sumX += fromLocalX
    sumY += fromLocalY
  }
  body.centerX = sumX / count
  body.centerY = sumY / count
  body.reach = perimeter / 2 + body.radius
}

function removeVertex(body: Body, index: number): void {
  const { vertices, vertexFeatures, edgeFeatures, count } = body
  vertices.copyWithin(2 * index, 2 * index + 2, 2 * count)
  vertexFeatures.copyWithin(index, index + 1, count)
  edgeFeatures.copyWithin(index, index + 1, count)
  body.namedInOrder = 0
  body.count = count - 1
}

/** Ellipse about the body's origin with half axes rx, ry > 0 along its own x and y. */
export function setEllipse(body: Body, rx: number, ry: number): void {
  body.kind = ELLIPSE
  body.count = 0
  body.radius = 0
  body.rx = rx
  body.ry = ry
  body.anchorX = 0
  body.anchorY = 0
  body.reach = Math.max(rx, ry)
}

/** All x with n·x ≤ offset, n the unit vector along (normalX, normalY), which is turned by the body's rotation. */
export function setHalfplane(body: Body, normalX: number, normalY: number, offset: number): void {
  const { cos, sin } = body
  body.kind = HALFPLANE
  body.count = 0
  body.radius = 0
  const turned = sin !== 0 || cos !== 1
  // A power of two, which loses nothing: only the direction counts, and a small normal would have no digits to turn.
  const small = Math.max(Math.abs(normalX), Math.abs(normalY)) < SMALLEST_SAFE_TURN
  const x = small ? normalX * 2 ** 600 : normalX
  const y = small ? normalY * 2 ** 600 : normalY
  body.normalX = turned ? cos * x - sin * y : x
  body.normalY = turned ? sin * x + cos * y : y
  const length = Math.hypot(body.normalX, body.normalY)
  body.unitX = body.normalX / length
  body.unitY = body.normalY / length
  body.offset = offset
  body.anchorX = 0
  body.anchorY = 0
  body.reach = Math.abs(offset)
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
  const { normals, local } = body
  const next = following(body, edge)
  const ux = -normals[2 * edge + 1]
  const uy = normals[2 * edge]
  if ((px - local[2 * edge]) * ux + (py - local[2 * edge + 1]) * uy < 0) return -1
  return (px - local[2 * next]) * ux + (py - local[2 * next + 1]) * uy > 0 ? 1 : 0
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

function leadsAway({ vertices }: Body, i: number, j: number, nx: number, ny: number): boolean {
  const ex = vertices[2 * j] - vertices[2 * i]
  const ey = vertices[2 * j + 1] - vertices[2 * i + 1]
  const rise = nx * ex + ny * ey
  if (rise === 0) return ex === 0 || ey === 0
  return rise > CLEAR_COSINE_RATIO * (Math.abs(ex) + Math.abs(ey))
}
