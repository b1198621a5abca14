/**
 * Contact points: up to two points that span the region where two bodies meet.
 *
 * Method: the reference face comes from the separation; the other body's edge most opposed to it is clipped to the
 * face's side planes (E. Catto, "Contact Manifolds", GDC 2007; the clipping is Sutherland–Hodgman's). Each point is put
 * midway between the two surfaces and named by the features that made it. Where no face is involved (corners, curved
 * surfaces) the one point lies between the witness points.
 * Frame: as the separation: a, b in the dispatcher's order, world axes, origin at A's anchor, B's anchor at (dx, dy).
 */

import { type FeatureCode, NO_FEATURE } from '../feature.ts'
import {
  type Body,
  following,
  HALFPLANE,
  LOCAL,
  OFFSET,
  POLYGON,
  preceding,
  RADIUS,
  UNIT_X,
  UNIT_Y,
} from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import type { Separation } from './separation.ts'

export interface ContactPoint {
  x: number
  y: number
  /** Signed distance of the surfaces here, along the normal. */
  separation: number
  featureA: FeatureCode
  featureB: FeatureCode
  /** Parts of composites that the features belong to; 0 for convex bodies. */
  partA: number
  partB: number
}

export function createContactPoint(): ContactPoint {
  return { x: 0, y: 0, separation: 0, featureA: NO_FEATURE, featureB: NO_FEATURE, partA: 0, partB: 0 }
}

/** Fills `points` with those no farther apart than `limit` and returns how many there are. */
export function contactManifold(
  a: Body,
  b: Body,
  frame: Frame,
  s: Separation,
  limit: number,
  points: readonly [ContactPoint, ContactPoint],
): number {
  if (s.face === 1 && b.kind === POLYGON && a.kind === POLYGON) return clip(a, b, frame, s, limit, points)
  if (s.face === 2 && a.kind === POLYGON && b.kind === POLYGON) return clip(b, a, frame, s, limit, points)
  if (a.kind === POLYGON && b.kind === HALFPLANE) return restOn(a, b, frame, s, limit, points)
  return setMiddle(points[0], s)
}

function setPoint(p: ContactPoint, x: number, y: number, separation: number, a: FeatureCode, b: FeatureCode): void {
  p.x = x
  p.y = y
  p.separation = separation
  p.featureA = a
  p.featureB = b
  p.partA = 0
  p.partB = 0
}

/** The one point between the witness points; returns how many that is. */
function setMiddle(p: ContactPoint, s: Separation): number {
  setPoint(p, (s.ax + s.bx) / 2, (s.ay + s.by) / 2, s.value, s.featureA, s.featureB)
  return 1
}

/** Edge of `body`, of the two that meet at the vertex lowest along (nx, ny), whose normal is most opposed to it. */
function incidentEdge(body: Body, vertex: number, nx: number, ny: number): number {
  const { normals, numbers } = body
  const before = preceding(body, vertex)
  const difference =
    (numbers[normals + 2 * vertex] - numbers[normals + 2 * before]) * nx +
    (numbers[normals + 2 * vertex + 1] - numbers[normals + 2 * before + 1]) * ny
  return difference < 0 ? vertex : before
}

/** `face` owns edge `s.edge`. */
function clip(
  face: Body,
  incident: Body,
  { dx, dy }: Frame,
  s: Separation,
  limit: number,
  points: readonly [ContactPoint, ContactPoint],
): number {
  const i0 = s.edge
  const i1 = following(face, i0)
  const nx = face.numbers[face.normals + 2 * i0]
  const ny = face.numbers[face.normals + 2 * i0 + 1]
  const ux = -ny
  const uy = nx
  const j0 = incidentEdge(incident, s.vertex, nx, ny)
  const j1 = following(incident, j0)
  // Where the face starts, and the incident body's anchor from there.
  const ownedByA = s.face === 1
  const rx = face.numbers[LOCAL + 2 * i0] + (ownedByA ? 0 : dx)
  const ry = face.numbers[LOCAL + 2 * i0 + 1] + (ownedByA ? 0 : dy)
  const ix = (ownedByA ? dx : 0) - rx
  const iy = (ownedByA ? dy : 0) - ry
  const length =
    ux * (face.numbers[LOCAL + 2 * i1] - face.numbers[LOCAL + 2 * i0]) +
    uy * (face.numbers[LOCAL + 2 * i1 + 1] - face.numbers[LOCAL + 2 * i0 + 1])
  // The incident edge runs against the face: its end j1 lies towards the face's start.
  const x0 = ix + incident.numbers[LOCAL + 2 * j1]
  const y0 = iy + incident.numbers[LOCAL + 2 * j1 + 1]
  const x1 = ix + incident.numbers[LOCAL + 2 * j0]
  const y1 = iy + incident.numbers[LOCAL + 2 * j0 + 1]
  const t0 = ux * x0 + uy * y0
  const t1 = ux * x1 + uy * y1
  const h0 = nx * x0 + ny * y0
  const h1 = nx * x1 + ny * y1
  const span = t1 - t0
  const skins = face.numbers[RADIUS] + incident.numbers[RADIUS]
  const rise = (face.numbers[RADIUS] - incident.numbers[RADIUS]) / 2
  let count = 0
  for (let end = 0; end < 2; end++) {
    const t = end === 0 ? t0 : t1
    const clipped = end === 0 ? t0 < 0 : t1 > length
    let at = t
    let height = end === 0 ? h0 : h1
    if (clipped) {
      // An edge across the face, or wholly beside it, has nothing to clip: its nearest end stands for it.
      if (!(span > 0) || (end === 0 ? t1 <= 0 : t0 >= length)) continue
      at = end === 0 ? 0 : length
      height = h0 + ((at - t0) / span) * (h1 - h0)
    }
    const separation = height - skins
    if (separation > limit) continue
    const point = points[count++]
    const up = height / 2 + rise
    const faceFeature = clipped ? face.vertexFeatures[end === 0 ? i0 : i1] : face.edgeFeatures[i0]
    const otherFeature = clipped ? incident.edgeFeatures[j0] : incident.vertexFeatures[end === 0 ? j1 : j0]
    const x = rx + ux * at + nx * up
    const y = ry + uy * at + ny * up
    if (ownedByA) setPoint(point, x, y, separation, faceFeature, otherFeature)
    else setPoint(point, x, y, separation, otherFeature, faceFeature)
  }
  return count > 0 ? count : setMiddle(points[0], s)
}

/** Polygon on a half-plane: both ends of its lowest edge, as far as they are within the limit. */
function restOn(
  polygon: Body,
  plane: Body,
  { dx, dy }: Frame,
  s: Separation,
  limit: number,
  points: readonly [ContactPoint, ContactPoint],
): number {
  const { numbers } = plane
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const { vertexFeatures, numbers: polygonNumbers } = polygon
  const radius = polygonNumbers[RADIUS]
  const j0 = incidentEdge(polygon, s.vertex, unitX, unitY)
  const j1 = following(polygon, j0)
  let count = 0
  for (let end = 0; end < 2; end++) {
    const j = end === 0 ? j0 : j1
    const x = polygonNumbers[LOCAL + 2 * j]
    const y = polygonNumbers[LOCAL + 2 * j + 1]
    const height = unitX * (x - dx) + unitY * (y - dy) - plane.numbers[OFFSET]
    if (height - radius > limit) continue
    const down = (height + radius) / 2
    setPoint(points[count++], x - unitX * down, y - unitY * down, height - radius, vertexFeatures[j], s.featureB)
  }
  return count > 0 ? count : setMiddle(points[0], s)
}
