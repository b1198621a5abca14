/**
 * Decodes bodies of the plane: wire body → core body, or the problem and the place in the body where it lies.
 *
 * A convex shape fills the slot itself; a chain, a region or a compound becomes parts of it. The schema has settled types, signs of
 * sizes, counts and how deep compounds nest. Decoding checks what needs arithmetic: magnitudes, inverted boxes, zero normals,
 * convexity, crossings. The core never checks again.
 */

import {
  type Body2d,
  type ChainShape,
  type CompoundShape,
  MAX_COMPOUND_PARTS,
  MAX_OUTLINE_VERTICES,
  MAX_POLYGON_VERTICES,
  type MovingBody2d,
  type RegionShape,
  type Shape2d,
} from '../../schemas/shapes2d.ts'
import type { CompoundShape3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { spend } from '../containers/budget.ts'
import { KEPT_ENTRIES } from '../containers/scratch.ts'
import { vertexFeature } from '../core2d/feature.ts'
import { createOutline, type Outline, setChain } from '../core2d/outline/outline.ts'
import { setRegion } from '../core2d/outline/region.ts'
import { createOutlineFault, type OutlineFault } from '../core2d/outline/ring-check.ts'
import {
  type Body,
  COS,
  type Composite,
  createBody,
  type Part,
  SIN,
  setBox,
  setCapsule,
  setCircle,
  setEllipse,
  setHalfplane,
  setPose,
} from '../core2d/shape/body.ts'
import {
  addConvexPart,
  addOutlinePart,
  beginComposite,
  createPose,
  finishComposite,
  type Pose,
  setChildPose,
} from '../core2d/shape/composite.ts'
import type { Motion } from '../core2d/shape/motion.ts'
import { setPolygon } from '../core2d/shape/polygon.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt, under, vectorOutOfRange } from './decode-problem.ts'
import { unputShape } from './shape-source.ts'

// Slots: stateless requests decode their bodies into them, one request after the other.

/** A slot keeps the memory of a composite with up to so many parts and leaves for the next one. */
const KEPT_PARTS = 64
const KEPT_LEAVES = 2 ** 14

const slots: Body[] = []
/** Whether composites have been decoded since slots were last released: to look at all of them takes as long as a small query. */
let haveComposites = false

/** A slot for a module to keep. Its content is valid until the request is answered. */
export function createSlot(): Body {
  const slot = createBody()
  slots.push(slot)
  return slot
}

/** Call this after each request: slots live as long as the process and would keep the largest bodies that they ever held. */
export function releaseSlots(): void {
  if (!haveComposites) return
  haveComposites = false
  for (const slot of slots) if (slot.composite !== null) releaseLarge(slot)
}

/** Frees the composite of a slot if it has a large one. */
export function releaseLarge(slot: Body): void {
  const { composite } = slot
  if (composite !== null && isLarge(composite.partCount, composite.leafCount)) slot.composite = null
}

/** Whether a composite is too large to keep, or to write over one that is kept, which others may still refer to. */
function isLarge(partCount: number, leafCount: number): boolean {
  return partCount > KEPT_PARTS || leafCount > KEPT_LEAVES
}

/** The configured limits of shapes. */
export interface ShapeLimits {
  maxVertices: number
  maxParts: number
  /** The shape has been accepted before, and no region in it touches itself: neither is decided again, which takes long. */
  isPlain?: boolean
  /** Regions that touch themselves are left as they were drawn, see `setRegion`. */
  asDrawn?: boolean
}

/** The limits of the schema. */
export const SCHEMA_LIMITS: Readonly<ShapeLimits> = { maxVertices: MAX_OUTLINE_VERTICES, maxParts: MAX_COMPOUND_PARTS }

/** Steps to decode a body. A part takes twice as many, for its place in the tree, and each vertex one more. */
const STEPS_PER_BODY = 8

const ORIGIN: Vec2 = { x: 0, y: 0 }
const NO_PATH: readonly number[] = []

/** Fills `slot`; null when all is well. */
export function decodeBody(wire: Body2d, slot: Body, limits: ShapeLimits = SCHEMA_LIMITS): DecodeProblem | null {
  const { shape, position = ORIGIN, rotation = 0 } = wire
  spend(STEPS_PER_BODY)
  if (slot.composite !== null) releaseLarge(slot)
  const misplaced = checkPlacement(position, rotation)
  if (misplaced !== null) return misplaced
  setPose(slot, position.x, position.y, rotation)
  switch (shape.type) {
    case 'chain':
    case 'region':
    case 'compound':
      return decodeComposite(shape, slot, placed(position, rotation), limits)
    case 'aabb':
      if (rotation !== 0) return rotatedAabb()
  }
  return under('/shape', decodeConvex(shape, slot, limits.maxVertices))
}

/** Fills `slot` and `motion`; null when all is well. */
export function decodeMovingBody(
  wire: MovingBody2d,
  slot: Body,
  motion: Motion,
  limits: ShapeLimits,
): DecodeProblem | null {
  return decodeMotion(wire, motion) ?? decodeBody(wire, slot, limits)
}

/** Fills `out` with the motion of the body; null when all is well. */
export function decodeMotion(
  { velocity = ORIGIN, angularVelocity = 0 }: Pick<MovingBody2d, 'velocity' | 'angularVelocity'>,
  out: Motion,
): DecodeProblem | null {
  if (!inRange(velocity.x) || !inRange(velocity.y)) return vectorOutOfRange(velocity, '/velocity', 'Velocities')
  if (!inRange(angularVelocity)) return outOfRange(angularVelocity, '/angularVelocity', 'Angular velocities')
  out.vx = velocity.x
  out.vy = velocity.y
  out.spin = angularVelocity
  return null
}

function checkPlacement(position: Vec2, rotation: number): DecodeProblem | null {
  if (!inRange(position.x) || !inRange(position.y)) return vectorOutOfRange(position, '/position')
  return inRange(rotation) ? null : outOfRange(rotation, '/rotation', 'Angles')
}

function placed({ x, y }: Vec2, rotation: number): Pose {
  return { x, xLow: 0, y, yLow: 0, rotation }
}

export function rotatedAabb(): DecodeProblem {
  const detail = 'A body with an aabb takes no rotation: leave rotation out, or use a box or a polygon.'
  return problemAt('/rotation', 'aabb-rotated', detail)
}

export function aabbInRotated(): DecodeProblem {
  const detail = 'An aabb takes no rotation, but a compound around it has one: use a box or a polygon.'
  return problemAt('/shape', 'aabb-rotated', detail)
}

function decodeComposite(
  shape: ChainShape | RegionShape | CompoundShape,
  slot: Body,
  pose: Pose,
  limits: ShapeLimits,
): DecodeProblem | null {
  const tooMany = shape.type === 'compound' ? checkParts(shape, limits.maxParts) : null
  if (tooMany !== null) return under('/shape', tooMany)
  haveComposites = true
  if (isLarge(countParts(shape), countLeaves(shape))) slot.composite = null
  const composite = beginComposite(slot)
  // whatever ends the work, no slot has half of one
  slot.composite = null
  const problem =
    shape.type === 'compound'
      ? addChildren(composite, shape, pose, NO_PATH, limits)
      : decodeOutline(shape, addOutlinePart(composite, pose, NO_PATH), limits)
  if (problem !== null) return under('/shape', problem)
  slot.composite = composite
  finishComposite(slot)
  return null
}

/** Counts the shapes of a compound, of the plane or of space, that are no compounds themselves. */
export function checkParts(shape: CompoundShape | CompoundShape3d, limit: number): DecodeProblem | null {
  const actual = countParts(shape)
  if (actual <= limit) return null
  const detail = `A compound may have at most ${limit} parts, got ${actual}.`
  return problemAt('/children', 'too-many-parts', detail, { limit, actual })
}

function countParts(shape: Shape2d | Shape3d): number {
  if (shape.type !== 'compound') return 1
  // kept shapes may stand in it many times
  spend(shape.children.length)
  let count = 0
  for (const child of shape.children) count += countParts(child.shape)
  return count
}

/** An upper bound: repeated vertices of chains and regions are counted too. */
function countLeaves(shape: Shape2d): number {
  let count = 0
  switch (shape.type) {
    case 'compound':
      for (const child of shape.children) count += countLeaves(child.shape)
      return count
    case 'chain':
      return shape.vertices.length
    case 'region':
      count = shape.outer.length
      for (const hole of shape.holes ?? []) count += hole.length
      return count
    default:
      return 1
  }
}

/** The problem's pointer is relative to the compound's shape. */
function addChildren(
  composite: Composite,
  { children }: CompoundShape,
  pose: Pose,
  path: readonly number[],
  limits: ShapeLimits,
): DecodeProblem | null {
  for (let i = 0; i < children.length; i++) {
    const problem = addChild(composite, children[i], pose, [...path, i], limits)
    if (problem !== null) return under(`/children/${i}`, problem)
  }
  return null
}

function addChild(
  composite: Composite,
  { shape, position = ORIGIN, rotation = 0 }: Body2d,
  parent: Pose,
  path: readonly number[],
  limits: ShapeLimits,
): DecodeProblem | null {
  spend(2 * STEPS_PER_BODY)
  const misplaced = checkPlacement(position, rotation)
  if (misplaced !== null) return misplaced
  const pose = createPose()
  setChildPose(pose, parent, position.x, position.y, rotation)
  switch (shape.type) {
    case 'compound':
      return under('/shape', addChildren(composite, shape, pose, path, limits))
    case 'chain':
    case 'region':
      return under('/shape', decodeOutline(shape, addOutlinePart(composite, pose, path), limits))
    case 'aabb':
      if (rotation !== 0) return rotatedAabb()
      if (parent.rotation !== 0) return aabbInRotated()
  }
  return under('/shape', decodeConvex(shape, addConvexPart(composite, pose, path), limits.maxVertices))
}

// Convex shapes. Pointers are relative to the shape.

type ConvexShape = Exclude<Shape2d, { type: 'chain' | 'region' | 'compound' }>

const polygonFault = createOutlineFault()
const polygonPoints = new Float64Array(2 * MAX_POLYGON_VERTICES)

/** Fills `slot`, whose pose is set; null when all is well. `maxVertices`: the configured limit. */
export function decodeConvex(shape: ConvexShape, slot: Body, maxVertices: number): DecodeProblem | null {
  switch (shape.type) {
    case 'point':
      setCircle(slot, 0, vertexFeature(0))
      return null
    case 'circle':
      if (!inRange(shape.radius)) return outOfRange(shape.radius, '/radius')
      setCircle(slot, shape.radius)
      return null
    case 'segment':
      return decodeCapsule(shape.a, shape.b, 0, slot)
    case 'capsule':
      return decodeCapsule(shape.a, shape.b, shape.radius, slot)
    case 'box':
      return decodeBox(shape.width, shape.height, shape.radius ?? 0, slot)
    case 'aabb':
      return decodeAabb(shape.min, shape.max, slot)
    case 'polygon':
      return decodePolygon(shape.vertices, shape.radius ?? 0, slot, maxVertices)
    case 'ellipse':
      if (!inRange(shape.rx)) return outOfRange(shape.rx, '/rx')
      if (!inRange(shape.ry)) return outOfRange(shape.ry, '/ry')
      setEllipse(slot, shape.rx, shape.ry)
      return null
    case 'halfplane':
      return decodeHalfplane(shape.normal, shape.offset, slot)
    default:
      return unputShape(shape, '2d')
  }
}

function decodeCapsule(a: Vec2, b: Vec2, radius: number, slot: Body): DecodeProblem | null {
  if (!inRange(a.x) || !inRange(a.y)) return vectorOutOfRange(a, '/a')
  if (!inRange(b.x) || !inRange(b.y)) return vectorOutOfRange(b, '/b')
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  setCapsule(slot, a.x, a.y, b.x, b.y, radius)
  return null
}

function decodeBox(width: number, height: number, radius: number, slot: Body): DecodeProblem | null {
  if (!inRange(width)) return outOfRange(width, '/width')
  if (!inRange(height)) return outOfRange(height, '/height')
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  setBox(slot, -width / 2, -height / 2, width / 2, height / 2, radius)
  return null
}

function decodeAabb(min: Vec2, max: Vec2, slot: Body): DecodeProblem | null {
  if (!inRange(min.x) || !inRange(min.y)) return vectorOutOfRange(min, '/min')
  if (!inRange(max.x) || !inRange(max.y)) return vectorOutOfRange(max, '/max')
  for (const axis of AXES) {
    if (min[axis] > max[axis]) return invertedAabb(min, max, axis)
  }
  setBox(slot, min.x, min.y, max.x, max.y, 0)
  return null
}

export const AXES = ['x', 'y'] as const

export function invertedAabb(min: Vec2, max: Vec2, axis: 'x' | 'y'): DecodeProblem {
  const detail = `min.${axis} must not exceed max.${axis}, got ${min[axis]} and ${max[axis]}.`
  return problemAt(`/min/${axis}`, 'aabb-inverted', detail)
}

function decodePolygon(vertices: Vec2[], radius: number, slot: Body, maxVertices: number): DecodeProblem | null {
  const count = vertices.length
  if (count > maxVertices) return tooManyVertices('A polygon', '/vertices', maxVertices, count)
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  spend(2 * count)
  for (let i = 0; i < count; i++) {
    const { x, y } = vertices[i]
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(vertices[i], `/vertices/${i}`)
    polygonPoints[2 * i] = x
    polygonPoints[2 * i + 1] = y
  }
  const reflex = setPolygon(slot, polygonPoints, count, radius)
  if (reflex < 0) return null
  return notConvex(vertices, reflex)
}

/** One that crosses itself cannot be sent as a region either. */
function notConvex(vertices: Vec2[], reflex: number): DecodeProblem {
  const starts = [0, vertices.length]
  if (!setRegion(createOutline(), polygonPoints, starts, 1, 0, polygonFault)) {
    const { detail, places } = describeCrossing(polygonFault, () => '/vertices', starts)
    return {
      ok: false,
      code: 'polygon-not-convex',
      detail: `A polygon must be convex, and this one crosses itself. ${detail}`,
      places,
    }
  }
  const { x, y } = vertices[reflex]
  const detail = `A polygon must be convex, but its outline turns the wrong way at vertex ${reflex} (${x}, ${y}); a concave one is sent as a region.`
  return problemAt(`/vertices/${reflex}`, 'polygon-not-convex', detail)
}

function decodeHalfplane(normal: Vec2, offset: number, slot: Body): DecodeProblem | null {
  if (!inRange(normal.x) || !inRange(normal.y)) return vectorOutOfRange(normal, '/normal')
  if (!inRange(offset)) return outOfRange(offset, '/offset')
  if (normal.x === 0 && normal.y === 0) return zeroNormal()
  setHalfplane(slot, normal.x, normal.y, offset)
  return null
}

export function zeroNormal(): DecodeProblem {
  return problemAt('/normal', 'halfplane-normal-zero', 'The normal of a halfplane must not be the zero vector.')
}

export function tooManyVertices(what: string, pointer: string, limit: number, actual: number): DecodeProblem {
  const detail = `${what} may have at most ${limit} vertices, got ${actual}.`
  return problemAt(pointer, 'too-many-vertices', detail, { limit, actual })
}

// Chains and regions. Answers and sentences count vertices and edges over all rings of a region, outer ring first; pointers name the
// ring and the index in it.

type OutlinePart = Part & { outline: Outline }

let points = new Float64Array(2048)
const ringStarts: number[] = []
const fault = createOutlineFault()

/** Fills the outline of `part`, whose pose is set; null when all is well. */
export function decodeOutline(
  shape: ChainShape | RegionShape,
  part: OutlinePart,
  limits: ShapeLimits,
): DecodeProblem | null {
  try {
    return shape.type === 'chain' ? decodeChain(shape, part, limits.maxVertices) : decodeRegion(shape, part, limits)
  } finally {
    if (points.length > 2 * KEPT_ENTRIES) points = new Float64Array(2048)
  }
}

function decodeChain(
  { vertices, loop = false }: ChainShape,
  { outline, body }: OutlinePart,
  maxVertices: number,
): DecodeProblem | null {
  const count = vertices.length
  if (count > maxVertices) return tooManyVertices('A chain', '/vertices', maxVertices, count)
  reservePoints(count)
  const problem = readPoints(vertices, 0, '/vertices')
  if (problem === null) setChain(outline, points, count, loop, body.numbers[COS], body.numbers[SIN])
  return problem
}

function decodeRegion(
  { outer, holes = [] }: RegionShape,
  { outline, body }: OutlinePart,
  { maxVertices, isPlain, asDrawn }: ShapeLimits,
): DecodeProblem | null {
  let count = outer.length
  for (const hole of holes) count += hole.length
  if (count > maxVertices) return tooManyVertices('A region', '/outer', maxVertices, count)
  reservePoints(count)
  ringStarts.length = 0
  let start = 0
  for (let ring = 0; ring <= holes.length; ring++) {
    const vertices = ring === 0 ? outer : holes[ring - 1]
    ringStarts.push(start)
    const problem = readPoints(vertices, start, ringPointer(ring))
    if (problem !== null) return problem
    start += vertices.length
  }
  ringStarts.push(start)
  return setRegion(outline, points, ringStarts, body.numbers[COS], body.numbers[SIN], fault, isPlain, asDrawn)
    ? null
    : describeFault()
}

function reservePoints(count: number): void {
  if (points.length < 2 * count) points = new Float64Array(2 ** Math.ceil(Math.log2(2 * count)))
}

function readPoints(vertices: readonly Vec2[], start: number, pointer: string): DecodeProblem | null {
  spend(vertices.length)
  for (let i = 0; i < vertices.length; i++) {
    const { x, y } = vertices[i]
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(vertices[i], `${pointer}/${i}`)
    points[2 * (start + i)] = x
    points[2 * (start + i) + 1] = y
  }
  return null
}

/** `ring` 0 is the outer one. */
export function ringPointer(ring: number): string {
  return ring === 0 ? '/outer' : `/holes/${ring - 1}`
}

function describeFault(): DecodeProblem {
  const { kind, ringA, ringB } = fault
  const place = shownPoint(fault)
  switch (kind) {
    case 'hole-outside':
      return misplaced(ringA, `Hole ${ringA - 1} lies outside the outer ring at its vertex ${place}.`)
    case 'hole-nested':
      return misplaced(ringA, `Hole ${ringA - 1} lies inside hole ${ringB - 1} at its vertex ${place}.`)
  }
  return { ok: false, code: 'region-self-intersecting', ...describeCrossing(fault, ringPointer, ringStarts) }
}

function misplaced(ring: number, detail: string): DecodeProblem {
  return problemAt(ringPointer(ring), 'region-hole-misplaced', detail)
}

// Sentences about rings that cross themselves or each other.

/**
 * Describes two edges that cross or share a stretch. `pointer`: of a ring, relative to the shape; `starts`: the first vertex of each
 * ring, and the end of the last.
 */
function describeCrossing(
  { kind, edgeA, edgeB, ringA, ringB, x, y }: OutlineFault,
  pointer: (ring: number) => string,
  starts: readonly number[],
): Pick<DecodeProblem, 'detail' | 'places'> {
  const place = shownPoint({ x, y })
  const crosses = kind === 'crossing'
  const both = `${edgeName('Edge', edgeA, ringA, starts)} and ${edgeName('edge', edgeB, ringB, starts)}`
  const deed = (other: number) => (crosses ? `crosses edge ${other} at` : `runs along edge ${other} from`)
  const one = (edge: number, ring: number, other: number) => ({
    pointer: `${pointer(ring)}/${edge - starts[ring]}`,
    detail: `Edge ${edge}, which starts here, ${deed(other)} ${place}.`,
  })
  return {
    detail: `${both} ${crosses ? `cross at ${place}` : `share a stretch that begins at ${place}`}.`,
    places: [one(edgeA, ringA, edgeB), one(edgeB, ringB, edgeA)],
  }
}

/** Names an edge by its index over all rings. `starts`: the first vertex of each ring, and the end of the last. */
export function edgeName(word: string, edge: number, ring: number, starts: readonly number[]): string {
  const end = edge + 1 < starts[ring + 1] ? edge + 1 : starts[ring]
  const whose = ring === 0 ? '' : `of hole ${ring - 1}, `
  return `${word} ${edge} (${whose}from vertex ${edge} to ${end})`
}

/** Significant digits: enough to find the place, without the tail of a double. */
const SHOWN_DIGITS = 12

/** A point as sentences show it. */
export function shownPoint({ x, y }: Vec2): string {
  return `(${shown(x)}, ${shown(y)})`
}

function shown(value: number): number {
  return Number(value.toPrecision(SHOWN_DIGITS))
}

// How long things move.

/** Null when all is well. */
export function checkDuration(duration: number): DecodeProblem | null {
  return inRange(duration) ? null : outOfRange(duration, '/duration', 'Durations')
}
