/**
 * When turning boxes, hulls and balls of space meet or part: a slow oracle, in numbers of 192 binary places.
 *
 * Method: points are turned by O. Rodrigues' formula, with the sines as power series of the squared angle, which needs no root. Two
 * polyhedra are apart by the greatest gap along the normals of their faces and across their edges (the axis that separates them, if
 * one does); a ball and a box by the distance of its middle in the box's own axes. The time is found by halving.
 */

import { type Body, POINTS, POSITION, RADIUS, VERTICES } from '../../src/core3d/shape/body.ts'
import { surfaceOf } from '../../src/core3d/shape/core-surface.ts'
import type { Motion } from '../../src/core3d/shape/motion.ts'

const PLACES = 192n
const ONE = 1n << PLACES

type Vector = readonly [bigint, bigint, bigint]

/** The double, exactly where it has no more binary places. */
function fixed(value: number): bigint {
  let whole = value
  let places = 0n
  while (!Number.isInteger(whole)) {
    whole *= 2
    places++
  }
  const shift = PLACES - places
  return shift < 0n ? BigInt(whole) >> -shift : BigInt(whole) << shift
}

const times = (a: bigint, b: bigint): bigint => (a * b) >> PLACES
const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const scaled = (a: Vector, by: bigint): Vector => [times(a[0], by), times(a[1], by), times(a[2], by)]
const dot = (a: Vector, b: Vector): bigint => times(a[0], b[0]) + times(a[1], b[1]) + times(a[2], b[2])
const cross = (a: Vector, b: Vector): Vector => [
  times(a[1], b[2]) - times(a[2], b[1]),
  times(a[2], b[0]) - times(a[0], b[2]),
  times(a[0], b[1]) - times(a[1], b[0]),
]

/** Σ (−s)^k / (2k + first)!, first 1 or 2. */
function series(square: bigint, first: 1n | 2n): bigint {
  let term = first === 1n ? ONE : ONE / 2n
  let sum = term
  for (let k = first + 1n; term !== 0n; k += 2n) {
    term = -times(term, square) / (k * (k + 1n))
    sum += term
  }
  return sum
}

interface Turned {
  body: Body
  points: Vector[]
}

/** The body's core points at a time. */
function turnedAt(body: Body, { vx, vy, vz, wx, wy, wz }: Motion, time: bigint): Turned {
  const { numbers, count } = body
  const w: Vector = [fixed(wx), fixed(wy), fixed(wz)]
  const square = times(dot(w, w), times(time, time))
  const sine = times(time, series(square, 1n))
  const rest = times(times(time, time), series(square, 2n))
  const place = plus(
    [fixed(numbers[POSITION]), fixed(numbers[POSITION + 1]), fixed(numbers[POSITION + 2])],
    scaled([fixed(vx), fixed(vy), fixed(vz)], time),
  )
  const points = Array.from({ length: count }, (_, i) => {
    const at = VERTICES + 3 * i
    const p: Vector = [fixed(numbers[at]), fixed(numbers[at + 1]), fixed(numbers[at + 2])]
    const round = cross(w, p)
    return plus(place, plus(p, plus(scaled(round, sine), scaled(cross(w, round), rest))))
  })
  return { body, points }
}

function faceNormals({ body, points }: Turned): Vector[] {
  const { starts, corners } = surfaceOf(body)
  return Array.from({ length: starts.length - 1 }, (_, f) => {
    const [p, q, r] = [0, 1, 2].map((c) => points[corners[starts[f] + c]])
    return cross(minus(q, p), minus(r, p))
  })
}

function edges({ body, points }: Turned): Vector[] {
  const { starts, corners } = surfaceOf(body)
  const ways: Vector[] = []
  for (let f = 0; f + 1 < starts.length; f++) {
    for (let c = starts[f]; c < starts[f + 1]; c++) {
      const next = c + 1 < starts[f + 1] ? c + 1 : starts[f]
      if (corners[c] < corners[next]) ways.push(minus(points[corners[next]], points[corners[c]]))
    }
  }
  return ways
}

function rangeOf(heights: readonly bigint[]): [bigint, bigint] {
  let [low] = heights
  let high = low
  for (const height of heights) {
    if (height < low) low = height
    if (height > high) high = height
  }
  return [low, high]
}

/** Whether an axis has the two on either side of a plane. */
function areApartAlong(axis: Vector, a: Turned, b: Turned): boolean {
  const range = ({ points }: Turned): [bigint, bigint] => {
    return rangeOf(points.map((p) => dot(axis, p)))
  }
  const [lowA, highA] = range(a)
  const [lowB, highB] = range(b)
  return lowA > highB || lowB > highA
}

/** Of solid polyhedra without skins. */
function arePolyhedraApart(a: Turned, b: Turned): boolean {
  const ways = edges(b)
  const axes = [...faceNormals(a), ...faceNormals(b), ...edges(a).flatMap((e) => ways.map((f) => cross(e, f)))]
  return axes.some((axis) => areApartAlong(axis, a, b))
}

/** Of a ball and a box without a skin: its first corner, and the three that its edges lead to, are an own frame. */
function isBallApart(ball: Turned, box: Turned): boolean {
  const [corner] = box.points
  const middle = minus(ball.points[0], corner)
  const axes: Vector[] = []
  for (const way of edges(box)) {
    const isNew = axes.every((axis) => {
      const along = dot(axis, way)
      return times(along, along) < times(dot(axis, axis), dot(way, way)) >> 1n
    })
    if (isNew) axes.push(way)
  }
  let square = 0n
  for (const axis of axes) {
    const length = dot(axis, axis)
    const [low, high] = rangeOf(box.points.map((p) => dot(axis, minus(p, corner))))
    const height = dot(axis, middle)
    const beyond = height < low ? low - height : height > high ? height - high : 0n
    square += (beyond * beyond) / length
  }
  const radius = fixed(ball.body.numbers[RADIUS])
  return square > times(radius, radius)
}

/** Whether the two are apart at a time. */
function areApart(a: Body, motionA: Motion, b: Body, motionB: Motion, time: bigint): boolean {
  const one = turnedAt(a, motionA, time)
  const other = turnedAt(b, motionB, time)
  if (a.kind !== POINTS || b.kind !== POINTS) throw new Error('not of core points')
  if (a.count === 1) return isBallApart(one, other)
  if (b.count === 1) return isBallApart(other, one)
  return arePolyhedraApart(one, other)
}

/** By how much a time is too late for the change that is nearest to it, within `reach` of it: NaN where there is none. */
export function lateness(a: Body, motionA: Motion, b: Body, motionB: Motion, time: number, reach: number): number {
  const apart = (at: bigint): boolean => areApart(a, motionA, b, motionB, at)
  const middle = fixed(time)
  let low = middle - fixed(reach)
  let high = middle + fixed(reach)
  const before = apart(low)
  if (apart(high) === before) return Number.NaN
  while (high - low > fixed(2 ** -80)) {
    const half = (low + high) >> 1n
    if (apart(half) === before) low = half
    else high = half
  }
  return Number(middle - low) / 2 ** Number(PLACES)
}
