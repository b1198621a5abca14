/**
 * Rules about one body at a time: `duplicate`, `degenerate`, `sliver`, `invalid`, `out-of-bounds`, `off-grid`, `open-mesh`.
 *
 * Method: what depends on the shape alone is found once for each shape, however many bodies have it (`shape-looks.ts`). The width of a
 * convex body is its depth in itself: the least translation that parts it from a copy. Most are known to be wider without it, from what
 * they hold.
 */

import type { SceneLintRule, SceneLintRule3d } from '../../../schemas/scenes/lint.ts'
import type { SceneAabb3d } from '../../../schemas/scenes/probe.ts'
import type { PolygonShape } from '../../../schemas/shapes2d.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import { spanOf } from '../../core3d/shape/convex-hull.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import { isCompositeAt, poseAt, shapeAt } from '../../scene/state/view.ts'
import { giveBack, knownMover, type Mover } from '../../wire/decode-probe.ts'
import { type DecodeProblem, problemAt } from '../../wire/decode-problem.ts'
import { coordinatesOf } from '../../wire/findings-3d.ts'
import { type AnyShape, lookAt } from '../../wire/shape-looks.ts'
import { cornersAt, placedPoint } from './corners.ts'
import { type Fix, type Lint, listed, middleOf, shown, sidesOf } from './linting.ts'
import { contactOf } from './pair-rules.ts'

type Rule<Name extends string> = Extract<SceneLintRule | SceneLintRule3d, { rule: Name }>

const USUAL_PART = 1000
/** A power of two: coordinates this much nearer to the grid are on it. */
const GRID_RATIO = 2 ** -40
/** Kinds whose width is that of their box. */
const COMPOSITE: ReadonlySet<string> = new Set(['compound', 'mesh', 'heightfield', 'chain', 'region'])
/** More than rounding makes of an area or volume, for each part, as a ratio of what is as long as the shape in all directions. */
const ROUNDING_RATIO = 2 ** -46

/** Calls `visit` with each body that passes the rule’s filter and what `find` says of its shape. */
function* visitShapes<K extends Kinds, Result>(
  lint: Lint<K>,
  { filter }: { filter?: Rule<'duplicate'>['filter'] },
  find: (slot: number) => FarSlices<Result>,
  visit: (slot: number, found: Result) => FarSlices<void> | undefined,
): FarSlices<void> {
  const known = new Map<number, Result>()
  for (const slot of yield* lint.slots(filter)) {
    const key = lint.shapeKey(slot)
    let found = known.get(key)
    if (found === undefined) {
      found = yield* find(slot)
      known.set(key, found)
    }
    const work = visit(slot, found)
    if (work !== undefined) yield* work
    if (lint.isDue(2)) yield
  }
}

export function* duplicateRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'duplicate'>): FarSlices<undefined> {
  for (const group of yield* sameBodies(lint, yield* lint.slots(rule.filter))) {
    if (lint.pace.isDue(1)) yield
    const [first, ...more] = group
    yield* lint.add(rule, 'warning', () => {
      const ids = more.map((slot) => lint.id(slot))
      return {
        slots: group,
        point: middleOf(lint.box(first)),
        measure: more.length,
        message: `${listed(ids)} ${ids.length === 1 ? 'has' : 'have'} the shape and the pose of ${lint.id(first)}.`,
        fix: () => ({ kind: 'remove', operations: ids.map((id) => ({ op: 'remove', id })) }),
      }
    })
  }
  return undefined
}

interface PosedShape {
  slot: number
  key: number
  pose: Float64Array
}

/** The groups of bodies with one shape and pose, each by id. */
function* sameBodies(lint: Lint, slots: readonly number[]): FarSlices<number[][]> {
  const shared: PosedShape[] = []
  /** Of each shape the first body, −1 once it is among the shared ones. */
  const firsts = new Map<number, number>()
  const add = (slot: number, key: number) => shared.push({ slot, key, pose: poseAt(lint.view, slot) })
  for (const slot of slots) {
    if (lint.isDue(2)) yield
    const key = lint.shapeKey(slot)
    const first = firsts.get(key)
    if (first === undefined) {
      firsts.set(key, slot)
      continue
    }
    if (first >= 0) add(first, key)
    firsts.set(key, -1)
    add(slot, key)
  }
  // by id already: equal ones stay in their order
  yield* sortInSlices(shared, comparePosed, lint.pace)
  const groups: number[][] = []
  for (let from = 0, k = 1; k <= shared.length; k++) {
    if (lint.pace.isDue(1)) yield
    if (k < shared.length && comparePosed(shared[from], shared[k]) === 0) continue
    if (k - from > 1) groups.push(shared.slice(from, k).map(({ slot }) => slot))
    from = k
  }
  yield* sortInSlices(groups, ([p], [q]) => lint.ranks[p] - lint.ranks[q], lint.pace)
  return groups
}

function comparePosed(p: PosedShape, q: PosedShape): number {
  if (p.key !== q.key) return p.key - q.key
  for (let k = 0; k < p.pose.length; k++) if (p.pose[k] !== q.pose[k]) return p.pose[k] - q.pose[k]
  return 0
}

/** What a rule says that could not look at a shape. */
function unseen(lint: Lint, slot: number, what = ''): string {
  return `${what}${lint.id(slot)} was not checked: it is too large to be looked at here. Ask validate.`
}

export function* degenerateRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'degenerate'>): FarSlices<undefined> {
  yield* visitShapes(
    lint,
    rule,
    (slot) => lookAt(lint.view, slot, 'flat', lint.limits),
    (slot, look) =>
      look?.flat === null
        ? undefined
        : lint.add(rule, 'warning', () => ({
            slots: [slot],
            point: middleOf(lint.box(slot)),
            measure: look === null ? null : 0,
            message:
              look === null
                ? unseen(lint, slot)
                : `${lint.id(slot)} is a ${look.flat} without ${lint.view.table.geometry.dimension === 2 ? 'area' : 'volume'}.`,
          })),
  )
}

export function* sliverRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'sliver'>): FarSlices<undefined> {
  const widths = new Map<number, number | null>()
  for (const slot of yield* lint.slots(rule.filter)) {
    if (lint.isDue(2)) yield
    const box = lint.box(slot)
    const sides = sidesOf(box)
    const longest = Math.max(...sides)
    if (!Number.isFinite(longest) || longest === 0) continue
    const limit = rule.thinnerThan ?? longest / USUAL_PART
    const key = lint.shapeKey(slot)
    let width = widths.get(key)
    if (width === undefined) {
      // outlines and meshes may be too large to be read here
      const shape = isCompositeAt(lint.view, slot) ? null : (shapeAt(lint.view, slot) as AnyShape)
      width = shape === null ? Math.min(...sides) : closedWidth(shape)
      if (shape !== null && width === undefined) {
        if (leastWidth(shape, Math.hypot(...sides)) >= limit) continue
        width = yield* widthOf(lint, slot)
      }
      // that of a box is another for each turn
      if (shape !== null && !COMPOSITE.has(shape.type)) widths.set(key, width as number | null)
    }
    if (width === undefined || width === null || width === 0 || width >= limit) continue
    const thin = width
    yield* lint.add(rule, 'info', () => ({
      slots: [slot],
      point: middleOf(box),
      measure: thin,
      message: `${lint.id(slot)} is only ${shown(thin)} thin.`,
    }))
  }
}

/** The width of what says it: the others have undefined. */
function closedWidth(shape: AnyShape): number | null | undefined {
  switch (shape.type) {
    case 'circle':
    case 'sphere':
    case 'capsule':
      return 2 * shape.radius
    case 'box': {
      const sides = 'size' in shape ? Object.values(shape.size) : [shape.width, shape.height]
      return Math.min(...sides) + 2 * (shape.radius ?? 0)
    }
    case 'aabb': {
      const { min, max } = shape as SceneAabb3d
      return Math.min(max.x - min.x, max.y - min.y, min.z === undefined ? Infinity : max.z - min.z)
    }
    case 'ellipse':
      return 2 * Math.min(shape.rx, shape.ry)
    case 'ellipsoid':
      return 2 * Math.min(shape.radii.x, shape.radii.y, shape.radii.z)
    case 'cylinder':
      return Math.min(shape.height, 2 * shape.radius)
    case 'point':
    case 'segment':
    case 'halfplane':
    case 'halfspace':
      return null
    default:
      return undefined
  }
}

/**
 * A bound from below on the width of a convex shape within a ball so much across: what is so thin that its shadow, which lies in a disc,
 * would have to be larger to hold as much. 0 of other shapes.
 */
function leastWidth(shape: AnyShape, across: number): number {
  switch (shape.type) {
    case 'polygon':
      return (areaOf(shape) - ROUNDING_RATIO * shape.vertices.length * across ** 2) / across
    case 'hull': {
      const points = coordinatesOf(shape.points)
      const volume = volumeOf(points, spanOf(points, shape.points.length)) - ROUNDING_RATIO * across ** 3
      return volume / ((Math.PI / 4) * across ** 2)
    }
    default:
      return 0
  }
}

function areaOf({ vertices }: PolygonShape): number {
  const [{ x, y }] = vertices
  let area = 0
  for (let k = 1; k < vertices.length - 1; k++) {
    const [p, q] = [vertices[k], vertices[k + 1]]
    area += (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x)
  }
  return Math.abs(area) / 2
}

/** Of the tetrahedron with these corners: the hull holds no less. */
function volumeOf(points: Float64Array, corners: readonly number[]): number {
  if (corners.length < 4) return 0
  const [o, a, b, c] = corners
  const side = (p: number, k: number) => points[3 * p + k] - points[3 * o + k]
  const minor = (k: number, l: number) => side(b, k) * side(c, l) - side(b, l) * side(c, k)
  return Math.abs(side(a, 0) * minor(1, 2) - side(a, 1) * minor(0, 2) + side(a, 2) * minor(0, 1)) / 6
}

/** The least width of a body; of one that is not convex that of its box. Null where it has no inside. */
function* widthOf<K extends Kinds>(lint: Lint<K>, slot: number): FarSlices<number | null> {
  const { geometry } = lint.view.table
  const a = yield* lint.body(slot, geometry.createBody())
  const sides = sidesOf(lint.box(slot))
  if (a.kind === geometry.compositeKind) return Math.min(...sides)
  if (!sides.every(Number.isFinite)) return null
  const mover = yield* knownMover(lint.view, { bodyId: lint.id(slot) }, lint.limits)
  const { separation } = yield* contactOf(lint, { slot, other: slot, a, b: mover.body, describeA: mover.describe })
  giveBack(mover)
  return Number.isFinite(separation) ? -separation : null
}

export function* invalidRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'invalid'>): FarSlices<undefined> {
  const kinds = rule.kinds === undefined ? null : new Set<string>(rule.kinds)
  yield* visitShapes(
    lint,
    rule,
    function* (slot) {
      const look = yield* lookAt(lint.view, slot, 'findings', lint.limits)
      return look?.findings.filter(({ kind }) => kinds === null || kinds.has(kind)) ?? null
    },
    (slot, found) =>
      found?.length === 0
        ? undefined
        : lint.add(rule, 'info', () => {
            const point = found?.find(({ points }) => points.length > 0)?.points[0]
            const more = found !== null && found.length > 1 ? ` And ${found.length - 1} more.` : ''
            return {
              slots: [slot],
              point: point === undefined ? middleOf(lint.box(slot)) : placedPoint(lint.view, slot, point),
              measure: found?.length ?? null,
              message: found === null ? unseen(lint, slot) : `${lint.id(slot)}: ${found[0].detail}${more}`,
            }
          }),
  )
}

export function* outOfBoundsRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'out-of-bounds'>,
): FarSlices<DecodeProblem | undefined> {
  const { geometry } = lint.view.table
  const { axes } = geometry
  const { min, max } = rule.bounds as SceneAabb3d
  const [low, high] = [lint.numbers(min), lint.numbers(max)]
  if (low.some((side, k) => side > high[k])) {
    return problemAt('/bounds/min', 'aabb-inverted', 'min exceeds max: swap the two.')
  }
  const own = geometry.createBody()
  for (const slot of yield* lint.slots(rule.filter)) {
    const box = lint.box(slot)
    let [out, at] = [0, -1]
    for (let side = 0; side < 2 * axes; side++) {
      const k = side % axes
      const beyond = side < axes ? low[k] - box[k] : box[axes + k] - high[k]
      if (!(beyond > out)) continue
      // boxes are rounded outward: whether the body itself is beyond is decided exactly
      const wall = beyondOf(lint, k, side < axes ? low[k] : high[k], side < axes)
      const mover = yield* knownMover(lint.view, wall, lint.limits)
      if (geometry.relate(yield* lint.body(slot, own), mover.body) < 0) [out, at] = [beyond, side]
      giveBack(mover)
    }
    if (at >= 0) {
      const name = 'xyz'[at % axes]
      yield* lint.add(rule, 'error', () => ({
        slots: [slot],
        point: middleOf(box),
        measure: Number.isFinite(out) ? out : null,
        message: `${lint.id(slot)} sticks out of the bounds${Number.isFinite(out) ? ` by ${shown(out)}` : ''} at the ${at < axes ? 'low' : 'high'} side of ${name}.`,
      }))
    }
    if (lint.isDue(2)) yield
  }
  return undefined
}

/** Everything beyond one side of the bounds, as a body. */
function beyondOf(lint: Lint, axis: number, place: number, isLow: boolean): Mover {
  const normal = lint.vector([0, 1, 2].map((k) => (k === axis ? (isLow ? 1 : -1) : 0)))
  const type = lint.view.table.geometry.dimension === 2 ? 'halfplane' : 'halfspace'
  return { body: { shape: { type, normal, offset: isLow ? place : -place } } } as Mover
}

export function* offGridRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'off-grid'>): FarSlices<undefined> {
  const { step, origin, of = 'position', tolerance } = rule
  const start = origin === undefined ? [0, 0, 0] : lint.numbers(origin)
  /** How far a coordinate is from the grid, and 0 where that is near enough. */
  const offOf = (value: number, k: number): number => {
    const from = value - start[k]
    const lines = Math.round(from / step)
    // finer than numbers of that size
    if (!Number.isFinite(lines)) return 0
    const off = lines * step - from
    const near = tolerance ?? GRID_RATIO * Math.max(Math.abs(value), Math.abs(start[k]), step)
    return Math.abs(off) <= near ? 0 : off
  }
  for (const slot of yield* lint.slots(rule.filter)) {
    const position = lint.position(slot)
    const axes = position.length
    const corners = of === 'vertices' ? cornersAt(lint.view, slot) : []
    const points = corners.length === 0 ? position : corners
    let [worst, place] = [0, 0]
    for (let k = 0; k < points.length; k++) {
      const off = Math.abs(offOf(points[k], k % axes))
      if (off > worst) [worst, place] = [off, k - (k % axes)]
      if (lint.pace.isDue(1)) yield
    }
    if (worst > 0) {
      yield* lint.add(rule, 'warning', () => ({
        slots: [slot],
        point: Array.from({ length: axes }, (_, k) => points[place + k]),
        measure: worst,
        message: `${corners.length === 0 ? 'The position' : 'A vertex'} of ${lint.id(slot)} is ${shown(worst)} off the grid.`,
        *fix(): FarSlices<Fix | null> {
          const way = position.map((_, k) => offOf(points[k], k))
          for (let k = 0; k < points.length; k++) {
            if (offOf(points[k] + way[k % axes], k % axes) !== 0) return null
            if (lint.pace.isDue(1)) yield
          }
          const moved = lint.vector(position.map((value, k) => value + way[k]))
          return { kind: 'snap', operations: [{ op: 'move', id: lint.id(slot), position: moved }] }
        },
      }))
    }
    if (lint.isDue(1)) yield
  }
}

export function* openMeshRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'open-mesh'>): FarSlices<undefined> {
  yield* visitShapes(
    lint,
    rule,
    (slot) => lookAt(lint.view, slot, 'open', lint.limits),
    (slot, look) =>
      look?.open === 0
        ? undefined
        : lint.add(rule, 'warning', () => ({
            slots: [slot],
            point: middleOf(lint.box(slot)),
            measure: look?.open ?? null,
            message:
              look === null
                ? unseen(lint, slot, 'The mesh of ')
                : `The mesh of ${lint.id(slot)} has ${look.open} open ${look.open === 1 ? 'edge' : 'edges'}.`,
          })),
  )
}
