// The query `snap` of scenes.

import { querySnap } from '../../scene/placing/snap.ts'
import type { SnapGrid } from '../../scene/placing/snap-candidates.ts'
import type { SnapKind } from '../../scene/placing/snap-features.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { isProblem, problemAt } from '../../wire/problems/decode-problem.ts'
import { PROBE_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import { checkBounded, checkPoint, decodeMover, giveBack } from '../../wire/scenes/decode-probe.ts'
import { encodeSnap } from '../../wire/scenes/encode-snap.ts'
import { cannotTurn, turnedMover } from '../../wire/scenes/turned-mover.ts'
import { resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'

const ORIGIN = { x: 0, y: 0 }
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
    const unbounded = checkBounded(request, body)
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

function checkGrid({ size, origin = ORIGIN }: { size: { x: number; y: number }; origin?: { x: number; y: number } }) {
  const misplaced = checkPoint(size, '/grid/size') ?? checkPoint(origin, '/grid/origin')
  if (misplaced !== null) return misplaced
  if (size.x > 0 && size.y > 0) return null
  return problemAt('/grid/size', 'schema-violation', 'Width and height of a cell must both be greater than 0.')
}

function cellsOf({
  size,
  origin = ORIGIN,
}: {
  size: { x: number; y: number }
  origin?: { x: number; y: number }
}): SnapGrid {
  return { originX: origin.x, originY: origin.y, width: size.x, height: size.y }
}
