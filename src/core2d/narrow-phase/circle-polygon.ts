/**
 * Circle against polygon, capsule or segment: the centre against the polygon's Voronoi regions.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 5.1. For a convex polygon the edge of largest signed distance
 * bounds the region that the centre lies in: either the nearest point is on that edge, or it is one of its ends.
 * Frame: world axes, origin at the centre of A, the circle.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { type Body, following, LOCAL, preceding, RADIUS, sideOfEdge } from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import { CLIMB_COUNT } from '../tolerances.ts'
import { exactConvexSeparation } from './exact-convex.ts'
import { addSkins, type Separation, setApart, setFacePoints, settle } from './separation.ts'

export function circlePolygon(a: Body, b: Body, frame: Frame, out: Separation): void {
  const { dx, dy, error } = frame
  const { count, normals, offsets, numbers } = b
  if (count > CLIMB_COUNT) spend(count >> 2)
  // The centre, seen from B's anchor.
  const px = -dx
  const py = -dy
  let edge = 0
  let height = -Infinity
  let rival = -Infinity
  for (let i = 0; i < count; i++) {
    const h = numbers[normals + 2 * i] * px + numbers[normals + 2 * i + 1] * py - numbers[offsets + i]
    if (h > height) {
      rival = height
      height = h
      edge = i
    } else if (h > rival) rival = h
  }
  if (height > frame.limit + a.numbers[RADIUS] + b.numbers[RADIUS] + 2 * error) {
    setApart(out)
    return
  }
  // Neighbours nearly in line have heights that differ by rounding alone: go on until the centre stands over the edge, or
  // off the corner between two.
  let corner = -1
  if (height > -error) {
    let side = sideOfEdge(b, edge, px, py)
    for (let step = 0; side !== 0 && corner < 0 && step < count; step++) {
      const neighbour = side > 0 ? following(b, edge) : preceding(b, edge)
      const nextSide = sideOfEdge(b, neighbour, px, py)
      if (nextSide === -side || count === 2) corner = side > 0 ? following(b, edge) : edge
      else edge = neighbour
      side = nextSide
    }
    height = numbers[normals + 2 * edge] * px + numbers[normals + 2 * edge + 1] * py - numbers[offsets + edge]
  }
  const faceX = numbers[normals + 2 * edge]
  const faceY = numbers[normals + 2 * edge + 1]
  out.featureA = a.vertexFeatures[0]
  let distance = height
  let nx = -faceX
  let ny = -faceY
  out.face = 2
  out.edge = edge
  out.rival = rival
  out.featureB = b.edgeFeatures[edge]
  let qx = px - faceX * height
  let qy = py - faceY * height
  if (corner >= 0) {
    const x = numbers[LOCAL + 2 * corner]
    const y = numbers[LOCAL + 2 * corner + 1]
    const toCorner = vectorLength(x - px, y - py)
    out.featureB = b.vertexFeatures[corner]
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
  out.value = distance - (a.numbers[RADIUS] + b.numbers[RADIUS])
  out.ax = 0
  out.ay = 0
  out.bx = qx + dx
  out.by = qy + dy
  if (corner >= 0) setFacePoints(out, false, corner, corner, 0)
  else setFacePoints(out, false, edge, following(b, edge), 0)
  addSkins(out, a, b)
  if (Math.abs(out.value) > 2 * error) {
    out.relation = out.value > 0 ? 1 : -1
    return
  }
  const exact = exactConvexSeparation(a, b, dx, dy, nx, ny, distance, error)
  if (!Number.isNaN(exact.value)) out.value = exact.value
  settle(out, exact.sign, frame)
}
