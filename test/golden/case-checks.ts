/** Compares one answer of the service with what an exact case expects; every difference is one line. */
import type { ContactResponse } from '../../schemas/queries/contact.ts'
import type { DecomposeRequest, DecomposeResponse } from '../../schemas/queries/decompose.ts'
import type { DistanceResponse } from '../../schemas/queries/distance.ts'
import type { HullResponse } from '../../schemas/queries/hull.ts'
import type { MinkowskiResponse } from '../../schemas/queries/minkowski.ts'
import type { OverlapResponse } from '../../schemas/queries/overlap.ts'
import type { PairsResponse } from '../../schemas/queries/pairs.ts'
import type { RayCastResponse } from '../../schemas/queries/ray-cast.ts'
import type { TimeOfImpactResponse } from '../../schemas/queries/time-of-impact.ts'
import type { TrajectoryResponse } from '../../schemas/queries/trajectory.ts'
import type { RegionShape } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { partitionFaults } from '../oracle/exact-partition.ts'
import { type Expectation, type SharedCase, vector } from '../support/shared-cases.ts'

export type Complaints = string[]

function apart(p: Vec2, q: Vec2): number {
  return Math.hypot(p.x - q.x, p.y - q.y)
}

function compare(complaints: Complaints, name: string, got: unknown, expected: unknown): void {
  if (got !== expected) complaints.push(`${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`)
}

function compareNumber(complaints: Complaints, name: string, got: number, expected: number, tolerance: number): void {
  const error = Math.abs(got - expected)
  if (!(error <= tolerance)) complaints.push(`${name}: expected ${expected}, got ${got}, error ${error} > ${tolerance}`)
}

function comparePoint(complaints: Complaints, name: string, got: Vec2, expected: Vec2, tolerance: number): void {
  const error = apart(got, expected)
  if (!(error <= tolerance)) {
    complaints.push(`${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}, error ${error}`)
  }
}

function flipped({ x, y }: Vec2): Vec2 {
  return { x: -x, y: -y }
}

export function checkOverlap(given: SharedCase, answer: OverlapResponse): Complaints {
  const complaints: Complaints = []
  compare(complaints, 'overlap', answer.overlap, given.expect.overlap)
  compare(complaints, 'relation', answer.relation !== 'separated', given.expect.overlap)
  return complaints
}

export function checkDistance(given: SharedCase, answer: DistanceResponse, swapped: boolean): Complaints {
  const complaints: Complaints = []
  const { distance, pA, pB } = given.expect
  const tolerance = given.tol.distance ?? 0
  compareNumber(complaints, 'distance', answer.distance, distance as number, tolerance)
  compare(complaints, 'distance is zero', answer.distance === 0, distance === 0)
  compare(complaints, 'normal is null', answer.normal === null, distance === 0)
  const onA = swapped ? answer.pointB : answer.pointA
  const onB = swapped ? answer.pointA : answer.pointB
  if (pA) comparePoint(complaints, 'point on a', onA, vector(pA), given.tol.point ?? 0)
  if (pB) comparePoint(complaints, 'point on b', onB, vector(pB), given.tol.point ?? 0)
  compareNumber(complaints, 'length between the points', apart(onA, onB), answer.distance, 2 * tolerance)
  return complaints
}

export function checkContact(given: SharedCase, answer: ContactResponse, swapped: boolean): Complaints {
  const complaints: Complaints = []
  const { touching, depth } = given.expect
  // null: no translation separates the pair.
  const separation = answer.separation ?? Number.NEGATIVE_INFINITY
  compare(complaints, 'touching', answer.touching, touching)
  compare(complaints, 'sign of separation', separation <= 0, touching)
  if (depth !== undefined) {
    compareNumber(complaints, 'depth', -separation, depth, given.tol.depth ?? 0)
    const { translation } = answer
    if (translation === null) complaints.push('translation: null')
    else {
      const length = Math.hypot(translation.x, translation.y)
      compareNumber(complaints, 'length of translation', length, depth, given.tol.depth ?? 0)
    }
  }
  if (answer.points.length > 2) complaints.push(`${answer.points.length} contact points`)
  if (touching && answer.points.length === 0) complaints.push('touching without a contact point')
  checkNormal(complaints, given.expect, answer.normal && swapped ? flipped(answer.normal) : answer.normal, given.tol)
  return complaints
}

function checkNormal(complaints: Complaints, expect: Expectation, normal: Vec2 | null, tol: { normal?: number }): void {
  const tolerance = tol.normal ?? 0
  if (normal !== null) compareNumber(complaints, 'length of normal', Math.hypot(normal.x, normal.y), 1, 1e-12)
  if (expect.normal) {
    if (normal === null) complaints.push('normal: null')
    else comparePoint(complaints, 'normal', normal, vector(expect.normal), tolerance)
  } else if (expect.normals) {
    const fits = normal !== null && expect.normals.some((n) => apart(normal, vector(n)) <= tolerance)
    if (!fits)
      complaints.push(`normal: expected one of ${JSON.stringify(expect.normals)}, got ${JSON.stringify(normal)}`)
  } else if (expect.normalArc) {
    const fits = normal !== null && inArc(normal, vector(expect.normalArc[0]), vector(expect.normalArc[1]), tolerance)
    if (!fits) complaints.push(`normal: not in ${JSON.stringify(expect.normalArc)}: ${JSON.stringify(normal)}`)
  }
}

/** On the counter-clockwise way from the first direction to the second. */
function inArc(n: Vec2, from: Vec2, to: Vec2, tolerance: number): boolean {
  if (apart(n, from) <= tolerance || apart(n, to) <= tolerance) return true
  const angle = (v: Vec2): number => {
    const turn = Math.atan2(from.x * v.y - from.y * v.x, from.x * v.x + from.y * v.y)
    return turn < 0 ? turn + 2 * Math.PI : turn
  }
  return angle(n) <= angle(to)
}

export function checkRay(given: SharedCase, answer: RayCastResponse): Complaints {
  const complaints: Complaints = []
  const { hit, distance, point, normal, inside, exitDistance } = given.expect
  compare(complaints, 'hit', answer.hits.length === 1, hit)
  const first = answer.hits[0]
  if (!hit || first === undefined) return complaints
  compare(complaints, 'target', first.target, 0)
  compareNumber(complaints, 'distance', first.distance, distance as number, given.tol.distance ?? 0)
  if (point) comparePoint(complaints, 'point', first.point, vector(point), given.tol.point ?? 0)
  if (inside !== undefined) compare(complaints, 'startedInside', first.startedInside, inside)
  if (first.startedInside) {
    compare(complaints, 'distance of an inside start', first.distance, 0)
    compare(complaints, 'normal of an inside start', first.normal, null)
  }
  if (normal) checkNormal(complaints, { normal }, first.normal, given.tol)
  if (exitDistance !== undefined) {
    if (first.exit === null) complaints.push(`exit: expected at ${exitDistance}, got null`)
    else compareNumber(complaints, 'exit', first.exit.distance, exitDistance, given.tol.exitDistance ?? 0)
  }
  const { origin, direction } = given.ray
  const along = { x: origin.x + first.fraction * direction.x, y: origin.y + first.fraction * direction.y }
  comparePoint(complaints, 'origin + fraction · direction', along, first.point, 2 * (given.tol.point ?? 0))
  return complaints
}

export function checkSweep(given: SharedCase, answer: TimeOfImpactResponse, swapped: boolean): Complaints {
  const complaints: Complaints = []
  const { expect, tags, tol, maxTime } = given
  compare(complaints, 'hit', answer.hit, expect.hit)
  compare(complaints, 'status', answer.status, 'converged')
  const { time, fraction, exitTime } = answer
  if (!expect.hit || time === null) return complaints
  compareNumber(complaints, 'time', time, expect.time as number, tol.time ?? 0)
  compareNumber(complaints, 'fraction', fraction as number, time / maxTime, 1e-15)
  const touching = tags.includes('initial-touching')
  const started = touching || tags.includes('initial-overlap')
  compare(complaints, 'startedOverlapping', answer.startedOverlapping, started)
  if (started) compare(complaints, 'time of a start together', time, 0)
  checkNormal(complaints, expect, answer.normal && swapped ? flipped(answer.normal) : answer.normal, tol)
  if (expect.exitTime !== undefined) {
    if (exitTime === null) complaints.push(`exitTime: expected ${expect.exitTime}, got null`)
    else compareNumber(complaints, 'exitTime', exitTime, expect.exitTime, tol.exitTime ?? 0)
  } else if (!tags.includes('rotating') && !tags.includes('grazing') && !touching) {
    compare(complaints, 'exitTime', exitTime, null)
  }
  return complaints
}

export function checkTrajectory(given: SharedCase, answer: TrajectoryResponse): Complaints {
  const complaints: Complaints = []
  const { expect, tol, duration } = given
  const bounces = expect.bounces ?? []
  compare(complaints, 'status', answer.status, 'completed')
  compare(complaints, 'bounces', answer.bounces.length, bounces.length)
  bounces.slice(0, answer.bounces.length).forEach(({ time, obstacle, normal, point }, i) => {
    const bounce = answer.bounces[i]
    compare(complaints, `obstacle of bounce ${i}`, bounce.obstacle, obstacle)
    compareNumber(complaints, `time of bounce ${i}`, bounce.time, time, tol.time ?? 0)
    comparePoint(complaints, `normal of bounce ${i}`, bounce.normal, vector(normal), tol.normal ?? 0)
    // Faces that meet along a stretch have no single point.
    if (point) comparePoint(complaints, `point of bounce ${i}`, bounce.point, vector(point), tol.point ?? 0)
  })
  compareNumber(complaints, 'end', answer.end.time, duration, 0)
  if (expect.position)
    comparePoint(complaints, 'position', answer.end.position, vector(expect.position), tol.position ?? 0)
  if (expect.velocity)
    comparePoint(complaints, 'velocity', answer.end.velocity, vector(expect.velocity), tol.velocity ?? 0)
  return complaints
}

export function checkPairs(given: SharedCase, answer: PairsResponse): Complaints {
  const complaints: Complaints = []
  compare(complaints, 'truncated', answer.truncated, false)
  compare(complaints, 'pairs', JSON.stringify(answer.pairs), JSON.stringify(given.expect.pairs))
  return complaints
}

export function checkHull(given: SharedCase, answer: HullResponse): Complaints {
  return checkRing('hull', answer.vertices, (given.expect.hull ?? []).map(vector), 0)
}

export function checkMinkowski(given: SharedCase, answer: MinkowskiResponse): Complaints {
  const complaints = checkRing('sum', answer.vertices, (given.expect.polygon ?? []).map(vector), given.tol.point ?? 0)
  compare(complaints, 'radius', answer.radius, 0)
  return complaints
}

/** Pieces of exact methods are held against the region itself, in integers. */
export function checkDecompose(
  given: SharedCase,
  answer: DecomposeResponse,
  { method, maxPieces = 0 }: Pick<DecomposeRequest, 'method' | 'maxPieces'>,
): Complaints {
  const complaints: Complaints = []
  const { outer, holes = [] } = given.a.shape as RegionShape
  const { pieces, area, error } = answer
  const tolerance = given.tol.area ?? 0
  const areaOf = (ring: readonly Vec2[]): number =>
    ring.reduce((sum, p, i) => {
      const q = ring[(i + 1) % ring.length]
      return sum + ((p.x - outer[0].x) * (q.y - outer[0].y) - (p.y - outer[0].y) * (q.x - outer[0].x)) / 2
    }, 0)
  const total = pieces.reduce((sum, piece) => sum + areaOf(piece), 0)
  compareNumber(complaints, 'area', area, given.expect.area as number, tolerance)
  compareNumber(complaints, 'area of the pieces less the error', total - error, given.expect.area as number, tolerance)
  if (error === 0) complaints.push(...partitionFaults([outer, ...holes], pieces))
  if (method !== 'approximate') compare(complaints, 'error', error, 0)
  else if (pieces.length > maxPieces) complaints.push(`${pieces.length} pieces of at most ${maxPieces}`)
  return complaints
}

/** The same corners in the same order, from any of them on. */
function checkRing(name: string, got: readonly Vec2[], expected: readonly Vec2[], tolerance: number): Complaints {
  const complaints: Complaints = []
  compare(complaints, `corners of ${name}`, got.length, expected.length)
  const fits = expected.some((_, shift) =>
    expected.every((_, i) => apart(got[i] ?? { x: NaN, y: NaN }, expected[(i + shift) % expected.length]) <= tolerance),
  )
  if (!fits) complaints.push(`${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`)
  return complaints
}
