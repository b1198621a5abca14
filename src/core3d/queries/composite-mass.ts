/**
 * Mass properties of composite bodies: volume, area, centroid and inertia of all parts together.
 *
 * Method: parts add up, also where they overlap, each as `mass.ts` measures it, by the parallel axis theorem; a solid mesh by its signed
 * tetrahedra (`surface-lump.ts`), where what its surface goes round twice counts twice. What has no volume counts only where nothing has: then the centroid is the
 * mean of all areas, else that of lengths, else that of points. Of what is flat, also of a mesh without an inside, both sides are area.
 * Frame: lumps count from the middle of the body, in units of a power of two near its reach.
 */

import { spend } from '../../containers/budget.ts'
import { type Mesh, type Placement, putPlacedVertex } from '../mesh/mesh.ts'
import {
  type Body,
  CENTER,
  CONE,
  type Composite,
  CYLINDER,
  HALFSPACE,
  LENGTHS,
  type Part,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  ROTATION,
  VERTICES,
} from '../shape/body.ts'
import { convexHull } from '../shape/convex-hull.ts'
import {
  type LumpFrame,
  type Mass,
  massOf,
  setConeLump,
  setCylinderLump,
  setEllipsoidLump,
  setHullLump,
} from './mass.ts'
import {
  addPiece,
  addSquare,
  clearLump,
  createLump,
  type Lump,
  type Surface,
  setPiece,
  setSolidLump,
  setSurfaceLump,
  surfaceArea,
  unitNear,
} from './surface-lump.ts'

const piece = createLump()
const moved = createLump()
const solids = createLump()
/** Of what has an area, or a length, or neither, the weight and the place. */
const flats = createLump()
const lines = createLump()
const points = createLump()

/** Of a composite body that ends somewhere, in the world; null where a part is a half-space. Cost O(leaves). */
export function compositeMass(body: Body, density: number): Mass | null {
  const { parts, partCount } = body.composite as Composite
  const { numbers } = body
  const unit = unitNear(Math.min(numbers[REACH], Number.MAX_VALUE))
  for (const sum of [solids, flats, lines, points]) clearLump(sum)
  let area = 0
  for (let p = 0; p < partCount; p++) {
    const part = parts[p]
    spend(1)
    if (part.mesh === null) {
      if (part.body.kind === HALFSPACE) return null
      area += addConvex(body, part.body, unit)
    } else area += addMesh(body, part, part.mesh, unit)
  }
  const whole = [solids, flats, lines, points].find(({ weight }) => weight > 0) ?? points
  if (whole !== solids) setPiece(whole, 0, whole.x, whole.y, whole.z)
  const mass = massOf(whole, area, unit, density)
  mass.x += numbers[POSITION] + numbers[CENTER]
  mass.y += numbers[POSITION + 1] + numbers[CENTER + 1]
  mass.z += numbers[POSITION + 2] + numbers[CENTER + 2]
  return mass
}

/** Adds `piece`, whose weight is its volume, area, length or number after `into`, in the unit of its frame, and returns its area. `at`: where the frame stands. */
function addLump(body: Body, at: Float64Array, frame: LumpFrame, unit: number, into: Lump): number {
  const { numbers } = body
  const scale = frame.unit / unit
  const from = [frame.x, frame.y, frame.z].map(
    (x, k) => (at[k] - numbers[POSITION + k] + at[k + 3] + (x - numbers[CENTER + k])) / unit,
  )
  const power = into === solids ? scale ** 3 : into === flats ? scale ** 2 : into === lines ? scale : 1
  setPiece(moved, piece.weight * power, from[0] + piece.x * scale, from[1] + piece.y * scale, from[2] + piece.z * scale)
  const share = power * scale * scale
  moved.xx = piece.xx * share
  moved.yy = piece.yy * share
  moved.zz = piece.zz * share
  moved.xy = piece.xy * share
  moved.xz = piece.xz * share
  moved.yz = piece.yz * share
  addPiece(into, moved)
  return frame.area * scale * scale
}

const place = new Float64Array(6)

function addConvex(body: Body, part: Body, unit: number): number {
  const { kind, numbers, count } = part
  for (let k = 0; k < 3; k++) place[k] = numbers[POSITION + k]
  if (kind === POINTS) {
    const corners = numbers.subarray(VERTICES, VERTICES + 3 * count)
    const hull = convexHull(corners, count)
    const frame = setHullLump(corners, hull, numbers[RADIUS], piece)
    if (piece.weight > 0) return addLump(body, place, frame, unit, solids)
    if (frame.area > 0) {
      piece.weight = frame.area
      return addLump(body, place, frame, unit, flats)
    }
    const [a, b] = hull.vertices
    const length =
      hull.dimension === 0
        ? 0
        : Math.hypot(...[0, 1, 2].map((k) => (corners[3 * b + k] - corners[3 * a + k]) / frame.unit))
    piece.weight = hull.dimension === 0 ? 1 : length
    return addLump(body, place, frame, unit, length > 0 ? lines : points)
  }
  const [first, second, third] = [numbers[LENGTHS], numbers[LENGTHS + 1], numbers[LENGTHS + 2]]
  const frame =
    kind === CYLINDER
      ? setCylinderLump(first, 2 * second, 1, piece)
      : kind === CONE
        ? setConeLump(first, 2 * second, 1, piece)
        : setEllipsoidLump([first, second, third], piece)
  turnPiece(numbers)
  if (piece.weight > 0) return addLump(body, place, frame, unit, solids)
  piece.weight = frame.area
  return addLump(body, place, frame, unit, flats)
}

/** Turns a piece whose axes are those of the shape into the world. */
function turnPiece(numbers: Float64Array): void {
  const { weight, x, y, z, xx, yy, zz } = piece
  const column = (k: number): [number, number, number] => [
    numbers[ROTATION + k],
    numbers[ROTATION + 3 + k],
    numbers[ROTATION + 6 + k],
  ]
  const [u, v, w] = [column(0), column(1), column(2)]
  const along = (k: number): number => x * u[k] + y * v[k] + z * w[k]
  setPiece(piece, weight, along(0), along(1), along(2))
  addSquare(piece, xx, ...u)
  addSquare(piece, yy, ...v)
  addSquare(piece, zz, ...w)
}

function addMesh(body: Body, { placement }: Part, mesh: Mesh, unit: number): number {
  const surface = surfaceOfMesh(mesh, placement)
  const { points: corners, corners: of } = surface
  const frame = {
    area: surfaceArea(surface),
    unit: surface.unit,
    x: corners[3 * of[0]],
    y: corners[3 * of[0] + 1],
    z: corners[3 * of[0] + 2],
  }
  if (mesh.isSolid) {
    setSolidLump(surface, piece)
    if (piece.weight > 0) return addLump(body, placement.position, frame, unit, solids)
  } else frame.area *= 2
  setSurfaceLump(surface, piece)
  piece.weight = frame.area
  if (frame.area > 0) return addLump(body, placement.position, frame, unit, flats)
  // Triangles of no area count by their corners.
  for (let i = 0; i < of.length; i++) {
    const [x, y, z] = [0, 1, 2].map((k) => (corners[3 * of[i] + k] - corners[3 * of[0] + k]) / frame.unit)
    setPiece(piece, 1, x, y, z)
    addLump(body, placement.position, frame, unit, points)
  }
  return 0
}

/** The triangles, turned and wound outward. */
function surfaceOfMesh(mesh: Mesh, placement: Placement): Surface {
  const { triangles, vertexCount, triangleCount, vertices, isInward } = mesh
  spend(vertexCount + triangleCount)
  const points = placement.turns ? new Float64Array(3 * vertexCount) : vertices
  if (placement.turns) for (let i = 0; i < vertexCount; i++) putPlacedVertex(mesh, placement, i, points, 3 * i)
  const corners = Int32Array.from(triangles)
  if (isInward) {
    for (let i = 0; i < corners.length; i += 3) {
      corners[i + 1] = triangles[i + 2]
      corners[i + 2] = triangles[i + 1]
    }
  }
  let largest = 0
  for (let i = 0; i < corners.length; i++) {
    for (let k = 0; k < 3; k++)
      largest = Math.max(largest, Math.abs(points[3 * corners[i] + k] - points[3 * corners[0] + k]))
  }
  const starts = Int32Array.from({ length: triangleCount + 1 }, (_, t) => 3 * t)
  return { points, corners, starts, unit: unitNear(largest) }
}
