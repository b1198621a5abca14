/** How a body of a view is put where it overlaps nothing, in whichever dimension that has. */

import type { Pace } from '../../containers/budget.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds, Plane, Space } from '../state/geometry.ts'
import type { View } from '../state/view.ts'
import type { Describe } from './described-body.ts'
import type { Placing } from './placing.ts'
import { planePlacing } from './placing-2d.ts'
import { spacePlacing } from './placing-3d.ts'
import { createWalker } from './walker.ts'
import { createWalker3d } from './walker-3d.ts'

const OF = {
  2: (view: View<Plane>, body: Plane['body'], accepts: Accepts, describe: Describe, pace: Pace) =>
    planePlacing(createWalker(view, body, accepts, describe, pace)),
  3: (view: View<Space>, body: Space['body'], accepts: Accepts, describe: Describe, pace: Pace) =>
    spacePlacing(createWalker3d(view, body, accepts, describe, pace)),
}

export function placingOf<K extends Kinds>(
  view: View<K>,
  body: K['body'],
  accepts: Accepts,
  describe: Describe,
  pace: Pace,
): Placing<K> {
  const of = OF[view.table.geometry.dimension] as never as (...given: unknown[]) => Placing<K>
  return of(view, body, accepts, describe, pace)
}
