/**
 * The part of a body that faces a direction, as a function of that direction: a corner, an edge, a face; a rim, a line of a side, or
 * a surface that is curved both ways.
 *
 * A point of the part is a base, which may move as the direction turns, and as many steps along as the part has straight
 * directions, each at right angles to the direction that it faces. Several parts may do for directions that are known to a few
 * digits only; they are tried one after the other.
 * Frame: world axes, from the body's anchor; directions are unit vectors that lead out of the body. Without the skin.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength, vectorLength3d } from '../../numeric/safe-range.ts'
import { type Body, CONE, ELLIPSOID, LENGTHS, POINTS, REACH, ROTATION } from '../shape/body.ts'
import { topPoint } from '../shape/kinds.ts'
import { CONTACT_SLACK_RATIO, FACING_LEAN_RATIO, FACING_MARGIN_RATIOS } from '../tolerances.ts'

/** A corner, or what lies flat or straight: its base stands still. */
const FIXED = 0
/** A circle, or lines from one circle to another. */
const RIM = 1
/** Lines from an apex to a circle. */
export const RULED = 2
/** An ellipsoid. */
const ROUND = 3

export interface Facing {
  form: 0 | 1 | 2 | 3
  /** The fixed point: a corner, the middle of a circle, an apex. */
  base: Float64Array
  /** Of circles. */
  axis: Float64Array
  radius: number
  /** Of cones, along the axis. */
  height: number
  /** Of ellipsoids: the symmetric matrix that leads from directions to farthest points, xx, yy, zz, xy, xz, yz. */
  matrix: Float64Array
  /** How many straight directions there are, these, and how far along each the point lies. */
  count: 0 | 1 | 2
  along: Float64Array
  steps: Float64Array
  /** Greatest step of one direction, or in a disc; negative where corners say it. */
  most: number
  /** Corners of a flat face, in order. */
  ring: readonly number[]
  /** Set by `placeFacing`: the point, the unit vector from the axis to it, and what directions are divided by. */
  point: Float64Array
  radial: Float64Array
  under: number
}

export function createFacing(): Facing {
  return {
    form: FIXED,
    base: new Float64Array(3),
    axis: new Float64Array(3),
    radius: 0,
    height: 0,
    matrix: new Float64Array(6),
    count: 0,
    along: new Float64Array(6),
    steps: new Float64Array(2),
    most: 0,
    ring: NONE,
    point: new Float64Array(3),
    radial: new Float64Array(3),
    under: 1,
  }
}

const NONE: readonly number[] = []

/**
 * Sets the part number `choice` that may face the direction; false where there are no more. `near`: a point near the one wanted;
 * `lean`: sine of the angle up to which a flat or straight part of a curved body may be off.
 */
export function setFacing(
  body: Body,
  x: number,
  y: number,
  z: number,
  choice: number,
  near: Float64Array,
  out: Facing,
  lean = FACING_LEAN_RATIO,
): boolean {
  out.count = 0
  out.ring = NONE
  out.steps[0] = 0
  out.steps[1] = 0
  const { kind } = body
  if (kind === POINTS) return setPointsFacing(body, x, y, z, choice, near, out)
  if (kind === ELLIPSOID) {
    if (choice > 0) return false
    setRound(body, out)
    return true
  }
  return setTurnedFacing(body, x, y, z, choice, near, lean, out)
}

function setRound({ numbers }: Body, out: Facing): void {
  out.form = ROUND
  const r = ROTATION
  const a = numbers[LENGTHS] * numbers[LENGTHS]
  const b = numbers[LENGTHS + 1] * numbers[LENGTHS + 1]
  const c = numbers[LENGTHS + 2] * numbers[LENGTHS + 2]
  const entry = (i: number, j: number): number =>
    a * numbers[r + i] * numbers[r + j] +
    b * numbers[r + i + 1] * numbers[r + j + 1] +
    c * numbers[r + i + 2] * numbers[r + j + 2]
  out.matrix[0] = entry(0, 0)
  out.matrix[1] = entry(3, 3)
  out.matrix[2] = entry(6, 6)
  out.matrix[3] = entry(0, 3)
  out.matrix[4] = entry(0, 6)
  out.matrix[5] = entry(3, 6)
}

/** Of cylinders and cones: what is flat or straight first, then what it ends at. */
function setTurnedFacing(
  body: Body,
  x: number,
  y: number,
  z: number,
  choice: number,
  near: Float64Array,
  lean: number,
  out: Facing,
): boolean {
  const { numbers, kind } = body
  const { axis } = out
  for (let k = 0; k < 3; k++) axis[k] = numbers[ROTATION + 3 * k + 1]
  const radius = numbers[LENGTHS]
  const half = numbers[LENGTHS + 1]
  const up = x * axis[0] + y * axis[1] + z * axis[2]
  const flat = vectorLength3d(x - up * axis[0], y - up * axis[1], z - up * axis[2])
  out.radius = radius
  out.height = 2 * half
  const isCone = kind === CONE && half > 0
  const end = isCone || up < 0 ? -half : half
  const isCap = flat < lean && radius > 0 && (!isCone || up < 0)
  const steep = isCone ? (2 * half * up - radius * flat) / vectorLength(2 * half, radius) : up
  const isSide = half > 0 && Math.abs(steep) < lean
  if (choice === 0 && isCap) setCap(end, near, out)
  else if (choice === 0 && isSide) setSide(isCone, half, near, out)
  else if (choice > (isSide ? 2 : isCap ? 1 : 0)) return false
  else {
    // Of a side that nearly faces the direction, either end may.
    const isOther = choice === 2
    if (isCone && steep > 0 !== isOther) setCorner(half, out)
    else {
      out.form = RIM
      setOnAxis(out, isOther && !isCone ? -end : end)
    }
  }
  return true
}

function setOnAxis({ base, axis }: Facing, height: number): void {
  for (let k = 0; k < 3; k++) base[k] = height * axis[k]
}

function setCorner(height: number, out: Facing): void {
  out.form = FIXED
  setOnAxis(out, height)
}

function setCap(height: number, near: Float64Array, out: Facing): void {
  out.form = FIXED
  setOnAxis(out, height)
  const { axis } = out
  putAcross(axis[0], axis[1], axis[2], out.along)
  out.count = 2
  out.most = out.radius
  stepTo(out, near)
}

function setSide(isCone: boolean, half: number, near: Float64Array, out: Facing): void {
  const { axis, along, base } = out
  out.count = 1
  if (isCone) {
    out.form = RULED
    setOnAxis(out, half)
    out.most = vectorLength(2 * half, out.radius)
    out.steps[0] = Math.min(vectorLength3d(near[0] - base[0], near[1] - base[1], near[2] - base[2]), out.most)
    return
  }
  out.form = RIM
  setOnAxis(out, -half)
  for (let k = 0; k < 3; k++) along[k] = axis[k]
  out.most = 2 * half
  stepTo(out, near)
}

/** Two vectors of unit length at right angles to a third and to each other. */
export function putAcross(x: number, y: number, z: number, out: Float64Array): void {
  const isFlat = Math.abs(x) < Math.abs(y)
  const length = isFlat ? Math.sqrt(y * y + z * z) : Math.sqrt(x * x + z * z)
  const ax = isFlat ? 0 : -z / length
  const ay = isFlat ? z / length : 0
  const az = isFlat ? -y / length : x / length
  out[0] = ax
  out[1] = ay
  out[2] = az
  out[3] = y * az - z * ay
  out[4] = z * ax - x * az
  out[5] = x * ay - y * ax
}

/** Steps as near as can be to a point. */
function stepTo({ base, along, steps, count, most }: Facing, near: Float64Array): void {
  for (let i = 0; i < count; i++) {
    let step = 0
    for (let k = 0; k < 3; k++) step += along[3 * i + k] * (near[k] - base[k])
    steps[i] = most < 0 ? step : Math.max(count === 1 ? 0 : -most, Math.min(most, step))
  }
}

function setPointsFacing(
  body: Body,
  x: number,
  y: number,
  z: number,
  choice: number,
  near: Float64Array,
  out: Facing,
): boolean {
  const { numbers, count } = body
  out.form = FIXED
  if (count === 1 || choice === FACING_MARGIN_RATIOS.length) {
    if (count === 1 && choice > 0) return false
    setVertex(body, topPoint(body, x, y, z), out)
    return true
  }
  if (choice > FACING_MARGIN_RATIOS.length) return false
  const margin = FACING_MARGIN_RATIOS[choice] * numbers[REACH]
  const found = findTop(body, x, y, z, margin)
  if (found <= 2) {
    setVertex(body, top, out)
    if (found === 2) setEdge(body, next, near, out)
    return true
  }
  const ring = contactRing(body, x, y, z, margin)
  setVertex(body, ring[0], out)
  if (ring.length === 2) setEdge(body, ring[1], near, out)
  else if (ring.length > 2) setFace(body, ring, near, out)
  return true
}

/** Sets the corner, edge or face of a body of core points that a search along the direction has ended at: these core points. */
export function setCornersFacing(
  body: Body,
  corners: Int32Array,
  x: number,
  y: number,
  z: number,
  near: Float64Array,
  out: Facing,
): void {
  out.form = FIXED
  out.count = 0
  out.ring = NONE
  out.steps[0] = 0
  out.steps[1] = 0
  const i = corners[0]
  const j = corners[1]
  const k = corners[2]
  const other = j !== i ? j : k
  const isFace = i !== j && i !== k && j !== k
  const ring = !isFace
    ? NONE
    : body.isBox
      ? boxRing(i, j, k)
      : contactRing(body, x, y, z, FACING_MARGIN_RATIOS[0] * body.numbers[REACH])
  setVertex(body, ring.length > 2 ? ring[0] : i, out)
  if (ring.length > 2) setFace(body, ring, near, out)
  else if (other !== i) setEdge(body, other, near, out)
}

/** The face of a box with these three corners; none where they share none. */
function boxRing(i: number, j: number, k: number): readonly number[] {
  const shared = 7 & ~(i ^ j) & ~(i ^ k)
  return BOX_RINGS[2 * shared + ((i & shared) === 0 ? 0 : 1)]
}

/** By the bits that the corners of a face share, those at 0 first: all of its corners. */
const BOX_RINGS: readonly (readonly number[])[] = [
  NONE,
  NONE,
  [0, 2, 6, 4],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  NONE,
  NONE,
  [0, 1, 3, 2],
  [4, 5, 7, 6],
]

/** Whether the part and no other faces the direction, by more than `lean`, and its point lies inside it by more than `margin`. */
export function isClearFacing(
  body: Body,
  facing: Facing,
  x: number,
  y: number,
  z: number,
  lean: number,
  margin: number,
): boolean {
  const { kind, numbers } = body
  const { count, steps, most, ring, axis, form } = facing
  if (count === 1 && !(steps[0] > margin && steps[0] < most - margin)) return false
  if (count === 2 && ring.length === 0 && !(vectorLength(steps[0], steps[1]) < most - margin)) return false
  if (kind === POINTS) {
    const size = count === 0 ? 1 : count === 1 ? 2 : ring.length
    return (
      countTop(body, x, y, z, lean * numbers[REACH]) === size && (count < 2 || isInRing(body, facing, margin, true))
    )
  }
  if (kind === ELLIPSOID || count > 0) return true
  const up = x * axis[0] + y * axis[1] + z * axis[2]
  const flat = vectorLength3d(x - up * axis[0], y - up * axis[1], z - up * axis[2])
  if (!(kind === CONE && numbers[LENGTHS + 1] > 0)) return Math.abs(up) > lean && flat > lean
  const steep = (facing.height * up - facing.radius * flat) / vectorLength(facing.height, facing.radius)
  return form === RIM ? steep < -lean && flat > lean : steep > lean
}

function countTop({ numbers, local, count }: Body, x: number, y: number, z: number, margin: number): number {
  let top = -Infinity
  for (let i = 0, at = local; i < count; i++, at += 3) {
    top = Math.max(top, numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z)
  }
  let found = 0
  for (let i = 0, at = local; i < count; i++, at += 3) {
    if (numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z >= top - margin) found++
  }
  return found
}

/** The two farthest core points that `findTop` has found. */
let top = 0
let next = 0

/** How many core points are farthest along the direction to within `margin`, and the first two. */
function findTop(body: Body, x: number, y: number, z: number, margin: number): number {
  const { numbers, local, count } = body
  top = topPoint(body, x, y, z)
  const from = local + 3 * top
  const least = numbers[from] * x + numbers[from + 1] * y + numbers[from + 2] * z - margin
  let found = 1
  let at = local
  for (let i = 0; i < count; i++) {
    if (i !== top && numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z >= least) {
      next = i
      if (++found > 2) return found
    }
    at += 3
  }
  return found
}

/** The edge from the base to a core point. */
function setEdge({ numbers, local }: Body, end: number, near: Float64Array, out: Facing): void {
  const { base, along } = out
  const to = local + 3 * end
  const ex = numbers[to] - base[0]
  const ey = numbers[to + 1] - base[1]
  const ez = numbers[to + 2] - base[2]
  const length = vectorLength3d(ex, ey, ez)
  if (!(length > 0)) return
  out.count = 1
  out.most = length
  along[0] = ex / length
  along[1] = ey / length
  along[2] = ez / length
  stepTo(out, near)
}

function setVertex({ numbers, local }: Body, i: number, out: Facing): void {
  for (let k = 0; k < 3; k++) out.base[k] = numbers[local + 3 * i + k]
}

/** The plane of the largest triangle from the first corner, with those corners that lie in it: beside it another face may lie nearly level. */
function setFace({ numbers, local }: Body, ring: readonly number[], near: Float64Array, out: Facing): void {
  spend(ring.length)
  const corner = (i: number, k: number): number => numbers[local + 3 * ring[i] + k] - out.base[k]
  let best = 0
  let second = 0
  let nx = 0
  let ny = 0
  let nz = 0
  for (let i = 1; i + 1 < ring.length; i++) {
    const x = corner(i, 1) * corner(i + 1, 2) - corner(i, 2) * corner(i + 1, 1)
    const y = corner(i, 2) * corner(i + 1, 0) - corner(i, 0) * corner(i + 1, 2)
    const z = corner(i, 0) * corner(i + 1, 1) - corner(i, 1) * corner(i + 1, 0)
    const area = vectorLength3d(x, y, z)
    if (!(area > best)) continue
    best = area
    second = i
    nx = x / area
    ny = y / area
    nz = z / area
  }
  if (best === 0) return
  const slack = CONTACT_SLACK_RATIO * numbers[REACH]
  // The normal of a sliver is off by more than that, but its corners lie in its plane.
  const isLevel = (_: number, i: number): boolean =>
    i === 0 ||
    i === second ||
    i === second + 1 ||
    Math.abs(corner(i, 0) * nx + corner(i, 1) * ny + corner(i, 2) * nz) <= slack
  putAcross(nx, ny, nz, out.along)
  out.count = 2
  out.ring = ring.every(isLevel) ? ring : ring.filter(isLevel)
  out.most = -1
  stepTo(out, near)
}

/** Sets the point of the part that faces the direction. */
export function placeFacing(facing: Facing, x: number, y: number, z: number): void {
  const { form, base, count, along, steps, point } = facing
  if (form === ROUND) {
    putProduct(facing.matrix, x, y, z, point)
    const under = Math.sqrt(point[0] * x + point[1] * y + point[2] * z)
    facing.under = under
    point[0] /= under
    point[1] /= under
    point[2] /= under
    return
  }
  let px = base[0]
  let py = base[1]
  let pz = base[2]
  if (form !== FIXED) {
    const { axis, radial, radius } = facing
    putPartAcross(axis, x, y, z, radial)
    const under = vectorLength3d(radial[0], radial[1], radial[2])
    facing.under = under
    radial[0] /= under
    radial[1] /= under
    radial[2] /= under
    if (form === RIM) {
      px += radius * radial[0]
      py += radius * radial[1]
      pz += radius * radial[2]
    } else {
      const { height } = facing
      const length = vectorLength(height, radius)
      for (let k = 0; k < 3; k++) along[k] = (radius * radial[k] - height * axis[k]) / length
    }
  }
  for (let i = 0; i < count; i++) {
    const step = steps[i]
    px += step * along[3 * i]
    py += step * along[3 * i + 1]
    pz += step * along[3 * i + 2]
  }
  point[0] = px
  point[1] = py
  point[2] = pz
}

/** How the point moves as the direction turns towards a vector across it. */
export function turnFacing(facing: Facing, x: number, y: number, z: number, out: Float64Array): void {
  const { form, point, radial, under } = facing
  if (form === FIXED) {
    out[0] = 0
    out[1] = 0
    out[2] = 0
    return
  }
  let from = point
  let share = 1 / under
  if (form === ROUND) putProduct(facing.matrix, x, y, z, out)
  else {
    putPartAcross(facing.axis, x, y, z, out)
    from = radial
    share *=
      form === RIM ? facing.radius : (facing.steps[0] * facing.radius) / vectorLength(facing.height, facing.radius)
  }
  const along = from[0] * x + from[1] * y + from[2] * z
  out[0] = (out[0] - along * from[0]) * share
  out[1] = (out[1] - along * from[1]) * share
  out[2] = (out[2] - along * from[2]) * share
}

/** A symmetric matrix, as `Facing` has it, times a vector. */
function putProduct(matrix: Float64Array, x: number, y: number, z: number, out: Float64Array): void {
  out[0] = matrix[0] * x + matrix[3] * y + matrix[4] * z
  out[1] = matrix[3] * x + matrix[1] * y + matrix[5] * z
  out[2] = matrix[4] * x + matrix[5] * y + matrix[2] * z
}

/** The part of a vector that is at right angles to an axis. */
function putPartAcross(axis: Float64Array, x: number, y: number, z: number, out: Float64Array): void {
  const up = x * axis[0] + y * axis[1] + z * axis[2]
  out[0] = x - up * axis[0]
  out[1] = y - up * axis[1]
  out[2] = z - up * axis[2]
}

/** Whether the point lies in the part, or beyond its end by no more than `margin`; by so little it is brought back. */
export function isInFacing(body: Body, facing: Facing, margin: number): boolean {
  const { count, steps, most, ring } = facing
  if (count === 0) return true
  if (count === 1) {
    if (!(steps[0] >= -margin && steps[0] <= most + margin)) return false
    steps[0] = Math.max(0, Math.min(most, steps[0]))
    return true
  }
  if (ring.length === 0) {
    const far = vectorLength(steps[0], steps[1])
    if (!(far <= most + margin)) return false
    for (let i = 0; i < 2; i++) if (far > most) steps[i] *= most / far
    return true
  }
  return isInRing(body, facing, margin)
}

/** Whether the point lies within all sides of the face, or beyond them by no more than `margin`; `isClear`: within them by more than that. */
function isInRing(
  { numbers, local }: Body,
  { ring, base, along, steps }: Facing,
  margin: number,
  isClear = false,
): boolean {
  const place = (i: number, axis: 0 | 1): number => {
    const at = local + 3 * ring[i]
    const to = 3 * axis
    return (
      along[to] * (numbers[at] - base[0]) +
      along[to + 1] * (numbers[at + 1] - base[1]) +
      along[to + 2] * (numbers[at + 2] - base[2])
    )
  }
  // Seen in these directions, the ring runs counter-clockwise.
  for (let i = 0; i < ring.length; i++) {
    const j = i + 1 === ring.length ? 0 : i + 1
    const ex = place(j, 0) - place(i, 0)
    const ey = place(j, 1) - place(i, 1)
    const turn = ex * (steps[1] - place(i, 1)) - ey * (steps[0] - place(i, 0))
    const slack = margin * vectorLength(ex, ey)
    if (isClear ? !(turn > slack) : turn < -slack) return false
  }
  return true
}

// The core points of a body that lie at a contact, as the corners of the flat polygon that they nearly are.
//
// Method: of those about as far as the farthest along the direction of the contact, the convex hull in the plane across it (A. Andrew,
// "Another efficient algorithm for convex hulls in two dimensions", Information Processing Letters 9 (1979)).
// Frame: local to the body. Cost O(points log points).

interface Spot {
  index: number
  u: number
  v: number
}

/** Indices of the core points that are the farthest along the unit vector to within `margin`, in order around it. */
export function contactRing(body: Body, nx: number, ny: number, nz: number, margin: number): number[] {
  const { numbers, local, count } = body
  spend(1 + count)
  const heights: number[] = []
  let top = -Infinity
  for (let i = 0; i < count; i++) {
    const at = local + 3 * i
    const height = numbers[at] * nx + numbers[at + 1] * ny + numbers[at + 2] * nz
    heights.push(height)
    if (height > top) top = height
  }
  const [u, v] = acrossAxes(nx, ny, nz)
  const spots: Spot[] = []
  for (let i = 0; i < count; i++) {
    if (heights[i] < top - margin) continue
    const at = local + 3 * i
    const along = (axis: readonly number[]): number =>
      numbers[at] * axis[0] + numbers[at + 1] * axis[1] + numbers[at + 2] * axis[2]
    spots.push({ index: i, u: along(u), v: along(v) })
  }
  return hullOf(spots).map(({ index }) => index)
}

/** Two directions across the given one and each other. */
function acrossAxes(nx: number, ny: number, nz: number): readonly [readonly number[], readonly number[]] {
  const u = Math.abs(nx) < Math.abs(ny) ? [0, nz, -ny] : [-nz, 0, nx]
  const v = [ny * u[2] - nz * u[1], nz * u[0] - nx * u[2], nx * u[1] - ny * u[0]]
  return [u, v]
}

function hullOf(spots: Spot[]): Spot[] {
  spend(spots.length)
  if (spots.length < 3) return spots
  spots.sort((p, q) => p.u - q.u || p.v - q.v || p.index - q.index)
  const lower = chain(spots)
  const upper = chain(spots.reverse())
  const corners = [...lower.slice(0, -1), ...upper.slice(0, -1)]
  return corners.length > 0 ? corners : [spots[0]]
}

function chain(spots: readonly Spot[]): Spot[] {
  const kept: Spot[] = []
  for (const spot of spots) {
    while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], spot) <= 0) kept.pop()
    kept.push(spot)
  }
  return kept
}

function turn(p: Spot, q: Spot, r: Spot): number {
  return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u)
}
