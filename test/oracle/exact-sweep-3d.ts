/**
 * When two hulls of points with integer coordinates meet while one of them moves, by the definition: the line of the motion is clipped by
 * the difference's half-spaces, which lie across two vectors between points of the sets, or across one and such a normal; all are tried,
 * in integers. Times are multiplied by 2^300.
 */
type Point = readonly [bigint, bigint, bigint]

const PLACES = 300n

export interface ExactSweep {
  enter: bigint
  leave: bigint
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Point, b: Point): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const ZERO: Point = [0n, 0n, 0n]
const isZero = (a: Point): boolean => a.every((x) => x === 0n)
const big = (p: readonly number[]): Point => [BigInt(p[0]), BigInt(p[1]), BigInt(p[2])]

/** Sign of a time against whole seconds. */
export function compareTimes(time: bigint, seconds: number): number {
  const whole = BigInt(seconds) << PLACES
  return time < whole ? -1 : time > whole ? 1 : 0
}

/** One vector of each direction there is. */
function directions(vectors: readonly Point[]): Point[] {
  const found = new Map<string, Point>()
  for (const v of vectors) {
    if (isZero(v)) continue
    const [x, y, z] = v.map((c) => (c < 0n ? -c : c))
    let common = x
    for (let rest of [y, z]) while (rest > 0n) [common, rest] = [rest, common % rest]
    const turned = (v.find((c) => c !== 0n) as bigint) < 0n
    const unit = v.map((c) => (turned ? -c : c) / common) as unknown as Point
    found.set(unit.join(), unit)
  }
  return [...found.values()]
}

const AXES: Point[] = [
  [1n, 0n, 0n],
  [0n, 1n, 0n],
  [0n, 0n, 1n],
]

function highest(points: readonly Point[], n: Point): bigint {
  let top = dot(n, points[0])
  for (const p of points) if (dot(n, p) > top) top = dot(n, p)
  return top
}

/** `b` counts from `place` at the start, and moves by `velocity` each second. Null where they never meet, before or after the start. */
export function exactSweep(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  place: readonly number[],
  velocity: readonly number[],
): ExactSweep | null {
  const first = a.map(big)
  const second = b.map(big)
  const edges = directions([first, second].flatMap((set) => set.flatMap((p) => set.map((q) => minus(p, q)))))
  const across = directions(edges.flatMap((u) => edges.map((v) => cross(u, v))))
  // What is flat, straight or a point is bounded across itself too.
  const isSolid = across.slice(1).some((m) => across.some((n) => dot(m, cross(across[0], n)) !== 0n))
  const beside = isSolid ? [] : directions([...across, ...AXES].flatMap((n) => edges.map((e) => cross(e, n))))
  const normals = [...across, ...(isSolid ? [] : AXES), ...beside]
  const v = big(velocity)
  const d = big(place)
  let enter = -(1n << 400n)
  let leave = 1n << 400n
  for (const normal of normals) {
    for (const n of [normal, minus(ZERO, normal)]) {
      // The way v·t lies in first − second − place: n·v·t ≤ the greatest height.
      const room = highest(first, n) + highest(second, minus(ZERO, n)) - dot(n, d)
      const rate = dot(n, v)
      if (rate === 0n) {
        if (room < 0n) return null
        continue
      }
      const time = (room << PLACES) / rate
      if (rate > 0n && time < leave) leave = time
      if (rate < 0n && time > enter) enter = time
    }
  }
  return enter > leave ? null : { enter, leave }
}
