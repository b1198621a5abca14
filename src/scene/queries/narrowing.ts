/**
 * Questions about one pair of bodies, or a ray and a body, that may take long: what does not fit into a slice is asked elsewhere.
 *
 * Of shapes with few points the question is answered at once, whatever it takes. Others are tried within so many steps; where
 * those do not do, the question is put to another thread from the start, with all that it is about (`state/far-body.ts`), and
 * the answer is the same to the last bit.
 */

import { OutOfBudget, within } from '../../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../../containers/far-call.ts'
import type { TimeOfImpact } from '../../core2d/impact/impact.ts'
import { timeOfImpact } from '../../core2d/impact/time-of-impact.ts'
import { bodiesMeet } from '../../core2d/pair-queries/bodies-meet.ts'
import { contact } from '../../core2d/pair-queries/contact.ts'
import type { Contact } from '../../core2d/pair-queries/contact-record.ts'
import { type Distance, distance } from '../../core2d/pair-queries/distance.ts'
import { type RelatedGap, type Relation, relateByGap } from '../../core2d/pair-queries/overlap.ts'
import { type Ray, rayCast } from '../../core2d/ray/ray-cast.ts'
import type { RayHit, StartInside } from '../../core2d/ray/ray-hit.ts'
import { type Body, COMPOSITE } from '../../core2d/shape/body.ts'
import type { Motion } from '../../core2d/shape/motion.ts'
import { type Described, type FarBody, Undescribed } from '../state/far-body.ts'
import type { FarBodies } from '../state/far-union.ts'
import { bodyWeight } from '../table/body-cache.ts'

/** What is asked about two bodies. */
export interface PairTask extends FarTask {
  readonly kind: 'relate' | 'meet' | 'contact' | 'distance'
  readonly a: FarBody
  readonly b: FarBody
}

export interface ImpactTask extends FarTask {
  readonly kind: 'impact'
  readonly a: FarBody
  readonly motionA: Motion
  readonly b: FarBody
  readonly motionB: Motion
  readonly duration: number
  readonly ignoreSeparating: boolean
}

export interface RayTask extends FarTask {
  readonly kind: 'ray'
  readonly ray: Ray
  readonly body: FarBody
  readonly startInside: StartInside
}

/** When does the body, which moves, go into the others as one set? */
export interface EntryTask extends FarTask {
  readonly kind: 'entry'
  readonly union: FarBodies
  readonly body: FarBody
  readonly motion: Motion
  readonly isHeld: boolean
  readonly isStrict: boolean
}

/** Null: the ray misses. */
export type RayResult = RayHit | null

/** Steps that one question may take here. */
const LIGHT_STEPS = 2 ** 16
let steps = LIGHT_STEPS

/** Steps that one question may take here; 0: none, all questions are asked elsewhere. */
export function stepsHere(): number {
  return steps
}

/** Has all questions asked elsewhere, for tests, or those again that take more steps than may be taken here. */
export function askElsewhere(all: boolean): void {
  steps = all ? 0 : LIGHT_STEPS
}

/** Most points of a body of which every question is answered at once. */
const LIGHT_POINTS = 64
const LIGHT_RAY_POINTS = 2 ** 10

/** Whether questions about two convex bodies that do not turn are answered at once. */
export function isLight(a: Body, b: Body): boolean {
  return isLightBody(a) && isLightBody(b)
}

function isLightBody({ kind, count }: Body): boolean {
  return kind !== COMPOSITE && count <= LIGHT_POINTS && steps > 0
}

/** The same of rays, which take a step for each point at most. */
export function isLightForRay(body: Body): boolean {
  return bodyWeight(body) <= LIGHT_RAY_POINTS && steps > 0
}

/** The result of a question that is answered here if that takes no more steps than it may, and elsewhere else. */
export function* hereOrFar<Result>(ask: () => Result, task: () => FarTask): FarSlices<Result> {
  try {
    if (steps > 0) return within(steps, ask)
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
  }
  let told: FarTask
  try {
    told = task()
  } catch (error) {
    // there is nobody to ask
    if (error instanceof Undescribed) return ask()
    throw error
  }
  return yield* callFar<Result>(told)
}

/** `out`: gets the gap where the question is answered here, and is left as it is else. */
export function relateHeavy(
  a: Body,
  farA: Described,
  b: Body,
  farB: Described,
  out: RelatedGap = { gap: Number.NaN },
): FarSlices<Relation> {
  return hereOrFar(
    () => relateByGap(a, b, out),
    (): PairTask => ({ kind: 'relate', a: farA(), b: farB() }),
  )
}

export function meetHeavy(a: Body, farA: Described, b: Body, farB: Described): FarSlices<boolean> {
  return hereOrFar(
    () => bodiesMeet(a, b),
    (): PairTask => ({ kind: 'meet', a: farA(), b: farB() }),
  )
}

/** The contact of two bodies, points of contact included; fills `out`. */
export function* contactHeavy(a: Body, farA: Described, b: Body, farB: Described, out: Contact): FarSlices<void> {
  const found = yield* hereOrFar(
    () => {
      contact(a, b, 0, out)
      return out
    },
    (): PairTask => ({ kind: 'contact', a: farA(), b: farB() }),
  )
  Object.assign(out, found)
}

export function* distanceHeavy(a: Body, farA: Described, b: Body, farB: Described, out: Distance): FarSlices<void> {
  const found = yield* hereOrFar(
    () => {
      distance(a, b, out)
      return out
    },
    (): PairTask => ({ kind: 'distance', a: farA(), b: farB() }),
  )
  Object.assign(out, found)
}

/** Bodies on their way. */
export interface Moving {
  readonly body: Body
  readonly motion: Motion
  readonly far: Described
}

/** `out` is not held over a pause. */
export function impactHeavy(
  { body: a, motion: motionA, far: farA }: Moving,
  { body: b, motion: motionB, far: farB }: Moving,
  duration: number,
  ignoreSeparating: boolean,
  out: TimeOfImpact,
): FarSlices<TimeOfImpact> {
  return hereOrFar(
    () => {
      timeOfImpact(a, motionA, b, motionB, duration, ignoreSeparating, out)
      return out
    },
    (): ImpactTask => {
      return { kind: 'impact', a: farA(), motionA, b: farB(), motionB, duration, ignoreSeparating }
    },
  )
}

/** The hit, or null; `out` is not held over a pause. */
export function rayHeavy(
  ray: Ray,
  body: Body,
  far: Described,
  startInside: StartInside,
  out: RayHit,
): FarSlices<RayResult> {
  return hereOrFar(
    () => (rayCast(ray, body, startInside, out) ? out : null),
    (): RayTask => ({ kind: 'ray', ray: { ...ray }, body: far(), startInside }),
  )
}
