// Where a body of a scene goes when it is let go of with Snap on: flush onto a neighbour that is near; else to the nearest free place
// where it overlaps something; else onto the grid. One batch asks all three.

import type { SnapCandidate } from '../../../schemas/scenes/snap.ts'
import { featurePoints } from '../sketch/feature-points.ts'
import { bodyOf, positionOf, type Sketch, type SketchBody } from '../sketch/sketch.ts'
import { digits, lengthOf, minus, toWorld } from '../sketch/vector.ts'
import type { Mark } from './mark.ts'
import type { Answer, Asked } from './question.ts'

/** Lengths. */
export interface SnapReach {
  /** To neighbours. */
  snap: number
  /** To a free place. */
  place: number
  /** Of a cell. */
  grid: number
}

/** What is shown besides the nearest. */
const MOST_CANDIDATES = 4

export function askSnapping(sketch: Sketch, body: SketchBody, { snap, place, grid }: SnapReach): Asked {
  const { id, position, rotation } = body
  const pose = { ...(position && { position }), ...(rotation !== undefined && { rotation }) }
  const mover = { bodyId: id, pose }
  const queries = [
    { op: 'snap', ...mover, maxDistance: snap, features: ['vertex', 'edge', 'midpoint'], limit: MOST_CANDIDATES },
    { op: 'place', ...mover, maxDistance: place },
    {
      op: 'snap',
      ...mover,
      // more than half the diagonal of a cell: one of its corners is always near
      maxDistance: 0.75 * grid,
      features: ['vertex', 'center', 'grid'],
      grid: { size: { x: grid, y: grid } },
      limit: 1,
    },
  ]
  return { path: `/v1/2d/scenes/${encodeURIComponent(sketch.scene ?? '')}/batch`, body: { queries } }
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
    const points = featurePoints(body.shape, which).map((point) => toWorld(body, point))
    if (points.length === 1) return [{ kind: 'point', at: points[0]!, name }]
    return points.length === 2 ? [{ kind: 'line', name, points }] : []
  }
  return [...marksOf(bodyOf(sketch, id), target, 'target'), ...marksOf(ghost, feature, 'feature')]
}
