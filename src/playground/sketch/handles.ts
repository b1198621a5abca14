// Handles: places that can be dragged, and the sketch that comes of it. Those of a body are its turn, its corners and radii.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import { areaOf, boxCorners } from './shape-outline.ts'
import { bodyOf, positionOf, type Sketch, type SketchBody, withBody } from './sketch.ts'
import {
  isZero,
  lengthOf,
  middle,
  minus,
  plus,
  times,
  toLocal,
  toWorld,
  turned,
  unit,
  type Vec,
  type Vec2,
} from './vector.ts'

export interface Handle {
  /** For people, and unique in a sketch. */
  name: string
  /** World frame. */
  at: Vec
  kind: 'corner' | 'insert' | 'turn' | 'vector' | 'x' | 'y' | 'z'
  drag(sketch: Sketch, to: Vec): Sketch
  /** The sketch without it; absent where it cannot be removed. */
  remove?(sketch: Sketch): Sketch
  /** Where the line to it starts, for tips of vectors. */
  from?: Vec
  /** A line that is drawn with it instead. */
  trail?: readonly Vec[]
  /** In space: dragged along this direction only. */
  along?: Vec
  /** In space: dragged at right angles to this direction only. */
  within?: Vec
  /** What an arrow key does, where it is not a step on the screen; `sense`: 1 or -1, or a tenth of it. */
  nudge?(sketch: Sketch, sense: number): Sketch
}

/** In the local frame of a shape. */
interface ShapeHandle {
  name: string
  at: Vec2
  kind?: Handle['kind']
  drag(to: Vec2): Shape2d
  remove?(): Shape2d
}

const least = (value: number) => Math.max(0, value)

/** Corners of a list, a place between each two where a new one is put, and what the shape is with another list. */
function listHandles(
  name: string,
  points: readonly Vec2[],
  { fewest, closed }: { fewest: number; closed: boolean },
  rebuild: (points: Vec2[]) => Shape2d,
): ShapeHandle[] {
  // more than this could not be told apart, nor drawn quickly
  if (points.length > 200) return []
  const corners = points.map((at, i): ShapeHandle => {
    const drag = (to: Vec2) => rebuild(points.with(i, to))
    const handle = { name: `${name} ${i}`, at, drag }
    return points.length > fewest ? { ...handle, remove: () => rebuild(points.toSpliced(i, 1)) } : handle
  })
  const inserts = points.slice(closed ? 0 : 1).map((_, k): ShapeHandle => {
    const i = closed ? k : k + 1
    const before = points[(i + points.length - 1) % points.length]!
    const at = middle(before, points[i]!)
    return { name: `new before ${name} ${i}`, at, kind: 'insert', drag: (to) => rebuild(points.toSpliced(i, 0, to)) }
  })
  return [...corners, ...inserts]
}

function shapeHandles(shape: Shape2d): ShapeHandle[] {
  switch (shape.type) {
    case 'point':
      return []
    case 'circle':
      return [
        { name: 'radius', at: { x: shape.radius, y: 0 }, drag: (to) => ({ type: 'circle', radius: lengthOf(to) }) },
      ]
    case 'ellipse':
      return [
        { name: 'rx', at: { x: shape.rx, y: 0 }, drag: (to) => ({ ...shape, rx: Math.abs(to.x) || shape.rx }) },
        { name: 'ry', at: { x: 0, y: shape.ry }, drag: (to) => ({ ...shape, ry: Math.abs(to.y) || shape.ry }) },
      ]
    case 'segment':
      return [
        { name: 'end a', at: shape.a, drag: (a) => ({ ...shape, a }) },
        { name: 'end b', at: shape.b, drag: (b) => ({ ...shape, b }) },
      ]
    case 'capsule': {
      const side = turned(unit(minus(shape.b, shape.a)), Math.PI / 2)
      const half = middle(shape.a, shape.b)
      return [
        { name: 'end a', at: shape.a, drag: (a) => ({ ...shape, a }) },
        { name: 'end b', at: shape.b, drag: (b) => ({ ...shape, b }) },
        {
          name: 'radius',
          at: plus(half, times(side, shape.radius)),
          drag: (to) => ({ ...shape, radius: Math.abs((to.x - half.x) * side.x + (to.y - half.y) * side.y) }),
        },
      ]
    }
    case 'box': {
      const { width, height, radius = 0 } = shape
      const corners = boxCorners(width, height).map((at, i): ShapeHandle => {
        const drag = ({ x, y }: Vec2) => ({ ...shape, width: 2 * Math.abs(x), height: 2 * Math.abs(y) })
        return { name: `corner ${i}`, at, drag }
      })
      const drag = ({ x }: Vec2) => ({ ...shape, radius: least(x - width / 2) })
      return [...corners, { name: 'rounding', at: { x: width / 2 + radius, y: 0 }, drag }]
    }
    case 'aabb':
      return [
        {
          name: 'min',
          at: shape.min,
          drag: (to) => ({ ...shape, min: { x: Math.min(to.x, shape.max.x), y: Math.min(to.y, shape.max.y) } }),
        },
        {
          name: 'max',
          at: shape.max,
          drag: (to) => ({ ...shape, max: { x: Math.max(to.x, shape.min.x), y: Math.max(to.y, shape.min.y) } }),
        },
      ]
    case 'polygon': {
      const { vertices, radius = 0 } = shape
      // a quarter along the first side, where no other handle lies
      const [p, q] = [vertices[0]!, vertices[1]!]
      const { x, y } = unit(minus(q, p))
      const out = areaOf(vertices) < 0 ? { x: -y, y: x } : { x: y, y: -x }
      const foot = plus(times(p, 0.75), times(q, 0.25))
      return [
        ...listHandles('vertex', vertices, { fewest: 3, closed: true }, (corners) => ({ ...shape, vertices: corners })),
        {
          name: 'rounding',
          at: plus(foot, times(out, radius)),
          drag: (to) => ({ ...shape, radius: least((to.x - foot.x) * out.x + (to.y - foot.y) * out.y) }),
        },
      ]
    }
    case 'halfplane': {
      const out = unit(shape.normal)
      const on = times(out, shape.offset)
      return [
        { name: 'offset', at: on, drag: (to) => ({ ...shape, offset: to.x * out.x + to.y * out.y }) },
        {
          name: 'normal',
          at: plus(on, out),
          drag: (to) => (lengthOf(minus(to, on)) > 0 ? { ...shape, normal: unit(minus(to, on)) } : shape),
        },
      ]
    }
    case 'chain':
      return listHandles('vertex', shape.vertices, { fewest: 2, closed: shape.loop === true }, (vertices) => ({
        ...shape,
        vertices,
      }))
    case 'region': {
      const holes = shape.holes ?? []
      const closed = { fewest: 3, closed: true }
      return [
        ...listHandles('outer', shape.outer, closed, (outer) => ({ ...shape, outer })),
        ...holes.flatMap((hole, i) =>
          listHandles(`hole ${i},`, hole, closed, (ring) => ({ ...shape, holes: holes.with(i, ring) })),
        ),
      ]
    }
    case 'compound':
      return shape.children.slice(0, 50).flatMap((child, i): ShapeHandle[] => {
        const rebuild = (changed: typeof child) => ({ ...shape, children: shape.children.with(i, changed) })
        const parts = shapeHandles(child.shape).filter(({ kind }) => kind !== 'insert')
        return [
          { name: `child ${i}`, at: positionOf(child), drag: (position) => rebuild({ ...child, position }) },
          ...parts.map(
            ({ name, at, drag }): ShapeHandle => ({
              name: `child ${i} ${name}`,
              at: toWorld(child, at),
              drag: (to) => rebuild({ ...child, shape: drag(toLocal(child, to)) }),
            }),
          ),
        ]
      })
  }
}

/** Whether the body may be turned: boxes in line with the axes may not, nor what holds one. */
function turns(shape: Shape2d): boolean {
  return shape.type === 'compound'
    ? shape.children.every((child) => turns(child.shape))
    : shape.type !== 'aabb' && shape.type !== 'point'
}

/** `reach`: how far from the body its turn lies, a length. */
export function bodyHandles(sketch: Sketch, id: string, reach: number): Handle[] {
  const body = bodyOf(sketch, id)
  if (body === undefined) return []
  const edit = (now: Sketch, change: (body: SketchBody) => SketchBody) => {
    const before = bodyOf(now, id)
    return before === undefined ? now : withBody(now, change(before))
  }
  const corners = shapeHandles(body.shape as Shape2d).map(({ name, at, kind = 'corner', drag, remove }): Handle => {
    const handle: Handle = {
      name: `${id}: ${name}`,
      at: toWorld(body, at),
      kind,
      drag: (now, to) => edit(now, (before) => ({ ...before, shape: drag(toLocal(before, to)) })),
    }
    if (remove !== undefined) handle.remove = (now) => edit(now, (before) => ({ ...before, shape: remove() }))
    return handle
  })
  if (!turns(body.shape as Shape2d)) return corners
  const at = toWorld(body, { x: 0, y: reach })
  const turn: Handle = {
    name: `${id}: turn`,
    at,
    kind: 'turn',
    from: positionOf(body),
    drag: (now, to) =>
      edit(now, (before) => {
        const { x, y } = minus(to, positionOf(before))
        return { ...before, rotation: Math.atan2(-x, y) }
      }),
  }
  return [...corners, turn]
}

/** The tip of a body's velocity; of one at rest it lies `reach` to the right, where a velocity can be taken hold of. */
/** Bodies whose velocities have a handle besides that of the chosen one. */
const MOST_VELOCITIES = 12

/** The bodies whose velocities have handles, where a question is about bodies that move. */
export function movers({ bodies, selected }: Sketch): SketchBody[] {
  const chosen = bodies.filter(({ id }) => id === selected)
  return [...new Set([...chosen, ...bodies.filter(({ velocity }) => velocity).slice(0, MOST_VELOCITIES)])]
}

export function velocityHandle(body: SketchBody, reach: number): Handle {
  const { id, velocity = { x: 0, y: 0 } } = body
  const isAtRest = isZero(velocity)
  return {
    name: `${id}: velocity`,
    kind: 'vector',
    from: positionOf(body),
    at: plus(positionOf(body), isAtRest ? { x: reach, y: 0 } : velocity),
    drag: (now, to) => {
      const before = bodyOf(now, id)
      return before === undefined ? now : withBody(now, { ...before, velocity: minus(to, positionOf(before)) })
    },
  }
}
