/**
 * The support query: the farthest point of a body along a direction.
 *
 * Method: the farthest core point is exact, of equally far ones the one of least index; curved bodies in closed form, by
 * their kind. Of a whole disc or line that is farthest, the middle. Of a mesh the farthest corner, exactly as placed, found in its tree; of several parts
 * of a composite body the one that is farthest as rounded, the first of equal ones.
 * Frame: the answer is in world coordinates. Cost O(points).
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk } from '../../containers/scratch.ts'
import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
} from '../../numeric/exact-ring.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { FACE_FEATURE, type FeatureCode, NO_FEATURE, SURFACE_FEATURE, vertexFeature } from '../feature.ts'
import { type Mesh, meshReach, type Placement, putPlacedVertex, TREE_ORIGIN, TREE_SCALE } from '../mesh/mesh.ts'
import { MESH_DEPTH_COUNT, NODE_SIZE, TREE_ERROR, triangleOf } from '../mesh/mesh-tree.ts'
import { lowest } from '../narrow-phase/exact-cores.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  HALFSPACE,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  UNIT,
  VERTICES,
} from '../shape/body.ts'
import { exponentOf, scaleBody } from '../shape/body-scaling.ts'
import { kindOf } from '../shape/kinds.ts'
import { keepCorners } from '../shape/shapes.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

interface Support {
  /** False when the body has no farthest point: it reaches to infinity, as half-spaces do but along their own normal. */
  bounded: boolean
  x: number
  y: number
  z: number
  feature: FeatureCode
  /** The leaf of a composite body that has the feature (`shape/composite.ts`); 0 of a convex body. */
  leaf: number
}

export function createSupport(): Support {
  return { bounded: true, x: 0, y: 0, z: 0, feature: NO_FEATURE, leaf: 0 }
}

/** Degree of a height in direction and coordinates. */
const DEGREE = 2

const point = new Float64Array(3)

/** Fills `out` for the direction (dx, dy, dz), which has any length but 0. */
export function support(body: Body, dx: number, dy: number, dz: number, out: Support): void {
  out.leaf = 0
  if (body.kind === COMPOSITE) {
    supportParts(body, dx, dy, dz, out)
    return
  }
  if (body.kind === HALFSPACE) {
    supportHalfspace(body, dx, dy, dz, out)
    return
  }
  out.bounded = true
  // Only the direction counts, and a power of two keeps it: very long or short ones would leave the range of products.
  const exponent = exponentOf(Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)))
  const direction: [number, number, number] = [scaleBy(dx, -exponent), scaleBy(dy, -exponent), scaleBy(dz, -exponent)]
  if (body.kind === POINTS) {
    // A point on a face is none of its farthest corners.
    keepCorners(body)
    supportPoints(body, direction, out)
  } else supportCurve(body, direction, out)
}

/** Along its own normal, exactly, the point of its boundary that is nearest to the position; none along any other direction. */
function supportHalfspace({ numbers }: Body, dx: number, dy: number, dz: number, out: Support): void {
  const normal = [numbers[NORMAL], numbers[NORMAL + 1], numbers[NORMAL + 2]]
  const range = createInputRange()
  for (const component of [dx, dy, dz, ...normal]) includeInput(range, component)
  out.bounded = exactly(range, DEGREE, (ring) => isAlong(ring, [dx, dy, dz], normal))
  out.feature = out.bounded ? FACE_FEATURE : NO_FEATURE
  if (!out.bounded) return
  out.x = numbers[POSITION] + numbers[OFFSET] * numbers[UNIT]
  out.y = numbers[POSITION + 1] + numbers[OFFSET] * numbers[UNIT + 1]
  out.z = numbers[POSITION + 2] + numbers[OFFSET] * numbers[UNIT + 2]
}

function isAlong<T>(ring: Ring<T>, direction: readonly number[], normal: readonly number[]): boolean {
  const a = direction.map(ring.of)
  const b = normal.map(ring.of)
  const isParallel = [0, 1, 2].every((i) => {
    const j = (i + 1) % 3
    return ring.sign(ring.sub(ring.mul(a[i], b[j]), ring.mul(a[j], b[i]))) === 0
  })
  return isParallel && [0, 1, 2].every((k) => ring.sign(a[k]) === ring.sign(b[k]))
}

function supportPoints(body: Body, direction: readonly [number, number, number], out: Support): void {
  const { numbers, count, names } = body
  const i = count === 1 ? 0 : farthestPoint(body, direction)
  const radius = numbers[RADIUS]
  const length = Math.hypot(direction[0], direction[1], direction[2])
  const along = (k: number): number =>
    numbers[POSITION + k] + (numbers[VERTICES + 3 * i + k] + radius * (direction[k] / length))
  out.x = along(0)
  out.y = along(1)
  out.z = along(2)
  out.feature = count === 1 && radius > 0 ? SURFACE_FEATURE : vertexFeature(names[i])
}

function farthestPoint(body: Body, direction: readonly [number, number, number]): number {
  const { numbers, count } = body
  const range = createInputRange()
  for (const component of direction) includeInput(range, component)
  for (let i = VERTICES; i < VERTICES + 3 * count; i++) includeInput(range, numbers[i])
  return exactly(range, DEGREE, (ring) => farthestAlong(ring, body, direction))
}

function farthestAlong<T>(ring: Ring<T>, body: Body, [x, y, z]: readonly [number, number, number]): number {
  return lowest(ring, body, [ring.of(x), ring.of(y), ring.of(z)], -1)
}

function supportCurve(body: Body, [x, y, z]: readonly [number, number, number], out: Support): void {
  const exponent = exponentOf(body.numbers[REACH])
  const scaled = exponent === 0 ? body : scaleBody(body, exponent)
  point.fill(0)
  kindOf(scaled).support(scaled, x, y, z, point)
  const { numbers } = body
  out.x = numbers[POSITION] + scaleBy(point[0], exponent)
  out.y = numbers[POSITION + 1] + scaleBy(point[1], exponent)
  out.z = numbers[POSITION + 2] + scaleBy(point[2], exponent)
  out.feature = SURFACE_FEATURE
}

// Composite bodies.

const own = createSupport()
const best = createSupport()

function supportParts(body: Body, dx: number, dy: number, dz: number, out: Support): void {
  const { parts, partCount } = body.composite as Composite
  const { numbers } = body
  // Only the direction counts, and a power of two keeps it.
  const exponent = binaryExponent(Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)))
  const [ux, uy, uz] = [scaleBy(dx, -exponent), scaleBy(dy, -exponent), scaleBy(dz, -exponent)]
  let highest = -Infinity
  out.bounded = true
  for (let p = 0; p < partCount; p++) {
    const { mesh, placement, body: part, firstLeaf } = parts[p]
    spend(1)
    if (mesh === null) support(part, dx, dy, dz, own)
    else supportMesh(mesh, placement, [ux, uy, uz], own)
    if (!own.bounded) {
      out.bounded = false
      out.feature = NO_FEATURE
      return
    }
    const height =
      ux * (own.x - numbers[POSITION]) + uy * (own.y - numbers[POSITION + 1]) + uz * (own.z - numbers[POSITION + 2])
    if (p > 0 && !(height > highest)) continue
    highest = height
    Object.assign(best, own)
    best.leaf = firstLeaf + own.leaf
  }
  Object.assign(out, best)
}

const corner = new Float64Array(3)
const top = new Float64Array(3)

/** The farthest corner, of equally far ones the vertex of least index, and a triangle that has it. The direction's largest coordinate is from 1 to 2. */
function supportMesh(
  mesh: Mesh,
  placement: Placement,
  direction: readonly [number, number, number],
  out: Support,
): void {
  const { header, nodes, links, records, triangles } = mesh
  const { rotation: r, position } = placement
  const [x, y, z] = direction
  // The direction in the frame of the tree, and what rounding of heights there and here comes to.
  const turned = [0, 1, 2].map((k) => r[k] * x + r[k + 3] * y + r[k + 6] * z)
  const heightOf = (node: number): number => {
    const at = NODE_SIZE * node
    return turned.reduce((sum, d, k) => sum + d * nodes[at + k + (d > 0 ? 3 : 0)], 0)
  }
  const scale = header[TREE_SCALE]
  const doubt = SEPARATION_ERROR_RATIO * 6 * meshReach(mesh)
  const slack = 4 * doubt * scale + 16 * TREE_ERROR
  const base = turned.reduce((sum, d, k) => sum + d * header[TREE_ORIGIN + k], 0)
  let highest = -Infinity
  let vertex = -1
  let triangle = -1
  const stack = beginWalk(MESH_DEPTH_COUNT + 2)
  try {
    const { nodes: waiting, keys } = stack
    let count = 1
    waiting[0] = 0
    keys[0] = Infinity
    while (count > 0) {
      spend(1)
      const at = NODE_SIZE * waiting[--count]
      if (keys[count] < (highest - base) * scale - slack) continue
      const first = links[at + 6]
      const size = links[at + 7]
      if (size === 0) {
        const height = heightOf(first)
        const otherHeight = heightOf(first + 1)
        const isFirst = height > otherHeight
        waiting[count] = isFirst ? first + 1 : first
        keys[count++] = isFirst ? otherHeight : height
        waiting[count] = isFirst ? first : first + 1
        keys[count++] = isFirst ? height : otherHeight
        continue
      }
      for (let i = first; i < first + size; i++) {
        const own = triangleOf(records, i)
        for (let c = 0; c < 3; c++) {
          const next = triangles[3 * own + c]
          if (next === vertex) {
            if (own < triangle) triangle = own
            continue
          }
          putPlacedVertex(mesh, placement, next, corner, 0)
          const height = x * corner[0] + y * corner[1] + z * corner[2]
          if (height < highest - doubt) continue
          const side = vertex < 0 || height > highest + doubt ? 1 : compareHeights(direction)
          if (side < 0 || (side === 0 && next > vertex)) continue
          highest = height
          vertex = next
          triangle = own
          top.set(corner)
        }
      }
    }
  } finally {
    endWalk()
  }
  out.bounded = true
  out.x = top[0] + position[0] + position[3]
  out.y = top[1] + position[1] + position[4]
  out.z = top[2] + position[2] + position[5]
  out.feature = vertexFeature(vertex)
  out.leaf = triangle
}

/** Sign of the height of `corner` over `top`, exactly. */
function compareHeights(direction: readonly [number, number, number]): Sign {
  const range = createInputRange()
  for (const value of [...direction, ...corner, ...top]) includeInput(range, value)
  return exactly(range, DEGREE, ({ of, add, sub, mul, sign, integer }) => {
    let sum = integer(0)
    for (let k = 0; k < 3; k++) sum = add(sum, mul(of(direction[k]), sub(of(corner[k]), of(top[k]))))
    return sign(sum)
  })
}
