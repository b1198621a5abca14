/**
 * A plane that cuts bodies: its frame, the side of it on which a vertex lies, and where it cuts an edge.
 *
 * Method: a vertex that lies in the plane counts as above it, as if the plane were a hair lower (H. Edelsbrunner, E. Mücke, "Simulation of
 * simplicity", 1990): each edge is cut once or not at all, and faces in the plane need no rule of their own. The sign of a height comes from
 * doubles with a bound on their error, then from numbers of two doubles, then from exact arithmetic: n·x − offset·|n| has a root, so the
 * sign is that of a sum with one. The place of a cut is interpolated in numbers of two doubles from the end that is nearer to the plane,
 * and rounded once: the order of the ends does not matter.
 * Frame: world. A vertex is position + vertex, taken exactly. Coordinates in the plane count from the foot of the world's origin.
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, includeInput, signOfRootSum } from '../../numeric/exact-ring.ts'
import { EXACT_STEP_COUNT, UNDERFLOW_LENGTH } from '../../numeric/roundoff.ts'
import { evenExponent, scaleBy, vectorLength3d } from '../../numeric/safe-range.ts'
import {
  putAlong,
  putDot,
  putExactDifference,
  putQuotient,
  putRoot,
  putSum,
  VECTOR_SIZE,
} from '../../numeric/twofold.ts'
import { createBody, cross, NORMAL, setPose, UNIT, type Vector } from '../shape/body.ts'
import { setHalfspace } from '../shape/shapes.ts'
import { PLANE_HEIGHT_ERROR_RATIO, TWOFOLD_HEIGHT_ERROR_RATIO } from '../tolerances.ts'

// Slots of numbers of two doubles.
const AXIS_X = 0
const AXIS_Y = AXIS_X + VECTOR_SIZE
const NORMAL_AXIS = AXIS_Y + VECTOR_SIZE
const POINT = NORMAL_AXIS + VECTOR_SIZE
/** The coordinates of the origin along the three axes. */
const ORIGIN = POINT + VECTOR_SIZE
/** Coordinates of both ends of an edge in the plane's frame, height last. */
const ENDS = ORIGIN + VECTOR_SIZE
const WORK = ENDS + 2 * VECTOR_SIZE
const SLOT_COUNT = WORK + 4

const halfspace = createBody()

export class CuttingPlane {
  /** Unit vectors, rounded, at right angles, right-handed in this order; of planes across an axis they are axes of the world. */
  readonly x: Vector
  readonly y: Vector
  readonly normal: Vector
  /** The point of the plane nearest to the world's origin, rounded. */
  readonly origin: Vector
  readonly #given: Vector
  readonly #offset: number
  readonly #slots = new Float64Array(SLOT_COUNT)

  /** All points with n·x = offset for the unit normal n along `normal`, which is not 0. */
  constructor(normal: Vector, offset: number) {
    setPose(halfspace, { position: [0, 0, 0] })
    setHalfspace(halfspace, normal, offset)
    const { numbers } = halfspace
    this.#given = [numbers[NORMAL], numbers[NORMAL + 1], numbers[NORMAL + 2]]
    this.#offset = offset
    this.normal = [numbers[UNIT], numbers[UNIT + 1], numbers[UNIT + 2]]
    this.x = firstAxis(this.normal)
    this.y = unit(cross(this.normal, this.x))
    this.origin = [this.normal[0] * offset, this.normal[1] * offset, this.normal[2] * offset]
    const r = this.#slots
    // Only its direction counts, and squares of small numbers would be lost.
    const exponent = evenExponent(Math.max(...this.#given.map(Math.abs)))
    for (let k = 0; k < 3; k++) {
      r[AXIS_X + 2 * k] = this.x[k]
      r[AXIS_Y + 2 * k] = this.y[k]
      r[NORMAL_AXIS + 2 * k] = scaleBy(this.#given[k], -exponent)
      r[POINT + 2 * k] = this.origin[k]
    }
    putDot(r, WORK, NORMAL_AXIS, NORMAL_AXIS)
    putRoot(r, WORK, WORK)
    for (let k = 0; k < VECTOR_SIZE; k += 2) putQuotient(r, NORMAL_AXIS + k, NORMAL_AXIS + k, WORK)
    putDot(r, ORIGIN, AXIS_X, POINT)
    putDot(r, ORIGIN + 2, AXIS_Y, POINT)
    r[ORIGIN + 4] = offset
  }

  /** Whether position + vertex, which begins at `at` in the points, lies above the plane or in it. */
  isAbove(position: ArrayLike<number>, points: ArrayLike<number>, at: number): boolean {
    const [nx, ny, nz] = this.normal
    const x = position[0] + points[at]
    const y = position[1] + points[at + 1]
    const z = position[2] + points[at + 2]
    const height = nx * x + ny * y + nz * z - this.#offset
    const size =
      Math.abs(nx) * (Math.abs(position[0]) + Math.abs(points[at])) +
      Math.abs(ny) * (Math.abs(position[1]) + Math.abs(points[at + 1])) +
      Math.abs(nz) * (Math.abs(position[2]) + Math.abs(points[at + 2])) +
      Math.abs(this.#offset)
    if (Math.abs(height) > PLANE_HEIGHT_ERROR_RATIO * size + UNDERFLOW_LENGTH) return height > 0
    spend(2)
    this.#project(position, points, at, ENDS)
    const close = this.#slots[ENDS + 4]
    if (Math.abs(close) > TWOFOLD_HEIGHT_ERROR_RATIO * size + UNDERFLOW_LENGTH) return close > 0
    return this.#isAboveExactly(position, points, at)
  }

  #isAboveExactly(position: ArrayLike<number>, points: ArrayLike<number>, at: number): boolean {
    spend(EXACT_STEP_COUNT)
    const range = createInputRange()
    includeInput(range, this.#offset)
    for (let k = 0; k < 3; k++) {
      includeInput(range, this.#given[k])
      includeInput(range, position[k])
      includeInput(range, points[at + k])
    }
    const side = exactly(range, 4, (ring) => {
      const { of, add, sub, mul, integer } = ring
      let height = integer(0)
      let square = integer(0)
      for (let k = 0; k < 3; k++) {
        const n = of(this.#given[k])
        height = add(height, mul(n, add(of(position[k]), of(points[at + k]))))
        square = add(square, mul(n, n))
      }
      return signOfRootSum(ring, height, sub(integer(0), of(this.#offset)), square)
    })
    return side >= 0
  }

  /** Writes x, y and height of position + vertex, in the plane's frame, to slots. */
  #project(position: ArrayLike<number>, points: ArrayLike<number>, at: number, out: number): void {
    const r = this.#slots
    for (let k = 0; k < 3; k++) putExactDifference(r, POINT + 2 * k, position[k], -points[at + k])
    putDot(r, out, AXIS_X, POINT)
    putDot(r, out + 2, AXIS_Y, POINT)
    putDot(r, out + 4, NORMAL_AXIS, POINT)
    for (let k = 0; k < VECTOR_SIZE; k += 2) putSum(r, out + k, out + k, ORIGIN + k, -1)
  }

  /** Writes x, y and height of position + vertex, each rounded once. */
  project(position: ArrayLike<number>, points: ArrayLike<number>, at: number, out: Float64Array): void {
    this.#project(position, points, at, ENDS)
    for (let k = 0; k < 3; k++) out[k] = this.#slots[ENDS + 2 * k]
  }

  /** Writes x and y of the cut through an edge, given where its ends begin in the points: `above` is above the plane, `below` is not. */
  cutEdge(
    position: ArrayLike<number>,
    points: ArrayLike<number>,
    above: number,
    below: number,
    out: number[],
    to: number,
  ): void {
    spend(16)
    const r = this.#slots
    this.#project(position, points, above, ENDS)
    this.#project(position, points, below, ENDS + VECTOR_SIZE)
    const isAboveNear = Math.abs(r[ENDS + 4]) <= Math.abs(r[ENDS + VECTOR_SIZE + 4])
    const near = isAboveNear ? ENDS : ENDS + VECTOR_SIZE
    const far = isAboveNear ? ENDS + VECTOR_SIZE : ENDS
    const height = isAboveNear ? r[near + 4] : -r[near + 4]
    // Heights that even two doubles leave open are as good as 0.
    if (height > 0) {
      putSum(r, WORK, near + 4, far + 4, -1)
      putQuotient(r, WORK, near + 4, WORK)
      for (let k = 0; k < 4; k += 2) {
        putSum(r, WORK + 2, far + k, near + k, -1)
        putAlong(r, near + k, near + k, WORK, WORK + 2)
      }
    }
    out[to] = r[near]
    out[to + 1] = r[near + 2]
  }
}

/** Near the axis of the world that follows the one nearest to the normal; the same for both directions of the normal. */
function firstAxis(normal: Vector): Vector {
  const sizes = normal.map(Math.abs)
  const along = sizes.indexOf(Math.max(...sizes))
  const next = (along + 1) % 3
  const part = (k: number) => (k === next ? 1 : 0) - normal[k] * normal[next]
  return unit([part(0), part(1), part(2)])
}

function unit([x, y, z]: Vector): Vector {
  const length = vectorLength3d(x, y, z)
  return [x / length, y / length, z / length]
}
