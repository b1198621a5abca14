/**
 * The least translation of a body out of everything that it overlaps.
 *
 * Method: the minimum translation out of the union of what is overlapped (`minimum-translation.ts`). Where that puts the body into
 * others, they join the union, and the way is sought again from the start: the shortest way out of some is no longer than that
 * out of all, so the first one that ends in none is the shortest of all.
 */

import { Pace, type Slices } from '../containers/pace.ts'
import { type Body, COMPOSITE, createBody } from '../core2d/body.ts'
import { beginComposite, type Composite, finishComposite } from '../core2d/composite.ts'
import { contact, createContact } from '../core2d/contact.ts'
import type { Accepts } from './filter.ts'
import { bodyWeight } from './prepared.ts'
import { compareIds } from './ranking.ts'
import { heldBodyAt, idAt, type View } from './view.ts'
import { createWalker, overlappedBy, putWalker, roundingOf, settle, type Walker } from './walker.ts'

export interface Separated {
  /** False: nothing was found that parts them, and the body stays. */
  separated: boolean
  dx: number
  dy: number
  /** False where the translation is only the best bound found. */
  exact: boolean
  /** What was in the way: what it overlapped, and what it would have been pushed into; by id. */
  slots: number[]
  ids: string[]
}

/** Rounds after which the ways out are taken to lead in circles. */
const ROUND_COUNT = 64

const found = createContact()
const NO_PATH: readonly number[] = []

/** Null when the body overlaps nothing. It is left where it ended. */
export function* querySeparate(view: View, body: Body, accepts: Accepts): Slices<Separated | null> {
  return yield* separateWalker(createWalker(view, body, accepts), new Pace())
}

/** The same of a walker. */
export function* separateWalker(walker: Walker, pace: Pace): Slices<Separated | null> {
  const { view, body } = walker
  const { x, y } = body
  const inTheWay = new Map<number, Body>()
  let exact = true
  for (let round = 0; round < ROUND_COUNT; round++) {
    const overlapped = overlappedBy(walker)
    if (round === 0 && overlapped.length === 0) return null
    if (overlapped.length === 0) return result(walker, [...inTheWay.keys()], x, y, exact)
    const more = overlapped.filter((slot) => !inTheWay.has(slot))
    if (more.length === 0) break
    for (const slot of more) {
      const held = heldBodyAt(view, slot, createBody())
      inTheWay.set(slot, held)
      if (pace.isDue(bodyWeight(held))) yield
    }
    putWalker(walker, x, y)
    contact(unionOf([...inTheWay.values()]), body, 0, found)
    const { hasNormal, tx, ty } = found
    exact = found.exact
    if (!hasNormal || !Number.isFinite(found.separation)) break
    putWalker(walker, x + tx, y + ty)
    // The bodies of the union stay in it; what rounding has left of them is pushed off.
    settle(walker, roundingOf(walker, tx, ty))
    if (pace.isDue(inTheWay.size * bodyWeight(body))) yield
  }
  putWalker(walker, x, y)
  return { ...result(walker, [...inTheWay.keys()], x, y, false), separated: false }
}

function result({ view, body }: Walker, slots: number[], x: number, y: number, exact: boolean): Separated {
  slots.sort((a, b) => compareIds(idAt(view, a), idAt(view, b)))
  return { separated: true, dx: body.x - x, dy: body.y - y, exact, slots, ids: slots.map((slot) => idAt(view, slot)) }
}

/** One body of all of them; it shares their parts. */
function unionOf(bodies: readonly Body[]): Body {
  if (bodies.length === 1) return bodies[0]
  const union = createBody()
  const composite = beginComposite(union)
  for (const body of bodies) {
    if (body.kind !== COMPOSITE) {
      composite.parts.push({ body, outline: null, path: NO_PATH, firstLeaf: 0 })
      continue
    }
    const { parts, partCount } = body.composite as Composite
    for (const part of parts.slice(0, partCount)) composite.parts.push({ ...part })
  }
  composite.partCount = composite.parts.length
  finishComposite(union)
  return union
}
