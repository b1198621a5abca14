// What is found about shapes without outlines: points, circles, segments, capsules, boxes, aabbs, ellipses, half-planes.

import type {
  AabbShape,
  BoxShape,
  CapsuleShape,
  CircleShape,
  HalfplaneShape,
  SegmentShape,
  Shape2d,
} from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { AXES, invertedAabb, zeroNormal } from '../bodies/body.ts'
import { inRange, outOfRange } from '../problems/decode-problem.ts'
import { addAccepted, addProblem, pointOf, type ShapeScope } from './shape-findings.ts'

export type PlainShape = Exclude<Shape2d, { type: 'polygon' | 'chain' | 'region' | 'compound' }>

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

export function inspectPlain(shape: PlainShape, scope: ShapeScope): void {
  const inspector = INSPECTORS[shape.type] as Inspector<PlainShape['type']>
  inspector(shape, scope)
}

function inspectCircle({ radius }: CircleShape, scope: ShapeScope): void {
  if (!numbersInRange(scope, { radius }) || radius !== 0) return
  addFlat(scope, 'The radius is 0.', '/radius', 0, [{ x: 0, y: 0 }])
}

/** Whether all of them are; a finding for each that is not. */
export function numbersInRange(
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
export function addFlat(
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
