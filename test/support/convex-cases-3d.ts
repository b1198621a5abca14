/**
 * Reads the exact 3D cases of ../shared/cases3d (beside the repository, not part of it) and sets their bodies. Present or not, a
 * test asks `casesPresent3d` and skips with a message.
 */

import { existsSync, readFileSync } from 'node:fs'
import { type Body, createBody, setPose } from '../../src/core3d/shape/body.ts'
import {
  type AxisName,
  setAabb,
  setBox,
  setCapsule,
  setCone,
  setCylinder,
  setEllipsoid,
  setHalfspace,
  setHull,
  setPoint,
  setSegment,
  setSphere,
  setTriangle,
} from '../../src/core3d/shape/shapes.ts'

const FOLDER = new URL('../../../shared/cases3d/', import.meta.url)

export type Triple = [number, number, number]

export interface CaseShape {
  type: string
  radius?: number
  height?: number
  axis?: AxisName
  radii?: Triple
  size?: Triple
  min?: Triple
  max?: Triple
  a?: Triple
  b?: Triple
  c?: Triple
  points?: Triple[]
  normal?: Triple
  offset?: number
}

export interface CaseBody {
  shape: CaseShape
  position: Triple
  orientation?: [number, number, number, number] | undefined
}

export interface SharedCase3d {
  id: string
  tags: string[]
  kind: string
  a: CaseBody
  b: CaseBody
  expect: {
    overlap?: boolean
    distance?: number
    pA?: Triple
    pB?: Triple
    normal?: Triple
    touching?: boolean
    depth?: number
    refused?: boolean
  }
  tol: { distance?: number; point?: number; normal?: number; depth?: number; attain?: number }
}

export const casesPresent3d = existsSync(new URL('overlap.ndjson', FOLDER))

/** The convex pairs of a file. */
export function convexCases(name: string): SharedCase3d[] {
  return readFileSync(new URL(`${name}.ndjson`, FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SharedCase3d)
    .filter(({ a, b }) => b !== undefined && isConvex(a) && isConvex(b))
}

export interface RayCase3d {
  id: string
  tags: string[]
  a: CaseBody
  ray: { origin: Triple; direction: Triple; maxDistance: number }
  expect: {
    hit: boolean
    distance?: number
    point?: Triple
    normal?: Triple
    normalCone?: Triple[]
    inside?: boolean
    exitDistance?: number
  }
  tol: { distance?: number; point?: number; normal?: number; exitDistance?: number }
}

/** Rays at convex bodies, or at any. */
export function rayCases(which: 'convex' | 'any' = 'convex'): RayCase3d[] {
  return readFileSync(new URL('ray.ndjson', FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RayCase3d)
    .filter(({ a }) => which === 'any' || isConvex(a))
}

function isConvex({ shape }: CaseBody): boolean {
  return shape.type !== 'mesh' && shape.type !== 'compound'
}

export function bodyOf({ shape, position, orientation }: CaseBody): Body {
  const body = createBody()
  setPose(body, { position, orientation })
  setConvexShape(body, shape)
  return body
}

export function setConvexShape(body: Body, shape: CaseShape): void {
  const { radius = 0, height = 0, axis = 'y' } = shape
  switch (shape.type) {
    case 'point':
      setPoint(body)
      break
    case 'sphere':
      setSphere(body, radius)
      break
    case 'segment':
      setSegment(body, shape.a!, shape.b!)
      break
    case 'capsule':
      setCapsule(body, shape.a!, shape.b!, radius)
      break
    case 'triangle':
      setTriangle(body, shape.a!, shape.b!, shape.c!)
      break
    case 'box':
      setBox(body, shape.size!, radius)
      break
    case 'aabb':
      setAabb(body, shape.min!, shape.max!)
      break
    case 'cylinder':
      setCylinder(body, radius, height, axis)
      break
    case 'cone':
      setCone(body, radius, height, axis)
      break
    case 'ellipsoid':
      setEllipsoid(body, shape.radii!)
      break
    case 'hull':
      setHull(body, Float64Array.from(shape.points!.flat()), shape.points!.length, radius)
      break
    case 'halfspace':
      setHalfspace(body, shape.normal!, shape.offset!)
      break
    default:
      throw new RangeError(`no convex shape: ${shape.type}`)
  }
}
