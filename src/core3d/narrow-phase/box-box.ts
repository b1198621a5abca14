/**
 * Two boxes that surely meet, and how deep; or a box and a point or segment, which are boxes without extent.
 *
 * Method: separating axes (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996): the six normals of sides and the nine
 * products of two edges. The overlap along any axis is a depth that parts the pair, and along the best of these it is the least.
 * An axis that is no overlap, or none for sure, ends the search: a clear gap along it tells that the bodies are apart, others tell apart
 * what touches. So does a product of edges so nearly parallel that rounding leaves its direction open, where it might be the best.
 * Frame: world axes. Cost: O(1), some 300 products.
 */

import { ANCHOR, type Body, POSITION, RADIUS, ROTATION } from '../shape/body.ts'
import { topPoint } from '../shape/kinds.ts'
import { EDGE_AXIS_ERROR_RATIO, PARALLEL_EDGES_SINE, SURE_EDGES_SINE } from '../tolerances.ts'
import type { Depth } from './depth.ts'
import type { Bounds } from './gjk.ts'
import type { PairFrame, Relation } from './pair-frame.ts'

/** Edges of the first box, then of the second: x, y, z each. */
const edges = new Float64Array(18)
/** Of each edge its length. */
const lengths = new Float64Array(6)

/** The way from the middle of the first to that of the second. */
const way = new Float64Array(3)

/** The best axis so far. */
const best = { overlap: 0, x: 0, y: 0, z: 0 }

/** Sets the depth; false, with nothing said, of other bodies and of such whose cores do not clearly meet. */
export function meetBoxes(frame: PairFrame, out: Depth): boolean {
  if (relateBoxes(frame) !== -1) return false
  setDepth(frame, out)
  return true
}

/** −1 where the cores clearly meet, 1 where the bodies are clearly apart, by the first axis that tells; 0 of others, and of other bodies. */
export function relateBoxes(frame: PairFrame): Relation {
  const { first, second, error } = frame
  // In their order a box comes after points and segments.
  if (!second.isBox || !(first.isBox || first.count <= 2)) return 0
  takeEdges(first, 0)
  takeEdges(second, 9)
  const lastA = first.local + 3 * (first.count - 1)
  const lastB = second.local + 21
  way[0] = frame.dx + (second.numbers[lastB] - first.numbers[lastA]) / 2
  way[1] = frame.dy + (second.numbers[lastB + 1] - first.numbers[lastA + 1]) / 2
  way[2] = frame.dz + (second.numbers[lastB + 2] - first.numbers[lastA + 2]) / 2
  best.overlap = Infinity
  if ((first.isBox && !tryNormals(first, error)) || !tryNormals(second, error) || !tryProducts(frame)) {
    return best.overlap < -(first.numbers[RADIUS] + second.numbers[RADIUS] + error) ? 1 : 0
  }
  return -1
}

function takeEdges({ numbers, local, count }: Body, at: number): void {
  for (let k = 0; k < 3; k++) {
    edges[at + k] = count > 1 ? numbers[local + 3 + k] : 0
    edges[at + 3 + k] = count > 2 ? numbers[local + 6 + k] : 0
    edges[at + 6 + k] = count > 2 ? numbers[local + 12 + k] : 0
  }
  for (let i = at; i < at + 9; i += 3) {
    lengths[i / 3] = Math.sqrt(edges[i] * edges[i] + edges[i + 1] * edges[i + 1] + edges[i + 2] * edges[i + 2])
  }
}

/** How far the boxes overlap along a unit axis. */
function overlapAlong(x: number, y: number, z: number): number {
  let twice = 0
  for (let i = 0; i < 18; i += 3) twice += Math.abs(edges[i] * x + edges[i + 1] * y + edges[i + 2] * z)
  return twice / 2 - Math.abs(way[0] * x + way[1] * y + way[2] * z)
}

function take(overlap: number, x: number, y: number, z: number): void {
  best.overlap = overlap
  best.x = x
  best.y = y
  best.z = z
}

/** The normals of the sides of a box; false where the pair may not meet. */
function tryNormals({ numbers }: Body, error: number): boolean {
  for (let k = 0; k < 3; k++) {
    const x = numbers[ROTATION + k]
    const y = numbers[ROTATION + 3 + k]
    const z = numbers[ROTATION + 6 + k]
    const overlap = overlapAlong(x, y, z)
    if (overlap < best.overlap) take(overlap, x, y, z)
    if (!(overlap > error)) return false
  }
  return true
}

/** The products of two edges; false where the pair may not meet, or where the best of them cannot be told. */
function tryProducts({ error, extent }: PairFrame): boolean {
  const uncertain = EDGE_AXIS_ERROR_RATIO * extent
  for (let i = 0; i < 9; i += 3) {
    if (lengths[i / 3] === 0) continue
    for (let j = 9; j < 18; j += 3) {
      const x = edges[i + 1] * edges[j + 2] - edges[i + 2] * edges[j + 1]
      const y = edges[i + 2] * edges[j] - edges[i] * edges[j + 2]
      const z = edges[i] * edges[j + 1] - edges[i + 1] * edges[j]
      const length = Math.sqrt(x * x + y * y + z * z)
      const sine = length / (lengths[i / 3] * lengths[j / 3])
      // Across parallel edges the best axis is a normal of a side.
      if (!(sine > PARALLEL_EDGES_SINE)) continue
      const overlap = overlapAlong(x / length, y / length, z / length)
      if (!(overlap > error)) {
        take(overlap, x / length, y / length, z / length)
        return false
      }
      // Sides first: what rounding makes the better edge is none.
      if (!(overlap - uncertain / sine < best.overlap)) continue
      if (sine < SURE_EDGES_SINE) return false
      if (overlap + error < best.overlap) take(overlap, x / length, y / length, z / length)
    }
  }
  return true
}

/** The normal points from the first to the second. */
function setDepth({ first, second }: PairFrame, out: Depth): void {
  const { numbers, local } = first
  const radius = numbers[RADIUS]
  const side = best.x * way[0] + best.y * way[1] + best.z * way[2] < 0 ? -1 : 1
  out.depth = best.overlap + (radius + second.numbers[RADIUS])
  out.nx = side * best.x
  out.ny = side * best.y
  out.nz = side * best.z
  const at = local + 3 * topPoint(first, out.nx, out.ny, out.nz)
  out.px = numbers[POSITION] + (numbers[ANCHOR] + numbers[at] + radius * out.nx)
  out.py = numbers[POSITION + 1] + (numbers[ANCHOR + 1] + numbers[at + 1] + radius * out.ny)
  out.pz = numbers[POSITION + 2] + (numbers[ANCHOR + 2] + numbers[at + 2] + radius * out.nz)
}

// A point, with a skin or without, outside a box: the place of the box nearest to it, by its coordinates along the edges.

/** Of each edge the coordinate of the point, from 0 to 1 along it: 0 or 1 beyond its ends. */
const places = new Float64Array(3)

/**
 * Sets the bounds, and the corners of the box that span the nearest place, as GJK finds them, but for rounding: edges are at right angles
 * but for that. False of a point in the box, of other bodies, and beside an edge, where the direction hangs on which end is first.
 */
export function boundPointBox({ first, second, dx, dy, dz }: PairFrame, out: Bounds): boolean {
  if (first.count !== 1 || !second.isBox) return false
  const { numbers, local } = second
  let corner = 0
  let from = 0
  let free = 0
  let x = -dx
  let y = -dy
  let z = -dz
  for (let k = 0; k < 3; k++) {
    const at = local + 3 * (1 << k)
    const ex = numbers[at]
    const ey = numbers[at + 1]
    const ez = numbers[at + 2]
    const square = ex * ex + ey * ey + ez * ez
    const along = -(dx * ex + dy * ey + dz * ez)
    const place = along <= 0 ? 0 : along >= square ? 1 : along / square
    places[k] = place
    if (place === 1) corner |= 1 << k
    if (place > 0 && place < 1) {
      free++
      from |= 1 << k
    }
    x -= place * ex
    y -= place * ey
    z -= place * ez
  }
  const distance = Math.sqrt(x * x + y * y + z * z)
  if (!((free === 0 || free === 2) && distance > 0)) return false
  const { simplex } = out
  if (free === 2) {
    // The half of the side that the place lies in: its corner is the one off the diagonal.
    let sum = 0
    for (let k = 0; k < 3; k++) if ((from >> k) & 1) sum += places[k]
    if (sum > 1) corner |= from
  }
  simplex.indexA.fill(0)
  simplex.indexB[0] = corner
  simplex.count = 1
  for (let k = 0; k < 3; k++) if ((from >> k) & 1) simplex.indexB[simplex.count++] = corner ^ (1 << k)
  simplex.holds = 0
  out.lower = distance
  out.upper = distance
  out.nx = x / distance
  out.ny = y / distance
  out.nz = z / distance
  return true
}
