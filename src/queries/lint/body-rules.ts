/**
 * Rules about one body at a time: `duplicate`, `degenerate`, `sliver`, `invalid`, `out-of-bounds`, `off-grid`, `open-mesh`.
 *
 * Method: what depends on the shape alone is found once for each shape, however many bodies have it. The width of a convex body is its depth in
 * itself: the least translation that parts it from a copy.
 */

import type { SceneLintRule, SceneLintRule3d } from '../../../schemas/scenes/lint.ts'
import type { SceneAabb3d } from '../../../schemas/scenes/probe.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { MeshShape3d, Shape3d } from '../../../schemas/shapes3d.ts'
import { withinOrNull } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { openEdges } from '../../core3d/mesh/mesh-check.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import { poseAt, shapeAt } from '../../scene/state/view.ts'
import { giveBack, knownMover, type Mover } from '../../wire/decode-probe.ts'
import { type DecodeProblem, isProblem, problemAt } from '../../wire/decode-problem.ts'
import { inspectShape } from '../../wire/findings.ts'
import { listFindings } from '../../wire/findings-3d.ts'
import { massQuery } from '../stateless/mass.ts'
import { cornersAt, placedPoint } from './corners.ts'
import { type AnyVector, type Fix, type Lint, listed, middleOf, shown, sidesOf } from './linting.ts'

type Rule<Name extends string> = Extract<SceneLintRule | SceneLintRule3d, { rule: Name }>
type AnyShape = Shape2d | Shape3d

const USUAL_PART = 1000
/** Steps for one shape. Larger ones are passed over by rules that look at every corner, which say so. */
const SHAPE_STEPS = 2 ** 24
/** A power of two: coordinates this much nearer to the grid are on it. */
const GRID_RATIO = 2 ** -40

/** Calls `visit` with each body that passes the rule’s filter and what `find` says of its shape. */
function* visitShapes<K extends Kinds, Result>(
  lint: Lint<K>,
  { filter }: { filter?: Rule<'duplicate'>['filter'] },
  find: (shape: AnyShape, slot: number) => Result | FarSlices<Result>,
  visit: (slot: number, found: Result) => FarSlices<void> | undefined,
): FarSlices<void> {
  const known = new Map<number, Result>()
  for (const slot of yield* lint.slots(filter)) {
    const key = lint.shapeKey(slot)
    let found = known.get(key)
    if (found === undefined) {
      const outcome = find(shapeAt(lint.view, slot) as AnyShape, slot)
      found = isWork<Result>(outcome) ? yield* outcome : outcome
      known.set(key, found)
    }
    const work = visit(slot, found)
    if (work !== undefined) yield* work
    if (lint.isDue(2)) yield
  }
}

function isWork<Result>(outcome: Result | FarSlices<Result>): outcome is FarSlices<Result> {
  return typeof (outcome as { next?: unknown } | null)?.next === 'function'
}

export function* duplicateRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'duplicate'>): FarSlices<undefined> {
  const groups = new Map<string, number[]>()
  for (const slot of yield* lint.slots(rule.filter)) {
    const key = `${lint.shapeKey(slot)} ${poseAt(lint.view, slot).join(' ')}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [slot])
    else group.push(slot)
    if (lint.isDue(4)) yield
  }
  for (const group of groups.values()) {
    const [first, ...more] = group
    if (lint.pace.isDue(1)) yield
    if (more.length === 0) continue
    const ids = more.map((slot) => lint.id(slot))
    yield* lint.add(rule, 'warning', {
      slots: group,
      point: middleOf(lint.box(first)),
      measure: more.length,
      message: `${listed(ids)} ${ids.length === 1 ? 'has' : 'have'} the shape and the pose of ${lint.id(first)}.`,
      fix: () => ({ kind: 'remove', operations: ids.map((id) => ({ op: 'remove', id })) }),
    })
  }
}

export function* degenerateRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'degenerate'>): FarSlices<undefined> {
  yield* visitShapes(
    lint,
    rule,
    (shape, slot) => flatIn(lint, shape, lint.shapeKey(slot)),
    (slot, flat) =>
      flat === null
        ? undefined
        : lint.add(rule, 'warning', {
            slots: [slot],
            point: middleOf(lint.box(slot)),
            measure: 0,
            message: `${lint.id(slot)} is a ${flat} without ${lint.view.table.geometry.dimension === 2 ? 'area' : 'volume'}.`,
          }),
  )
}

/** The type of a part that should have an inside and has none; null without any. */
function flatIn(lint: Lint, shape: AnyShape, key: number | null): string | null {
  switch (shape.type) {
    case 'compound':
      for (const child of shape.children) {
        const flat = flatIn(lint, child.shape, null)
        if (flat !== null) return flat
      }
      return null
    case 'point':
    case 'segment':
    case 'chain':
    case 'triangle':
    case 'heightfield':
    case 'halfplane':
    case 'halfspace':
      return null
    case 'mesh':
      // a solid one has an inside, or it would not be taken as one
      return null
    default:
      return insideOf(lint, shape, key) === 0 ? shape.type : null
  }
}

/** Area or volume; of a body’s own shape, which has a key, once for all rules. */
function insideOf(lint: Lint, shape: AnyShape, key: number | null): number {
  const known = key === null ? undefined : lint.insides.get(key)
  if (known !== undefined) return known
  const answer =
    lint.view.table.geometry.dimension === 2
      ? massQuery['2d'].answer({ shape: shape as Shape2d }, lint.limits)
      : massQuery['3d'].answer({ shape: shape as Shape3d }, lint.limits)
  let inside = Infinity
  if (!isProblem(answer)) inside = 'volume' in answer ? answer.volume : answer.area
  if (key !== null) lint.insides.set(key, inside)
  return inside
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
      const shape = shapeAt(lint.view, slot) as AnyShape
      width = closedWidth(shape)
      if (width === undefined) {
        if (isConvex(shape) && leastWidth(insideOf(lint, shape, key), sides) >= limit) continue
        width = yield* widthOf(lint, slot)
        // that of a box is another for each turn
        if (isConvex(shape)) widths.set(key, width)
      } else widths.set(key, width)
    }
    if (width === null || width === 0 || width >= limit) continue
    yield* lint.add(rule, 'info', {
      slots: [slot],
      point: middleOf(box),
      measure: width,
      message: `${lint.id(slot)} is only ${shown(width)} thin.`,
    })
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

function isConvex({ type }: AnyShape): boolean {
  return type === 'polygon' || type === 'hull' || type === 'cone' || type === 'ellipse'
}

/** A bound from below: what is so thin that its shadow across, which lies in a disc, would have to be larger to hold as much. */
function leastWidth(inside: number, sides: readonly number[]): number {
  const across = Math.hypot(...sides)
  return sides.length === 2 ? inside / across : inside / ((Math.PI / 4) * across * across)
}

/** The least width of a body; of one that is not convex that of its box. Null where it has no inside. */
function* widthOf<K extends Kinds>(lint: Lint<K>, slot: number): FarSlices<number | null> {
  const { geometry } = lint.view.table
  const own = geometry.createBody()
  const body = yield* lint.body(slot, own)
  const sides = sidesOf(lint.box(slot))
  if (body.kind === geometry.compositeKind) return Math.min(...sides)
  if (!sides.every(Number.isFinite)) return null
  const mover = yield* knownMover(lint.view, { bodyId: lint.id(slot) }, lint.limits)
  const found = geometry.createContact()
  geometry.contact(body, mover.body, found)
  giveBack(mover)
  const { separation } = found as unknown as { separation: number }
  return Number.isFinite(separation) ? -separation : null
}

export function* invalidRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'invalid'>): FarSlices<undefined> {
  const kinds = rule.kinds === undefined ? null : new Set<string>(rule.kinds)
  yield* visitShapes(
    lint,
    rule,
    (shape) => {
      const all = withinOrNull(SHAPE_STEPS, () => shapeFindings(lint, shape))
      return all?.filter(({ kind }) => kinds === null || kinds.has(kind)) ?? null
    },
    (slot, found) => {
      if (found !== null && found.length === 0) return undefined
      const message =
        found === null
          ? `${lint.id(slot)} is too large to be looked at here: ask validate.`
          : `${lint.id(slot)}: ${found[0].detail}${found.length > 1 ? ` And ${found.length - 1} more.` : ''}`
      const point = found?.find(({ points }) => points.length > 0)?.points[0]
      return lint.add(rule, 'info', {
        slots: [slot],
        point: point === undefined ? middleOf(lint.box(slot)) : placedPoint(lint.view, slot, point),
        measure: found?.length ?? null,
        message,
      })
    },
  )
}

/** What rules read of a finding of `validate`. */
interface ShapeFinding {
  kind: string
  detail: string
  points: AnyVector[]
}

function shapeFindings(lint: Lint, shape: AnyShape): readonly ShapeFinding[] {
  if (lint.view.table.geometry.dimension === 3) return listFindings(shape as Shape3d, lint.limits)
  const answer = inspectShape({ shape: shape as Shape2d }, lint.limits)
  return isProblem(answer) ? [] : (answer as { findings: ShapeFinding[] }).findings
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
      yield* lint.add(rule, 'error', {
        slots: [slot],
        point: middleOf(box),
        measure: Number.isFinite(out) ? out : null,
        message: `${lint.id(slot)} sticks out of the bounds${Number.isFinite(out) ? ` by ${shown(out)}` : ''} at the ${at < axes ? 'low' : 'high'} side of ${name}.`,
      })
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
    const off = Math.round(from / step) * step - from
    const near = tolerance ?? GRID_RATIO * Math.max(Math.abs(value), Math.abs(start[k]), step)
    return Math.abs(off) <= near ? 0 : off
  }
  for (const slot of yield* lint.slots(rule.filter)) {
    const position = lint.position(slot)
    const corners = of === 'vertices' ? cornersAt(lint.view, slot) : []
    const points = corners.length === 0 ? [position] : corners
    let [worst, place] = [0, points[0]]
    for (const point of points) {
      for (let k = 0; k < point.length; k++) {
        const off = Math.abs(offOf(point[k], k))
        if (off > worst) [worst, place] = [off, point]
      }
    }
    if (worst > 0) {
      const way = points[0].map((value, k) => offOf(value, k))
      const isMended = points.every((point) => point.every((value, k) => offOf(value + way[k], k) === 0))
      const what = corners.length === 0 ? 'The position' : 'A vertex'
      yield* lint.add(rule, 'warning', {
        slots: [slot],
        point: place,
        measure: worst,
        message: `${what} of ${lint.id(slot)} is ${shown(worst)} off the grid.`,
        fix(): Fix | null {
          if (!isMended) return null
          const moved = lint.vector(position.map((value, k) => value + way[k]))
          return { kind: 'snap', operations: [{ op: 'move', id: lint.id(slot), position: moved }] }
        },
      })
    }
    if (lint.isDue(points.length)) yield
  }
}

export function* openMeshRule<K extends Kinds>(lint: Lint<K>, rule: Rule<'open-mesh'>): FarSlices<undefined> {
  yield* visitShapes(
    lint,
    rule,
    (shape) => withinOrNull(SHAPE_STEPS, () => openEdgesIn(shape)) ?? -1,
    (slot, open) =>
      open === 0
        ? undefined
        : lint.add(rule, 'warning', {
            slots: [slot],
            point: middleOf(lint.box(slot)),
            measure: open < 0 ? null : open,
            message:
              open < 0
                ? `The mesh of ${lint.id(slot)} is too large to be looked at here: ask validate.`
                : `The mesh of ${lint.id(slot)} has ${open} open ${open === 1 ? 'edge' : 'edges'}.`,
          }),
  )
}

function openEdgesIn(shape: AnyShape): number {
  if (shape.type === 'compound') {
    return (shape.children as { shape: AnyShape }[]).reduce((sum, child) => sum + openEdgesIn(child.shape), 0)
  }
  if (shape.type !== 'mesh') return 0
  const { vertices, triangles } = shape as MeshShape3d
  return openEdges(Float64Array.from(vertices), Uint32Array.from(triangles)).length / 2
}
