// Handles of the selected body in space: arrows along the axes move it, rings about them turn it, and others reshape it.

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Handle } from '../sketch/handles.ts'
import { turnedOn } from '../sketch/question.ts'
import { bodyOf, positionOf, type Sketch, type SketchBody, withBody } from '../sketch/sketch.ts'
import {
  cross,
  dot,
  inSpace,
  lengthOf,
  minus,
  plus,
  times,
  toLocal,
  toWorld,
  unit,
  type Vec,
  type Vec3,
} from '../sketch/vector.ts'

type Axis = 'x' | 'y' | 'z'
const AXES: readonly Axis[] = ['x', 'y', 'z']
const along = (axis: Axis): Vec3 => ({ x: 0, y: 0, z: 0, [axis]: 1 })

/** Of a ring, in parts of the length of an arrow. */
const RING = 0.72
/** Places of a ring that are drawn. */
const SIDES = 40
/** That an arrow key turns by, radians. */
const TURN = Math.PI / 36

const edited = (now: Sketch, id: string, change: (body: SketchBody) => SketchBody): Sketch => {
  const before = bodyOf(now, id)
  return before === undefined ? now : withBody(now, change(before))
}

const movedTo = (body: SketchBody, position: Vec): SketchBody => ({ ...body, position: inSpace(position) })

function arrow(body: SketchBody, axis: Axis, reach: number, step: number): Handle {
  const tip = times(along(axis), reach)
  const at = plus(inSpace(positionOf(body)), tip)
  return {
    name: `${body.id}: move ${axis}`,
    kind: axis,
    at,
    from: positionOf(body),
    along: along(axis),
    drag: (now, to) => edited(now, body.id, (before) => movedTo(before, minus(to, tip))),
    nudge: (now, sense) =>
      edited(now, body.id, (before) =>
        movedTo(before, plus(inSpace(positionOf(before)), times(along(axis), sense * step))),
      ),
  }
}

/** Its knob lies between the two other axes; a drag turns the body as it was when the drag began. */
function ring(body: SketchBody, axis: Axis, reach: number): Handle {
  const [p, q] = AXES.filter((other) => other !== axis).map(along) as [Vec3, Vec3]
  const center = inSpace(positionOf(body))
  const round = (angle: number) =>
    plus(center, times(plus(times(p, Math.cos(angle)), times(q, Math.sin(angle))), reach * RING))
  const start = unit(plus(p, q))
  return {
    name: `${body.id}: turn ${axis}`,
    kind: axis,
    at: round(Math.PI / 4),
    trail: Array.from({ length: SIDES + 1 }, (_, i) => round((2 * Math.PI * i) / SIDES)),
    within: along(axis),
    drag: (now, to) =>
      edited(now, body.id, (before) => {
        const way = inSpace(minus(to, center))
        const angle = Math.atan2(dot(cross(inSpace(start), way), along(axis)), dot(start, way))
        const { orientation: _, ...rest } = before
        const asItWas = body.orientation === undefined ? rest : { ...rest, orientation: body.orientation }
        return turnedOn(asItWas, times(along(axis), angle))
      }),
    nudge: (now, sense) => edited(now, body.id, (before) => turnedOn(before, times(along(axis), sense * TURN))),
  }
}

/** In the local frame of a shape. */
interface Reshaping {
  name: string
  at: Vec3
  along?: Vec3
  drag(to: Vec3): Shape3d
}

/** A radius or half an extent, by a knob on an axis. */
const knob = (name: string, axis: Axis, size: number, drag: (size: number) => Shape3d): Reshaping => ({
  name,
  at: times(along(axis), size) as Vec3,
  along: along(axis),
  drag: (to) => drag(Math.max(0, to[axis])),
})

/** Corners that can be told apart. */
const MOST_CORNERS = 40

function reshapings(shape: Shape3d): Reshaping[] {
  switch (shape.type) {
    case 'sphere':
      return [knob('radius', 'x', shape.radius, (radius) => ({ ...shape, radius }))]
    case 'ellipsoid':
      return AXES.map((axis) =>
        knob(`radius ${axis}`, axis, shape.radii[axis], (size) => ({
          ...shape,
          radii: { ...shape.radii, [axis]: size || shape.radii[axis] },
        })),
      )
    case 'box':
      return AXES.map((axis) =>
        knob(`size ${axis}`, axis, shape.size[axis] / 2, (half) => ({
          ...shape,
          size: { ...shape.size, [axis]: 2 * half },
        })),
      )
    case 'cylinder':
    case 'cone': {
      const main = shape.axis ?? 'y'
      const side = main === 'x' ? 'y' : 'x'
      return [
        knob('radius', side, shape.radius, (radius) => ({ ...shape, radius })),
        knob('height', main, shape.height / 2, (half) => ({ ...shape, height: 2 * half })),
      ]
    }
    case 'segment':
    case 'capsule':
      return (['a', 'b'] as const).map((end) => ({
        name: `end ${end}`,
        at: shape[end],
        drag: (to) => ({ ...shape, [end]: to }),
      }))
    case 'triangle':
      return (['a', 'b', 'c'] as const).map((end) => ({
        name: `corner ${end}`,
        at: shape[end],
        drag: (to) => ({ ...shape, [end]: to }),
      }))
    case 'hull':
      return shape.points.length > MOST_CORNERS
        ? []
        : shape.points.map((at, i) => ({
            name: `point ${i}`,
            at,
            drag: (to) => ({ ...shape, points: shape.points.with(i, to) }),
          }))
    default:
      return []
  }
}

/** Boxes in line with the axes may not be turned, nor what holds one; points and balls look the same. */
function turns(shape: Shape3d): boolean {
  return shape.type === 'compound'
    ? shape.children.every((child) => turns(child.shape))
    : shape.type !== 'aabb' && shape.type !== 'point'
}

/** `reach`: of the arrows, a length; `step`: that an arrow key moves by. */
export function gizmo(body: SketchBody, reach: number, step: number, canReshape: boolean): Handle[] {
  const shape = body.shape as Shape3d
  const knobs = canReshape ? reshapings(shape) : []
  return [
    ...AXES.map((axis) => arrow(body, axis, reach, step)),
    ...(turns(shape) ? AXES.map((axis) => ring(body, axis, reach)) : []),
    ...knobs.map(({ name, at, along: way, drag }): Handle => {
      const handle: Handle = {
        name: `${body.id}: ${name}`,
        kind: 'corner',
        at: toWorld(body, at),
        drag: (now, to) =>
          edited(now, body.id, (before) => ({ ...before, shape: drag(inSpace(toLocal(before, inSpace(to)))) })),
      }
      if (way !== undefined) handle.along = minus(toWorld(body, plus(at, way)), toWorld(body, at))
      return handle
    }),
  ]
}

/** How far a body goes from its position to the farthest corner of its box. */
export const sizeOf = (body: SketchBody, corners: readonly Vec[]): number =>
  Math.max(0, ...corners.map((corner) => lengthOf(minus(corner, positionOf(body)))))
