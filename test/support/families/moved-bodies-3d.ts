/**
 * Bodies in space put elsewhere without rounding anything: mirrored and with their axes exchanged, scaled by powers of two, moved as
 * far as that is exact, and described as other shapes. What is true of a body is true of each of them.
 */
import type { CaseBody, CaseShape, Triple } from '../convex-cases-3d.ts'

type Quaternion = [number, number, number, number]

const AXES = ['x', 'y', 'z'] as const
const INDICES = [0, 1, 2] as const
const ORDERS: Triple[] = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
]

/** Component k of what it makes of a vector is sign[k] times component order[k]. */
export interface Turn {
  order: Triple
  sign: Triple
  /** −1 where it mirrors. */
  determinant: number
}

/** All 48 turns and mirrorings that take axes to axes. */
export const TURNS: Turn[] = ORDERS.flatMap((order, i) =>
  Array.from({ length: 8 }, (_, bits) => {
    const sign = INDICES.map((k) => ((bits >> k) & 1 ? -1 : 1)) as Triple
    return { order, sign, determinant: (i < 3 ? 1 : -1) * sign[0] * sign[1] * sign[2] }
  }),
)

export function turned({ order, sign }: Turn, vector: readonly number[]): Triple {
  return INDICES.map((k) => sign[k] * vector[order[k]]) as Triple
}

function product(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a
  const [bx, by, bz, bw] = b
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ]
}

function mapVectors(shape: CaseShape, map: (vector: Triple) => Triple): CaseShape {
  const mapped = { ...shape }
  for (const name of ['a', 'b', 'c', 'normal', 'min', 'max'] as const) {
    const vector = shape[name]
    if (vector !== undefined) mapped[name] = map(vector)
  }
  if (shape.points !== undefined) mapped.points = shape.points.map(map)
  return mapped
}

/** The body after the turn. */
export function turnBody(turn: Turn, { shape, position, orientation }: CaseBody): CaseBody {
  const { order, sign, determinant } = turn
  const mapped = mapVectors(shape, (vector) => turned(turn, vector))
  const lengths = (vector: Triple): Triple => INDICES.map((k) => vector[order[k]]) as Triple
  if (shape.size !== undefined) mapped.size = lengths(shape.size)
  if (shape.radii !== undefined) mapped.radii = lengths(shape.radii)
  const { min, max } = mapped
  if (min !== undefined && max !== undefined) {
    mapped.min = INDICES.map((k) => Math.min(min[k], max[k])) as Triple
    mapped.max = INDICES.map((k) => Math.max(min[k], max[k])) as Triple
  }
  const [x, y, z, w] = orientation ?? [0, 0, 0, 1]
  const [tx, ty, tz] = turned(turn, [x, y, z])
  let quaternion: Quaternion = [determinant * tx, determinant * ty, determinant * tz, w]
  if (shape.type === 'cylinder' || shape.type === 'cone') {
    const k = order.indexOf(AXES.indexOf(shape.axis ?? 'y'))
    mapped.axis = AXES[k]!
    if (shape.type === 'cone' && sign[k]! < 0) {
      const half: Quaternion = [0, 0, 0, 0]
      half[(k + 1) % 3] = 1
      quaternion = product(quaternion, half)
    }
  }
  const isTurned = quaternion.some((component, k) => component !== (k === 3 ? 1 : 0))
  return { shape: mapped, position: turned(turn, position), orientation: isTurned ? quaternion : undefined }
}

/** The body times a power of two. */
export function scaleBody({ shape, position, orientation }: CaseBody, factor: number): CaseBody {
  const times = (vector: Triple): Triple => vector.map((x) => x * factor) as Triple
  const scaled = mapVectors(shape, times)
  // A half-space's normal is a direction.
  if (shape.normal !== undefined) scaled.normal = shape.normal
  for (const name of ['size', 'radii'] as const) if (shape[name] !== undefined) scaled[name] = times(shape[name])
  for (const name of ['radius', 'height', 'offset'] as const) {
    const length = shape[name]
    if (length !== undefined) scaled[name] = length * factor
  }
  return { shape: scaled, position: times(position), orientation }
}

/** The sum, or null where it is no triple of doubles. */
export function exactSum(vector: readonly number[], by: readonly number[]): Triple | null {
  const sum = vector.map((x, k) => x + by[k]) as Triple
  const isExact = vector.every((x, k) => {
    const part = sum[k] - x
    return x - (sum[k] - part) + (by[k] - part) === 0 && Number.isFinite(sum[k])
  })
  return isExact ? sum : null
}

/** The body moved, or null where that would round. */
export function moveBody(body: CaseBody, by: readonly number[]): CaseBody | null {
  const position = exactSum(body.position, by)
  return position === null ? null : { ...body, position }
}

function cornersOf(min: readonly number[], max: readonly number[]): Triple[] {
  return Array.from({ length: 8 }, (_, bits) => INDICES.map((k) => ((bits >> k) & 1 ? max : min)[k]) as Triple)
}

/** The same set by other shapes, and with its position moved into them where that is exact. */
export function otherwise(body: CaseBody): CaseBody[] {
  const { shape } = body
  const { a, b, c, size, min, max, radius } = shape
  const as = (other: CaseShape): CaseBody => ({ ...body, shape: other })
  const hull = (points: Triple[]): CaseBody => as({ type: 'hull', points, ...(radius !== undefined && { radius }) })
  const others: CaseBody[] = []
  if (shape.type === 'point') others.push(hull([[0, 0, 0]]))
  if (shape.type === 'segment') others.push(hull([b!, a!]))
  if (shape.type === 'capsule') others.push(hull([a!, b!, a!]))
  if (shape.type === 'triangle') others.push(hull([c!, a!, b!]))
  if (shape.type === 'box')
    others.push(
      hull(
        cornersOf(
          size!.map((x) => -x / 2),
          size!.map((x) => x / 2),
        ),
      ),
    )
  if (shape.type === 'aabb') others.push(hull(cornersOf(min!, max!)))
  if (shape.type === 'sphere') {
    others.push(hull([[0, 0, 0]]), as({ type: 'capsule', a: [0, 0, 0], b: [0, 0, 0], radius: radius! }))
    if (radius! > 0) others.push(as({ type: 'ellipsoid', radii: [radius!, radius!, radius!] }))
  }
  const inside = body.orientation === undefined ? movedInside(body) : null
  return inside === null ? others : [...others, inside]
}

function movedInside({ shape, position }: CaseBody): CaseBody | null {
  const vectors = [shape.a, shape.b, shape.c, shape.min, shape.max, ...(shape.points ?? [])].filter(
    (v) => v !== undefined,
  )
  const isExact = vectors.length > 0 && vectors.every((vector) => exactSum(vector, position) !== null)
  return isExact ? { shape: mapVectors(shape, (vector) => exactSum(vector, position)!), position: [0, 0, 0] } : null
}
