/**
 * Whether flat-sided convex parts of a compound hold a flat-sided convex body together, where no one of them does alone.
 *
 * Method: what a part leaves of the body is cut off by the planes of its faces, piece by piece, and the next parts leave less of each
 * piece. A piece is a convex polyhedron whose corners are never computed: each is where three planes meet, and a
 * plane is three corners of a body. So every sign that cuts ask for is that of one determinant of four such planes: in doubles with an error bound, and else exactly, and
 * nothing is rounded. Closed parts that cover all but sides of the body cover these too: only what lies beyond a plane counts.
 * Frame: world; the doubles count from the guest's position. Cost: O(faces) cuts for each piece, of the parts that are near.
 */

import { spend } from '../../containers/budget.ts'
import { createInputRange, exactly, type InputRange, type Ring, type Sign } from '../../numeric/exact-ring.ts'
import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import {
  ANCHOR,
  type Body,
  type Composite,
  isBare,
  POSITION,
  REACH,
  cross as roughCross,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { boxFrom, partOfLeaf, visitLeaves } from '../shape/composite.ts'
import { exactSurface, PLANE_SIZE, planesOf, surfaceOf } from '../shape/core-surface.ts'
import { cross, dot, type Exact, includeBody, minus, plus, times } from '../shape/exact-points.ts'
import { COVER_SIGN_ERROR, SEPARATION_ERROR_RATIO } from '../tolerances.ts'

/** Of a face: what is beyond it has the greater height. */
interface Plane {
  /** Three corners are position + one of three vectors, exactly; counter-clockwise seen from beyond. */
  position: readonly number[]
  corners: readonly number[]
  /** Normal and offset, over the sizes that they are made of: at most 1, within 12 roundoffs, from the guest's position. NaN where doubles may not hold them. */
  rough: readonly [number, number, number, number]
}

/** Where three planes meet in one point. */
interface Corner {
  planes: readonly [Plane, Plane, Plane]
  /** With a plane their sum of products is the height of the corner over it, times the determinant of the three normals, which has the sign `turn`. */
  minors: readonly [number, number, number, number]
  turn: Sign
}

/** A side of a piece, counter-clockwise seen from outside: its corners, and the planes of the sides beyond the edges that lead from them to the next. */
interface Side {
  plane: Plane
  corners: Corner[]
  across: Plane[]
}

/** A convex polyhedron. */
type Piece = Side[]

/** Null where nothing of the inside is on that side of a plane. */
interface Halves {
  within: Piece | null
  beyond: Piece | null
}

/** Whether it is a solid hull of points, without a skin. */
export function isFlatSided(body: Body): boolean {
  return isBare(body) && body.count > 3 && exactSurface(body).dimension === 3
}

const near = new Float64Array(6)

/** Whether the flat-sided solids among the parts of the holder hold the guest, which is one. */
export function convexPartsHold(holder: Body, guest: Body): boolean {
  const { parts } = holder.composite as Composite
  const bodies: Body[] = []
  boxFrom(holder, guest, near)
  visitLeaves(holder, near, (leaf) => {
    spend(1)
    const { mesh, body } = parts[partOfLeaf(holder.composite as Composite, leaf)]
    if (mesh === null && isFlatSided(body)) bodies.push(body)
    return false
  })
  const mayHold = new Uint8Array(guest.count)
  const reaching = bodies.filter((body) => reaches(body, guest, mayHold))
  // Most guests that are not held have a corner that is not.
  if (reaching.length < 2 || mayHold.includes(0)) return false
  // Faces that a turn has bent by roundoffs are many planes to be told apart: they are flat ones to start with, a little within the body or beyond it.
  if (new Cover(guest, reaching, -1).isWhole() === true) return true
  if (new Cover(guest, reaching, 1).isWhole() === false) return false
  return new Cover(guest, reaching, 0).isWhole() === true
}

/** False where a face parts the two for certain. Marks the corners of the guest that are not for certain outside. */
function reaches(body: Body, guest: Body, mayHold: Uint8Array): boolean {
  const planes = planesOf(body, surfaceOf(body))
  spend(planes.length)
  const isOut = new Uint8Array(guest.count)
  const reach = body.numbers[REACH]
  for (let at = 0; at < planes.length; at += PLANE_SIZE) {
    let isApart = true
    for (let i = 0; i < guest.count; i++) {
      let height = -planes[at + 3]
      let size = Math.abs(height)
      for (let k = 0; k < 3; k++) {
        const way = guest.numbers[POSITION + k] - body.numbers[POSITION + k]
        const [own, anchor] = [guest.numbers[VERTICES + 3 * i + k], body.numbers[ANCHOR + k]]
        height += planes[at + k] * (way + own - anchor)
        size += Math.abs(way) + Math.abs(own) + Math.abs(anchor)
      }
      // errors are those of heights within reach
      const error = planes[at + 4] * Math.max(1, size / reach)
      if (height > error + SEPARATION_ERROR_RATIO * size) isOut[i] = 1
      else isApart = false
    }
    if (isApart) return false
  }
  for (let i = 0; i < guest.count; i++) if (isOut[i] === 0) mayHold[i] = 1
  return true
}

class Cover {
  readonly #guest: Body
  readonly #range: InputRange = createInputRange()
  /** Of coordinates from the guest's position. */
  readonly #size: number
  /** Of offsets. */
  readonly #scale: number
  readonly #parts: readonly (readonly Plane[])[]
  /** Of parts −1: those of bodies within them for certain; 1: about them; 0: their own. */
  readonly #shift: -1 | 0 | 1
  /** Whether a sign is open that only the parts' own planes have. */
  #isOpen = false

  constructor(guest: Body, bodies: readonly Body[], shift: -1 | 0 | 1) {
    this.#guest = guest
    this.#shift = shift
    let size = 0
    for (const body of [guest, ...bodies]) {
      spend(body.count)
      includeBody(this.#range, body)
      const { numbers, count } = body
      for (let i = 0; i < 3 * count; i++) {
        const way = numbers[POSITION + (i % 3)] - guest.numbers[POSITION + (i % 3)]
        size = Math.max(size, Math.abs(way) + Math.abs(numbers[VERTICES + i]))
      }
    }
    this.#size = size
    this.#scale = size > SMALLEST_SAFE_SQUARE && size < LARGEST_SAFE_SQUARE ? 1 / (6 * size) : Number.NaN
    this.#parts = bodies.map((body) => (shift === 0 ? this.#planesOf(body) : this.#flatPlanesOf(body)))
  }

  /** Null where rounding leaves it open. */
  isWhole(): boolean | null {
    const guest = this.#wholeOf(this.#guest)
    const waiting = [{ piece: guest, from: 0 }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      let { piece, from } = next
      for (; from < this.#parts.length; from++) {
        const left = this.#leftOf(piece, this.#parts[from])
        if (this.#isOpen) return null
        if (left === null) continue
        for (const rest of left) waiting.push({ piece: rest, from: from + 1 })
        break
      }
      if (from === this.#parts.length) return false
    }
    return true
  }

  /** What a part leaves of a piece; null where it has nothing of its inside. */
  #leftOf(piece: Piece, planes: readonly Plane[]): Piece[] | null {
    const left: Piece[] = []
    let inside: Piece | null = piece
    for (const plane of planes) {
      const halves: Halves = this.#cut(inside, plane)
      inside = halves.within
      if (inside === null) return null
      if (halves.beyond !== null) left.push(halves.beyond)
    }
    return left
  }

  #cut(piece: Piece, plane: Plane): Halves {
    const signs = new Map<Corner, Sign>()
    let [isWithin, isBeyond] = [false, false]
    for (const { corners } of piece) {
      for (const corner of corners) {
        if (signs.has(corner)) continue
        const sign = this.#side(corner, plane)
        signs.set(corner, sign)
        if (sign < 0) isWithin = true
        else if (sign > 0) isBeyond = true
      }
    }
    if (this.#isOpen) return { within: null, beyond: null }
    if (!isBeyond) return { within: piece, beyond: null }
    if (!isWithin) return { within: null, beyond: piece }
    const crossings = new Map<Corner, Map<Corner, Corner>>()
    const crossing = (a: Corner, b: Corner, one: Plane, other: Plane): Corner => {
      const known = crossings.get(a)?.get(b) ?? crossings.get(b)?.get(a)
      if (known !== undefined) return known
      const made = this.#corner([one, other, plane])
      crossings.set(a, (crossings.get(a) ?? new Map()).set(b, made))
      return made
    }
    return { within: half(piece, plane, -1, signs, crossing), beyond: half(piece, plane, 1, signs, crossing) }
  }

  // Bodies as pieces and planes.

  #planesOf(body: Body): Plane[] {
    const { starts, corners } = exactSurface(body)
    spend(starts.length)
    return Array.from({ length: starts.length - 1 }, (_, f) => {
      const at = starts[f]
      return this.#plane(body, [corners[at], corners[at + 1], corners[at + 2]])
    })
  }

  /** Of the surface as it was before a turn, all of them moved by what they may be off. */
  #flatPlanesOf(body: Body): Plane[] {
    const planes = planesOf(body, surfaceOf(body))
    const { numbers } = body
    const own = this.#guest.numbers
    return Array.from({ length: planes.length / PLANE_SIZE }, (_, f) => {
      const [x, y, z, height, error] = planes.subarray(PLANE_SIZE * f, PLANE_SIZE * f + PLANE_SIZE)
      const way = [0, 1, 2].map((k) => numbers[POSITION + k] - own[POSITION + k] + numbers[ANCHOR + k])
      const slack = error + SEPARATION_ERROR_RATIO * this.#size
      const offset = x * way[0] + y * way[1] + z * way[2] + height + this.#shift * slack
      return { position: [], corners: [], rough: [x, y, z, offset * this.#scale] }
    })
  }

  #wholeOf(body: Body): Piece {
    const { starts, corners, neighbours } = exactSurface(body)
    const planes = this.#planesOf(body)
    const made = new Map<number, Corner>()
    return planes.map((plane, f) => {
      const around = [...corners.subarray(starts[f], starts[f + 1])]
      const across = Array.from(neighbours.subarray(starts[f], starts[f + 1]), (g) => planes[g])
      for (const [c, i] of around.entries()) {
        const before = across[c === 0 ? around.length - 1 : c - 1]
        if (!made.has(i)) made.set(i, this.#corner([plane, across[c], before]))
      }
      return { plane, corners: around.map((i) => made.get(i) as Corner), across }
    })
  }

  #plane({ numbers }: Body, around: readonly number[]): Plane {
    const position = [0, 1, 2].map((k) => numbers[POSITION + k])
    const corners = around.flatMap((i) => [0, 1, 2].map((k) => numbers[VERTICES + 3 * i + k]))
    const edge = (i: number): Vector => [0, 1, 2].map((k) => corners[3 * i + k] - corners[k]) as unknown as Vector
    const [u, v] = [edge(1), edge(2)]
    const size = 2 * Math.max(...u.map(Math.abs)) * Math.max(...v.map(Math.abs))
    const isSafe = size > SMALLEST_SAFE_SQUARE && size < LARGEST_SAFE_SQUARE
    const scale = isSafe ? 1 / size : Number.NaN
    const normal = roughCross(u, v).map((x) => x * scale)
    const own = this.#guest.numbers
    const offset = normal.reduce((sum, x, k) => sum + x * (position[k] - own[POSITION + k] + corners[k]), 0)
    return { position, corners, rough: [normal[0], normal[1], normal[2], offset * this.#scale] }
  }

  // Signs.

  #corner(planes: Corner['planes']): Corner {
    const [p, q, r] = planes.map(({ rough }) => rough)
    const minors: [number, number, number, number] = [
      minor(p, q, r, 1, 2, 3),
      -minor(p, q, r, 0, 2, 3),
      minor(p, q, r, 0, 1, 3),
      -minor(p, q, r, 0, 1, 2),
    ]
    const turn =
      certainSign(-minors[3]) ??
      this.#exactly(NORMALS_DEGREE, (ring) => {
        const [a, b, c] = planes.map((plane) => exactPlane(ring, plane).normal)
        return ring.sign(dot(ring, a, cross(ring, b, c)))
      })
    return { planes, minors, turn }
  }

  /** 1 where the corner lies beyond the plane, 0 on it. */
  #side(corner: Corner, plane: Plane): Sign {
    spend(1)
    const { planes, minors, turn } = corner
    if (planes.includes(plane)) return 0
    const [a, b, c, d] = plane.rough
    const known = certainSign(a * minors[0] + b * minors[1] + c * minors[2] + d * minors[3])
    const sign = known ?? this.#exactly(PLANES_DEGREE, (ring) => exactSide(ring, planes, plane))
    return (sign * turn) as Sign
  }

  #exactly(degree: number, predicate: <T>(ring: Ring<T>) => Sign): Sign {
    if (this.#shift === 0) return exactly(this.#range, degree, predicate)
    this.#isOpen = true
    return 0
  }
}

/** The half of a piece that has corners of the given sign: its sides cut, and a new one that closes it. */
function half(
  piece: Piece,
  plane: Plane,
  sign: Sign,
  signs: ReadonlyMap<Corner, Sign>,
  crossing: (a: Corner, b: Corner, one: Plane, other: Plane) => Corner,
): Piece {
  const kept: Piece = []
  /** The new side, by the corners that its edges lead from. */
  const rim = new Map<Corner, { to: Corner; across: Plane }>()
  for (const side of piece) {
    const cut = cutSide(side, plane, sign, signs, crossing)
    if (cut === null) continue
    kept.push(cut.side)
    if (cut.rim !== null) rim.set(cut.rim.to, { to: cut.rim.from, across: side.plane })
  }
  const corners: Corner[] = []
  const across: Plane[] = []
  for (let at = rim.keys().next().value as Corner; corners.length < rim.size; ) {
    const edge = rim.get(at) as { to: Corner; across: Plane }
    corners.push(at)
    across.push(edge.across)
    at = edge.to
  }
  return [...kept, { plane, corners, across }]
}

/** What is left of a side, and its edge in the plane, where it has one; null where it has no corner of that sign. */
function cutSide(
  { plane: own, corners, across }: Side,
  plane: Plane,
  sign: Sign,
  signs: ReadonlyMap<Corner, Sign>,
  crossing: (a: Corner, b: Corner, one: Plane, other: Plane) => Corner,
): { side: Side; rim: { from: Corner; to: Corner } | null } | null {
  if (!corners.some((corner) => signs.get(corner) === sign)) return null
  const side: Side = { plane: own, corners: [], across: [] }
  const inPlane: boolean[] = []
  const add = (corner: Corner, beyond: Plane, isInPlane: boolean): void => {
    side.corners.push(corner)
    side.across.push(beyond)
    inPlane.push(isInPlane)
  }
  for (const [c, corner] of corners.entries()) {
    const next = corners[c + 1 < corners.length ? c + 1 : 0]
    const [from, to] = [signs.get(corner) as Sign, signs.get(next) as Sign]
    if (from === sign || from === 0) add(corner, across[c], from === 0)
    if (from * to < 0) add(crossing(corner, next, own, across[c]), across[c], true)
  }
  for (const [c, from] of side.corners.entries()) {
    const next = c + 1 < inPlane.length ? c + 1 : 0
    if (!inPlane[c] || !inPlane[next]) continue
    side.across[c] = plane
    return { side, rim: { from, to: side.corners[next] } }
  }
  return { side, rim: null }
}

// Numbers.

type Row = Plane['rough']

/** Degrees of the determinants of three normals, and of four planes. */
const NORMALS_DEGREE = 6
const PLANES_DEGREE = 9

function certainSign(determinant: number): Sign | null {
  return determinant > COVER_SIGN_ERROR ? 1 : determinant < -COVER_SIGN_ERROR ? -1 : null
}

function minor(p: Row, q: Row, r: Row, i: number, j: number, k: number): number {
  return p[i] * (q[j] * r[k] - q[k] * r[j]) - p[j] * (q[i] * r[k] - q[k] * r[i]) + p[k] * (q[i] * r[j] - q[j] * r[i])
}

function exactPlane<T>(ring: Ring<T>, { position, corners }: Plane): { normal: Exact<T>; offset: T } {
  const vector = (numbers: readonly number[], at: number): Exact<T> => [
    ring.of(numbers[at]),
    ring.of(numbers[at + 1]),
    ring.of(numbers[at + 2]),
  ]
  const first = vector(corners, 0)
  const normal = cross(ring, minus(ring, vector(corners, 3), first), minus(ring, vector(corners, 6), first))
  return { normal, offset: dot(ring, normal, plus(ring, vector(position, 0), first)) }
}

/** The sign of the height of a corner over a plane, times that of the determinant of the three normals. */
function exactSide<T>(ring: Ring<T>, planes: Corner['planes'], plane: Plane): Sign {
  const [a, b, c] = planes.map((each) => exactPlane(ring, each))
  const { normal, offset } = exactPlane(ring, plane)
  const across = [cross(ring, b.normal, c.normal), cross(ring, c.normal, a.normal), cross(ring, a.normal, b.normal)]
  const corner = [a, b, c]
    .map((each, i) => times(ring, each.offset, across[i]))
    .reduce((sum, term) => plus(ring, sum, term))
  return ring.sign(ring.sub(dot(ring, normal, corner), ring.mul(offset, dot(ring, a.normal, across[0]))))
}
