// The query `snap` of scenes.

import type { SnapFeature, SnapCandidate as WireCandidate } from '../../../schemas/scenes/snap.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { NO_FEATURE } from '../../core2d/feature.ts'
import { type Body, X, Y } from '../../core2d/shape/body.ts'
import { isEdge, querySnap, type SnapCandidate, type SnapGrid } from '../../scene/queries/snap.ts'
import type { SnapEdge, SnapKind, SnapPoint } from '../../scene/queries/snap-features.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { bodyAt, idAt, type PlaneView } from '../../scene/state/view.ts'
import { cannotTurn, checkBounded, checkPoint, decodeMover, giveBack, turnedMover } from '../../wire/decode-probe.ts'
import { type DecodeProblem, isProblem, problemAt } from '../../wire/decode-problem.ts'
import { encodeFeature, encodeVec2 } from '../../wire/encode.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'

const ORIGIN = { x: 0, y: 0 }
const GRID: SnapFeature = { kind: 'grid', index: 0 }
const DEFAULT_KINDS: readonly SnapKind[] = ['vertex', 'edge', 'midpoint']

export const sceneSnapQuery: SceneQueryOf<'snap'> = {
  summary: 'Which small motions bring a body flush with what is near?',
  description:
    'Each brings a feature of the body exactly onto one of another body or of a grid, so that the two touch without gap or overlap, as far as doubles can say it; where they cannot, a last digit is left between them. None ends in an overlap with anything. Nothing is moved by asking.',
  advice: 'Give a smaller maxDistance, fewer features, or filter.',
  problems: [...PROBE_PROBLEMS, 'shape-unbounded'],
  mayBeLong: true,
  *answer(view, request, limits) {
    const { maxDistance, features, grid, rotate = false, filter } = request
    const wrong = grid === undefined ? null : checkGrid(grid)
    if (wrong !== null) return wrong
    const isOnGrid = features === undefined ? grid !== undefined : features.includes('grid')
    if (isOnGrid && grid === undefined) {
      return problemAt(
        '/grid',
        'schema-violation',
        'The feature grid needs a grid: its size, and its origin if that is not (0, 0).',
      )
    }
    const decoded = yield* decodeMover(view, request, limits)
    if (isProblem(decoded)) return decoded
    const { body, slot } = decoded
    const unbounded = checkBounded(request, decoded)
    if (unbounded !== null) return unbounded
    const tried = rotate ? yield* decodeMover(view, turnedMover(view, request, 1), limits) : decoded
    if (isProblem(tried)) return cannotTurn(tried, 'rotate')
    const kinds = new Set((features ?? DEFAULT_KINDS).filter((kind) => kind !== 'grid'))
    const cells = isOnGrid && grid !== undefined ? cellsOf(grid) : null
    const { found, truncated } = yield* querySnap(view, {
      maxDistance,
      kinds,
      grid: cells,
      mayTurn: rotate,
      accepts: compileFilter(view, filter, slot),
      limit: resultLimit(request, limits),
      *turned(turn) {
        const mover = yield* decodeMover(view, turnedMover(view, request, turn), limits)
        if (isProblem(mover)) throw new Error(mover.detail)
        return mover
      },
    })
    const candidates = found.map((candidate) => encodeSnap(view, candidate, body))
    giveBack(decoded)
    return { version: view.version, candidates, truncated }
  },
}

interface WireGrid {
  size: Vec2
  origin?: Vec2
}

function checkGrid({ size, origin = ORIGIN }: WireGrid): DecodeProblem | null {
  const misplaced = checkPoint(size, '/grid/size') ?? checkPoint(origin, '/grid/origin')
  if (misplaced !== null) return misplaced
  if (size.x > 0 && size.y > 0) return null
  return problemAt('/grid/size', 'schema-violation', 'Width and height of a cell must both be greater than 0.')
}

function cellsOf({ size, origin = ORIGIN }: WireGrid): SnapGrid {
  return { originX: origin.x, originY: origin.y, width: size.x, height: size.y }
}

/** `body`: where it stands. */
function encodeSnap(view: PlaneView, candidate: SnapCandidate, body: Body): WireCandidate {
  const { x, y, turn, own, target, slot } = candidate
  const translation = encodeVec2(x - body.numbers[X], y - body.numbers[Y])
  return {
    translation,
    rotation: turn,
    position: encodeVec2(x, y),
    distance: Math.hypot(translation.x, translation.y),
    feature: encodeSnapFeature(own, body),
    id: slot < 0 ? null : idAt(view, slot),
    target: target === null ? GRID : encodeSnapFeature(target, bodyAt(view, slot)),
  }
}

function encodeSnapFeature(feature: SnapPoint | SnapEdge, body: Body): SnapFeature {
  if (!isEdge(feature) && feature.kind === 'center') return { kind: 'center', index: 0 }
  if (!isEdge(feature) && feature.kind === 'corner') return { kind: 'corner', index: feature.feature }
  if (feature.feature === NO_FEATURE) return { kind: 'surface', index: 0 }
  const encoded = encodeFeature(feature.feature, body, feature.part) ?? { kind: 'surface', index: 0 }
  return !isEdge(feature) && feature.kind === 'midpoint' ? { ...encoded, kind: 'midpoint' } : encoded
}
