/**
 * A part of an outline that is cut up: rings, and their points.
 *
 * Frame: the outline's own.
 */
import { spend } from '../../containers/budget.ts'
import type { ConvexRing, Cut } from './approximation-cut.ts'
import { sideOfCut } from './approximation-cut.ts'
import { type PartPoints, type PointStore, pointsOn } from './approximation-points.ts'
import { dropRing, type RingPool, ringArea } from './approximation-rings.ts'
import { type CutRings, createCutRings, cutTree, type RingNode } from './approximation-tree.ts'

export interface CutPart {
  root: RingNode
  rings: Int32Array
  points: PartPoints
  /** Reflex vertices of the outline in it. */
  notches: Int32Array
  hull: ConvexRing
  /** Area of the hull less that of the part, in square units. */
  error: number
  /** The best cut, or null when there is none, and how much of the error it saves. */
  cut: Cut | null
  saving: number
}

export function createPart(
  pool: RingPool,
  store: PointStore,
  root: RingNode,
  rings: Int32Array,
  points: PartPoints,
  notches: Int32Array,
): CutPart {
  spend(rings.length)
  let area = 0
  for (let k = 0; k < rings.length; k++) area += pool.area[rings[k]]
  const corners = points.root.hull
  const hull = new Float64Array(2 * corners.length)
  for (let k = 0; k < corners.length; k++) {
    hull[2 * k] = store.x[corners[k]]
    hull[2 * k + 1] = store.y[corners[k]]
  }
  const error = ringArea(hull, pool.scale.unit) - area
  return { root, rings, points, notches, hull, error, cut: null, saving: 0 }
}

/** The two halves that a line makes of a part, left and right; null where all of it lies on one side. */
export function cutPart(
  pool: RingPool,
  store: PointStore,
  vertices: Float64Array,
  part: CutPart,
  line: Cut,
): [CutPart, CutPart] | null {
  const rings = createCutRings(pool.ringCount)
  const { left, right } = cutTree(pool, part.root, line, rings)
  const half = (root: RingNode | null, side: number): CutPart | null => {
    if (root === null) return null
    const edge = Float64Array.from(side > 0 ? rings.leftEdge : rings.rightEdge)
    const points = pointsOn(store, part.points, line, side, edge)
    if (points === null) return null
    const notches = notchesOn(vertices, part.notches, line, side)
    return createPart(pool, store, root, ringsOn(part, rings, side), points, notches)
  }
  const onLeft = half(left, 1)
  const onRight = half(right, -1)
  const isCut = onLeft !== null && onRight !== null
  for (const ring of isCut ? rings.cut : rings.made) dropRing(pool, ring)
  return isCut ? [onLeft, onRight] : null
}

/** Those on the line are on both sides. */
function notchesOn(vertices: Float64Array, notches: Int32Array, line: Cut, side: number): Int32Array {
  spend(notches.length)
  return notches.filter((i) => sideOfCut(line, vertices[2 * i], vertices[2 * i + 1]) * side >= 0)
}

function ringsOn({ rings }: CutPart, { sides, lefts, rights }: CutRings, side: number): Int32Array {
  const kept = new Int32Array(rings.length)
  const parts = side > 0 ? lefts : rights
  let count = 0
  for (let k = 0; k < rings.length; k++) {
    const ring = rings[k]
    const own = sides[ring]
    if (own === side) kept[count++] = ring
    else if (own === 0 && parts[ring] >= 0) kept[count++] = parts[ring]
  }
  return kept.slice(0, count)
}
