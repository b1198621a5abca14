// Who looks, and at what: points, or bodies of a scene where their positions are.

import type { SceneSightTarget } from '../../../schemas/scenes/line-of-sight.ts'
import type { SightTarget } from '../../scene/queries/line-of-sight.ts'
import { positionAt, type View } from '../../scene/state/view.ts'
import { type DecodeProblem, isProblem, problemAt, under } from '../problems/decode-problem.ts'
import { checkOneOf, checkPoint, findSceneBody } from './decode-probe.ts'

/** A point, with the slot of the body that it is of, −1 for none. */
export function decodeEye(view: View, request: SceneSightTarget): SightTarget | DecodeProblem {
  const problem = checkOneOf(request, ['point', 'bodyId'])
  if (problem !== null) return problem
  const { point, bodyId } = request
  if (point !== undefined) return checkPoint(point, '/point') ?? { ...point, slot: -1 }
  const slot = findSceneBody(view, bodyId as string, '/bodyId')
  if (typeof slot !== 'number') return slot
  return { ...positionAt(view, slot), slot }
}

/** The first problem has pointers into the request. */
export function decodeSightTargets(
  view: View,
  targets: readonly SceneSightTarget[],
  { maxTargets: limit }: { maxTargets: number },
): SightTarget[] | DecodeProblem {
  const actual = targets.length
  if (actual > limit) {
    const detail = `targets must have at most ${limit} items, got ${actual}.`
    return problemAt('/targets', 'too-many-targets', detail, { limit, actual })
  }
  const decoded: SightTarget[] = []
  for (let i = 0; i < actual; i++) {
    const target = decodeEye(view, targets[i])
    if (isProblem(target)) return under(`/targets/${i}`, target)
    decoded.push(target)
  }
  return decoded
}
