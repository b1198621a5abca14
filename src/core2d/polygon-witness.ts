/**
 * What a face or a nearest pair of two polygon cores says in the pair's record: normal, features, witness points.
 * Frame: world axes, origin at A's anchor, B's anchor at (dx, dy).
 */
import type { Body } from './body.ts'
import type { FeatureCode } from './feature.ts'
import type { NearestPair } from './gjk.ts'
import type { Face } from './sat.ts'
import { type Separation, setWitness } from './separation.ts'

/**
 * Normal, features and witness points of the face of `owner` against the support vertex of `other`.
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
  const vertexX = other.local[2 * face.vertex] + (ownedByB ? 0 : dx)
  const vertexY = other.local[2 * face.vertex + 1] + (ownedByB ? 0 : dy)
  const footX = vertexX - nx * face.distance
  const footY = vertexY - ny * face.distance
  const edge = owner.edgeFeatures[face.edge]
  const vertex = other.vertexFeatures[face.vertex]
  out.featureA = ownedByB ? vertex : edge
  out.featureB = ownedByB ? edge : vertex
  if (ownedByB) setWitness(out, vertexX, vertexY, other.radius, footX, footY, owner.radius)
  else setWitness(out, footX, footY, owner.radius, vertexX, vertexY, other.radius)
}

/** Normal, features and witness points of the nearest core points. */
export function setNearest(out: Separation, a: Body, b: Body, nearest: NearestPair): void {
  out.nx = nearest.x / nearest.distance
  out.ny = nearest.y / nearest.distance
  out.face = 0
  out.featureA = featureBetween(a, nearest.a0, nearest.a1)
  out.featureB = featureBetween(b, nearest.b0, nearest.b1)
  if (nearest.a0 !== nearest.a1) alignToEdge(out, a, nearest.a0, nearest.a1, nearest.b0, 1)
  else if (nearest.b0 !== nearest.b1) alignToEdge(out, b, nearest.b0, nearest.b1, nearest.a0, 2)
}

/** The edge that runs between two adjacent vertices, or the vertex when they are one. */
function featureBetween(body: Body, i: number, j: number): FeatureCode {
  return i === j ? body.vertexFeatures[i] : body.edgeFeatures[edgeBetween(body, i, j)]
}

function edgeBetween(body: Body, i: number, j: number): number {
  const following = i + 1 === body.count ? 0 : i + 1
  return following === j ? i : j
}

/** Takes the normal from the edge itself, which knows its direction better than a short difference does. */
function alignToEdge(out: Separation, owner: Body, i: number, j: number, vertex: number, face: 1 | 2): void {
  let edge = edgeBetween(owner, i, j)
  let side = face === 1 ? 1 : -1
  let agreement = side * (out.nx * owner.normals[2 * edge] + out.ny * owner.normals[2 * edge + 1])
  if (agreement < 0 && owner.count === 2) {
    edge = 1 - edge
    agreement = -agreement
  }
  out.edge = edge
  out.face = face
  out.vertex = vertex
  if (face === 1) out.featureA = owner.edgeFeatures[edge]
  else out.featureB = owner.edgeFeatures[edge]
  side *= agreement > 0 ? 1 : -1
  out.nx = side * owner.normals[2 * edge]
  out.ny = side * owner.normals[2 * edge + 1]
}
