/**
 * Two bodies of core points: whether they meet, exactly, and their nearest points, rounded once.
 *
 * Method: bounds from GJK decide where they are clear, and a face of the difference where numbers of twice the digits do
 * (`twofold-face.ts`); otherwise exact arithmetic finds the nearest points of the cores, and compares their squared distance with that of
 * the skins. Distances come from the exact face as well, by quotients of twice the digits, so that neither offsets nor cancellation cost
 * anything.
 * Frame: world.
 */

import { exactly, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import {
  addTwofold,
  divideTwofold,
  multiplyTwofold,
  negateTwofold,
  rootTwofold,
  roundTwofold,
  type Twofold,
  twofold,
} from '../../numeric/twofold.ts'
import { ANCHOR, type Body, POSITION, RADIUS, VERTICES } from '../shape/body.ts'
import {
  type Exact,
  exactTriple,
  exactVertex,
  inputRangeOf,
  largestOf,
  minus,
  plus,
  times,
} from '../shape/exact-points.ts'
import { LEAST_GAP_RATIO } from '../tolerances.ts'
import { CORES_DEGREE, coresOverlap, type ExactCores, exactCores, INTERIOR_DEGREE } from './exact-cores.ts'
import { type Bounds, type Simplex, sharpenWeights } from './gjk.ts'
import type { PairFrame, Relation, Separation } from './pair-frame.ts'
import { isInSimplex } from './point-membership.ts'
import { relateClosely, separateByFace } from './twofold-face.ts'

/** Whether the pair meets, given what GJK found. Exact. */
export function pointsMeet(frame: PairFrame, bounds: Bounds): boolean {
  const { first, second, error } = frame
  const { lower, upper, simplex } = bounds
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (lower - skins > error) return false
  if (simplex.holds === 2 || upper + error < skins) return true
  if (skins === 0 && first.count === 1 && isHeldBySimplex(first, second, simplex)) return true
  const close = relateClosely(frame, bounds)
  if (close !== null) return close < 0
  return exactly(inputRangeOf(first, second), CORES_DEGREE, (ring) =>
    coresMeet(ring, first, second, exactCores(ring, first, second, simplex)),
  )
}

/** Whether a single point lies in what the search ended with of the other core, exactly: so does what a caller puts on a face or an edge. */
function isHeldBySimplex({ numbers }: Body, second: Body, { indexB, count }: Simplex): boolean {
  const isAside = numbers[VERTICES] !== 0 || numbers[VERTICES + 1] !== 0 || numbers[VERTICES + 2] !== 0
  if (isAside) return false
  const point = [numbers[POSITION], numbers[POSITION + 1], numbers[POSITION + 2]] as const
  return isInSimplex(second, point, indexB.subarray(0, count))
}

function coresMeet<T>(ring: Ring<T>, first: Body, second: Body, cores: ExactCores<T>): boolean {
  return cores.meet || skinsSign(ring, first, second, cores) <= 0
}

/** Sign of the distance of the skins, of cores that do not meet. */
function skinsSign<T>(ring: Ring<T>, first: Body, second: Body, { face }: ExactCores<T>): Sign {
  const skins = ring.add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
  return ring.sign(ring.sub(face.square.over, ring.mul(ring.mul(skins, skins), face.square.under)))
}

/** Whether the pair overlaps, touches or is apart, given what GJK found. Exact. */
export function relatePoints(frame: PairFrame, bounds: Bounds): Relation {
  const { first, second, error } = frame
  const { lower, upper, simplex } = bounds
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  if (lower - skins > error) return 1
  if (simplex.holds === 2 || upper + error < skins) return -1
  return relateClosely(frame, bounds) ?? relateExactly(frame, bounds)
}

/** The relation of any pair of core points, in exact arithmetic. */
export function relateExactly({ first, second }: PairFrame, { simplex }: Bounds): Relation {
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  return exactly(inputRangeOf(first, second), INTERIOR_DEGREE, (ring) => {
    const cores = exactCores(ring, first, second, simplex)
    if (!cores.meet) return skinsSign(ring, first, second, cores)
    return skins > 0 || coresOverlap(ring, first, second, cores) ? -1 : 0
  })
}

interface Nearest {
  meet: boolean
  coresMeet: boolean
  /** Nearest core points relative to the first body's position, and the way from A to B in units. */
  a: Twofold[]
  b: Twofold[]
  way: Twofold[]
  /** 1, or the size of a way whose square no double holds. */
  unit: number
}

/** Sets everything about the pair. Exact sign, all numbers within about a unit in the last place. */
export function separatePoints(frame: PairFrame, bounds: Bounds, out: Separation): void {
  if (bounds.simplex.holds === 2) setCommonPoint(frame, bounds, out)
  else if (!separateByFace(frame, bounds, out)) separateExactly(frame, bounds, out)
}

/** Of cores whose difference surely holds the origin: the point of the first that lies there. */
function setCommonPoint({ first: { numbers }, extent }: PairFrame, { simplex }: Bounds, out: Separation): void {
  sharpenWeights(simplex, extent)
  out.meet = true
  out.distance = 0
  out.normal.fill(0)
  for (let k = 0; k < 3; k++) {
    let sum = 0
    for (let m = 0; m < 4; m++) sum += simplex.weights[m] * simplex.a[3 * m + k]
    out.a[k] = numbers[POSITION + k] + (numbers[ANCHOR + k] + sum)
    out.b[k] = out.a[k]
  }
}

export function separateExactly({ first, second, extent }: PairFrame, { simplex }: Bounds, out: Separation): void {
  const nearest = exactly(inputRangeOf(first, second), CORES_DEGREE, (ring) =>
    nearestPoints(ring, first, second, exactCores(ring, first, second, simplex)),
  )
  out.meet = nearest.meet
  const { a, b, way, unit } = nearest
  out.normal.fill(0)
  out.distance = 0
  const radiusA = first.numbers[RADIUS]
  const radiusB = second.numbers[RADIUS]
  if (nearest.coresMeet) {
    for (let k = 0; k < 3; k++) {
      out.a[k] = roundTwofold(a[k])
      out.b[k] = out.a[k]
    }
    return
  }
  const units = rootTwofold(addTwofold(addTwofold(squareOf(way[0]), squareOf(way[1])), squareOf(way[2])))
  const normal = way.map((component) => divideTwofold(component, units))
  const length = unit === 1 ? units : { high: units.high * unit, low: units.low * unit }
  if (nearest.meet) {
    // A point between the cores, so far from the first as its skin's share.
    const share = multiplyTwofold(length, divideTwofold(twofold(radiusA, 0), twofold(radiusA, radiusB)))
    for (let k = 0; k < 3; k++) {
      out.a[k] = roundTwofold(addTwofold(a[k], multiplyTwofold(normal[k], share)))
      out.b[k] = out.a[k]
    }
    return
  }
  const gap = roundTwofold(addTwofold(length, negateTwofold(twofold(radiusA, radiusB))))
  out.distance = gap > 0 ? gap : LEAST_GAP_RATIO * extent
  for (let k = 0; k < 3; k++) {
    out.normal[k] = roundTwofold(normal[k])
    out.a[k] = roundTwofold(addTwofold(a[k], multiplyTwofold(normal[k], { high: radiusA, low: 0 })))
    out.b[k] = roundTwofold(addTwofold(b[k], negateTwofold(multiplyTwofold(normal[k], { high: radiusB, low: 0 }))))
  }
}

function squareOf(a: Twofold): Twofold {
  return multiplyTwofold(a, a)
}

function nearestPoints<T>(ring: Ring<T>, first: Body, second: Body, cores: ExactCores<T>): Nearest {
  const { face, indexA, indexB } = cores
  const total = face.weights.reduce((sum, weight) => ring.add(sum, weight))
  const blend = (body: Body, indices: readonly number[]): Exact<T> => {
    const position = exactTriple(ring, body, POSITION)
    return indices
      .map((i, m) => times(ring, face.weights[m], plus(ring, position, exactVertex(ring, body, i))))
      .reduce((sum, term) => plus(ring, sum, term))
  }
  const a = blend(first, indexA)
  const b = blend(second, indexB)
  const rounded = (sum: Exact<T>): Twofold[] => sum.map((component) => ring.quotient(component, total, 1))
  const way = minus(ring, b, a)
  const nearest = {
    meet: coresMeet(ring, first, second, cores),
    coresMeet: cores.meet,
    a: rounded(a),
    b: rounded(b),
    way: rounded(way),
    unit: 1,
  }
  if (cores.meet || !isTiny(nearest.way)) return nearest
  const largest = largestOf(ring, way)
  return {
    ...nearest,
    way: way.map((component) => ring.quotient(component, largest, 0)),
    unit: Math.abs(ring.quotient(largest, total, 1).high),
  }
}

/** Whether the square of the vector leaves the range of doubles. */
function isTiny(vector: readonly Twofold[]): boolean {
  return vector.every(({ high }) => high * high < SMALLEST_SAFE_SQUARE)
}
