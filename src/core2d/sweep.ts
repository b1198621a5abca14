/**
 * Linear sweep of two convex bodies: the span of time in which they meet while both move at constant velocity.
 *
 * Method: seen from A, B moves along a segment; they meet while −(relative motion) lies in the Minkowski difference B − A.
 * So the sweep is a ray cast against the difference (`minkowski-difference.ts`), with the exact decisions of ray casts:
 * touching at the start, at the end and in passing (C. Ericson, "Real-Time Collision Detection", 5.5.1–5.5.5). A
 * half-plane's gap is linear in time; with an ellipse it is convex, and Newton's method from outside cannot overshoot.
 * Frame: world; the normal points from A to B.
 */
import { type Body, createBody, ELLIPSE, HALFPLANE } from './body.ts'
import type { RelativeMotion } from './displacement.ts'
import { following } from './edge.ts'
import { type FeatureCode, featureIndex, featureKind, NO_FEATURE } from './feature.ts'
import { type Difference, makeDifference, setDifference } from './minkowski-difference.ts'
import type { Motion } from './motion.ts'
import { orderPair, separate } from './pair.ts'
import { castLine } from './ray-cast.ts'
import { createRay, createRayLine, type Ray } from './ray-line.ts'
import { createRaySpan } from './ray-span.ts'
import { createSeparation } from './separation.ts'
import { sweepEllipse } from './sweep-ellipse.ts'
import { sweepHalfplane } from './sweep-halfplane.ts'
import { LEAST_PATH_LENGTH } from './tolerances.ts'

export interface Sweep {
  /** They meet at the start. */
  inside: boolean
  /** First and last instant of the contact; `leave` is Infinity when it lies beyond the duration (`exits` is false then). */
  enter: number
  leave: number
  exits: boolean
  /** At `enter`, from A to B; not set when they meet at the start. */
  nx: number
  ny: number
  featureA: FeatureCode
  featureB: FeatureCode
}

export function createSweep(): Sweep {
  return {
    inside: false,
    enter: 0,
    leave: Infinity,
    exits: false,
    nx: 0,
    ny: 0,
    featureA: NO_FEATURE,
    featureB: NO_FEATURE,
  }
}

const motion: RelativeMotion = { ax: 0, ay: 0, bx: 0, by: 0, duration: 0 }
const ray: Ray = { ...createRay(), motion }
const line = createRayLine()
const span = createRaySpan()
const separation = createSeparation()
const differenceBody = createBody()
const difference: Difference = makeDifference(differenceBody)

/** Fills `out` and returns true when the bodies meet within [0, duration]. Spins are ignored. */
export function sweep(a: Body, motionA: Motion, b: Body, motionB: Motion, duration: number, out: Sweep): boolean {
  const frame = orderPair(a, b)
  const { first, second, swapped } = frame
  const from = swapped ? motionB : motionA
  const to = swapped ? motionA : motionB
  const dx = from.vx - to.vx
  const dy = from.vy - to.vy
  out.featureA = NO_FEATURE
  out.featureB = NO_FEATURE
  // A path too short for its square counts as none.
  if (!(Math.max(Math.abs(dx), Math.abs(dy)) * duration > LEAST_PATH_LENGTH)) return rest(a, b, out)
  ray.dx = dx
  ray.dy = dy
  motion.ax = from.vx
  motion.ay = from.vy
  motion.bx = to.vx
  motion.by = to.vy
  motion.duration = duration
  let hit: boolean
  if (second.kind === HALFPLANE) hit = sweepHalfplane(first, second, motion, out)
  else if (second.kind === ELLIPSE) hit = sweepEllipse(first, second, motion, out)
  else {
    setDifference(first, second, frame.dx, frame.dy, frame.error, differenceBody)
    hit = castAtDifference(duration, out)
  }
  if (!hit) return false
  out.enter = Math.min(Math.max(out.enter, 0), duration)
  if (out.exits) out.leave = Math.min(Math.max(out.leave, out.enter), duration)
  else out.leave = Infinity
  if (swapped) {
    out.nx = -out.nx
    out.ny = -out.ny
    const { featureA } = out
    out.featureA = out.featureB
    out.featureB = featureA
  }
  return true
}

/** No relative motion: they meet from the start or never. */
function rest(a: Body, b: Body, out: Sweep): boolean {
  separate(a, b, separation)
  out.inside = separation.relation <= 0
  out.enter = 0
  out.leave = Infinity
  out.exits = false
  return out.inside
}

function castAtDifference(duration: number, out: Sweep): boolean {
  ray.maxDistance = duration * Math.hypot(ray.dx, ray.dy)
  if (!castLine(ray, differenceBody, line, span)) return false
  out.inside = span.inside
  out.exits = span.exits
  out.enter = span.inside ? 0 : (line.along + span.enter) / line.speed
  out.leave = (line.along + span.leave) / line.speed
  // The difference's outward normal at the entry points against the ray, which runs from B to A.
  out.nx = 0 - span.enterNx
  out.ny = 0 - span.enterNy
  const k = featureIndex(span.enterFeature)
  const { a, b, fromA, fromB } = difference
  const i = fromA[k]
  const j = fromB[k]
  out.featureA = a.vertexFeatures[i]
  out.featureB = b.vertexFeatures[j]
  if (featureKind(span.enterFeature) === 'edge') {
    const next = following(differenceBody, k)
    if (fromA[next] !== i) out.featureA = a.edgeFeatures[i]
    if (fromB[next] !== j) out.featureB = b.edgeFeatures[j]
  }
  return true
}
