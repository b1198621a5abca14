/**
 * The convex polyhedron that lies behind given planes, exactly: its vertices are intersections of three planes each, rounded once.
 *
 * Method: a box is cut by one plane after another. Vertices are homogeneous integers, so whether one lies behind a plane is the sign of an
 * integer, which a floating-point filter decides as a rule; vertices are told apart by the planes that they lie on, never by
 * distances. What has a side of the box left in the end is unbounded. Edges know the two faces they lie between: a face that a plane cuts
 * gets one new edge, between its two vertices on the plane.
 * Cost O(planes · edges). Each cut spends from the budget, for long integers more.
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, includeInput, integerOf, unitExponentOf } from '../../numeric/exact-ring.ts'
import { nearestRatio } from '../../numeric/nearest-double.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'

/**
 * Nine numbers: three points of the plane, clockwise seen from outside. Or four: a, b, c, d of ax + by + cz + d = 0, with (a, b, c) pointing
 * outside.
 */
export type Wall = readonly number[]

export type Enclosed =
  | {
      kind: 'solid'
      /** x, y, z of each. */
      vertices: number[]
      /** Of each wall. Of equal walls one has the face. */
      faces: WallFace[]
    }
  /**
   * `flat`: it has no volume, but is not empty. `unbounded`: or it reaches farther than any sensible solid of such walls. `costly`: to know
   * takes more steps than were allowed.
   */
  | { kind: 'empty' | 'flat' | 'unbounded' | 'costly' }

/** `idle`: the other walls cut it off. `no-plane`: its normal is zero; it bounds nothing. */
export type WallFace = 'face' | 'idle' | 'no-plane'

/** How many times farther than the walls' own numbers a solid may reach: 2 to this power. */
const REACH_BITS = 20

/** What lies behind all the walls, if that takes no more than so many steps. */
export function enclosed(walls: readonly Wall[], mostSteps = Infinity): Enclosed {
  const unit = unitOf(walls)
  const planes = walls.map((wall) => exactPlane(wall, unit))
  const reach = reachOf(walls, planes, unit)
  const box = boxOf(planes, reach)
  for (const { low, high } of box) if (low >= high) return { kind: low === high ? 'flat' : 'empty' }
  const sides = box.flatMap(({ low, high }, axis) => [sidePlane(axis, -1n, -low), sidePlane(axis, 1n, high)])
  const solid = new CutSolid([...planes, ...sides], box, walls.length, mostSteps)
  const isSide = new Set(box.flatMap(({ lowWall, highWall }) => [lowWall, highWall]))
  for (let wall = 0; wall < walls.length; wall++) {
    if (isSide.has(wall) || !isPlane(planes[wall])) continue
    const remains = solid.cut(wall)
    if (remains !== 'solid') return { kind: remains }
  }
  return solid.result(walls.length, unit)
}

/** ax + by + cz ≤ d, with x, y and z in units. */
interface Plane {
  a: bigint
  b: bigint
  c: bigint
  d: bigint
}

function isPlane({ a, b, c }: Plane): boolean {
  return a !== 0n || b !== 0n || c !== 0n
}

/** The exponent of a unit that all points of walls are whole multiples of. */
function unitOf(walls: readonly Wall[]): number {
  return commonUnit(walls.filter(({ length }) => length === 9).flat())
}

function commonUnit(values: readonly number[]): number {
  if (values.every(Number.isSafeInteger)) return 0
  const range = createInputRange()
  for (const value of values) includeInput(range, value)
  return unitExponentOf(range)
}

function exactPlane(wall: Wall, unit: number): Plane {
  if (wall.length === 9) return planeThrough(wall.map((value) => wholeOf(value, unit)))
  const own = commonUnit(wall)
  const [a, b, c, d] = wall.map((value) => wholeOf(value, own))
  if (unit <= 0) return { a, b, c, d: -d << BigInt(-unit) }
  const shift = BigInt(unit)
  return { a: a << shift, b: b << shift, c: c << shift, d: -d }
}

function wholeOf(value: number, unit: number): bigint {
  return unit === 0 && Number.isSafeInteger(value) ? BigInt(value) : integerOf(value, unit)
}

function planeThrough([px, py, pz, qx, qy, qz, rx, ry, rz]: readonly bigint[]): Plane {
  const [ux, uy, uz] = [rx - px, ry - py, rz - pz]
  const [vx, vy, vz] = [qx - px, qy - py, qz - pz]
  const a = uy * vz - uz * vy
  const b = uz * vx - ux * vz
  const c = ux * vy - uy * vx
  return { a, b, c, d: a * px + b * py + c * pz }
}

/** The distance, in units, beyond which nothing is looked for. */
function reachOf(walls: readonly Wall[], planes: readonly Plane[], unit: number): bigint {
  let reach = 1n
  planes.forEach(({ a, b, c, d }, k) => {
    const normal = largest(magnitude(a), magnitude(b), magnitude(c))
    if (normal === 0n) return
    const distance = walls[k].length === 9 ? wholeOf(Math.max(...walls[k].map(Math.abs)), unit) : magnitude(d) / normal
    if (distance >= reach) reach = distance + 1n
  })
  return reach << BigInt(REACH_BITS)
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

function largest(a: bigint, b: bigint, c: bigint): bigint {
  const larger = a > b ? a : b
  return larger > c ? larger : c
}

/** An extent along an axis, and the walls that bound it; −1: the reach does. */
interface Extent {
  low: bigint
  high: bigint
  lowWall: number
  highWall: number
}

/** The box that the walls across the axes bound, where they lie at whole units. */
function boxOf(planes: readonly Plane[], reach: bigint): Extent[] {
  const box = [0, 1, 2].map((): Extent => ({ low: -reach, high: reach, lowWall: -1, highWall: -1 }))
  planes.forEach(({ a, b, c, d }, wall) => {
    const axis = b === 0n && c === 0n ? 0 : a === 0n && c === 0n ? 1 : a === 0n && b === 0n ? 2 : -1
    const across = a + b + c
    if (axis < 0 || across === 0n || d % across !== 0n) return
    const extent = box[axis]
    const at = d / across
    if (across > 0n && at < extent.high) Object.assign(extent, { high: at, highWall: wall })
    if (across < 0n && at > extent.low) Object.assign(extent, { low: at, lowWall: wall })
  })
  return box
}

function sidePlane(axis: number, normal: bigint, d: bigint): Plane {
  return { a: axis === 0 ? normal : 0n, b: axis === 1 ? normal : 0n, c: axis === 2 ? normal : 0n, d }
}

/** (x/w, y/w, z/w) in units, w > 0, and the same nearly. */
interface Vertex {
  x: bigint
  y: bigint
  z: bigint
  w: bigint
  near: readonly [number, number, number]
}

/** From u to v, between the faces on two planes. */
interface Edge {
  u: number
  v: number
  left: number
  right: number
}

/** Numbers beyond this are left to exact arithmetic, so that no quotient of them is too small for a double. */
const LARGEST_NEAR = 2 ** 500
/** Of the sum of the terms' magnitudes: bounds the rounding of coefficients, quotients, products and sums, nine half-ulps together. */
const SIDE_ERROR_RATIO = 16 * UNIT_ROUNDOFF

function vertexAt(x: bigint, y: bigint, z: bigint, w: bigint): Vertex {
  const under = Number(w)
  const nearly = (value: bigint): number => {
    const over = Number(value)
    return Math.abs(over) < LARGEST_NEAR && under < LARGEST_NEAR ? over / under : Number.NaN
  }
  return { x, y, z, w, near: [nearly(x), nearly(y), nearly(z)] }
}

class CutSolid {
  readonly #planes: readonly Plane[]
  /** Coefficients as doubles. */
  readonly #near: readonly (readonly [number, number, number, number])[]
  readonly #vertices: Vertex[] = []
  #edges: Edge[] = []
  /** Of a product of the longest integers that come up. */
  readonly #steps: number
  /** Steps that are left to cut. */
  #left: number

  /** `box`: its sides are the last six of the planes where no wall is one; there are `count` walls. */
  constructor(planes: readonly Plane[], box: readonly Extent[], count: number, mostSteps: number) {
    this.#planes = planes
    this.#near = planes.map(({ a, b, c, d }) => [Number(a), Number(b), Number(c), Number(d)] as const)
    const bits = Math.max(...planes.map(({ d }) => d.toString(16).length)) * 4 * 3
    this.#left = mostSteps
    this.#steps = 1 + 8 * (bits / 1024) ** 2
    const [x, y, z] = box
    const faceOf = (axis: number, isHigh: boolean): number => {
      const wall = isHigh ? box[axis].highWall : box[axis].lowWall
      return wall >= 0 ? wall : count + 2 * axis + (isHigh ? 1 : 0)
    }
    for (let k = 0; k < 8; k++) {
      this.#vertices.push(vertexAt(k & 1 ? x.high : x.low, k & 2 ? y.high : y.low, k & 4 ? z.high : z.low, 1n))
      for (let axis = 0; axis < 3; axis++) {
        if (k & (1 << axis)) continue
        const [next, last] = [(axis + 1) % 3, (axis + 2) % 3]
        const left = faceOf(next, (k & (1 << next)) !== 0)
        const right = faceOf(last, (k & (1 << last)) !== 0)
        this.#edges.push({ u: k, v: k | (1 << axis), left, right })
      }
    }
  }

  /** Leaves what lies behind the plane, or says what remains. */
  cut(plane: number): 'solid' | 'flat' | 'empty' | 'costly' {
    if (this.#left < 0) return 'costly'
    const sides = this.#sides(plane)
    const all = [...sides.values()]
    if (!all.includes(-1)) return all.includes(0) ? 'flat' : 'empty'
    if (!all.includes(1)) return 'solid'
    const sideOf = (vertex: number): number => sides.get(vertex) as number
    const kept: Edge[] = []
    /** Of each face that is left, its vertices on the plane. */
    const ends = new Map<number, number[]>()
    const note = (vertex: number, ...faces: number[]): void => {
      for (const face of faces) {
        const known = ends.get(face)
        if (known === undefined) ends.set(face, [vertex])
        else if (!known.includes(vertex)) known.push(vertex)
      }
    }
    for (const { u, v, left, right } of this.#edges) {
      const [fromU, fromV] = [sideOf(u), sideOf(v)]
      if (fromU >= 0 && fromV >= 0) continue
      if (fromU <= 0 && fromV <= 0) {
        kept.push({ u, v, left, right })
        if (fromU === 0) note(u, left, right)
        if (fromV === 0) note(v, left, right)
        continue
      }
      const vertex = this.#meet(left, right, plane)
      kept.push(fromU < 0 ? { u, v: vertex, left, right } : { u: vertex, v, left, right })
      note(vertex, left, right)
    }
    for (const [face, [u, v]] of ends) if (v !== undefined) kept.push({ u, v, left: face, right: plane })
    this.#edges = kept
    return 'solid'
  }

  result(count: number, unit: number): Enclosed {
    const faces = new Set(this.#edges.flatMap(({ left, right }) => [left, right]))
    for (let side = count; side < this.#planes.length; side++) if (faces.has(side)) return { kind: 'unbounded' }
    const used = new Set(this.#edges.flatMap(({ u, v }) => [u, v]))
    const vertices = [...used].flatMap((index) => {
      const { x, y, z, w } = this.#vertices[index]
      this.#spend(12 * this.#steps)
      return [rounded(x, w, unit), rounded(y, w, unit), rounded(z, w, unit)]
    })
    const ofWall = (plane: Plane, wall: number): WallFace =>
      faces.has(wall) ? 'face' : isPlane(plane) ? 'idle' : 'no-plane'
    return { kind: 'solid', vertices, faces: this.#planes.slice(0, count).map(ofWall) }
  }

  #spend(steps: number): void {
    spend(steps)
    this.#left -= steps
  }

  /** Of each vertex: 1 outside, 0 on the plane, −1 behind it. */
  #sides(plane: number): Map<number, number> {
    const sides = new Map<number, number>()
    this.#spend(this.#edges.length)
    for (const { u, v } of this.#edges) {
      if (!sides.has(u)) sides.set(u, this.#side(u, plane))
      if (!sides.has(v)) sides.set(v, this.#side(v, plane))
    }
    return sides
  }

  #side(index: number, plane: number): number {
    const { x, y, z, w, near } = this.#vertices[index]
    const [p, q, r, s] = this.#near[plane]
    const [px, qy, rz] = [p * near[0], q * near[1], r * near[2]]
    const value = px + qy + rz - s
    const error = SIDE_ERROR_RATIO * (Math.abs(px) + Math.abs(qy) + Math.abs(rz) + Math.abs(s))
    // what is not a number is left to the integers, too
    if (value > error) return 1
    if (value < -error) return -1
    const { a, b, c, d } = this.#planes[plane]
    this.#spend(4 * this.#steps)
    const exact = a * x + b * y + c * z - d * w
    return exact > 0n ? 1 : exact < 0n ? -1 : 0
  }

  /** The new vertex where three planes meet, by Cramer's rule. */
  #meet(first: number, second: number, third: number): number {
    const [f, g, h] = [this.#planes[first], this.#planes[second], this.#planes[third]]
    this.#spend(30 * this.#steps)
    const fg = cross(f, g)
    const gh = cross(g, h)
    const hf = cross(h, f)
    const w = fg.a * h.a + fg.b * h.b + fg.c * h.c
    const x = f.d * gh.a + g.d * hf.a + h.d * fg.a
    const y = f.d * gh.b + g.d * hf.b + h.d * fg.b
    const z = f.d * gh.c + g.d * hf.c + h.d * fg.c
    return this.#vertices.push(w > 0n ? vertexAt(x, y, z, w) : vertexAt(-x, -y, -z, -w)) - 1
  }
}

function cross(p: Plane, q: Plane): Omit<Plane, 'd'> {
  return { a: p.b * q.c - p.c * q.b, b: p.c * q.a - p.a * q.c, c: p.a * q.b - p.b * q.a }
}

/** The nearest double to x / w · 2^unit. */
function rounded(x: bigint, w: bigint, unit: number): number {
  const whole = Number(x)
  if (w === 1n && unit === 0 && Number.isSafeInteger(whole)) return whole
  return nearestRatio(x, w, unit)
}
