/**
 * How open a mesh is: how far its generalised winding number (A. Jacobson, L. Kavan, O. Sorkine-Hornung, "Robust inside-outside segmentation using
 * generalized winding numbers", ACM TOG 32 (2013)) is from a whole number, as which it counts how often a closed surface goes round a point.
 *
 * Method: a fan from a point to all open edges closes the mesh, so together they have a whole winding number, and that of the fan says how far
 * the mesh's is from one: its triangles need not be looked at. Each triangle of the fan adds the solid angle under which it is seen (A. Van Oosterom, J.
 * Strackee, "The solid angle of a plane triangle", IEEE Trans. Biomed. Eng. 30 (1983)).
 * Frame: the mesh's own. Cost O(triangles) to find the open edges, and for each point O(open edges).
 */

import { spend } from '../../containers/budget.ts'
import { MESH_BOX, type Mesh, TREE_ORIGIN, TREE_SCALE } from './mesh.ts'
import { openEdges } from './mesh-check.ts'

/** Points along each side of the box, and with more open edges than `MANY_EDGES`. */
const SIDE_COUNT = 4
const COARSE_SIDE_COUNT = 2
const MANY_EDGES = 2 ** 16

const STEPS_PER_EDGE = 2

/** Mean of that distance over a grid of points in the box of the mesh: 0 to ½; null where the mesh is closed. */
export function openness({ header, vertices, triangles }: Mesh): number | null {
  const edges = openEdges(vertices, triangles)
  if (edges.length === 0) return null
  // Ends of edges, brought near 1, count from the middle of the box: so does the tip of the fan.
  const ends = new Float64Array(3 * edges.length)
  const scale = header[TREE_SCALE]
  const place = (value: number, k: number) => (value - header[TREE_ORIGIN + k]) * scale
  for (let i = 0; i < ends.length; i++) ends[i] = place(vertices[3 * edges[Math.floor(i / 3)] + (i % 3)], i % 3)
  const side = edges.length > 2 * MANY_EDGES ? COARSE_SIDE_COUNT : SIDE_COUNT
  const count = side ** 3
  let sum = 0
  for (let i = 0; i < count; i++) {
    spend(STEPS_PER_EDGE * edges.length)
    const at = (k: number): number => {
      const low = place(header[MESH_BOX + k], k)
      const high = place(header[MESH_BOX + 3 + k], k)
      return low + ((Math.floor(i / side ** k) % side) + 0.5) * ((high - low) / side)
    }
    const winding = fanWinding(ends, at(0), at(1), at(2))
    sum += Math.abs(winding - Math.round(winding))
  }
  return sum / count
}

/** The winding number about a point of the fan from 0 to edges, six numbers each. */
function fanWinding(ends: Float64Array, x: number, y: number, z: number): number {
  const tip = Math.sqrt(x * x + y * y + z * z)
  let sum = 0
  for (let i = 0; i < ends.length; i += 6) {
    const ax = ends[i] - x
    const ay = ends[i + 1] - y
    const az = ends[i + 2] - z
    const bx = ends[i + 3] - x
    const by = ends[i + 4] - y
    const bz = ends[i + 5] - z
    const a = Math.sqrt(ax * ax + ay * ay + az * az)
    const b = Math.sqrt(bx * bx + by * by + bz * bz)
    const volume = -(x * (ay * bz - az * by) + y * (az * bx - ax * bz) + z * (ax * by - ay * bx))
    const across = ax * bx + ay * by + az * bz
    const toward = -(ax * x + ay * y + az * z) * b - (bx * x + by * y + bz * z) * a
    sum += Math.atan2(volume, a * b * tip + across * tip + toward)
  }
  return sum / (2 * Math.PI)
}
