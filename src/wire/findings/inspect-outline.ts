// What is found about shapes given by their vertices: polygons, chains, regions.

import type { FindingKind } from '../../../schemas/queries/validate.ts'
import type { ChainShape, PolygonShape, RegionShape } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { examineRings, type RingFinding } from '../../core2d/outline/ring-findings.ts'
import { BACK, pathWinding, REPEATED, setTurns } from '../../core2d/points/path-turns.ts'
import { AXES, edgeName, ringPointer, shownPoint, tooManyVertices } from '../bodies/body.ts'
import { inRange, outOfRange } from '../problems/decode-problem.ts'
import { addFlat, numbersInRange } from './inspect-plain.ts'
import { addAccepted, addProblem, addRefused, type Description, pointOf, type ShapeScope } from './shape-findings.ts'

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
  /** What becomes of a vertex on a straight line. */
  straight: string
}

const VERTEX_DROPPED = 'The vertex is left out: the edges on both sides of it are one.'
const TOUCHING_TAKEN = 'Taken as it is: rings may touch at single points.'
const VERTEX_KEPT = 'The vertex stays: the edges on both sides of it are two.'

export function inspectPolygon({ vertices, radius = 0 }: PolygonShape, scope: ShapeScope): void {
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

export function inspectChain({ vertices, loop = false }: ChainShape, scope: ShapeScope): void {
  const rings = readRings('A chain', [vertices], ['/vertices'], scope)
  if (rings === null) return
  setTurns(rings.turns, rings.points, 0, vertices.length, loop)
  addPathFindings(rings, 0, loop, 0)
}

export function inspectRegion({ outer, holes = [] }: RegionShape, scope: ShapeScope): void {
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

/** What the vertices of one ring or path say. Whether it has no area, or for line work no length. */
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

/** What the rings of a solid shape do to each other and themselves. */
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
