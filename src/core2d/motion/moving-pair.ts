/**
 * Two convex bodies on their way, seen from the first one's pivot: what the sweeps with spin work on.
 *
 * `setSpinSweep` cuts the time down to the span in which the discs about the two pivots meet, moves the origin of time
 * and place there, and measures time by a clock on which the faster spin is one radian per unit, so that no product of a
 * speed, a spin and a time overflows. `poseSpinSweep` stands both bodies at a moment of the clock, turned from their given
 * orientation in one step, so that no error adds up.
 * Frame: world axes, origin at A's pivot, which is at rest; B's pivot is at (dx, dy). The pivot of a body that does not
 * spin is its own anchor, wherever the caller's pivot is: the bounds on its motion are then as tight as they can be.
 */

import { spend } from '../../containers/budget.ts'
import { productError } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { rootOfProduct, vectorLength } from '../../numeric/safe-range.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  copyRun,
  createBody,
  HALFPLANE,
  isCurved,
  LOCAL,
  OFFSET,
  RADIUS,
  REACH,
  reservePoints,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { isMovedBySpin, type Motion, turnBody } from '../shape/motion.ts'
import { LEAST_SPIN, SEPARATION_ERROR_RATIO } from '../tolerances.ts'

/** Steps of standing two bodies at a moment, their vertices not counted. */
const POSE_STEPS = 4

export interface Mover {
  /** The body as given. */
  body: Body
  /** As it stands at the moment of the last `poseSpinSweep`: its position is the anchor, so vertices and `local` are one array. */
  posed: Body
  /** Angular velocity: radians per second, and per unit of the clock. 0 where turning changes nothing. */
  omega: number
  spin: number
  /** Anchor from the pivot, as given and as posed. */
  armX: number
  armY: number
  turnedX: number
  turnedY: number
  /** How far it has turned from the given orientation at the last `poseSpinSweep`. */
  angle: number
  /** Distances of the core points from the pivot, and the greatest: the skin not counted. An ellipse's reach is its tip's. */
  far: Float64Array
  reach: number
}

export interface SpinSweep {
  a: Mover
  b: Mover
  /** Clock units per second, the time at the clock's zero, and the clock at the end of the span. */
  rate: number
  start: number
  end: number
  /** B's pivot at the clock's zero, its velocity per clock unit, and where it stands at the last `poseSpinSweep`. */
  originX: number
  originY: number
  vx: number
  vy: number
  speed: number
  dx: number
  dy: number
  /** How much rounding scatters the places of the bodies: at the clock's zero, and what each unit of the clock adds. */
  doubt: number
  doubtRate: number
  /** The given start of the time asked about was cut off: at the clock's zero the discs only just meet. */
  cut: boolean
  /** The end was cut off: there the discs part. */
  discsPart: boolean
}

function createMover(): Mover {
  return {
    body: createBody(),
    posed: createBody(),
    omega: 0,
    spin: 0,
    armX: 0,
    armY: 0,
    turnedX: 0,
    turnedY: 0,
    angle: 0,
    far: new Float64Array(8),
    reach: 0,
  }
}

export function createSpinSweep(): SpinSweep {
  return {
    a: createMover(),
    b: createMover(),
    rate: 1,
    start: 0,
    end: 0,
    originX: 0,
    originY: 0,
    vx: 0,
    vy: 0,
    speed: 0,
    dx: 0,
    dy: 0,
    doubt: 0,
    doubtRate: 0,
    cut: false,
    discsPart: false,
  }
}

/**
 * Prepares `sweep` for the times [from, to]; false when the discs about the pivots do not meet in it. The pivots are the
 * bodies themselves, or the composites whose leaves they are. Cost O(vertices).
 */
export function setSpinSweep(
  sweep: SpinSweep,
  a: Body,
  motionA: Motion,
  pivotA: Body,
  b: Body,
  motionB: Motion,
  pivotB: Body,
  from: number,
  to: number,
): boolean {
  setMover(sweep.a, a, motionA, pivotA)
  setMover(sweep.b, b, motionB, pivotB)
  const moverA = sweep.a
  const moverB = sweep.b
  const fastest = Math.max(Math.abs(moverA.omega), Math.abs(moverB.omega))
  const rate = fastest > LEAST_SPIN ? fastest : 1
  sweep.rate = rate
  moverA.spin = moverA.omega / rate
  moverB.spin = moverB.omega / rate
  const vx = motionB.vx - motionA.vx
  const vy = motionB.vy - motionA.vy
  sweep.vx = vx / rate
  sweep.vy = vy / rate
  sweep.speed = vectorLength(sweep.vx, sweep.vy)
  const x =
    b.numbers[X] -
    a.numbers[X] +
    (b.numbers[X_LOW] - a.numbers[X_LOW]) +
    (b.numbers[ANCHOR_X] - a.numbers[ANCHOR_X]) -
    moverB.armX +
    moverA.armX
  const y =
    b.numbers[Y] -
    a.numbers[Y] +
    (b.numbers[Y_LOW] - a.numbers[Y_LOW]) +
    (b.numbers[ANCHOR_Y] - a.numbers[ANCHOR_Y]) -
    moverB.armY +
    moverA.armY
  if (!cutSpan(sweep, x, y, vx, vy, from, to)) return false
  share(moverA)
  share(moverB)
  const turnA = Math.abs(moverA.omega * sweep.start) * moverA.reach
  const turnB = Math.abs(moverB.omega * sweep.start) * moverB.reach
  sweep.doubt = 2 * UNIT_ROUNDOFF * (Math.abs(sweep.originX) + Math.abs(sweep.originY) + turnA + turnB)
  sweep.doubtRate =
    2 * UNIT_ROUNDOFF * (sweep.speed + Math.abs(moverA.spin) * moverA.reach + Math.abs(moverB.spin) * moverB.reach)
  return true
}

/** Bound on how fast two points of the pair move against each other, per unit of the clock. */
export function motionBound({ a, b, speed }: SpinSweep): number {
  return (
    speed +
    Math.abs(a.spin) * (a.reach + a.body.numbers[RADIUS]) +
    Math.abs(b.spin) * (b.reach + b.body.numbers[RADIUS])
  )
}

/** Sets start, end and origin. `vx`, `vy` per second. */
function cutSpan(sweep: SpinSweep, x: number, y: number, vx: number, vy: number, from: number, to: number): boolean {
  const { a, b } = sweep
  sweep.start = from
  sweep.cut = false
  sweep.discsPart = false
  sweep.originX = x + vx * from
  sweep.originY = y + vy * from
  let last = to
  if (a.body.kind !== HALFPLANE && b.body.kind !== HALFPLANE) {
    if (!setDiscSpan(x, y, vx, vy, a.reach + b.reach + a.body.numbers[RADIUS] + b.body.numbers[RADIUS], span))
      return false
    const { enter, leave } = span
    if (leave < to) {
      last = leave
      sweep.discsPart = true
    }
    if (enter > from) {
      sweep.start = enter
      sweep.cut = true
      sweep.originX = span.x
      sweep.originY = span.y
    }
  }
  if (vx === 0 && vy === 0) {
    const whole = from + period(a.omega, b.omega)
    if (whole < last) {
      last = whole
      sweep.discsPart = false
    }
  }
  sweep.end = (last - sweep.start) * sweep.rate
  return sweep.end >= 0
}

/** When two discs meet; infinite where they always have, or always will. */
interface DiscSpan {
  enter: number
  leave: number
  /** Centre of the second from the first at `enter`; not set when that is infinite. */
  x: number
  y: number
}

export function createDiscSpan(): DiscSpan {
  return { enter: 0, leave: 0, x: 0, y: 0 }
}

const span = createDiscSpan()

/**
 * When a point that starts at (x, y) and moves at (vx, vy) is within `radius` of the origin, give or take rounding, which
 * only ever lengthens the span. False when it never is.
 */
export function setDiscSpan(x: number, y: number, vx: number, vy: number, radius: number, out: DiscSpan): boolean {
  const padded = radius * (1 + SEPARATION_ERROR_RATIO) + SEPARATION_ERROR_RATIO * (Math.abs(x) + Math.abs(y))
  const speed = vectorLength(vx, vy)
  out.enter = -Infinity
  out.leave = Infinity
  if (speed === 0) return vectorLength(x, y) <= padded
  const ux = vx / speed
  const uy = vy / speed
  const along = x * ux + y * uy
  const first = x * vy
  const second = y * vx
  const across = (first - second + (productError(x, vy, first) - productError(y, vx, second) || 0)) / speed
  const room = padded - Math.abs(across)
  if (room < 0) return false
  const half = rootOfProduct(room, padded + Math.abs(across))
  out.enter = (-along - half) / speed
  out.leave = (half - along) / speed
  out.x = across * uy - half * ux
  out.y = -across * ux - half * uy
  return true
}

/** After how many seconds two spinning bodies stand as they stood, if they do not travel; Infinity when that is far off. */
export function period(omegaA: number, omegaB: number): number {
  const slow = Math.min(Math.abs(omegaA), Math.abs(omegaB))
  const fast = Math.max(Math.abs(omegaA), Math.abs(omegaB))
  const turn = 2 * Math.PI * (1 + SEPARATION_ERROR_RATIO)
  if (slow === 0) return turn / fast
  return Number.isInteger(fast / slow) ? turn / slow : Infinity
}

function setMover(mover: Mover, body: Body, motion: Motion, pivot: Body): void {
  mover.body = body
  let armX = body.numbers[X] - pivot.numbers[X] + (body.numbers[X_LOW] - pivot.numbers[X_LOW]) + body.numbers[ANCHOR_X]
  let armY = body.numbers[Y] - pivot.numbers[Y] + (body.numbers[Y_LOW] - pivot.numbers[Y_LOW]) + body.numbers[ANCHOR_Y]
  const omega = isMovedBySpin(body, pivot) ? motion.spin : 0
  if (omega === 0) {
    armX = 0
    armY = 0
  }
  mover.omega = omega
  mover.armX = armX
  mover.armY = armY
  mover.turnedX = armX
  mover.turnedY = armY
  const { count, numbers } = body
  if (mover.far.length < count) {
    const capacity = 2 ** Math.ceil(Math.log2(count))
    mover.far = new Float64Array(capacity)
  }
  const { far } = mover
  let reach = 0
  for (let i = 0; i < count; i++) {
    const distance = vectorLength(armX + numbers[LOCAL + 2 * i], armY + numbers[LOCAL + 2 * i + 1])
    far[i] = distance
    if (distance > reach) reach = distance
  }
  if (isCurved(body)) reach = vectorLength(armX, armY) + body.numbers[REACH]
  else if (body.kind === HALFPLANE) reach = vectorLength(armX, armY)
  mover.reach = reach
}

/** Gives `posed` everything of the body that turning does not change; its core points count from the anchor. */
function share({ body, posed, omega }: Mover): void {
  const { numbers, normals, offsets, count } = body
  reservePoints(posed, Math.max(count, 1))
  posed.kind = body.kind
  posed.count = count
  posed.vertices = LOCAL
  posed.vertexFeatures = body.vertexFeatures
  posed.edgeFeatures = body.edgeFeatures
  posed.ownsNames = false
  const to = posed.numbers
  copyRun(numbers, RADIUS, to, RADIUS, LOCAL - RADIUS)
  if (count === 0) {
    copyRun(numbers, LOCAL, to, LOCAL, OFFSET + 1 - LOCAL)
    return
  }
  copyRun(numbers, offsets, to, posed.offsets, count)
  if (omega !== 0) return
  copyRun(numbers, LOCAL, to, LOCAL, 2 * count)
  copyRun(numbers, normals, to, posed.normals, 2 * count)
}

/** Stands both bodies at moment `clock`. Cost O(vertices) for a body that spins. */
export function poseSpinSweep(sweep: SpinSweep, clock: number): void {
  const { a, b } = sweep
  spend(POSE_STEPS + a.body.count + b.body.count)
  sweep.dx = sweep.originX + sweep.vx * clock
  sweep.dy = sweep.originY + sweep.vy * clock
  a.angle = a.omega * sweep.start + a.spin * clock
  b.angle = b.omega * sweep.start + b.spin * clock
  turnMover(a)
  turnMover(b)
  a.posed.numbers[X] = a.turnedX
  a.posed.numbers[Y] = a.turnedY
  b.posed.numbers[X] = sweep.dx + b.turnedX
  b.posed.numbers[Y] = sweep.dy + b.turnedY
}

function turnMover(mover: Mover): void {
  const { body, posed, omega, angle, armX, armY } = mover
  // Its pivot is the anchor then.
  if (omega === 0) return
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  mover.turnedX = cos * armX - sin * armY
  mover.turnedY = sin * armX + cos * armY
  turnBody(body, cos, sin, posed)
}
