/**
 * Gaps and times of prepared convex bodies from their definitions, to hundreds of digits beyond a double, and how many units in
 * the last place an answer is off.
 *
 * What a rotation has rounded is what the body is, so the vertices and normals of the prepared body are taken as they are.
 * Every number is an integer on a common grid; roots and quotients are integers on a grid `FINE` times finer. All features are
 * tried, and nothing is shared with the code under test.
 */
import {
  type Body,
  HALFPLANE,
  NORMAL_X,
  NORMAL_Y,
  OFFSET,
  RADIUS,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../../src/core2d/shape/body.ts'
import { abs, bitLength, decomposeDouble, integerSqrt, leastOf } from './exact-numbers.ts'

/** integer · 2^exponent. */
export interface Fixed {
  integer: bigint
  exponent: number
}

interface Point {
  x: bigint
  y: bigint
}

interface Core {
  points: Point[]
  radius: bigint
}

/** A number of the grid. */
function on(exponent: number, values: readonly number[]): bigint {
  let sum = 0n
  for (const value of values) {
    const { mantissa, exponent: own } = decomposeDouble(value)
    if (mantissa !== 0n) sum += mantissa << BigInt(own - exponent)
  }
  return sum
}

function gridOf(values: readonly number[]): number {
  return Math.min(0, ...values.filter((value) => value !== 0).map((value) => decomposeDouble(value).exponent))
}

function placeNumbers(body: Body): number[] {
  const { kind, count, vertices, numbers } = body
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  const radius = numbers[RADIUS]
  const offset = numbers[OFFSET]
  if (kind === HALFPLANE) return [x, y, xLow, yLow, offset]
  return [x, y, xLow, yLow, radius, ...numbers.slice(vertices, vertices + 2 * count)]
}

function coreOf(grid: number, { count, vertices, numbers }: Body): Core {
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  const radius = numbers[RADIUS]
  const points = Array.from({ length: count }, (_, i) => ({
    x: on(grid, [x, xLow, numbers[vertices + 2 * i]]),
    y: on(grid, [y, yLow, numbers[vertices + 2 * i + 1]]),
  }))
  return { points, radius: on(grid, [radius]) }
}

const less = (p: Point, q: Point): Point => ({ x: p.x - q.x, y: p.y - q.y })
const dot = (p: Point, q: Point): bigint => p.x * q.x + p.y * q.y
const cross = (p: Point, q: Point): bigint => p.x * q.y - p.y * q.x
const greatestOf = (values: readonly bigint[]): bigint => -leastOf(values.map((value) => -value))

/** Outward normals, as long as the edges, of the edges and of a segment's ends. */
function facesOf({ points }: Core): { at: Point; normal: Point; isEnd: boolean }[] {
  const count = points.length
  if (count < 2) return []
  const faces = points.map((at, i) => {
    const edge = less(points[(i + 1) % count], at)
    return { at, normal: { x: edge.y, y: -edge.x }, isEnd: false }
  })
  if (count > 2) return faces
  const along = less(points[1], points[0])
  return [
    ...faces,
    { at: points[1], normal: along, isEnd: true },
    { at: points[0], normal: { x: -along.x, y: -along.y }, isEnd: true },
  ]
}

/** Square of the distance of two points, or of a point that stands over an edge from that, as a quotient. */
function squares(a: Core, b: Core): { over: bigint; under: bigint }[] {
  const found = a.points.flatMap((p) => b.points.map((q) => ({ over: dot(less(q, p), less(q, p)), under: 1n })))
  for (const [owner, other] of [
    [a, b],
    [b, a],
  ]) {
    const count = owner.points.length
    for (let i = 0; i < count && count > 1; i++) {
      const edge = less(owner.points[(i + 1) % count], owner.points[i])
      for (const point of other.points) {
        const q = less(point, owner.points[i])
        if (dot(edge, q) < 0n || dot(edge, q) > dot(edge, edge)) continue
        found.push({ over: cross(edge, q) ** 2n, under: dot(edge, edge) })
      }
    }
  }
  return found
}

/** The signed distance of two bodies without ellipses; null for half-planes that no translation separates. */
export function exactGap(a: Body, b: Body): Fixed {
  const grid = gridOf([...placeNumbers(a), ...placeNumbers(b)])
  if (a.kind === HALFPLANE) return exactGap(b, a)
  if (b.kind === HALFPLANE) return planeGap(grid, a, b)
  const first = coreOf(grid, a)
  const second = coreOf(grid, b)
  const fine = finenessOf([...first.points, ...second.points], first.radius + second.radius)
  const heights = [
    ...facesOf(first).map((face) => ({
      ...face,
      height: leastOf(second.points.map((q) => dot(face.normal, less(q, face.at)))),
    })),
    ...facesOf(second).map((face) => ({
      ...face,
      height: leastOf(first.points.map((q) => dot(face.normal, less(q, face.at)))),
    })),
  ]
  const radius = (first.radius + second.radius) << fine
  const isApart = heights.length === 0 || heights.some(({ height }) => height > 0n)
  const depths = heights.filter(({ isEnd }) => !isEnd)
  const core = isApart
    ? leastOf(squares(first, second).map(({ over, under }) => integerSqrt((over << (2n * fine)) / under)))
    : greatestOf(
        depths.map(({ height, normal }) => (height << (2n * fine)) / integerSqrt(dot(normal, normal) << (2n * fine))),
      )
  return { integer: core - radius, exponent: grid - Number(fine) }
}

function planeGap(grid: number, a: Body, plane: Body): Fixed {
  const normalGrid = gridOf([plane.numbers[NORMAL_X], plane.numbers[NORMAL_Y]])
  const normal = { x: on(normalGrid, [plane.numbers[NORMAL_X]]), y: on(normalGrid, [plane.numbers[NORMAL_Y]]) }
  const origin = {
    x: on(grid, [plane.numbers[X], plane.numbers[X_LOW]]),
    y: on(grid, [plane.numbers[Y], plane.numbers[Y_LOW]]),
  }
  const { points, radius } =
    a.kind === HALFPLANE
      ? {
          points: [{ x: on(grid, [a.numbers[X], a.numbers[X_LOW]]), y: on(grid, [a.numbers[Y], a.numbers[Y_LOW]]) }],
          radius: on(grid, [a.numbers[OFFSET]]),
        }
      : coreOf(grid, a)
  const level = on(grid, [plane.numbers[OFFSET]]) + radius
  const fine = finenessOf([...points, origin, normal], level)
  const length = integerSqrt(dot(normal, normal) << (4n * fine))
  const heights = points.map((p) => (dot(normal, less(p, origin)) << (3n * fine)) / length)
  return { integer: leastOf(heights) - (level << fine), exponent: grid - Number(fine) }
}

/** Bits that roots and quotients carry beyond the grid: nothing that cancels is left with fewer than a double holds. */
function finenessOf(points: readonly Point[], length: bigint): bigint {
  const most = Math.max(...points.flatMap(({ x, y }) => [bitLength(x), bitLength(y)]), bitLength(length))
  return BigInt(4 * most + 128)
}

/** How many units in the last place of itself `value` is away from the exact number. */
export function ulpsOff(value: number, { integer, exponent }: Fixed): number {
  if (!Number.isFinite(value)) return Infinity
  const { mantissa, exponent: own } = decomposeDouble(value)
  const common = Math.min(exponent, own)
  const off = abs((mantissa << BigInt(own - common)) - (integer << BigInt(exponent - common)))
  if (off === 0n) return 0
  // The unit of the exact number's own binade.
  const top = bitLengthOf(abs(integer)) + exponent
  const unit = Math.max(top - 53, -1074)
  const shift = unit - common
  const scaled = shift >= 20 ? off >> BigInt(shift - 20) : off << BigInt(20 - shift)
  return Number(scaled) / 2 ** 20
}

function bitLengthOf(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length
}

/** When two bodies begin and cease to touch, A moving at a velocity as seen from B: in its unit of time, from −∞ to ∞. */
export interface ExactSpan {
  enter: Fixed
  leave: Fixed
}

/** The velocity is the exact difference of the two given. Null where their paths do not cross, or graze. */
export function exactSpan(
  a: Body,
  b: Body,
  velocityA: readonly number[],
  velocityB: readonly number[],
): ExactSpan | null {
  const speedGrid = gridOf([...velocityA, ...velocityB])
  const w = {
    x: on(speedGrid, [velocityA[0], -velocityB[0]]),
    y: on(speedGrid, [velocityA[1], -velocityB[1]]),
  }
  const grid = gridOf([...placeNumbers(a), ...placeNumbers(b)])
  const exponent = grid - speedGrid
  if (a.kind === HALFPLANE) return exactSpan(b, a, velocityB, velocityA)
  const first = coreOf(grid, a)
  if (b.kind === HALFPLANE) return planeSpan(grid, exponent, first, b, w)
  const second = coreOf(grid, b)
  const radius = first.radius + second.radius
  const fine = 2n * finenessOf([...first.points, ...second.points, w], radius)
  const times = [
    ...discTimes(first, second, radius, w, fine),
    ...edgeTimes(second, first, radius, w, fine),
    ...edgeTimes(first, second, radius, { x: -w.x, y: -w.y }, fine),
  ]
  if (times.length === 0) return null
  const fixed = (integer: bigint): Fixed => ({ integer, exponent: exponent - Number(fine) })
  return { enter: fixed(leastOf(times)), leave: fixed(greatestOf(times)) }
}

/** When corners of `a`, moving at w, come to circles about corners of `b`. */
function discTimes(a: Core, b: Core, radius: bigint, w: Point, fine: bigint): bigint[] {
  const speed = dot(w, w)
  if (speed === 0n) return []
  return b.points.flatMap((center) =>
    a.points.flatMap((point) => {
      const q = less(point, center)
      const square = radius * radius * speed - cross(w, q) ** 2n
      if (square < 0n) return []
      const root = integerSqrt(square << (2n * fine))
      const middle = -dot(w, q) << fine
      return [(middle - root) / speed, (middle + root) / speed]
    }),
  )
}

/** When corners of `other`, moving at w, come to the edges of `owner`, moved out by the radius. */
function edgeTimes(owner: Core, other: Core, radius: bigint, w: Point, fine: bigint): bigint[] {
  const { points } = owner
  if (points.length < 2) return []
  return points.flatMap((at, i) => {
    const edge = less(points[(i + 1) % points.length], at)
    const slope = cross(w, edge)
    if (slope === 0n) return []
    const square = dot(edge, edge)
    const level = radius * integerSqrt(square << (2n * fine))
    return other.points.flatMap((point) => {
      const q = less(point, at)
      const time = (level - (cross(q, edge) << fine)) / slope
      const place = (dot(edge, q) << fine) + dot(edge, w) * time
      return place >= 0n && place <= square << fine ? [time] : []
    })
  })
}

function planeSpan(grid: number, exponent: number, core: Core, plane: Body, w: Point): ExactSpan | null {
  const normalGrid = gridOf([plane.numbers[NORMAL_X], plane.numbers[NORMAL_Y]])
  const normal = { x: on(normalGrid, [plane.numbers[NORMAL_X]]), y: on(normalGrid, [plane.numbers[NORMAL_Y]]) }
  const origin = {
    x: on(grid, [plane.numbers[X], plane.numbers[X_LOW]]),
    y: on(grid, [plane.numbers[Y], plane.numbers[Y_LOW]]),
  }
  const slope = dot(normal, w)
  if (slope === 0n) return null
  const level = on(grid, [plane.numbers[OFFSET]]) + core.radius
  const fine = 2n * finenessOf([...core.points, origin, normal, w], level)
  const heights = core.points.map((p) => dot(normal, less(p, origin)))
  const length = integerSqrt(dot(normal, normal) << (2n * fine))
  const integer = (level * length - (leastOf(heights) << fine)) / slope
  const at = { integer, exponent: exponent - Number(fine) }
  return { enter: at, leave: at }
}

/** Length of the way along (x, y) in the given time. */
export function wayOf({ integer, exponent }: Fixed, x: number, y: number): Fixed {
  const grid = gridOf([x, y])
  const d = { x: on(grid, [x]), y: on(grid, [y]) }
  const fine = finenessOf([d], 1n)
  const length = integerSqrt(dot(d, d) << (2n * fine))
  return { integer: integer * length, exponent: exponent + grid - Number(fine) }
}
