/**
 * Where a point lies in a solid mesh: inside, on its surface, or outside.
 *
 * Method: incidence first: triangles whose box holds the point, exactly. Else the point lies on none, and the triangles that lie over it along
 * an axis, the one along which the mesh ends soonest, are counted with their sign, up or down (S. Lane, B. Magedson, M. Rarick, "An efficient point in polyhedron algorithm",
 * CVGIP 26 (1984)): where the count is not 0, the point is inside. Ties are broken by moving the point a hair along the second axis, and
 * a hair of that along the third (H. Edelsbrunner, E. Mücke, "Simulation of simplicity", 1990), so each crossing counts exactly once, through edges and
 * vertices as well. All signs are exact.
 * Frame: world; the mesh as placed, each vertex turned and rounded once.
 */

import { spend } from '../../containers/budget.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type PlacedPoint, placePoint, sideOfEdge, sideOfTriangle, signAlong } from './exact-placed.ts'
import {
  MESH_BOX,
  type Mesh,
  meshReach,
  type Placement,
  putPlacedCorners,
  TREE_ORIGIN,
  TREE_SCALE,
  turnBox,
  visitMesh,
} from './mesh.ts'
import { TREE_ERROR, triangleOf } from './mesh-tree.ts'

/** 1 inside, 0 on the surface, −1 outside. */
export type MeshSide = -1 | 0 | 1

const corners = new Float64Array(9)
const box = new Float64Array(6)

/**
 * Where the point lies; its `local` is set here. Without an inside, of a mesh that is not solid, only 0 and −1 are meant. Cost: the triangles of a column of
 * boxes through the mesh.
 */
export function sideOfMesh(mesh: Mesh, placement: Placement, point: PlacedPoint): MeshSide {
  placePoint(point, placement)
  if (isOnSurface(mesh, placement, point)) return 0
  if (!mesh.isSolid) return -1
  return windingNumber(mesh, placement, point) === 0 ? -1 : 1
}

/** Whether the point lies on a triangle. `local` of the point is set. */
function isOnSurface(mesh: Mesh, placement: Placement, point: PlacedPoint): boolean {
  setColumn(mesh, placement, point, -1, 1)
  return walk(mesh, (record) => {
    putPlacedCorners(mesh, placement, triangleOf(mesh.records, record), corners)
    return isOnTriangle(point, placement)
  })
}

/** Whether the point lies on the triangle `corners`. */
function isOnTriangle(point: PlacedPoint, placement: Placement): boolean {
  if (sideOfTriangle(point, placement, corners) !== 0) return false
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3
    const v = (axis + 2) % 3
    const first = sideOfEdge(point, placement, corners, 0, 1, u, v)
    const second = sideOfEdge(point, placement, corners, 1, 2, u, v)
    const third = sideOfEdge(point, placement, corners, 2, 0, u, v)
    if (Math.min(first, second, third) < 0 && Math.max(first, second, third) > 0) return false
  }
  // Within it in each view; of a triangle of no area, on its line.
  return isWithinBox(point, placement)
}

function isWithinBox(point: PlacedPoint, placement: Placement): boolean {
  for (let k = 0; k < 3; k++) {
    const first = signAlong(point, placement, corners, 0, k)
    const second = signAlong(point, placement, corners, 1, k)
    const third = signAlong(point, placement, corners, 2, k)
    if (Math.min(first, second, third) > 0 || Math.max(first, second, third) < 0) return false
  }
  return true
}

/** How often the surface goes round a point that does not lie on it. `local` of the point is set. */
export function windingNumber(mesh: Mesh, placement: Placement, point: PlacedPoint): number {
  const way = shortestWayOut(mesh, placement, point)
  const axis = way % 3
  const side = way < 3 ? 1 : -1
  const u = (axis + 1) % 3
  const v = (axis + 2) % 3
  setColumn(mesh, placement, point, axis, side)
  let winding = 0
  walk(mesh, (record) => {
    putPlacedCorners(mesh, placement, triangleOf(mesh.records, record), corners)
    const turn = crossing(point, placement, u, v)
    // Over the point as seen along the way.
    if (turn !== 0 && side * sideOfTriangle(point, placement, corners) * turn < 0) winding += turn
    return false
  })
  return side * winding
}

/** The axis along which the mesh's box ends soonest, upwards, or plus three downwards: few boxes lie in so short a column. */
function shortestWayOut({ header }: Mesh, { rotation }: Placement, { local }: PlacedPoint): number {
  turnBox(rotation, header, MESH_BOX, box)
  let shortest = Infinity
  let way = 0
  for (let k = 0; k < 3; k++) {
    const up = box[k + 3] - local[k]
    const down = local[k] - box[k]
    if (up < shortest) {
      shortest = up
      way = k
    }
    if (down < shortest) {
      shortest = down
      way = k + 3
    }
  }
  return way
}

/** Whether the line through the point, moved by a hair, crosses the triangle: 1 where that is seen counter-clockwise, −1 clockwise. */
function crossing(point: PlacedPoint, placement: Placement, u: number, v: number): MeshSide {
  const first = sideOfMovedEdge(point, placement, 0, 1, u, v)
  if (first === 0 || sideOfMovedEdge(point, placement, 1, 2, u, v) !== first) return 0
  return sideOfMovedEdge(point, placement, 2, 0, u, v) === first ? first : 0
}

/** `sideOfEdge` of the moved point; 0 only where the edge is seen as a point. */
function sideOfMovedEdge(
  point: PlacedPoint,
  placement: Placement,
  i: number,
  j: number,
  u: number,
  v: number,
): MeshSide {
  const side = sideOfEdge(point, placement, corners, i, j, u, v)
  if (side !== 0) return side
  const rise = corners[3 * j + v] - corners[3 * i + v]
  if (rise !== 0) return rise > 0 ? -1 : 1
  const run = corners[3 * j + u] - corners[3 * i + u]
  return run > 0 ? 1 : run < 0 ? -1 : 0
}

// The boxes of the tree that may hold the point, or what lies over it.

/** Sets `box`, in the frame of the tree: about the point, and along the axis, if any, from there on to that side. */
function setColumn(mesh: Mesh, { rotation: r }: Placement, { local }: PlacedPoint, axis: number, side: 1 | -1): void {
  const { header } = mesh
  let size = Math.abs(local[0]) + Math.abs(local[1]) + Math.abs(local[2])
  const reach = meshReach(mesh)
  // Beyond that all of the mesh has been passed.
  const far = 2 * (size + 3 * reach)
  if (axis >= 0) size += far
  const scale = header[TREE_SCALE]
  const pad = SEPARATION_ERROR_RATIO * (size + 3 * reach) * scale + TREE_ERROR
  for (let k = 0; k < 3; k++) {
    const at = r[k] * local[0] + r[k + 3] * local[1] + r[k + 6] * local[2] - header[TREE_ORIGIN + k]
    const way = axis < 0 ? 0 : side * r[3 * axis + k] * far
    box[k] = (at + Math.min(way, 0)) * scale - pad
    box[k + 3] = (at + Math.max(way, 0)) * scale + pad
  }
}

/** Calls `visit` for the records whose boxes meet `box`, until it returns true; whether it did. */
function walk(mesh: Mesh, visit: (record: number) => boolean): boolean {
  return visitMesh(mesh, box, (first, end) => {
    spend(end - first)
    for (let record = first; record < end; record++) if (visit(record)) return true
    return false
  })
}
