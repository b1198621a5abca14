// Where bodies fall to, for rules: the query `drop`, without a turn.

import type { FarSlices } from '../../containers/far-call.ts'
import type { NO_TURN } from '../../core3d/shape/turn.ts'
import { type DropAnswer, type DropQuery, queryDrop } from '../../scene/queries/drop.ts'
import { PLANE_FALLING } from '../../scene/queries/falling-2d.ts'
import { SPACE_FALLING } from '../../scene/queries/falling-3d.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { giveBack, knownMover, type Mover, type Probe } from '../../wire/decode-probe.ts'
import type { Lint } from './linting.ts'

/** Where a body comes to rest. `way`: a unit vector. */
export function* dropOf<K extends Kinds>(
  lint: Lint<K>,
  mover: Mover,
  { way, maxDistance, accepts }: { way: readonly number[]; maxDistance: number; accepts: Accepts },
): FarSlices<DropAnswer<unknown>> {
  const probes: Probe<K>[] = []
  const query = {
    way,
    maxDistance,
    align: null,
    accepts,
    *turned() {
      const probe = yield* knownMover(lint.view, mover, lint.limits)
      probes.push(probe)
      return probe
    },
  }
  const view = lint.view as View as View<never>
  const found =
    lint.view.table.geometry.dimension === 2
      ? yield* queryDrop(view, PLANE_FALLING, query as unknown as DropQuery<never, number>)
      : yield* queryDrop(view, SPACE_FALLING, query as unknown as DropQuery<never, typeof NO_TURN>)
  for (const probe of probes) giveBack(probe)
  return found as DropAnswer<unknown>
}
