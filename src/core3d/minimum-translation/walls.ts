/**
 * The walls of a pair of convex bodies: planes of translations of the second. Behind all of them the two may overlap; on or beyond any
 * one they do not.
 *
 * Method: what is forbidden is the inside of the Minkowski difference A − B, whose faces have their normals where the Gauss maps of A and
 * −B have nodes or cross (`shape/gauss-map.ts`). Bodies with a skin or a curve have walls without number, of which some are made.
 * Frame: world axes; a translation is counted from where the second body stands.
 */

import { spend } from '../../containers/budget.ts'
import { sumOfFour } from '../../numeric/expansion.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import {
  ANCHOR,
  type Body,
  CONE,
  CYLINDER,
  cross,
  dot,
  HALFSPACE,
  isBare,
  OFFSET,
  POSITION,
  RADIUS,
  ROTATION,
  UNIT,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { type GaussArc, gaussMap, reflected, visitCrossings } from '../shape/gauss-map.ts'
import { kindOf } from '../shape/kinds.ts'
import { SAME_WALL_RATIO, WALL_COUNT } from './tolerances.ts'

/** x · t ≥ height for the unit vector x. */
export interface Wall {
  normal: Vector
  height: number
}

export interface Walls {
  walls: Wall[]
  /** Whether what lies behind them all is forbidden. */
  isWhole: boolean
}

/** The six axes, the diagonals of their planes and those of space. */
const ROUND_WAYS: readonly Vector[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) =>
    [-1, 0, 1].flatMap((z): Vector[] => {
      const length = Math.sqrt(x * x + y * y + z * z)
      return length > 0 ? [[x / length, y / length, z / length]] : []
    }),
  ),
)

const AXIS_WAYS = ROUND_WAYS.filter(([x, y, z]) => Math.abs(x) + Math.abs(y) + Math.abs(z) === 1)

/** The body B moves, and has bounds. */
export function wallsOf(a: Body, b: Body): Walls {
  if (a.kind === HALFSPACE) return { walls: [wallAlong(a, b, unitOf(a))], isWhole: true }
  const isFlat = isBare(a) && isBare(b)
  const ways = isFlat && a.isBox && b.isBox && a.aligned && b.aligned ? AXIS_WAYS : faceWays(a, b)
  const isWhole = isFlat && ways !== null
  const known: Vector[] = []
  for (const way of [...(ways ?? []), ...(isWhole ? [] : ROUND_WAYS)]) addWay(known, way)
  return { walls: known.map((way) => wallAlong(a, b, way)), isWhole }
}

/** The wall across a unit vector. */
export function wallAlong(a: Body, b: Body, normal: Vector): Wall {
  const reach = reachAlong(a, normal) + reachAlong(b, [-normal[0], -normal[1], -normal[2]])
  const apart = [0, 1, 2].map((k) =>
    sumOfFour(a.numbers[POSITION + k], a.numbers[ANCHOR + k], -b.numbers[POSITION + k], -b.numbers[ANCHOR + k]),
  )
  return { normal, height: dot(apart as unknown as Vector, normal) + reach }
}

const top = new Float64Array(3)

/** From its anchor. */
function reachAlong(body: Body, [x, y, z]: Vector): number {
  const { kind, numbers } = body
  if (kind === HALFSPACE) return numbers[OFFSET]
  spend(1 + (body.count >> 2))
  top.fill(0)
  kindOf(body).support(body, x, y, z, top)
  return top[0] * x + top[1] * y + top[2] * z + numbers[RADIUS]
}

function unitOf({ numbers }: Body): Vector {
  return [numbers[UNIT], numbers[UNIT + 1], numbers[UNIT + 2]]
}

function addWay(known: Vector[], way: Vector): void {
  spend(1 + (known.length >> 3))
  const isNew = known.every((other) => other.some((x, k) => Math.abs(x - way[k]) > SAME_WALL_RATIO))
  if (isNew) known.push(way)
}

/** Across the faces of A − B and some more; null where they are very many. */
function faceWays(a: Body, b: Body): Vector[] | null {
  const mapA = gaussMap(a)
  const mapB = reflected(gaussMap(b))
  const ways = [...mapA.nodes, ...mapB.nodes].map(({ direction }) => direction)
  ways.push(...flatWays(a, 1), ...flatWays(b, -1))
  if (ways.length > WALL_COUNT || mapA.arcs.length * mapB.arcs.length > WALL_COUNT * WALL_COUNT) return null
  const isFew = visitCrossings(mapA.arcs, mapB.arcs, (arcA, arcB) => {
    const way = crossingOf(a, arcA, b, arcB)
    if (way !== null) ways.push(way)
    return ways.length <= WALL_COUNT
  })
  return isFew ? ways : null
}

/** Where two arcs cross: at right angles to both edges. Null where these are parallel. */
function crossingOf(a: Body, arcA: GaussArc, b: Body, arcB: GaussArc): Vector | null {
  const [x, y, z] = cross(edgeOf(a, arcA), edgeOf(b, arcB))
  const length = vectorLength3d(x, y, z)
  if (!(length > 0)) return null
  const { from, to } = arcA
  // It lies on the arc, which is no longer than a quarter of a circle.
  const side = dot([x, y, z], [from[0] + to[0], from[1] + to[1], from[2] + to[2]]) < 0 ? -length : length
  return [x / side + 0, y / side + 0, z / side + 0]
}

/** The unit vector along the edge. */
function edgeOf({ numbers }: Body, { i, j }: GaussArc): Vector {
  const at = (k: number): number => numbers[VERTICES + 3 * j + k] - numbers[VERTICES + 3 * i + k]
  const length = vectorLength3d(at(0), at(1), at(2))
  return [at(0) / length, at(1) / length, at(2) / length]
}

/** Out of the flat sides of a cylinder or a cone; of B against them. */
function flatWays({ kind, numbers }: Body, side: 1 | -1): Vector[] {
  if (kind !== CYLINDER && kind !== CONE) return []
  const axis = (sign: number): Vector => [
    sign * numbers[ROTATION + 1] + 0,
    sign * numbers[ROTATION + 4] + 0,
    sign * numbers[ROTATION + 7] + 0,
  ]
  return kind === CYLINDER ? [axis(1), axis(-1)] : [axis(-side)]
}
