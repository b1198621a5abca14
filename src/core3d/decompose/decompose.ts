/**
 * A solid mesh in convex pieces: exact ones, few that cover it, or simple shapes that do.
 *
 * Method: the mesh is brought near 1 by a power of two, its vertices of equal coordinates made one and put in order, and its triangles with them, so that
 * the answer hangs on nothing but the solid and its triangles. `convex-parts.ts` finds clouds of points whose hulls cover it, `cover.ts` makes pieces of them that do so for certain,
 * and of these `fit/fit.ts` makes simple shapes.
 * Frame: the mesh's own.
 */

import { spend } from '../../containers/budget.ts'
import { noteCount, noteStage } from '../../containers/progress.ts'
import { orderOfKeys, sortingSteps } from '../../containers/sorting.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { scaleBy } from '../../numeric/safe-range.ts'
import { type Enclosure, setEnclosure, setPoints, volumeOf } from '../fit/enclosure.ts'
import { type FitKind, fit } from '../fit/fit.ts'
import { type Mesh, meshReach, prepareMesh } from '../mesh/mesh.ts'
import { bounds, createBounds } from '../queries/bounds.ts'
import { type Body, createBody, type Vector } from '../shape/body.ts'
import type { ConvexHull } from '../shape/hull-surface.ts'
import { volumeOfPart, wholePart } from './cell-cut.ts'
import { coveringParts, exactParts } from './convex-parts.ts'
import { type ConvexPiece, coverOf } from './cover.ts'
import { reflexEdges } from './cut-search.ts'
import { overhang } from './overhang.ts'
import { type Solid, solidOf } from './part-hull.ts'

export type PrimitiveKind = Exclude<FitKind, 'aabb'> | 'hull'

export interface Method {
  kind: 'exact' | 'approximate' | 'primitives'
  mostPieces: number
  /** Volume that hulls may add, as a share of the mesh's. */
  mostAdded: number
  /** Of primitives. */
  kinds: readonly PrimitiveKind[]
}

export interface DecomposedPiece {
  /** Of a hull its corners are among these. */
  points: Float64Array
  hull: ConvexHull
  /** The simple shape that stands for the hull, if any does. */
  enclosure: Enclosure | null
  volume: number
  /** The greatest distance from the mesh that was found in it. */
  error: number
}

export interface Decomposition {
  pieces: DecomposedPiece[]
  volume: number
  /** The volume of the pieces, less that of the mesh. */
  addedVolume: number
  error: number
}

/** Reflex edges that the exact method takes: there may be as many pieces as the square of it. */
export const MAX_REFLEX_EDGES = 256

/** More than that. */
export interface TooManyReflexEdges {
  reflexEdges: number
}

/** Of a solid mesh. What has no volume has no pieces. */
export function decompose(mesh: Mesh, method: Method): Decomposition | TooManyReflexEdges {
  const reach = meshReach(mesh)
  const power = reach === 0 ? 0 : binaryExponent(reach)
  const { vertices, triangles, isRounded } = inOrder(mesh, power)
  if (triangles.length === 0) return NOTHING
  const solid = solidOf(prepareMesh({ vertices, triangles, solid: true }) as Mesh)
  const slot = createBody()
  try {
    return decomposeNear(solid, slot, isRounded, method, power)
  } finally {
    // Frames of pairs keep the bodies that they were about last.
    for (const body of [solid.body, solid.surface, slot]) Object.assign(body, createBody())
  }
}

const NOTHING: Decomposition = { pieces: [], volume: 0, addedVolume: 0, error: 0 }

/** Of a mesh near 1, for one that is larger by a power of two. `slot` holds pieces. */
function decomposeNear(
  solid: Solid,
  slot: Body,
  isRounded: Uint8Array,
  method: Method,
  power: number,
): Decomposition | TooManyReflexEdges {
  const whole = wholePart(solid.mesh, isRounded)
  const volume = volumeOfPart(whole)
  if (!(volume > 0)) return NOTHING
  const isExact = method.kind === 'exact'
  const reflex = reflexEdges(solid.mesh)
  if (isExact && reflex.count > MAX_REFLEX_EDGES) return { reflexEdges: reflex.count }
  const clouds = isExact
    ? exactParts(solid, whole, reflex.isBeside)
    : coveringParts(solid, whole, reflex.isBeside, method.mostPieces, method.mostAdded * volume)
  const kinds = method.kind === 'primitives' ? method.kinds : NO_KINDS
  noteStage('measuring')
  noteCount('pieces', clouds.length)
  const pieces = clouds
    .map((cloud, k) => {
      noteCount('measured', k)
      return measured(coverOf(cloud), kinds, solid, slot, isExact, power)
    })
    .sort((a, b) => b.volume - a.volume)
  const total = pieces.reduce((sum, piece) => sum + piece.volume, 0)
  const unit = (value: number): number => scaleBy(value, 3 * power)
  for (const piece of pieces) piece.volume = unit(piece.volume)
  return {
    pieces,
    volume: unit(volume),
    addedVolume: isExact ? 0 : unit(Math.max(0, total - volume)),
    error: pieces.reduce((most, { error }) => Math.max(most, error), 0),
  }
}

const NO_KINDS: readonly PrimitiveKind[] = ['hull']

/** The mesh near 1, in an order that hangs on its coordinates alone, wound counter-clockwise as seen from outside. */
function inOrder(mesh: Mesh, power: number): { vertices: Float64Array; triangles: Uint32Array; isRounded: Uint8Array } {
  const { vertexCount, triangleCount, isInward } = mesh
  const given = mesh.vertices
  spend(sortingSteps(vertexCount) + sortingSteps(triangleCount) + triangleCount)
  const compare = (p: number, q: number): number => {
    for (let k = 0; k < 3; k++)
      if (given[3 * p + k] !== given[3 * q + k]) return given[3 * p + k] < given[3 * q + k] ? -1 : 1
    return 0
  }
  const isUsed = new Uint8Array(vertexCount)
  for (let i = 0; i < 3 * triangleCount; i++) isUsed[mesh.triangles[i]] = 1
  const order = Int32Array.from({ length: vertexCount }, (_, i) => i)
    .filter((i) => isUsed[i] === 1)
    .sort(compare)
  const placeOf = new Int32Array(vertexCount)
  const vertices = new Float64Array(3 * order.length)
  const isRounded = new Uint8Array(order.length)
  let count = 0
  for (let n = 0; n < order.length; n++) {
    const i = order[n]
    if (n === 0 || compare(order[n - 1], i) !== 0) {
      for (let k = 0; k < 3; k++) {
        const value = given[3 * i + k]
        vertices[3 * count + k] = scaleBy(value, -power) + 0
        // What is nothing beside the whole is not the vertex any more.
        if (scaleBy(vertices[3 * count + k], power) !== value) isRounded[count] = 1
      }
      count++
    }
    placeOf[i] = count - 1
  }
  const keys = new Float64Array(triangleCount)
  const turned = new Uint32Array(3 * triangleCount)
  let size = 0
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => placeOf[mesh.triangles[3 * t + k]])
    if (a === b || b === c || c === a) continue
    const [i, j, k] = isInward ? [a, c, b] : [a, b, c]
    const ring = i < j && i < k ? [i, j, k] : j < k ? [j, k, i] : [k, i, j]
    turned.set(ring, 3 * size)
    keys[size++] = ring[0]
  }
  const sorted = orderOfKeys(
    keys.subarray(0, size),
    (s, t) => turned[3 * s + 1] - turned[3 * t + 1] || turned[3 * s + 2] - turned[3 * t + 2],
  )
  const triangles = new Uint32Array(3 * size)
  for (let n = 0; n < size; n++) triangles.set(turned.subarray(3 * sorted[n], 3 * sorted[n] + 3), 3 * n)
  return { vertices: vertices.slice(0, 3 * count), triangles, isRounded: isRounded.slice(0, count) }
}

/** The middles of the faces of a hull and of their edges, those across the widest gaps first: there it may stick out most. */
function surfacePoints(points: Float64Array, { vertices, faceStarts, origins, twins }: ConvexHull): Vector[] {
  const found: { middle: Vector; width: number }[] = []
  spend(sortingSteps(origins.length))
  const corner = (k: number): Vector => {
    const at = 3 * vertices[origins[k]]
    return [points[at], points[at + 1], points[at + 2]]
  }
  const middleOf = (corners: readonly Vector[]): Vector => {
    const mean = (c: 0 | 1 | 2): number => corners.reduce((sum, corner) => sum + corner[c], 0) / corners.length
    return [mean(0), mean(1), mean(2)]
  }
  for (let f = 0; f + 1 < faceStarts.length; f++) {
    const face = Array.from({ length: faceStarts[f + 1] - faceStarts[f] }, (_, k) => corner(faceStarts[f] + k))
    let widest = 0
    for (const [k, [x, y, z]] of face.entries()) {
      const next = face[(k + 1) % face.length]
      const width = Math.hypot(next[0] - x, next[1] - y, next[2] - z)
      widest = Math.max(widest, width)
      if (faceStarts[f] + k < twins[faceStarts[f] + k]) found.push({ middle: middleOf([face[k], next]), width })
    }
    found.push({ middle: middleOf(face), width: widest })
  }
  return found.sort((a, b) => b.width - a.width).map(({ middle }) => middle)
}

const box = createBounds()

/** The piece at the size of the mesh, its volume as it is. */
function measured(
  { points, hull, volume }: ConvexPiece,
  kinds: readonly PrimitiveKind[],
  solid: Solid,
  slot: Body,
  isExact: boolean,
  power: number,
): DecomposedPiece {
  setPoints(points, slot)
  let best = kinds.includes('hull') ? volume : Infinity
  let enclosure: Enclosure | null = null
  for (const kind of kinds) {
    if (kind === 'hull') continue
    const found = fit(slot, kind, 'volume')
    if (found === null || !(volumeOf(found.enclosure) < best)) continue
    best = volumeOf(found.enclosure)
    enclosure = found.enclosure
  }
  const larger = (value: number): number => scaleBy(value, power)
  let error = 0
  if (!isExact) {
    if (enclosure !== null) setEnclosure(slot, enclosure)
    bounds(slot, box)
    error = larger(overhang(slot, [...box.min, ...box.max], surfacePoints(points, hull), solid))
  }
  return {
    points: points.map(larger),
    hull,
    enclosure: enclosure === null ? null : scaledEnclosure(enclosure, larger),
    volume: best,
    error,
  }
}

function scaledEnclosure(enclosure: Enclosure, larger: (value: number) => number): Enclosure {
  const all = (vector: Vector): Vector => [larger(vector[0]), larger(vector[1]), larger(vector[2])]
  switch (enclosure.kind) {
    case 'aabb':
      return { ...enclosure, min: all(enclosure.min), max: all(enclosure.max) }
    case 'box':
      return { ...enclosure, position: all(enclosure.position), size: all(enclosure.size) }
    case 'sphere':
      return { ...enclosure, position: all(enclosure.position), radius: larger(enclosure.radius) }
    case 'capsule': {
      const { position, a, b, radius } = enclosure
      return { ...enclosure, position: all(position), a: all(a), b: all(b), radius: larger(radius) }
    }
    case 'cylinder': {
      const { position, radius, height } = enclosure
      return { ...enclosure, position: all(position), radius: larger(radius), height: larger(height) }
    }
  }
}
