// Findings about a shape in space: what queries refuse it for, and what they accept otherwise than it is written.
//
// The exact hull of its corners decides how flat a shape is and which points are corners. The shape is valid if and only if `decodeBody`
// accepts it.

import {
  MAX_FINDINGS,
  type ShapeFinding3d,
  type Validate3dRequest,
  type Validate3dResponse,
} from '../../schemas/queries/validate.ts'
import type {
  AabbShape3d,
  CompoundShape3d,
  ConvexShape3d,
  HalfspaceShape3d,
  HeightfieldShape3d,
  HullShape3d,
  MeshShape3d,
  Shape3d,
} from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { spend } from '../containers/budget.ts'
import type { Mesh } from '../core3d/mesh/mesh.ts'
import { openness } from '../core3d/mesh/openness.ts'
import { hullCorners, spanOf } from '../core3d/shape/convex-hull.ts'
import { comparePoints } from '../core3d/shape/hull-triangles.ts'
import { UNIT_ROUNDOFF } from '../numeric/roundoff.ts'
import { tooManyVertices } from './body.ts'
import { AXES_3D, createSlot, decodeBody, invertedAabb, type ShapeLimits, zeroNormal } from './body-3d.ts'
import { type DecodeProblem, inRange, isProblem, outOfRange } from './decode-problem.ts'
import { decodeMesh } from './mesh-3d.ts'

/** Relative error of the length of a rounded unit vector, rounded. */
const UNIT_LENGTH_ERROR = 4 * UNIT_ROUNDOFF

/** Steps to look up a point of a hull. */
const STEPS_PER_POINT = 8

interface Findings {
  /** Pointer to the shape that is looked at, in the request. */
  at: string
  readonly listed: ShapeFinding3d[]
  readonly counts: Map<ShapeFinding3d['kind'], number>
  truncated: boolean
  /** The mesh that is all of the shape, if it may be open: one that is not solid, or should be and is not closed. */
  surface: Mesh | null
}

/** Pointer to the shape that is not a child of another. */
const WHOLE = '/shape'

/** All findings, and how open a mesh is. */
export function inspectShape({ shape }: Validate3dRequest, limits: ShapeLimits): Validate3dResponse {
  const { listed, truncated, surface } = findingsOf(shape, limits)
  const answer = { valid: listed.every(({ outcome }) => outcome === 'accepted'), findings: listed, truncated }
  const open = surface === null ? null : openness(surface)
  return open === null ? answer : { ...answer, openness: open }
}

/** The findings of `inspectShape` alone: how open a mesh is may take as long as to prepare it. */
export function listFindings(shape: Shape3d, limits: ShapeLimits): readonly ShapeFinding3d[] {
  return findingsOf(shape, limits).listed
}

function findingsOf(shape: Shape3d, limits: ShapeLimits): Findings {
  const findings: Findings = { at: WHOLE, listed: [], counts: new Map(), truncated: false, surface: null }
  inspectAny(findings, shape, limits)
  return findings
}

function inspectAny(findings: Findings, shape: Shape3d, limits: ShapeLimits): void {
  switch (shape.type) {
    case 'compound':
      inspectCompound(findings, shape, limits)
      return
    case 'mesh':
    case 'heightfield':
      inspectMesh(findings, shape, limits)
      return
    case 'hull':
      if (shape.points.length > limits.maxVertices) {
        const problem = tooManyVertices('A hull', '/points', limits.maxVertices, shape.points.length)
        addRefused(findings, 'too-many-vertices', problem)
        return
      }
  }
  if (areInRange(shape) || allInRange(findings, shape, '')) inspect(findings, shape)
}

// Composite shapes: what decoding refuses, in its words, and what is accepted.

/** The kind of finding that stands for a problem of the decoder. */
const KINDS: Readonly<Partial<Record<DecodeProblem['code'], ShapeFinding3d['kind']>>> = {
  'aabb-inverted': 'aabb-inverted',
  'aabb-rotated': 'aabb-rotated',
  'coordinate-out-of-range': 'out-of-range',
  'halfspace-normal-zero': 'normal-zero',
  'heightfield-misshapen': 'misshapen',
  'mesh-index-out-of-range': 'index-out-of-range',
  'mesh-misshapen': 'misshapen',
  'mesh-not-closed': 'not-closed',
  'orientation-not-unit': 'orientation-not-unit',
  'too-many-parts': 'too-many-parts',
  'too-many-triangles': 'too-many-triangles',
  'too-many-vertices': 'too-many-vertices',
}

const slot = createSlot()

function inspectCompound(findings: Findings, shape: CompoundShape3d, limits: ShapeLimits): void {
  const { at, listed } = findings
  const before = listed.length
  for (const [i, child] of shape.children.entries()) {
    findings.at = `${at}/children/${i}/shape`
    inspectAny(findings, child.shape, limits)
  }
  findings.at = at
  // how children are placed, and how many there are
  if (at !== WHOLE || listed.slice(before).some(({ outcome }) => outcome === 'refused')) return
  const problem = decodeBody({ shape }, slot, limits)
  if (problem === null) return
  const places = problem.places.map((place) => ({ ...place, pointer: place.pointer.slice('/shape'.length) }))
  addRefused(findings, KINDS[problem.code] ?? 'misshapen', { ...problem, places })
}

function inspectMesh(findings: Findings, shape: MeshShape3d | HeightfieldShape3d, limits: ShapeLimits): void {
  const isWhole = findings.at === WHOLE
  const mesh = decodeMesh(shape, limits.maxVertices)
  if (isProblem(mesh)) {
    addRefused(findings, KINDS[mesh.code] ?? 'misshapen', mesh)
    if (isWhole && mesh.code === 'mesh-not-closed') {
      const surface = decodeMesh({ ...(shape as MeshShape3d), solid: false }, limits.maxVertices)
      if (!isProblem(surface)) findings.surface = surface
    }
    return
  }
  if (shape.type === 'heightfield') return
  if (isWhole && !mesh.isSolid) findings.surface = mesh
  if (mesh.isInward) {
    const detail = 'The triangles of the solid run clockwise seen from outside.'
    addAccepted(findings, 'winding', detail, 'Taken as the solid that they enclose.', '/triangles')
  }
  const { triangles, triangleCount } = mesh
  spend(triangleCount)
  for (let t = 0; t < triangleCount; t++) {
    const corners = [0, 1, 2].map((k) => vertexOf(mesh, triangles[3 * t + k]))
    if (!mayBeFlat(corners)) continue
    const dimension = dimensionOf(corners)
    if (dimension === 2) continue
    const action = `Taken as the ${NAMES[dimension as 0 | 1]} that it is.`
    addAccepted(findings, 'degenerate', `Triangle ${t} has no area.`, action, `/triangles/${3 * t}`, corners)
    if (findings.truncated) return
  }
}

function vertexOf({ vertices }: Mesh, vertex: number): Vec3 {
  return { x: vertices[3 * vertex], y: vertices[3 * vertex + 1], z: vertices[3 * vertex + 2] }
}

/** Sine of the angle at a corner below which the exact hull decides; far above the rounding of the cross product. */
const FLAT_RATIO = 1e-12

function mayBeFlat([a, b, c]: readonly Vec3[]): boolean {
  const [px, py, pz] = [b.x - a.x, b.y - a.y, b.z - a.z]
  const [qx, qy, qz] = [c.x - a.x, c.y - a.y, c.z - a.z]
  const cross = Math.hypot(py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx)
  return !(cross > FLAT_RATIO * Math.hypot(px, py, pz) * Math.hypot(qx, qy, qz))
}

function add(findings: Findings, finding: ShapeFinding3d): void {
  const { listed, counts } = findings
  const { kind, pointers } = finding
  const count = counts.get(kind) ?? 0
  if (count === MAX_FINDINGS) {
    findings.truncated = true
    return
  }
  counts.set(kind, count + 1)
  listed.push({ ...finding, pointers: pointers.map((pointer) => `#${findings.at}${pointer}`) })
}

/** Adds a refusal in the words of the decoder's problem. */
function addRefused(
  findings: Findings,
  kind: ShapeFinding3d['kind'],
  { code, detail, places }: DecodeProblem,
  points: Vec3[] = [],
): void {
  const pointers = places.map(({ pointer }) => pointer)
  add(findings, { kind, outcome: 'refused', code, detail, action: `Refused as ${code}.`, pointers, points })
}

function addAccepted(
  findings: Findings,
  kind: ShapeFinding3d['kind'],
  detail: string,
  action: string,
  pointer: string,
  points: Vec3[] = [],
): void {
  add(findings, { kind, outcome: 'accepted', detail, action, pointers: [pointer], points })
}

/** Whether all numbers are in range. */
function areInRange(value: unknown): boolean {
  if (typeof value === 'number') {
    spend(1)
    return inRange(value)
  }
  if (typeof value !== 'object' || value === null) return true
  for (const name in value) if (!areInRange((value as Record<string, unknown>)[name])) return false
  return true
}

/** The same. Adds a finding for each that is not. */
function allInRange(findings: Findings, value: unknown, pointer: string): boolean {
  if (typeof value === 'number') {
    spend(1)
    if (inRange(value)) return true
    addRefused(findings, 'out-of-range', outOfRange(value, pointer))
    return false
  }
  if (typeof value !== 'object' || value === null) return true
  let allIn = true
  for (const [name, inner] of Object.entries(value)) {
    if (!allInRange(findings, inner, `${pointer}/${name}`)) allIn = false
  }
  return allIn
}

function inspect(findings: Findings, shape: ConvexShape3d): void {
  const flat = (detail: string, what: string, pointer: string): void =>
    addAccepted(findings, 'degenerate', detail, `Taken as the ${what} that it is.`, pointer)
  switch (shape.type) {
    case 'point':
    case 'ellipsoid':
      return
    case 'sphere':
      if (shape.radius === 0) flat('The radius is 0.', 'point', '/radius')
      return
    case 'segment':
    case 'capsule': {
      const radius = shape.type === 'capsule' ? shape.radius : 0
      if (dimensionOf([shape.a, shape.b]) === 0) flat('Both ends are the same point.', round('point', radius), '/b')
      else if (shape.type === 'capsule' && radius === 0) flat('The radius is 0.', 'segment', '/radius')
      return
    }
    case 'triangle': {
      const dimension = dimensionOf([shape.a, shape.b, shape.c])
      if (dimension === 1) flat('The corners lie on one line.', 'segment', '/c')
      if (dimension === 0) flat('The corners are the same point.', 'point', '/c')
      return
    }
    case 'box': {
      const { size, radius = 0 } = shape
      inspectExtents(
        findings,
        size,
        AXES_3D.map((axis) => `/size/${axis}`),
        radius,
      )
      return
    }
    case 'aabb':
      inspectAabb(findings, shape)
      return
    case 'cylinder':
    case 'cone':
      if (shape.radius === 0) flat('The radius is 0.', shape.height === 0 ? 'point' : 'segment', '/radius')
      else if (shape.height === 0) flat('The height is 0.', 'disc', '/height')
      return
    case 'hull':
      inspectHull(findings, shape)
      return
    case 'halfspace':
      inspectHalfspace(findings, shape)
  }
}

/** The name of what lies within a radius of a flat shape. */
function round(what: 'point' | 'segment' | 'flat shape', radius: number): string {
  if (radius === 0) return what
  return what === 'point' ? 'sphere' : what === 'segment' ? 'capsule' : 'rounded flat shape'
}

const NAMES = ['point', 'segment', 'flat shape'] as const

function inspectExtents(findings: Findings, { x, y, z }: Vec3, pointers: readonly string[], radius: number): void {
  const zeros = [x, y, z].map((extent) => extent === 0)
  const dimension = zeros.filter((isZero) => !isZero).length
  if (dimension === 3) return
  const missing = AXES_3D.filter((_, k) => zeros[k])
  const detail = `The extent along ${missing.join(' and ')} is 0.`
  const action = `Taken as the ${round(NAMES[dimension as 0 | 1 | 2], radius)} that it is.`
  addAccepted(findings, 'degenerate', detail, action, pointers[zeros.indexOf(true)])
}

function inspectAabb(findings: Findings, { min, max }: AabbShape3d): void {
  const inverted = AXES_3D.filter((axis) => min[axis] > max[axis])
  for (const axis of inverted) addRefused(findings, 'aabb-inverted', invertedAabb(min, max, axis), [min, max])
  if (inverted.length > 0) return
  const [x, y, z] = AXES_3D.map((axis) => (min[axis] < max[axis] ? 1 : 0))
  inspectExtents(
    findings,
    { x, y, z },
    AXES_3D.map((axis) => `/max/${axis}`),
    0,
  )
}

/** x, y, z of each point. */
export function coordinatesOf(points: readonly Vec3[]): Float64Array {
  const coordinates = new Float64Array(3 * points.length)
  for (let i = 0; i < points.length; i++) {
    const { x, y, z } = points[i]
    coordinates[3 * i] = x
    coordinates[3 * i + 1] = y
    coordinates[3 * i + 2] = z
  }
  return coordinates
}

function dimensionOf(points: readonly Vec3[]): number {
  return spanOf(coordinatesOf(points), points.length).length - 1
}

const FLATNESS = ['All points are the same.', 'All points lie on one line.', 'All points lie in one plane.']

function inspectHull(findings: Findings, { points, radius = 0 }: HullShape3d): void {
  const coordinates = coordinatesOf(points)
  const { dimension, vertices } = hullCorners(coordinates, points.length)
  if (dimension < 3) {
    const action = `Taken as the ${round(NAMES[dimension as 0 | 1 | 2], radius)} that it is.`
    addAccepted(findings, 'degenerate', FLATNESS[dimension], action, '/points')
  }
  spend(STEPS_PER_POINT * points.length)
  if (vertices.length === points.length) return
  const corners = new Set(vertices)
  const firsts = firstOfEach(coordinates)
  for (const [i, point] of points.entries()) {
    const before = firsts[i]
    const pointer = `/points/${i}`
    if (before < i)
      addAccepted(findings, 'repeated', `Point ${i} is point ${before} again.`, 'Left out.', pointer, [point])
    else if (!corners.has(i))
      addAccepted(findings, 'inner', `Point ${i} is no corner of the hull.`, 'Left out.', pointer, [point])
  }
}

/** Of each point the first one that is the same. */
function firstOfEach(coordinates: Float64Array): Int32Array {
  const firsts = Int32Array.from({ length: coordinates.length / 3 }, (_, i) => i)
  // equal ones stand together then, the first one first
  const order = firsts.slice().sort((i, j) => comparePoints(coordinates, i, j) || i - j)
  for (let k = 1; k < order.length; k++) {
    if (comparePoints(coordinates, order[k - 1], order[k]) === 0) firsts[order[k]] = firsts[order[k - 1]]
  }
  return firsts
}

function inspectHalfspace(findings: Findings, { normal: { x, y, z } }: HalfspaceShape3d): void {
  if (x === 0 && y === 0 && z === 0) {
    addRefused(findings, 'normal-zero', zeroNormal())
    return
  }
  const length = Math.hypot(x, y, z)
  if (Math.abs(length - 1) <= UNIT_LENGTH_ERROR) return
  const action = 'Scaled to length 1; the offset is a length along the unit normal and stays as it is.'
  addAccepted(findings, 'normal-scaled', `The normal has length ${length}.`, action, '/normal')
}
