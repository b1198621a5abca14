/**
 * The features of a body in space that can be brought onto those of another: corners, edges, flat faces, the middles of edges and faces,
 * and the middle of its box.
 *
 * A feature knows the points of the prepared body that span it, so that it is found again, to the last bit, in the same body turned.
 * Places are sums of two doubles, so that what is brought from one place to another is rounded once. Of meshes only the triangles near
 * a box are looked at, by their tree; edges between triangles in one plane are no features, and faces are triangles. A surface has faces
 * on both sides.
 * Frame: world.
 */

import type { Pace, Slices } from '../../containers/budget.ts'
import { type Mesh, putPlacedVertex } from '../../core3d/mesh/mesh.ts'
import { edgeClass, FLAT_EDGE } from '../../core3d/mesh/mesh-check.ts'
import { bounds, createBounds } from '../../core3d/queries/bounds.ts'
import {
  acrossAxes,
  type Body,
  COMPOSITE,
  CONE,
  type Composite,
  CYLINDER,
  cross,
  HALFSPACE,
  LENGTHS,
  OFFSET,
  opposite,
  type Part,
  POINTS,
  POSITION,
  RADIUS,
  ROTATION,
  UNIT,
  VERTICES,
  type Vector,
} from '../../core3d/shape/body.ts'
import { partOfLeaf, visitLeaves } from '../../core3d/shape/composite.ts'
import { edgesOf, surfaceOf } from '../../core3d/shape/core-surface.ts'
import { kindOf } from '../../core3d/shape/kinds.ts'
import { sumError } from '../../numeric/expansion.ts'
import { scaleBy, vectorLength3d } from '../../numeric/safe-range.ts'

export type SnapKind3d = 'vertex' | 'edge' | 'face' | 'midpoint' | 'center'

/** A point: the sum of both, coordinate by coordinate. */
export interface SnapPlace3d {
  readonly at: Vector
  readonly low: Vector
}

export interface SnapFeature3d {
  /** `touched`: the places where two bodies are nearest; `corner`: of the box. */
  readonly kind: SnapKind3d | 'corner' | 'touched'
  /** 0 a point, 1 an edge, 2 a face. */
  readonly size: 0 | 1 | 2
  /** The leaf of a composite body that it is of; −1 of a convex one. */
  readonly leaf: number
  /** The points of that leaf that span it: core points, or vertices of a mesh. */
  readonly points: readonly number[]
  /** The same as the caller numbers them. */
  readonly names: readonly number[]
  /** Where its points are; round a face counter-clockwise from outside. One of a face without end, many of a round one. */
  readonly places: readonly SnapPlace3d[]
  /** The one that is brought onto another: the first, of a round face its middle. */
  readonly base: SnapPlace3d
  /** Unit vector along an edge; outward from a face; null of a point. */
  readonly way: Vector | null
  /** The skin over a face. */
  readonly skin: number
  readonly isEndless: boolean
  /** Of the flat faces of cylinders and cones, the end of the axis; else 0. */
  readonly cap: -1 | 0 | 1
}

export interface SnapFeatures3d {
  readonly list: SnapFeature3d[]
  /** Whether its boundary is curved anywhere. */
  isRound: boolean
}

/** Least x, y, z and greatest x, y, z. */
export type Window3d = Float64Array

interface Wanted {
  readonly kinds: ReadonlySet<SnapKind3d>
  readonly window: Window3d
}

const ANYWHERE: Window3d = Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity)
const NOWHERE: Vector = [0, 0, 0]
const box = new Float64Array(6)
const outer = createBounds()
const vertex = new Float64Array(3)

/** Those of the kinds that may meet the window. Cost O(points), of composite bodies that of what meets it. */
export function* featuresOf3d(
  body: Body,
  kinds: ReadonlySet<SnapKind3d>,
  window: Window3d | null,
  pace: Pace,
): Slices<SnapFeatures3d> {
  const found: SnapFeatures3d = { list: [], isRound: false }
  const wanted: Wanted = { kinds, window: window ?? ANYWHERE }
  if (body.kind !== COMPOSITE) addConvex(found, body, -1, wanted)
  else yield* addLeaves(found, body, wanted, pace)
  if (pace.isDue(found.list.length)) yield
  if (kinds.has('center') && body.kind !== HALFSPACE) addPoint(found, 'center', -1, [], [], middleOf(body), wanted)
  return found
}

function* addLeaves(found: SnapFeatures3d, body: Body, wanted: Wanted, pace: Pace): Slices<void> {
  const composite = body.composite as Composite
  // walks do not pause
  const leaves: number[] = []
  visitLeaves(body, fromPosition(body, wanted.window), (leaf) => {
    leaves.push(leaf)
    return false
  })
  leaves.sort((a, b) => a - b)
  if (pace.isDue(leaves.length)) yield
  let known = null as KnownOfMesh | null
  for (const leaf of leaves) {
    const p = partOfLeaf(composite, leaf)
    const part = composite.parts[p]
    if (part.mesh === null) addConvex(found, part.body, leaf, wanted)
    else {
      if (known?.part !== p) known = { part: p, vertices: new Set(), edges: new Set() }
      addTriangle(found, part, leaf, wanted, known)
    }
    if (pace.isDue(part.mesh === null ? 1 + part.body.count : 4)) yield
  }
}

/** The window as boxes of a composite body count, widened by what rounding may cut off. */
function fromPosition({ numbers }: Body, window: Window3d): Float64Array {
  const own = new Float64Array(6)
  for (let k = 0; k < 6; k++) {
    const position = numbers[POSITION + (k % 3)]
    const side = window[k] - position
    const pad = Math.abs(side) < Infinity ? WINDOW_ERROR_RATIO * (Math.abs(window[k]) + Math.abs(position)) : 0
    own[k] = k < 3 ? side - pad : side + pad
  }
  return own
}

/** A few roundings. */
const WINDOW_ERROR_RATIO = 2 ** -50

/** Whether the box of some points, with a skin about them, meets the window. */
function areNear(holder: Body | Part, points: readonly number[], skin: number, window: Window3d): boolean {
  nearBox.fill(Infinity, 0, 3)
  nearBox.fill(-Infinity, 3, 6)
  for (const i of points) {
    putPoint(holder, i, vertex)
    for (let k = 0; k < 3; k++) {
      nearBox[k] = Math.min(nearBox[k], vertex[k])
      nearBox[k + 3] = Math.max(nearBox[k + 3], vertex[k])
    }
  }
  const [position, from] = 'mesh' in holder ? [holder.placement.position, 0] : [holder.numbers, POSITION]
  for (let k = 0; k < 3; k++) {
    const place = position[from + k]
    if (place + nearBox[k] - skin > window[k + 3] || place + nearBox[k + 3] + skin < window[k]) return false
  }
  return true
}

const nearBox = new Float64Array(6)

// Places.

/** Of a point that is counted from the position of a body, or of a mesh. */
function placeFrom(numbers: Float64Array, position: number, [x, y, z]: Vector): SnapPlace3d {
  const px = numbers[position]
  const py = numbers[position + 1]
  const pz = numbers[position + 2]
  const at: Vector = [px + x, py + y, pz + z]
  return { at, low: [sumError(px, x, at[0]), sumError(py, y, at[1]), sumError(pz, z, at[2])] }
}

/** Writes a core point, or a turned vertex of a mesh, from the position. */
function putPoint(holder: Body | Part, i: number, out: Float64Array): void {
  if ('mesh' in holder) putPlacedVertex(holder.mesh as Mesh, holder.placement, i, out, 0)
  else for (let k = 0; k < 3; k++) out[k] = holder.numbers[VERTICES + 3 * i + k]
}

function ownPoint(holder: Body | Part, i: number): Vector {
  putPoint(holder, i, vertex)
  return [vertex[0], vertex[1], vertex[2]]
}

function placeOf(holder: Body | Part, point: Vector): SnapPlace3d {
  return 'mesh' in holder ? placeFrom(holder.placement.position, 0, point) : placeFrom(holder.numbers, POSITION, point)
}

/** What holds the points of a feature. */
function holderOf(body: Body, leaf: number): Body | Part {
  if (leaf < 0) return body
  const composite = body.composite as Composite
  const part = composite.parts[partOfLeaf(composite, leaf)]
  return part.mesh === null ? part.body : part
}

/** The base of an edge or a face, in the same body put or turned elsewhere. */
export function baseIn(body: Body, { leaf, points, cap }: SnapFeature3d): SnapPlace3d {
  const holder = holderOf(body, leaf)
  if (cap !== 0) return placeOf(holder, capCentre(holder as Body, cap))
  return placeOf(holder, ownPoint(holder, points[0]))
}

/** The middle of the box around a body. */
function middleOf(body: Body): SnapPlace3d {
  if (body.kind !== COMPOSITE) {
    kindOf(body).setBox(body, box)
    return placeOf(body, [(box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2])
  }
  bounds(body, outer)
  const { min, max } = outer
  const at = (k: number) => min[k] + (max[k] - min[k]) / 2
  return { at: [at(0), at(1), at(2)], low: NOWHERE }
}

/** The corners of the box around a bounded body; of corner i at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2. */
export function boxCornersOf3d(body: Body): SnapFeature3d[] {
  const isConvex = body.kind !== COMPOSITE
  if (isConvex) kindOf(body).setBox(body, box)
  else {
    bounds(body, outer)
    box.set(outer.min)
    box.set(outer.max, 3)
  }
  return Array.from({ length: 8 }, (_, i) => {
    const corner: Vector = [box[(i & 1) * 3], box[1 + ((i >> 1) & 1) * 3], box[2 + ((i >> 2) & 1) * 3]]
    return pointOf('corner', -1, [], [i], isConvex ? placeOf(body, corner) : { at: corner, low: NOWHERE })
  })
}

// Features.

function pointOf(
  kind: SnapFeature3d['kind'],
  leaf: number,
  points: readonly number[],
  names: readonly number[],
  place: SnapPlace3d,
): SnapFeature3d {
  return {
    kind,
    size: 0,
    leaf,
    points,
    names,
    places: [place],
    base: place,
    way: null,
    skin: 0,
    isEndless: false,
    cap: 0,
  }
}

/** Adds a point if it lies in the window. */
function addPoint(
  found: SnapFeatures3d,
  kind: SnapFeature3d['kind'],
  leaf: number,
  points: readonly number[],
  names: readonly number[],
  place: SnapPlace3d,
  { window }: Wanted,
): void {
  const { at } = place
  for (let k = 0; k < 3; k++) if (at[k] < window[k] || at[k] > window[k + 3]) return
  found.list.push(pointOf(kind, leaf, points, names, place))
}

function addConvex(found: SnapFeatures3d, body: Body, leaf: number, wanted: Wanted): void {
  const { kind, numbers } = body
  if (kind === HALFSPACE) {
    if (wanted.kinds.has('face')) found.list.push(boundaryOf(body, leaf))
    return
  }
  if (kind !== POINTS || numbers[RADIUS] > 0) found.isRound = true
  if (kind === CYLINDER || kind === CONE) addCaps(found, body, leaf, wanted)
  if (kind === POINTS) addCore(found, body, leaf, wanted)
}

function boundaryOf(body: Body, leaf: number): SnapFeature3d {
  const { numbers } = body
  const way: Vector = [numbers[UNIT], numbers[UNIT + 1], numbers[UNIT + 2]]
  const offset = numbers[OFFSET]
  const place = placeOf(body, [offset * way[0], offset * way[1], offset * way[2]])
  return { ...faceOf(leaf, [], [], [place], way, 0), isEndless: true }
}

function faceOf(
  leaf: number,
  points: readonly number[],
  names: readonly number[],
  places: readonly SnapPlace3d[],
  way: Vector,
  skin: number,
): SnapFeature3d {
  return { ...pointOf('face', leaf, points, names, places[0]), size: 2, places, way, skin }
}

function addCore(found: SnapFeatures3d, body: Body, leaf: number, wanted: Wanted): void {
  const { count, names, numbers } = body
  const { kinds, window } = wanted
  const skin = numbers[RADIUS]
  const surface = surfaceOf(body)
  const { starts, corners } = surface
  if (kinds.has('vertex') && skin === 0) {
    // a hull of few points may have kept some that are no corners
    const isEnd = new Uint8Array(count)
    if (count === 1) isEnd[0] = 1
    for (const corner of corners) isEnd[corner] = 1
    for (let i = 0; i < count; i++) {
      if (isEnd[i] === 0 || !areNear(body, [i], 0, window)) continue
      addPoint(found, 'vertex', leaf, [i], [names[i]], placeOf(body, ownPoint(body, i)), wanted)
    }
  }
  if (count === 1) return
  const edges = skin === 0 ? edgesOf(surface) : []
  for (let e = 0; e + 1 < edges.length; e += 2) {
    addEdge(found, body, leaf, [edges[e], edges[e + 1]], [names[edges[e]], names[edges[e + 1]]], wanted)
  }
  if (!kinds.has('face') && !kinds.has('midpoint')) return
  for (let f = 0; f + 1 < starts.length; f++) {
    const points = [...corners.subarray(starts[f], starts[f + 1])]
    if (areNear(body, points, skin, window)) addFace(found, body, leaf, points, wanted)
  }
}

/** A face of a body of core points, and its middle. */
function addFace(found: SnapFeatures3d, body: Body, leaf: number, points: number[], wanted: Wanted): void {
  const own = points.map((i) => ownPoint(body, i))
  const way = normalOf(own)
  if (way === null) return
  const skin = body.numbers[RADIUS]
  const names = points.map((i) => body.names[i])
  if (wanted.kinds.has('face')) {
    const places = own.map((point) => placeOf(body, point))
    found.list.push(faceOf(leaf, points, names, places, way, skin))
  }
  if (wanted.kinds.has('midpoint')) {
    const [x, y, z] = meanOf(own)
    const middle: Vector = [x + skin * way[0], y + skin * way[1], z + skin * way[2]]
    addPoint(found, 'midpoint', leaf, points, names, placeOf(body, middle), wanted)
  }
}

/** The edge, and its middle. */
function addEdge(
  found: SnapFeatures3d,
  holder: Body | Part,
  leaf: number,
  points: readonly [number, number],
  names: readonly number[],
  wanted: Wanted,
): void {
  if (!areNear(holder, points, 0, wanted.window)) return
  const a = ownPoint(holder, points[0])
  const b = ownPoint(holder, points[1])
  const way = unitOf([b[0] - a[0], b[1] - a[1], b[2] - a[2]])
  if (way === null) return
  if (wanted.kinds.has('edge')) {
    const places = [placeOf(holder, a), placeOf(holder, b)]
    found.list.push({ ...pointOf('edge', leaf, points, names, places[0]), size: 1, places, way })
  }
  if (wanted.kinds.has('midpoint')) {
    addPoint(found, 'midpoint', leaf, points, names, placeOf(holder, meanOf([a, b])), wanted)
  }
}

/** What of a mesh part is known already. */
interface KnownOfMesh {
  readonly part: number
  readonly vertices: Set<number>
  readonly edges: Set<number>
}

function addTriangle(found: SnapFeatures3d, part: Part, leaf: number, wanted: Wanted, known: KnownOfMesh): void {
  const mesh = part.mesh as Mesh
  const { kinds, window } = wanted
  const triangle = leaf - part.firstLeaf
  const points = [...mesh.triangles.subarray(3 * triangle, 3 * triangle + 3)]
  if (!areNear(part, points, 0, window)) return
  for (let corner = 0; corner < 3; corner++) {
    const from = points[corner]
    const to = points[(corner + 1) % 3]
    if (kinds.has('vertex') && !known.vertices.has(from)) {
      known.vertices.add(from)
      addPoint(found, 'vertex', leaf, [from], [from], placeOf(part, ownPoint(part, from)), wanted)
    }
    const [low, high] = from < to ? [from, to] : [to, from]
    const edge = low * mesh.vertexCount + high
    if (edgeClass(mesh.edges, triangle, corner) === FLAT_EDGE || known.edges.has(edge)) continue
    known.edges.add(edge)
    addEdge(found, part, leaf, [low, high], [low, high], wanted)
  }
  if (!kinds.has('face')) return
  const own = points.map((i) => ownPoint(part, i))
  const way = normalOf(own)
  if (way === null) return
  const places = own.map((point) => placeOf(part, point))
  const front = faceOf(leaf, points, points, places, way, 0)
  const back = { ...front, places: places.toReversed(), way: opposite(way) }
  if (!mesh.isSolid) found.list.push(front, back)
  else found.list.push(mesh.isInward ? back : front)
}

/** Corners of a round face, on its rim. */
const RIM_COUNT = 32

function addCaps(found: SnapFeatures3d, body: Body, leaf: number, wanted: Wanted): void {
  for (const cap of body.kind === CYLINDER ? ([-1, 1] as const) : ([-1] as const)) {
    const centre = capCentre(body, cap)
    const base = placeOf(body, centre)
    if (wanted.kinds.has('midpoint')) found.list.push({ ...pointOf('midpoint', leaf, [], [], base), cap })
    if (!wanted.kinds.has('face')) continue
    const way = axisOf(body, cap)
    const [u, v] = acrossAxes(way)
    const radius = body.numbers[LENGTHS]
    const rim = Array.from({ length: RIM_COUNT }, (_, i) => {
      const cos = radius * Math.cos((2 * Math.PI * i) / RIM_COUNT)
      const sin = radius * Math.sin((2 * Math.PI * i) / RIM_COUNT)
      const point = (k: number) => centre[k] + cos * u[k] + sin * v[k]
      return placeOf(body, [point(0), point(1), point(2)])
    })
    found.list.push({ ...faceOf(leaf, [], [], rim, way, 0), base, cap })
  }
}

/** The end of the axis, from the position. */
function capCentre(body: Body, cap: -1 | 1): Vector {
  const half = body.numbers[LENGTHS + 1]
  const [x, y, z] = axisOf(body, cap)
  return [half * x, half * y, half * z]
}

function axisOf({ numbers }: Body, cap: -1 | 1): Vector {
  return [cap * numbers[ROTATION + 1], cap * numbers[ROTATION + 4], cap * numbers[ROTATION + 7]]
}

// Vectors.

function meanOf(points: readonly Vector[]): Vector {
  const mean = (k: number) => points.reduce((sum, point) => sum + point[k] / points.length, 0)
  return [mean(0), mean(1), mean(2)]
}

/** Of length 1; null of none. Exact along an axis. */
export function unitOf(vector: Vector): Vector | null {
  const [x, y, z] = shortened(vector)
  const length = vectorLength3d(x, y, z)
  return length > 0 ? [x / length + 0, y / length + 0, z / length + 0] : null
}

/** A multiple by a power of two whose products stay in the range of doubles. */
function shortened(vector: Vector): Vector {
  const size = Math.max(...vector.map(Math.abs))
  if (!(size > 0)) return vector
  const exponent = -Math.floor(Math.log2(size))
  return [scaleBy(vector[0], exponent), scaleBy(vector[1], exponent), scaleBy(vector[2], exponent)]
}

/** Of the largest triangle of the fan at the first corner; null where there is none. */
function normalOf(points: readonly Vector[]): Vector | null {
  const [a] = points
  let size = 0
  for (const point of points) for (let k = 0; k < 3; k++) size = Math.max(size, Math.abs(point[k] - a[k]))
  const exponent = size > 0 ? -Math.floor(Math.log2(size)) : 0
  const from = ([x, y, z]: Vector): Vector => [
    scaleBy(x - a[0], exponent),
    scaleBy(y - a[1], exponent),
    scaleBy(z - a[2], exponent),
  ]
  let best: Vector = NOWHERE
  let largest = 0
  let edge = from(points[1])
  for (let i = 2; i < points.length; i++) {
    const next = from(points[i])
    const normal = cross(edge, next)
    const area = vectorLength3d(...normal)
    if (area > largest) {
      largest = area
      best = normal
    }
    edge = next
  }
  return unitOf(best)
}
