/**
 * Circle against polygon, capsule or segment: the centre against the polygon's Voronoi regions.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 5.1. For a convex polygon the edge of largest signed distance
 * bounds the region that the centre lies in: either the nearest point is on that edge, or it is one of its ends.
 * Frame: world axes, origin at the centre of A, the circle.
 */
import { type Body, edgeLength } from './body.ts'
import { exactConvexSeparation } from './exact-convex.ts'
import { type Separation, settle, setWitness } from './separation.ts'

export function circlePolygon(a: Body, b: Body, dx: number, dy: number, error: number, out: Separation): void {
  const { count, normals, offsets, local } = b
  // The centre, seen from B's anchor.
  const px = -dx
  const py = -dy
  let edge = 0
  let height = -Infinity
  for (let i = 0; i < count; i++) {
    const h = normals[2 * i] * px + normals[2 * i + 1] * py - offsets[i]
    if (h > height) {
      height = h
      edge = i
    }
  }
  const next = edge + 1 === count ? 0 : edge + 1
  const faceX = normals[2 * edge]
  const faceY = normals[2 * edge + 1]
  const x0 = local[2 * edge]
  const y0 = local[2 * edge + 1]
  const x1 = local[2 * next]
  const y1 = local[2 * next + 1]
  const before = (px - x0) * -faceY + (py - y0) * faceX < 0
  const beyond = (px - x1) * -faceY + (py - y1) * faceX > 0
  out.featureA = a.vertexFeatures[0]
  let distance = height
  let nx = -faceX
  let ny = -faceY
  out.face = 2
  out.edge = edge
  out.featureB = b.edgeFeatures[edge]
  let qx = px - faceX * height
  let qy = py - faceY * height
  if ((before || beyond) && height > -error) {
    const x = before ? x0 : x1
    const y = before ? y0 : y1
    const toCorner = edgeLength(x - px, y - py)
    out.featureB = b.vertexFeatures[before ? edge : next]
    out.face = 0
    qx = x
    qy = y
    distance = toCorner
    // On the corner itself the face normal is one of its outward directions; a difference of rounding errors is none.
    if (toCorner > error) {
      nx = (x - px) / toCorner
      ny = (y - py) / toCorner
    }
  }
  out.nx = nx
  out.ny = ny
  out.value = distance - (a.radius + b.radius)
  setWitness(out, 0, 0, a.radius, qx + dx, qy + dy, b.radius)
  if (Math.abs(out.value) > 2 * error) {
    out.relation = out.value > 0 ? 1 : -1
    return
  }
  const exact = exactConvexSeparation(a, b, dx, dy, nx, ny, distance, error)
  if (!Number.isNaN(exact.value)) out.value = exact.value
  settle(out, exact.sign, distance + a.reach + b.reach)
}
