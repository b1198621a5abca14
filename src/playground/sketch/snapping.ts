// Where a body of a scene goes when it is let go of with Snap on: flush onto a neighbour that is near; else to the nearest free place
// where it overlaps something; else onto the grid. One batch asks all three.

import type { ShapeFeature } from '../../../schemas/feature.ts'
import type { SnapCandidate, SnapFeature } from '../../../schemas/scenes/snap.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import { filterOf } from './legend.ts'
import { type Answer, type Asked, type Mark, pathOf } from './question.ts'
import { areaOf, boxCorners, rectangle } from './shape-outline.ts'
import { bodyOf, poseOf, positionOf, type Sketch, type SketchBody } from './sketch.ts'
import { digits, lengthOf, middle, minus, plus, times, toWorld, turned, unit, type Vec2 } from './vector.ts'

/** Lengths. */
export interface SnapReach {
  /** To neighbours. */
  snap: number
  /** To a free place. */
  place: number
  /** Of a cell. */
  grid: number
}

/** Candidates that are shown besides the nearest. */
const MOST_CANDIDATES = 4

export function askSnapping(sketch: Sketch, body: SketchBody, { snap, place, grid }: SnapReach): Asked {
  const mover = { bodyId: body.id, pose: poseOf(body), ...filterOf(sketch) }
  const queries = [
    { op: 'snap', ...mover, maxDistance: snap, features: ['vertex', 'edge', 'midpoint'], limit: MOST_CANDIDATES },
    { op: 'place', ...mover, maxDistance: place },
    {
      op: 'snap',
      ...mover,
      // more than half the diagonal of a cell: one of its corners is always near
      maxDistance: 0.75 * grid,
      features: ['vertex', 'center', 'grid'],
      grid: { size: sketch.dimension === '2d' ? { x: grid, y: grid } : { x: grid, y: grid, z: grid } },
      limit: 1,
    },
  ]
  return { path: pathOf(sketch, `scenes/${encodeURIComponent(sketch.scene ?? '')}/batch`), body: { queries } }
}

/** Where the body is put; null where it stays. */
export function snappedBody({ results }: Answer, body: SketchBody): SketchBody | null {
  const [onto, free, grid] = results
  const best: SnapCandidate | undefined = onto.candidates?.[0]
  if (best !== undefined) return atCandidate(body, best)
  // what overlaps nothing is where it is free
  if (free.distance > 0) return { ...body, position: free.position }
  const cell: SnapCandidate | undefined = grid.candidates?.[0]
  return cell === undefined ? null : atCandidate(body, cell)
}

/** Not the sum of its own place and the translation, which may be rounded. */
export function atCandidate(body: SketchBody, { position, rotation }: SnapCandidate): SketchBody {
  return { ...body, position, ...(rotation !== 0 && { rotation: (body.rotation ?? 0) + rotation }) }
}

export function snappingMarks(answer: Answer, sketch: Sketch, body: SketchBody): Mark[] {
  const [onto, free, grid] = answer.results
  if (onto.candidates?.length > 0) return candidateMarks(onto.candidates, sketch, body)
  if (free.distance > 0) return ghostMarks(body, { ...body, position: free.position }, 'placed', 'free place')
  return candidateMarks(grid.candidates ?? [], sketch, body)
}

/** The nearest as a ghost with both its features, named; others as outlines. */
export function candidateMarks(candidates: readonly SnapCandidate[], sketch: Sketch, body: SketchBody): Mark[] {
  const [best, ...others] = candidates
  if (best === undefined) return []
  const ghost = atCandidate(body, best)
  return [
    ...others.map((one): Mark => ({ kind: 'ghost', name: 'candidate', body: atCandidate(body, one) })),
    ...ghostMarks(body, ghost, 'snapped', candidateText(best)),
    ...featureMarks(best, sketch, ghost),
  ]
}

function ghostMarks(body: SketchBody, ghost: SketchBody, name: string, label: string): Mark[] {
  const [from, to] = [positionOf(body), positionOf(ghost)]
  const distance = lengthOf(minus(to, from))
  const arrow: Mark = { kind: 'arrow', name: 'translation', from, to, ...(distance > 0 && { label: digits(distance) }) }
  return [arrow, { kind: 'ghost', name, body: ghost, label }]
}

/** `edge 2 onto edge 0 of crate`. */
export function candidateText({ feature, id, target }: SnapCandidate): string {
  const named = ({ kind, index, path }: SnapCandidate['feature']) =>
    kind === 'center' || kind === 'grid' ? kind : `${kind} ${[...(path ?? []), index].join('.')}`
  return `${named(feature)} onto ${named(target)}${id === null ? '' : ` of ${id}`}`
}

/** The side or the corner that it lies on, and its own. */
function featureMarks({ feature, id, target }: SnapCandidate, sketch: Sketch, ghost: SketchBody): Mark[] {
  const marksOf = (body: SketchBody | undefined, which: SnapCandidate['feature'], name: string): Mark[] => {
    if (body === undefined) return []
    const points = featurePoints(body.shape as Shape2d, which).map((point) => toWorld(body, point))
    if (points.length === 1) return [{ kind: 'point', at: points[0]!, name }]
    return points.length === 2 ? [{ kind: 'line', name, points }] : []
  }
  return [...marksOf(bodyOf(sketch, id), target, 'target'), ...marksOf(ghost, feature, 'feature')]
}

// Where a feature of a shape lies, as answers name it: the place of a corner, the ends of a side. Local frame of the shape.

type Feature = SnapFeature | ShapeFeature

interface Rings {
  rings: readonly (readonly Vec2[])[]
  closed: boolean
  /** Sides lie so far outside of their corners. */
  radius: number
}

/** In the order in which features are counted; null for shapes without corners. */
function ringsOf(shape: Shape2d): Rings | null {
  switch (shape.type) {
    case 'segment':
      return { rings: [[shape.a, shape.b]], closed: true, radius: 0 }
    case 'capsule':
      return { rings: [[shape.a, shape.b]], closed: true, radius: shape.radius }
    case 'box':
      return { rings: [boxCorners(shape.width, shape.height)], closed: true, radius: shape.radius ?? 0 }
    case 'aabb':
      return { rings: [rectangle(shape.min, shape.max)], closed: true, radius: 0 }
    case 'polygon':
      return { rings: [shape.vertices], closed: true, radius: shape.radius ?? 0 }
    case 'chain':
      return { rings: [shape.vertices], closed: shape.loop === true, radius: 0 }
    case 'region':
      return { rings: [shape.outer, ...(shape.holes ?? [])], closed: true, radius: 0 }
    default:
      return null
  }
}

/** One point, or the two ends of a side; empty where it is no single place, as the surface of a circle. */
export function featurePoints(shape: Shape2d, { kind, index, path = [] }: Feature): Vec2[] {
  if (shape.type === 'compound') {
    const [first, ...rest] = path
    const child = first === undefined ? undefined : shape.children[first]
    if (child === undefined) return []
    return featurePoints(child.shape, { kind, index, path: rest } as Feature).map((point) => toWorld(child, point))
  }
  if (shape.type === 'point') return [{ x: 0, y: 0 }]
  const found = ringsOf(shape)
  if (found === null) return []
  let at = index
  for (const ring of found.rings) {
    if (at >= ring.length) {
      at -= ring.length
      continue
    }
    if (kind === 'vertex') return [ring[at]!]
    if (kind !== 'edge' && kind !== 'midpoint') return []
    const next = at + 1 < ring.length ? ring[at + 1] : found.closed ? ring[0] : undefined
    if (next === undefined) return []
    const side = outside(ring, [ring[at]!, next], found.radius)
    return kind === 'edge' ? side : [middle(side[0]!, side[1]!)]
  }
  return []
}

/** A side of a rounded outline lies outside of its corners. */
function outside(ring: readonly Vec2[], side: [p: Vec2, q: Vec2], radius: number): Vec2[] {
  if (radius === 0) return side
  const along = unit(minus(side[1], side[0]))
  const out = times(turned(along, areaOf(ring) < 0 ? Math.PI / 2 : -Math.PI / 2), radius)
  return side.map((point) => plus(point, out))
}
