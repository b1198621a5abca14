// Findings about a shape of the plane: what queries refuse it for, and what they accept otherwise than it is written.
//
// Findings are listed in the order of the shape, up to a number of each kind; a finding that is not listed is not described.

import type { ProblemCode } from '../../schemas/problem.ts'
import {
  FINDING_KINDS,
  type FindingKind,
  MAX_FINDINGS,
  type ShapeFinding,
  type ValidateRequest,
  type ValidateResponse,
} from '../../schemas/queries/validate.ts'
import type {
  AabbShape,
  Body2d,
  BoxShape,
  CapsuleShape,
  ChainShape,
  CircleShape,
  CompoundShape,
  HalfplaneShape,
  PolygonShape,
  RegionShape,
  SegmentShape,
  Shape2d,
} from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { spend } from '../containers/budget.ts'
import { BACK, pathWinding, REPEATED, setTurns } from '../core2d/outline/ring-check.ts'
import { examineRings, type RingFinding } from '../core2d/outline/ring-findings.ts'
import { createPose, type Pose, setChildPose } from '../core2d/shape/composite.ts'
import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'
import {
  AXES,
  aabbInRotated,
  checkParts,
  edgeName,
  invertedAabb,
  ringPointer,
  rotatedAabb,
  type ShapeLimits,
  shownPoint,
  tooManyVertices,
  zeroNormal,
} from './body.ts'
import { type DecodeProblem, inRange, outOfRange } from './decode-problem.ts'
import { encodeVec2 } from './encode.ts'

interface ShapeFindings {
  listed: ShapeFinding[]
  /** Of the shape that is being looked at, not in order yet. */
  open: { place: number; finding: ShapeFinding }[]
  counts: Map<FindingKind, number>
  refused: boolean
  truncated: boolean
}

/** A shape that is no compound, and its place in the whole. */
interface ShapeScope {
  findings: ShapeFindings
  /** Leads to the shape, as a URI fragment. */
  pointer: string
  /** Of the shape in the frame of the whole. */
  pose: Pose
  maxVertices: number
}

/** A finding without its kind and outcome. Pointers are relative to the shape. */
type Description = Pick<ShapeFinding, 'detail' | 'pointers' | 'points' | 'edges'>

const RANKS = new Map(FINDING_KINDS.map((kind, rank) => [kind, rank]))

function createShapeFindings(): ShapeFindings {
  return { listed: [], open: [], counts: new Map(), refused: false, truncated: false }
}

/** A point of the shape, in the frame of the whole. */
function pointOf({ pose: { x, xLow, y, yLow, rotation } }: ShapeScope, px: number, py: number): Vec2 {
  if (rotation === 0) return encodeVec2(x + px + xLow, y + py + yLow)
  const cos = Math.cos(rotation)
  const sin = Math.sin(rotation)
  return encodeVec2(x + (cos * px - sin * py) + xLow, y + (sin * px + cos * py) + yLow)
}

/** `place` orders the findings of one shape; those of one kind are added in that order. False when there are too many. */
function addRefused(
  scope: ShapeScope,
  place: number,
  kind: FindingKind,
  code: ProblemCode,
  describe: () => Description,
): boolean {
  scope.findings.refused = true
  return add(scope, place, kind, () => ({
    kind,
    outcome: 'refused',
    code,
    action: `Refused as ${code}.`,
    ...describe(),
  }))
}

/** Adds a refusal in the words of the decoder's problem. */
function addProblem(
  scope: ShapeScope,
  place: number,
  kind: FindingKind,
  { code, detail, places }: DecodeProblem,
  points: Vec2[] = [],
): void {
  addRefused(scope, place, kind, code, () => ({ detail, pointers: places.map(({ pointer }) => pointer), points }))
}

function addAccepted(
  scope: ShapeScope,
  place: number,
  kind: FindingKind,
  action: string,
  describe: () => Description,
): boolean {
  return add(scope, place, kind, () => ({ kind, outcome: 'accepted', action, ...describe() }))
}

function add(
  { findings: { open, counts }, findings, pointer }: ShapeScope,
  place: number,
  kind: FindingKind,
  create: () => ShapeFinding,
): boolean {
  const count = counts.get(kind) ?? 0
  if (count === MAX_FINDINGS) {
    findings.truncated = true
    return false
  }
  counts.set(kind, count + 1)
  const finding = create()
  finding.pointers = finding.pointers.map((path) => pointer + path)
  open.push({ place, finding })
  return true
}

/** Puts the findings of one shape in order. */
function closeShape({ listed, open }: ShapeFindings): void {
  open.sort((p, q) => p.place - q.place || rankOf(p.finding) - rankOf(q.finding))
  for (const { finding } of open) listed.push(finding)
  open.length = 0
}

function rankOf({ kind }: ShapeFinding): number {
  return RANKS.get(kind) as number
}

// Shapes and compounds.

/** Steps for a child of a compound, besides its shape. */
const STEPS_PER_SHAPE = 16

/** All findings. The shape is valid if and only if `decodeBody` accepts it. */
export function inspectShape({ shape }: ValidateRequest, { maxVertices, maxParts }: ShapeLimits): ValidateResponse {
  const findings = createShapeFindings()
  const scope: ShapeScope = { findings, pointer: '#/shape', pose: createPose(), maxVertices }
  const tooMany = shape.type === 'compound' ? checkParts(shape, maxParts) : null
  if (tooMany === null) inspect(shape, scope)
  else addProblem(scope, 0, 'too-many-parts', tooMany)
  closeShape(findings)
  const { listed, refused, truncated } = findings
  return { valid: !refused, findings: listed, truncated }
}

function inspect(shape: Shape2d, scope: ShapeScope): void {
  switch (shape.type) {
    case 'compound':
      inspectChildren(shape, scope)
      return
    case 'polygon':
      inspectPolygon(shape, scope)
      break
    case 'region':
      inspectRegion(shape, scope)
      break
    case 'chain':
      inspectChain(shape, scope)
      break
    default:
      inspectPlain(shape, scope)
  }
  closeShape(scope.findings)
}

function inspectChildren({ children }: CompoundShape, scope: ShapeScope): void {
  for (let i = 0; i < children.length; i++) {
    spend(STEPS_PER_SHAPE)
    inspectChild(children[i], { ...scope, pointer: `${scope.pointer}/children/${i}` })
  }
}

/** `scope` is that of the child, with the pose of what holds it. */
function inspectChild({ shape, position, rotation = 0 }: Body2d, scope: ShapeScope): void {
  const { pose: parent, findings } = scope
  const isPlaced = position === undefined || numbersInRange(scope, { position })
  const isTurned = numbersInRange(scope, { rotation }, 2, 'Angles')
  if (shape.type === 'aabb' && rotation !== 0) addProblem(scope, 4, 'aabb-rotated', rotatedAabb())
  else if (shape.type === 'aabb' && parent.rotation !== 0) addProblem(scope, 4, 'aabb-rotated', aabbInRotated())
  closeShape(findings)
  // Nothing can be said about the places of what is nowhere.
  if (!isPlaced || !isTurned) return
  const pose = createPose()
  setChildPose(pose, parent, position?.x ?? 0, position?.y ?? 0, rotation)
  inspect(shape, { ...scope, pointer: `${scope.pointer}/shape`, pose })
}

// Shapes without outlines: points, circles, segments, capsules, boxes, aabbs, ellipses, half-planes.

type PlainShape = Exclude<Shape2d, { type: 'polygon' | 'chain' | 'region' | 'compound' }>

/** Relative error of the length of a rounded unit vector, rounded. */
const UNIT_LENGTH_ERROR = 4 * UNIT_ROUNDOFF

type Inspector<Type> = (shape: Extract<PlainShape, { type: Type }>, scope: ShapeScope) => void

const INSPECTORS: { readonly [Type in PlainShape['type']]: Inspector<Type> } = {
  point: () => {},
  circle: inspectCircle,
  segment: inspectCapsule,
  capsule: inspectCapsule,
  box: inspectBox,
  aabb: inspectAabb,
  ellipse: ({ rx, ry }, scope) => {
    numbersInRange(scope, { rx, ry })
  },
  halfplane: inspectHalfplane,
}

function inspectPlain(shape: PlainShape, scope: ShapeScope): void {
  const inspector = INSPECTORS[shape.type] as Inspector<PlainShape['type']>
  inspector(shape, scope)
}

function inspectCircle({ radius }: CircleShape, scope: ShapeScope): void {
  if (!numbersInRange(scope, { radius }) || radius !== 0) return
  addFlat(scope, 'The radius is 0.', '/radius', 0, [{ x: 0, y: 0 }])
}

/** Whether all numbers are in range. Adds a finding for each that is not. */
function numbersInRange(
  scope: ShapeScope,
  fields: Record<string, number | Vec2>,
  firstPlace = 0,
  what?: string,
): boolean {
  let allIn = true
  let place = firstPlace
  const check = (value: number, pointer: string): void => {
    if (inRange(value)) return
    allIn = false
    addProblem(scope, place++, 'out-of-range', outOfRange(value, pointer, what))
  }
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'number') check(value, `/${name}`)
    else for (const axis of AXES) check(value[axis], `/${name}/${axis}`)
  }
  return allIn
}

/** A shape of `dimension` 0 or 1, but for its radius. `points`: the one it lies at, or the ends. */
function addFlat(
  scope: ShapeScope,
  detail: string,
  pointer: string,
  dimension: number,
  points: Vec2[],
  radius = 0,
): void {
  const name = dimension === 0 ? (radius > 0 ? 'circle' : 'point') : radius > 0 ? 'capsule' : 'segment'
  addAccepted(scope, -1, 'degenerate', `Taken as the ${name} that it is.`, () => ({
    detail,
    pointers: [pointer],
    points: points.map(({ x, y }) => pointOf(scope, x, y)),
  }))
}

function inspectCapsule(shape: SegmentShape | CapsuleShape, scope: ShapeScope): void {
  const { type, ...numbers } = shape
  const radius = shape.type === 'capsule' ? shape.radius : 0
  const { a, b } = shape
  if (!numbersInRange(scope, numbers)) return
  if (a.x === b.x && a.y === b.y) addFlat(scope, 'Both ends are the same point.', '/b', 0, [a], radius)
  else if (type === 'capsule' && radius === 0) addFlat(scope, 'The radius is 0.', '/radius', 1, [a, b])
}

function inspectBox({ width, height, radius = 0 }: BoxShape, scope: ShapeScope): void {
  if (!numbersInRange(scope, { width, height, radius })) return
  const x = width / 2
  const y = height / 2
  addFlatBox(scope, { x: -x, y: -y }, { x, y }, ['/width', '/height'], radius)
}

function inspectAabb({ min, max }: AabbShape, scope: ShapeScope): void {
  if (!numbersInRange(scope, { min, max })) return
  const inverted = AXES.filter((axis) => min[axis] > max[axis])
  const corners = [pointOf(scope, min.x, min.y), pointOf(scope, max.x, max.y)]
  for (const axis of inverted) addProblem(scope, 0, 'aabb-inverted', invertedAabb(min, max, axis), corners)
  if (inverted.length === 0) addFlatBox(scope, min, max, ['/max/x', '/max/y'], 0)
}

/** A finding when the box has no area; `pointers` to its extent along x and y. */
function addFlatBox(scope: ShapeScope, min: Vec2, max: Vec2, pointers: readonly string[], radius: number): void {
  const flat = AXES.map((axis) => !(min[axis] < max[axis]))
  if (!flat.includes(true)) return
  const dimension = flat.filter((isFlat) => !isFlat).length
  const name = dimension === 0 ? 'Width and height are' : flat[0] ? 'The width is' : 'The height is'
  addFlat(scope, `${name} 0.`, pointers[flat.indexOf(true)], dimension, dimension === 0 ? [min] : [min, max], radius)
}

function inspectHalfplane({ normal, offset }: HalfplaneShape, scope: ShapeScope): void {
  if (!numbersInRange(scope, { normal, offset })) return
  const { x, y } = normal
  if (x === 0 && y === 0) {
    addProblem(scope, 0, 'normal-zero', zeroNormal())
    return
  }
  const length = Math.hypot(x, y)
  if (Math.abs(length - 1) <= UNIT_LENGTH_ERROR) return
  const action = 'Scaled to length 1; the offset is a length along the unit normal and stays as it is.'
  addAccepted(scope, 0, 'normal-scaled', action, () => ({
    detail: `The normal has length ${length}.`,
    pointers: ['/normal'],
    points: [],
  }))
}

// Shapes given by their vertices: polygons, chains, regions.

/** The rings of a shape, or its one path. Vertices and edges are counted over all of them. */
interface Rings {
  scope: ShapeScope
  points: Float64Array
  /** First vertex of each, and the end of the last. */
  starts: number[]
  pointers: string[]
  turns: Int8Array
  /** The problem of rings that are not simple; null where anything goes. */
  code: 'polygon-not-convex' | 'region-self-intersecting' | null
  /** The treatment of a vertex on a straight line. */
  straight: string
}

const VERTEX_DROPPED = 'The vertex is left out: the edges on both sides of it are one.'
const TOUCHING_TAKEN = 'Taken as it is: rings may touch at single points.'
const VERTEX_KEPT = 'The vertex stays: the edges on both sides of it are two.'

function inspectPolygon({ vertices, radius = 0 }: PolygonShape, scope: ShapeScope): void {
  const radiusFits = numbersInRange(scope, { radius }, vertices.length)
  const rings = readRings('A polygon', [vertices], ['/vertices'], scope)
  if (rings === null || !radiusFits) return
  rings.code = 'polygon-not-convex'
  rings.straight = VERTEX_DROPPED
  const { points, turns } = rings
  setTurns(turns, points, 0, vertices.length, true)
  if (addPathFindings(rings, 0, true, radius)) return
  // A polygon that touches itself is refused for its corners.
  addRingFindings(rings, ['touching'])
}

function inspectChain({ vertices, loop = false }: ChainShape, scope: ShapeScope): void {
  const rings = readRings('A chain', [vertices], ['/vertices'], scope)
  if (rings === null) return
  setTurns(rings.turns, rings.points, 0, vertices.length, loop)
  addPathFindings(rings, 0, loop, 0)
}

function inspectRegion({ outer, holes = [] }: RegionShape, scope: ShapeScope): void {
  const all = [outer, ...holes]
  const pointers = all.map((_, ring) => ringPointer(ring))
  const rings = readRings('A region', all, pointers, scope)
  if (rings === null) return
  rings.code = 'region-self-intersecting'
  for (let ring = 0; ring < all.length; ring++) {
    setTurns(rings.turns, rings.points, rings.starts[ring], rings.starts[ring + 1], true)
    addPathFindings(rings, ring, true, 0)
  }
  addRingFindings(rings, [])
}

/** Null when there are too many vertices, or one that is out of range. */
function readRings(what: string, given: Vec2[][], pointers: string[], scope: ShapeScope): Rings | null {
  const { maxVertices } = scope
  const starts = [0]
  for (const vertices of given) starts.push(starts[starts.length - 1] + vertices.length)
  const count = starts[given.length]
  if (count > maxVertices) {
    addProblem(scope, -1, 'too-many-vertices', tooManyVertices(what, pointers[0], maxVertices, count))
    return null
  }
  spend(2 * count)
  const points = new Float64Array(2 * count)
  let allIn = true
  let at = 0
  given.forEach((vertices, ring) => {
    vertices.forEach((vertex, i) => {
      for (const axis of AXES) {
        const value = vertex[axis]
        points[at++] = value
        if (inRange(value)) continue
        allIn = false
        addProblem(scope, starts[ring] + i, 'out-of-range', outOfRange(value, `${pointers[ring]}/${i}/${axis}`))
      }
    })
  })
  if (!allIn) return null
  return { scope, points, starts, pointers, turns: new Int8Array(count), code: null, straight: VERTEX_KEPT }
}

/** Adds the findings about one ring or path. Returns whether it has no area, or for line work no length. */
function addPathFindings(rings: Rings, ring: number, closed: boolean, radius: number): boolean {
  const { scope, points, starts, turns, code } = rings
  const start = starts[ring]
  const end = starts[ring + 1]
  spend(4 * (end - start))
  const winding = pathWinding(turns, points, start, end)
  const [first, last] = extremes(points, start, end)
  const flat = (code !== null && winding === 0) || (first.x === last.x && first.y === last.y)
  if (flat) addFlatRing(rings, ring, first, last, radius)
  let kept = start
  for (let i = start; i < end; i++) {
    const turn = turns[i]
    if (turn === REPEATED) {
      const isAgain = points[2 * i] === points[2 * kept] && points[2 * i + 1] === points[2 * kept + 1]
      addRepeated(rings, ring, i, closed && !isAgain ? start : kept)
      continue
    }
    kept = i
    if (flat) continue
    if (turn === 0) {
      const detail = `Vertex ${i} lies on the line through its neighbours.`
      addAccepted(scope, i, 'collinear', rings.straight, () => atVertex(rings, ring, i, detail))
    }
    if (turn === BACK) addSpike(rings, ring, i)
    if (code === 'polygon-not-convex' && turn === -winding) addReflex(rings, i)
  }
  return flat
}

/** Leftmost and rightmost vertex, of several the lowest and the highest. */
function extremes(points: Float64Array, start: number, end: number): [Vec2, Vec2] {
  let first = start
  let last = start
  const isLess = (i: number, j: number): boolean =>
    points[2 * i] < points[2 * j] || (points[2 * i] === points[2 * j] && points[2 * i + 1] < points[2 * j + 1])
  for (let i = start + 1; i < end; i++) {
    if (isLess(i, first)) first = i
    if (isLess(last, i)) last = i
  }
  return [
    { x: points[2 * first], y: points[2 * first + 1] },
    { x: points[2 * last], y: points[2 * last + 1] },
  ]
}

function addFlatRing({ scope, starts, pointers }: Rings, ring: number, first: Vec2, last: Vec2, radius: number): void {
  const isPoint = first.x === last.x && first.y === last.y
  const detail = isPoint ? 'All vertices are the same point.' : 'All vertices lie on one line.'
  const ends = isPoint ? [first] : [first, last]
  if (ring === 0) {
    addFlat(scope, detail, pointers[0], ends.length - 1, ends, radius)
    return
  }
  addAccepted(scope, starts[ring] - 0.5, 'degenerate', 'The hole is left out: it takes nothing away.', () => ({
    detail,
    pointers: [pointers[ring]],
    points: ends.map(({ x, y }) => pointOf(scope, x, y)),
  }))
}

function addRepeated(rings: Rings, ring: number, vertex: number, kept: number): void {
  const action = `The vertex is left out: answers name vertex ${kept} instead.`
  const detail = `Vertex ${vertex} is the same point as vertex ${kept}.`
  addAccepted(rings.scope, vertex, 'repeated', action, () => atVertex(rings, ring, vertex, detail))
}

function addSpike(rings: Rings, ring: number, vertex: number): void {
  const { scope, code, starts, pointers } = rings
  const describe = (): Description => {
    const edges = edgesAt(rings, ring, vertex)
    return {
      ...atVertex(rings, ring, vertex, `At vertex ${vertex} the outline goes back along itself.`),
      pointers: [...new Set([vertex, ...edges])].map((i) => `${pointers[ring]}/${i - starts[ring]}`),
      edges,
    }
  }
  if (code !== null) addRefused(scope, vertex, 'spike', code, describe)
  else addAccepted(scope, vertex, 'spike', 'Taken as it is: a chain may run along itself.', describe)
}

/** The edges that end and begin at a vertex, past those without a length; lower one first. */
function edgesAt({ points, starts }: Rings, ring: number, vertex: number): [number, number] {
  const isHere = (i: number): boolean =>
    points[2 * i] === points[2 * vertex] && points[2 * i + 1] === points[2 * vertex + 1]
  const next = (i: number): number => (i + 1 === starts[ring + 1] ? starts[ring] : i + 1)
  const previous = (i: number): number => (i === starts[ring] ? starts[ring + 1] - 1 : i - 1)
  let before = previous(vertex)
  while (isHere(before)) before = previous(before)
  let after = vertex
  while (isHere(next(after))) after = next(after)
  return [Math.min(before, after), Math.max(before, after)]
}

function addReflex(rings: Rings, vertex: number): void {
  addRefused(rings.scope, vertex, 'reflex', 'polygon-not-convex', () => {
    const description = atVertex(rings, 0, vertex, '')
    const place = shownPoint(description.points[0])
    const detail = `The outline turns the wrong way at vertex ${vertex} ${place}; a concave one is sent as a region.`
    return { ...description, detail }
  })
}

function atVertex(
  { scope, points, starts, pointers }: Rings,
  ring: number,
  vertex: number,
  detail: string,
): Description {
  return {
    detail,
    pointers: [`${pointers[ring]}/${vertex - starts[ring]}`],
    points: [pointOf(scope, points[2 * vertex], points[2 * vertex + 1])],
  }
}

/** Adds the crossings, overlaps and touches of the rings of a solid shape. */
function addRingFindings(rings: Rings, leftOut: readonly RingFinding['kind'][]): void {
  const { scope, points, starts, turns } = rings
  const complete = examineRings(points, starts, turns, (found) =>
    leftOut.includes(found.kind) ? true : addRingFinding(rings, found),
  )
  if (!complete) scope.findings.truncated = true
}

/** False when there are too many of the kind. */
function addRingFinding(rings: Rings, found: RingFinding): boolean {
  switch (found.kind) {
    case 'crossing':
      return addConflict(rings, 'self-intersection', found)
    case 'overlap':
      return addConflict(rings, 'edges-overlap', found)
    case 'touching':
      return addAccepted(rings.scope, found.edgeA, 'touching', TOUCHING_TAKEN, () => betweenEdges(rings, found))
    case 'wrong-way':
      return addWinding(rings, found)
    default:
      return addMisplaced(rings, found)
  }
}

function addConflict(rings: Rings, kind: FindingKind, found: RingFinding): boolean {
  const { scope, code } = rings
  return code === null || addRefused(scope, found.edgeA, kind, code, () => betweenEdges(rings, found))
}

function betweenEdges({ scope, starts, pointers }: Rings, found: RingFinding): Description {
  const { kind, edgeA, edgeB, ringA, ringB } = found
  const point = pointOf(scope, found.x, found.y)
  const end = pointOf(scope, found.endX, found.endY)
  const both = `${edgeName('Edge', edgeA, ringA, starts)} and ${edgeName('edge', edgeB, ringB, starts)}`
  const overlap = kind === 'overlap'
  const deed = overlap
    ? `run along each other from ${shownPoint(point)} to ${shownPoint(end)}`
    : `${kind === 'crossing' ? 'cross' : 'touch'} at ${shownPoint(point)}`
  return {
    detail: `${both} ${deed}.`,
    pointers: [`${pointers[ringA]}/${edgeA - starts[ringA]}`, `${pointers[ringB]}/${edgeB - starts[ringB]}`],
    points: overlap ? [point, end] : [point],
    edges: [edgeA, edgeB],
  }
}

function addWinding(rings: Rings, { ringA: ring }: RingFinding): boolean {
  const outer = ring === 0
  const detail = outer ? 'The vertices run clockwise.' : 'The vertices of the hole run counter-clockwise.'
  const action = `Taken as the same outline ${outer ? 'counter-' : ''}clockwise; vertices and edges keep their numbers.`
  return addAccepted(rings.scope, rings.starts[ring] - 0.5, 'winding', action, () => atRing(rings, ring, detail))
}

function addMisplaced(rings: Rings, { kind, ringA: ring, ringB: around }: RingFinding): boolean {
  const outside = kind === 'hole-outside'
  const place = outside ? 'outside the outer ring' : `inside hole ${around - 1}`
  const finding = outside ? 'hole-outside' : 'hole-in-hole'
  return addRefused(rings.scope, rings.starts[ring] - 0.5, finding, 'region-hole-misplaced', () =>
    atRing(rings, ring, `Hole ${ring - 1} lies ${place}.`),
  )
}

function atRing({ scope, points, starts, pointers }: Rings, ring: number, detail: string): Description {
  const first = 2 * starts[ring]
  return { detail, pointers: [pointers[ring]], points: [pointOf(scope, points[first], points[first + 1])] }
}
