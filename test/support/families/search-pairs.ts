/** Two bodies as the search for the minimum translation sees them, for tests of its parts. */

import type { Body2d } from '../../../schemas/shapes2d.ts'
import { createSearch, type Search } from '../../../src/core2d/minimum-translation/forbidden.ts'
import { createSearchBody, setSearchBody } from '../../../src/core2d/minimum-translation/search-body.ts'
import { orderComposites } from '../../../src/core2d/narrow-phase/leaf-pairs.ts'
import { SEPARATION_ERROR_RATIO } from '../../../src/core2d/tolerances.ts'
import { prepare } from '../answers/slots.ts'

/** `swapped`: whether A of the search is `b`. Valid until the next pair is ordered. */
export function searchOf(a: Body2d, b: Body2d): { search: Search; swapped: boolean } {
  const { first, second, firstView, secondView, firstTree, secondTree, swapped } = orderComposites(
    prepare(a),
    prepare(b),
  )
  const search = createSearch(createSearchBody(firstView, 1), createSearchBody(secondView, -1))
  setSearchBody(search.a, first, firstView, firstTree, firstView)
  setSearchBody(search.b, second, secondView, secondTree, firstView)
  search.tolerance = SEPARATION_ERROR_RATIO * (search.a.reach + search.b.reach)
  return { search, swapped }
}
