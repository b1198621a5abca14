/**
 * Bodies: shapes that have been checked, reduced to one of six kinds, turned by their orientation and placed.
 *
 * A `Body` is the only thing that pair functions see. Kinds after reduction:
 *   POINTS     core points and a skin radius   (point, sphere, segment, capsule, triangle, box, aabb, hull, each rounded or not)
 *   CYLINDER   radius and half height, closed by discs
 *   CONE       radius of the base and half height
 *   ELLIPSOID  three half axes
 *   HALFSPACE  all x with n·x ≤ offset
 *   COMPOSITE  parts, see `composite.ts`: meshes, height fields, compounds
 * A body's numbers lie together in one `Float64Array`, found by the offsets below. Bodies are slots: the `set…` functions of
 * `shapes.ts` overwrite one in place, growing its arrays when needed.
 * Frame: world axes, origin at the body's position: the orientation is applied, the position kept apart, so that position + vertex
 * can be taken exactly. Local copies of the points count from the first one (the anchor): that difference is small, and rounds
 * relative to the body's size, not to its distance from an origin.
 */

import { vectorLength } from '../../numeric/safe-range.ts'
import type { BoxTree } from '../broad-phase/box-tree.ts'
import type { Mesh, Placement } from '../mesh/mesh.ts'
import type { HullCorners } from './hull-surface.ts'

export const POINTS = 0
export const CYLINDER = 1
export const CONE = 2
export const ELLIPSOID = 3
export const HALFSPACE = 4
export const COMPOSITE = 5
/** Those that pair functions are for; of a composite body they see the leaves. */
export type ConvexKind = typeof POINTS | typeof CYLINDER | typeof CONE | typeof ELLIPSOID | typeof HALFSPACE
export type Kind = ConvexKind | typeof COMPOSITE

/** World position: three numbers. */
export const POSITION = 0
/** Rotation matrix, row by row: nine numbers. Its columns are the shape's own axes; of cylinders and cones the second is their axis. */
export const ROTATION = 3
/** Skin radius around the core points; 0 for the other kinds. */
export const RADIUS = 12
/** Lengths: radius and half height of cylinders and cones, half axes of ellipsoids. */
export const LENGTHS = 13
/** Of half-spaces, in the same place: normal (turned, of any length) and offset, counted from the position along the unit normal. */
export const NORMAL = 13
export const OFFSET = 16
/** The unit normal, rounded. */
export const UNIT = 17
/** What local points and lengths count from: the first core point; 0 0 0 for kinds without, unless they turn about a place aside. */
export const ANCHOR = 20
/** A point in the middle of the body, local. */
export const CENTER = 23
/** No point of the body is farther from its centre. */
export const REACH = 26
/** The core points, three numbers each, relative to the position. */
export const VERTICES = 27

/** The hull that a body was given by. */
export interface CoreHull {
  /** Null where all points that were given are core points, which stand once more, unturned, behind their local copies. */
  corners: HullCorners | null
  /** Core point of each corner. */
  coreOf: Int32Array
}

/** The surface of a core of three points or more. */
export interface CoreSurface {
  /** 0 a point, 1 a segment, 2 flat: two faces, back to back, 3 solid. */
  dimension: 0 | 1 | 2 | 3
  /** The corners of face f are starts[f] … starts[f + 1] − 1. */
  starts: Int32Array
  /** Core points around each face, counter-clockwise from outside. */
  corners: Int32Array
  /** For each of them the face beyond the edge that leads from it to the next one. */
  neighbours: Int32Array
  /** The faces that lie most against and most along x, then y, then z; set with the last of the planes. */
  extremes: Int32Array | null
  /** Two core points for each edge; null until asked for. */
  edges: Int32Array | null
  /** Whether it is the surface of the core points as they are, and not as they were before a turn rounded them. */
  isExact: boolean
  /**
   * Of each face the outward unit normal, its height, and a bound on the error of heights over it; null or 0 until asked for, as
   * long as there are no `extremes`.
   */
  planes: Float64Array | null
  /** The surface of the core points as they are, where it is known and this one is not. */
  exact: CoreSurface | null
}

/** A convex body of its own, or a mesh, in a composite body. */
export interface Part {
  /** The convex part, placed in the world; of a mesh part only a spare slot. */
  body: Body
  /** Null for a convex part. */
  mesh: Mesh | null
  /** Where the mesh stands in the world. */
  placement: Placement
  /** The indices of the children that lead to it through nested compounds; none of a body that is no compound. */
  path: readonly number[]
  /** Its leaves are the next so many from here. */
  firstLeaf: number
  /** Its nodes, of a mesh, are the next so many from here. */
  firstNode: number
}

/** The parts of a composite body: see `composite.ts`. */
export interface Composite {
  partCount: number
  /** In the caller's order; those behind the first `partCount` are spare. */
  parts: Part[]
  leafCount: number
  nodeCount: number
  /** The box of each part, relative to the body's position, widened outward. */
  boxes: Float64Array
  /** Over these boxes. */
  tree: BoxTree
}

export interface Body {
  kind: Kind
  /** Number of core points. */
  count: number
  /** Whether the shape's own axes are axes of the world, so that nothing was rounded by turning it. */
  aligned: boolean
  /** Pose, lengths and core points, by the offsets above. */
  numbers: Float64Array
  /** Where the copies of the core points relative to the anchor begin in `numbers`. */
  local: number
  /** The caller's index of each core point. */
  names: Int32Array
  /** Whether the core points are the eight corners of a box, corner i as `setBox` names it. */
  isBox: boolean
  /** Material for the surface of a hull, which is made on demand; null for other shapes. */
  hull: CoreHull | null
  /** The surface of the core, where it is known already: see `core-surface.ts`. */
  surface: CoreSurface | null
  /** Parts of a composite body; left over from one in other bodies. */
  composite: Composite | null
}

export function createBody(): Body {
  return {
    kind: POINTS,
    count: 0,
    aligned: true,
    numbers: new Float64Array(VERTICES + 6 * 8),
    local: VERTICES + 3 * 8,
    names: new Int32Array(8),
    isBox: false,
    hull: null,
    surface: null,
    composite: null,
  }
}

/** Makes room for so many core points, and for so many numbers behind their local copies; the numbers before them stay. */
export function reservePoints(body: Body, count: number, more = 0): void {
  body.count = count
  body.local = VERTICES + 3 * count
  const size = VERTICES + 6 * count + more
  if (body.numbers.length < size) {
    const grown = new Float64Array(Math.max(size, 2 * body.numbers.length))
    grown.set(body.numbers)
    body.numbers = grown
  }
  if (body.names.length < count) body.names = new Int32Array(Math.max(count, 2 * body.names.length))
}

// Where a body stands, and how it is turned.
//
// Method: the matrix of a quaternion that need not be of unit length (K. Shoemake, "Animating rotation with quaternion curves",
// SIGGRAPH 1985), each entry divided by the squared length once. So quarter turns come out exact even though √½ is not a double,
// and a turn that takes axes to axes is known to do so.

interface Pose {
  position: readonly [number, number, number]
  /** x, y, z, w of a quaternion near unit length; none for no turn. */
  orientation?: readonly [number, number, number, number] | undefined
}

export function setPose(body: Body, { position, orientation }: Pose): void {
  const { numbers } = body
  for (let k = 0; k < 3; k++) numbers[POSITION + k] = position[k]
  if (orientation === undefined) numbers.set(IDENTITY, ROTATION)
  else {
    const [x, y, z, w] = orientation
    const square = x * x + y * y + z * z + w * w
    const r = ROTATION
    numbers[r] = (w * w + x * x - (y * y + z * z)) / square
    numbers[r + 1] = (2 * (x * y - w * z)) / square
    numbers[r + 2] = (2 * (x * z + w * y)) / square
    numbers[r + 3] = (2 * (x * y + w * z)) / square
    numbers[r + 4] = (w * w + y * y - (x * x + z * z)) / square
    numbers[r + 5] = (2 * (y * z - w * x)) / square
    numbers[r + 6] = (2 * (x * z - w * y)) / square
    numbers[r + 7] = (2 * (y * z + w * x)) / square
    numbers[r + 8] = (w * w + z * z - (x * x + y * y)) / square
  }
  setAligned(body)
}

/** Finds out whether the rotation takes axes to axes. */
export function setAligned(body: Body): void {
  const { numbers } = body
  body.aligned = true
  for (let i = ROTATION; i < ROTATION + 9; i++) {
    const entry = Math.abs(numbers[i])
    if (entry !== 0 && entry !== 1) body.aligned = false
  }
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]

// Vectors as tuples, for code that is not hot: hot kernels keep components in numbers.

export type Vector = readonly [number, number, number]

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/** a + factor·b. */
export function plus(a: Vector, b: Vector, factor: number): Vector {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]]
}

export function scaled([x, y, z]: Vector, factor: number): Vector {
  return [factor * x, factor * y, factor * z]
}

/** Without negative zeros. */
export function opposite([x, y, z]: Vector): Vector {
  return [0 - x, 0 - y, 0 - z]
}

export function positionOf({ numbers }: Body): Vector {
  return [numbers[POSITION], numbers[POSITION + 1], numbers[POSITION + 2]]
}

/** Whether the body is the hull of its core points, without a skin. */
export function isBare({ kind, numbers }: Body): boolean {
  return kind === POINTS && numbers[RADIUS] === 0
}

/** Two unit vectors at right angles to a unit vector and to each other. */
export function acrossAxes(n: Vector): readonly [Vector, Vector] {
  const [x, y, z] = n
  const isFlat = Math.abs(x) < Math.abs(y)
  const length = isFlat ? vectorLength(y, z) : vectorLength(x, z)
  const u: Vector = isFlat ? [0, z / length, -y / length] : [-z / length, 0, x / length]
  return [u, cross(n, u)]
}
