/**
 * What a face or a nearest pair of two polygon cores says in the pair's record: normal, features, witness points.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */
import type { Body } from '../shape/body.ts'
import { following, preceding } from '../shape/edge.ts'
import type { NearestPair } from './gjk.ts'
import type { Face } from './sat.ts'
import { type Separation, setFacePoints } from './separation.ts'

/**
 * Normal, features and core witness points of the face of `owner` against the support vertex of `other`.
 * `side`: 1 when the owner is A, −1 when it is B.
 */
export function setFace(
  out: Separation,
  owner: Body,
  other: Body,
  face: Face,
  side: number,
  dx: number,
  dy: number,
): void {
  const ownedByB = side < 0
  const nx = owner.normals[2 * face.edge]
  const ny = owner.normals[2 * face.edge + 1]
  out.nx = side * nx
  out.ny = side * ny
  out.face = ownedByB ? 2 : 1
  out.edge = face.edge
  out.vertex = face.vertex
  out.rival = face.rival
  setFacePoints(out, !ownedByB, face.edge, following(owner, face.edge), face.vertex)
  const vertexX = other.local[2 * face.vertex] + (ownedByB ? 0 : dx)
  const vertexY = other.local[2 * face.vertex + 1] + (ownedByB ? 0 : dy)
  const footX = vertexX - nx * face.distance
  const footY = vertexY - ny * face.distance
  const edge = owner.edgeFeatures[face.edge]
  const vertex = other.vertexFeatures[face.vertex]
  out.featureA = ownedByB ? vertex : edge
  out.featureB = ownedByB ? edge : vertex
  out.ax = ownedByB ? vertexX : footX
  out.ay = ownedByB ? vertexY : footY
  out.bx = ownedByB ? footX : vertexX
  out.by = ownedByB ? footY : vertexY
}

/** Normal and features of the nearest core points. */
export function setNearest(out: Separation, a: Body, b: Body, nearest: NearestPair): void {
  const { a0, a1, b0, b1 } = nearest
  out.nx = nearest.x / nearest.distance
  out.ny = nearest.y / nearest.distance
  out.face = 0
  out.a0 = a0
  out.a1 = a1
  out.b0 = b0
  out.b1 = b1
  out.featureA = a.vertexFeatures[a0]
  out.featureB = b.vertexFeatures[b0]
  if (a0 !== a1) alignToEdge(out, a, a0, a1, b0, 1)
  if (b0 !== b1) alignToEdge(out, b, b0, b1, a0, 2)
}

/**
 * Names the edge that the nearest point lies on, between vertices i and j (which rounding may have picked two steps
 * apart on a chain in line), and takes the normal from it: it knows its direction better than a short difference does.
 */
function alignToEdge(out: Separation, owner: Body, i: number, j: number, vertex: number, face: 1 | 2): void {
  const { normals } = owner
  const side = face === 1 ? 1 : -1
  let edge = -1
  let best = 0
  for (const candidate of [i, j, preceding(owner, i), preceding(owner, j)]) {
    const agreement = side * (out.nx * normals[2 * candidate] + out.ny * normals[2 * candidate + 1])
    if (agreement <= best) continue
    best = agreement
    edge = candidate
  }
  if (edge < 0) return
  if (face === 1) out.featureA = owner.edgeFeatures[edge]
  else out.featureB = owner.edgeFeatures[edge]
  if (out.face !== 0) return
  out.face = face
  out.edge = edge
  out.vertex = vertex
  out.nx = side * normals[2 * edge]
  out.ny = side * normals[2 * edge + 1]
}
