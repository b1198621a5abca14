/**
 * Where a line with integer origin and direction lies in a body with integer numbers, by the definition.
 *
 * A hull is what all half-spaces hold that touch its points along three of them, along an edge across such a plane, or across an edge:
 * all are tried, in integers. Cylinders, cones and ellipsoids have roots, which are taken to 300 binary places; two numbers that agree to
 * 200 of them are equal, for roots of such small equations do not come nearer to each other.
 */
type Point = readonly [bigint, bigint, bigint]

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Point, b: Point): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const isZero = (a: Point): boolean => a.every((x) => x === 0n)
const AXES: Point[] = [
  [1n, 0n, 0n],
  [0n, 1n, 0n],
  [0n, 0n, 1n],
]

export const bigPoint = (p: readonly number[]): Point => [BigInt(p[0]), BigInt(p[1]), BigInt(p[2])]

const PLACES = 300n
const ONE = 1n << PLACES
const NEAR = 1n << 100n

/** Parameters of the line, times 2^300, rounded. */
export interface Stretch {
  enter: bigint
  leave: bigint
}

/** Sign of a − b. */
export function compare(a: bigint, b: bigint): -1 | 0 | 1 {
  const difference = a - b
  if (difference < NEAR && difference > -NEAR) return 0
  return difference < 0n ? -1 : 1
}

export function rootOf(value: bigint): bigint {
  if (value <= 0n) return 0n
  let x = 1n << (BigInt(value.toString(2).length + 1) / 2n)
  for (;;) {
    const next = (x + value / x) / 2n
    if (next >= x) return x
    x = next
  }
}

/** |direction| times 2^300. */
export const lengthOf = (direction: Point): bigint => rootOf(dot(direction, direction) << (2n * PLACES))

/** a · b of numbers times 2^300. */
export const times = (a: bigint, b: bigint): bigint => (a * b) >> PLACES

export const placesOf = (value: number): bigint => BigInt(Math.round(value * 1024)) << (PLACES - 10n)

export const toNumber = (value: bigint): number => Number(value >> (PLACES - 60n)) / 2 ** 60

/** Cuts off what is not height + slope·t ≤ 0; false where nothing is left of it. */
function cut(stretch: Stretch, height: bigint, slope: bigint): boolean {
  if (slope === 0n) return height <= 0n
  const t = (-height * ONE) / slope
  if (slope < 0n && t > stretch.enter) stretch.enter = t
  if (slope > 0n && t < stretch.leave) stretch.leave = t
  return true
}

const ALL = (): Stretch => ({ enter: -(1n << 400n), leave: 1n << 400n })

function highest(points: readonly Point[], n: Point): bigint {
  let top = dot(n, points[0])
  for (const p of points) if (dot(n, p) > top) top = dot(n, p)
  return top
}

export function hullStretch(points: readonly Point[], origin: Point, direction: Point): Stretch | null {
  const edges = points.flatMap((p, i) => points.slice(0, i).map((q) => minus(p, q))).filter((e) => !isZero(e))
  const planes = edges.flatMap((e, i) => edges.slice(0, i).map((f) => cross(e, f))).filter((n) => !isZero(n))
  const isFlat = planes.every((n) => isZero(cross(n, planes[0])))
  const across = isFlat ? planes.slice(0, 1).flatMap((n) => edges.map((e) => cross(e, n))) : []
  const along =
    planes.length > 0
      ? []
      : [...edges.slice(0, 1), ...edges.slice(0, 1).flatMap((e) => AXES.map((axis) => cross(e, axis)))]
  const ends = edges.length > 0 ? [] : AXES
  const stretch = ALL()
  for (const normal of [...planes, ...across, ...along, ...ends]) {
    for (const n of [normal, minus([0n, 0n, 0n], normal)]) {
      if (!cut(stretch, dot(n, origin) - highest(points, n), dot(n, direction))) return null
    }
  }
  return compare(stretch.enter, stretch.leave) > 0 ? null : stretch
}

/** Cuts off what is not a·t² + 2·b·t + c ≤ 0, a > 0. */
function cutRound(stretch: Stretch, a: bigint, b: bigint, c: bigint): boolean {
  const square = b * b - a * c
  if (square < 0n) return false
  const root = rootOf(square << (2n * PLACES))
  const low = (-b * ONE - root) / a
  const high = (-b * ONE + root) / a
  if (low > stretch.enter) stretch.enter = low
  if (high < stretch.leave) stretch.leave = high
  return true
}

export function ellipsoidStretch(radii: Point, origin: Point, direction: Point): Stretch | null {
  const weights = radii.map((_, k) => radii.reduce((product, r, j) => (j === k ? product : product * r * r), 1n))
  const form = (p: Point, q: Point): bigint => weights.reduce((sum, w, k) => sum + w * p[k] * q[k], 0n)
  const stretch = ALL()
  const constant = form(origin, origin) - (radii[0] * radii[1] * radii[2]) ** 2n
  return cutRound(stretch, form(direction, direction), form(origin, direction), constant) ? stretch : null
}

/** About the y axis, from −half to half. */
export function cylinderStretch(radius: bigint, half: bigint, origin: Point, direction: Point): Stretch | null {
  const stretch = ALL()
  if (!cut(stretch, origin[1] - half, direction[1]) || !cut(stretch, -origin[1] - half, -direction[1])) return null
  const flat = (p: Point, q: Point): bigint => p[0] * q[0] + p[2] * q[2]
  const constant = flat(origin, origin) - radius * radius
  const square = flat(direction, direction)
  if (square === 0n ? constant > 0n : !cutRound(stretch, square, flat(origin, direction), constant)) return null
  return compare(stretch.enter, stretch.leave) > 0 ? null : stretch
}

/**
 * The same of a cone with its apex at half: its distance from the side, 2·half·√(x² + z²) − radius·(half − y), is convex along the line, so
 * it is negative between two ends that halving finds on either side of its least value.
 */
export function coneStretch(radius: bigint, half: bigint, origin: Point, direction: Point): Stretch | null {
  const stretch = ALL()
  if (!cut(stretch, origin[1] - half, direction[1]) || !cut(stretch, -origin[1] - half, -direction[1])) return null
  const widest = 1n << (PLACES + 8n)
  const low = stretch.enter < -widest ? -widest : stretch.enter
  const high = stretch.leave > widest ? widest : stretch.leave
  if (compare(low, high) > 0) return null
  const heightAt = (t: bigint): bigint => {
    const [x, y, z] = origin.map((o, k) => o * ONE + t * direction[k])
    return 2n * half * rootOf(x * x + z * z) - radius * (half * ONE - y)
  }
  let left = low
  let right = high
  while (right - left > 4n) {
    const third = (right - left) / 3n
    if (heightAt(left + third) <= heightAt(right - third)) right -= third
    else left += third
  }
  const bottom = [left, (left + right) / 2n, right, low, high].reduce((a, b) => (heightAt(a) <= heightAt(b) ? a : b))
  if (compare(heightAt(bottom), 0n) > 0) return null
  const end = (outside: bigint): bigint => {
    if (compare(heightAt(outside), 0n) <= 0) return outside
    let far = outside
    let near = bottom
    while (far - near > 1n || near - far > 1n) {
      const middle = (far + near) / 2n
      if (heightAt(middle) > 0n) far = middle
      else near = middle
    }
    return near
  }
  return { enter: end(low), leave: end(high) }
}
