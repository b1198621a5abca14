/**
 * Whether a translation really parts the pair, judged by the true shapes: the search knows ellipses only as polygons, and a
 * refined translation or a bound must not be handed out unchecked.
 * Frame: translations of the ordered pair's second body, in world axes.
 */
import { spend } from '../../containers/budget.ts'
import { edgesApart } from '../composite/edges-apart.ts'
import { type CompositeFrame, visitLeafPairs } from '../composite/leaf-pairs.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { createBody } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { moveBy } from '../shape/placement.ts'
import { ELLIPSE_ERROR_RATIO, LEAF_PAIR_STEP_COUNT, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { isHeld, type Search } from './forbidden.ts'
import { createPathPoint } from './paths.ts'

const leafSlotA = createBody()
const leafSlotB = createBody()
const moved = createBody()
const separation = createSeparation()
const point = createPathPoint()

/** How far leaves may enter each other at the translation without more than rounding in it. */
function depthLimit({ a, b, tolerance }: Search): number {
  const curved = a.curveCount + b.curveCount > 0
  return curved ? tolerance * (ELLIPSE_ERROR_RATIO / SEPARATION_ERROR_RATIO) : 4 * tolerance
}

/** Whether B + t is clear of A up to rounding: no two leaves enter each other, and no outline holds a part. */
export function isParted(frame: CompositeFrame, scene: Search, tx: number, ty: number): boolean {
  const { first, second, firstView, secondView, firstTree, secondTree } = frame
  const limit = depthLimit(scene)
  let free = true
  visitLeafPairs(firstTree, secondTree, second.x - first.x + tx, second.y - first.y + ty, 0, (leafA, leafB) => {
    if (edgesApart(firstView, leafA, secondView, leafB, 0, tx, ty)) return 0
    spend(LEAF_PAIR_STEP_COUNT)
    const bodyB = moveBy(leafBody(secondView, leafB, leafSlotB), tx, ty, moved)
    separate(leafBody(firstView, leafA, leafSlotA), bodyB, separation)
    free = separation.value >= -limit
    return free ? 0 : -1
  })
  point.x = tx
  point.y = ty
  return free && !isHeld(scene, point)
}
