/**
 * Rules about ways and sights: `line-of-sight`, `no-line-of-sight`, `blocked-way`, `unreachable`.
 *
 * Method: the queries `line-of-sight` and `move`. What is `unreachable` is looked for along a grid of places, from which a body goes on to those
 * beside, above and below it wherever nothing is in the way (breadth first; E. Moore, "The shortest path through a maze", 1959). A step
 * is taken only where the body fits all the way, exactly, so every way that is found is one.
 */

import { MAX_NAMED, type SceneLintRule, type SceneLintRule3d } from '../../../schemas/scenes/lint.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { climbOf, footingOf } from '../../scene/queries/footing.ts'
import { queryLineOfSight, type SightTarget } from '../../scene/queries/line-of-sight.ts'
import { queryMove } from '../../scene/queries/move.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import { checkBounded, decodeMover, giveBack, knownMover, type Mover } from '../../wire/decode-probe.ts'
import { checkVector, type DecodeProblem, isProblem } from '../../wire/decode-problem.ts'
import { downOf } from './down.ts'
import { dropOf } from './falls.ts'
import { type Lint, shown, sidesOf } from './linting.ts'

type Rule<Name extends string> = Extract<SceneLintRule | SceneLintRule3d, { rule: Name }>

const USUAL_PART = 1000
/** Targets of one look. */
const LOOKED_AT_ONCE = 64
/** As `move` has it where nothing is said. */
const SLIDES = 8
const USUAL_CELLS = 65_536

/** `areSeen`: whether the pairs that see each other are findings, or the others. */
export function sightRule(areSeen: boolean) {
  return function* <K extends Kinds>(
    lint: Lint<K>,
    rule: Rule<'line-of-sight' | 'no-line-of-sight'>,
  ): FarSlices<undefined> {
    const { filter, to, blockers, maxDistance = Infinity } = rule
    const from = yield* lint.slots(filter)
    const all = yield* lint.slots(to)
    const areBoth = { from: lint.accepts(filter), to: lint.accepts(to) }
    for (const slot of from) {
      const eye = lint.position(slot)
      const targets: SightTarget[] = []
      for (const other of all) {
        if (lint.isDue(1)) yield
        const isMet = areBoth.from(other) && areBoth.to(slot) && lint.ranks[other] < lint.ranks[slot]
        if (other === slot || isMet) continue
        const point = lint.position(other)
        if (Math.hypot(...point.map((x, k) => x - eye[k])) <= maxDistance) targets.push({ point, slot: other })
      }
      for (let at = 0; at < targets.length; at += LOOKED_AT_ONCE) {
        const some = targets.slice(at, at + LOOKED_AT_ONCE)
        const query = { from: eye, targets: some, accepts: lint.accepts(blockers, slot), limit: 1 }
        const sights = yield* queryLineOfSight(lint.view, query)
        for (const [k, { visible, distance, point, occluders }] of sights.entries()) {
          if (visible !== areSeen) continue
          yield* lint.add(rule, 'warning', () => {
            const [a, b] = [lint.id(slot), lint.id(some[k].slot)]
            const [occluder] = occluders
            return {
              slots: [slot, some[k].slot, ...(occluder === undefined ? [] : [occluder.slot])],
              point: occluder === undefined ? point : lint.view.table.geometry.pointOf(occluder.hit),
              measure: occluder === undefined ? distance : occluder.hit.distance,
              message:
                occluder === undefined
                  ? `${a} sees ${b}, ${shown(distance)} away.`
                  : `${a} does not see ${b}: ${occluder.id} is in the way.`,
            }
          })
        }
      }
    }
  }
}

export function* blockedWayRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'blocked-way'>,
): FarSlices<DecodeProblem | undefined> {
  const { shape, points, obstacles, maxSlope, stepHeight, snapToGround } = rule
  const isWalked = maxSlope !== undefined || stepHeight !== undefined || snapToGround !== undefined
  const down = isWalked ? downOf(lint, rule) : []
  if ('ok' in down) return down
  const up = down.map((x) => -x)
  const size = yield* sizeOf(lint, shape, '')
  if (typeof size !== 'number') return size
  const tolerance = rule.tolerance ?? size / USUAL_PART
  for (const [k, point] of points.entries()) {
    const wrong = checkVector(point as never, `/points/${k}`)
    if (wrong !== null) return wrong
  }
  let position = lint.numbers(points[0])
  for (const [k, point] of points.slice(1).entries()) {
    const goal = lint.numbers(point)
    const mover = yield* knownMover(
      lint.view,
      { body: { shape, position: lint.vector(position) } } as Mover,
      lint.limits,
    )
    const { path, contacts } = yield* queryMove(lint.view, {
      body: mover.body,
      describe: mover.describe,
      translation: goal.map((x, axis) => x - position[axis]),
      maxSlides: SLIDES,
      climb: climbOf(rule, up),
      footing: footingOf(rule, up),
      accepts: lint.accepts(obstacles),
      mostContacts: MAX_NAMED,
    })
    giveBack(mover)
    position = [...path[path.length - 1]]
    const missed = Math.hypot(...goal.map((x, axis) => x - position[axis]))
    if (lint.isDue(16)) yield
    if (missed <= tolerance) continue
    const last = contacts.at(-1)
    yield* lint.add(rule, 'error', () => ({
      slots: [...new Set(contacts.map(({ slot }) => slot).reverse())],
      point: position,
      measure: missed,
      message: `The way ends ${shown(missed)} short of point ${k + 1}${last === undefined ? '' : `: ${last.id} is in the way`}.`,
    }))
    return undefined
  }
  return undefined
}

/** The longest side of what moves; or the problem that it has none. */
function* sizeOf<K extends Kinds>(lint: Lint<K>, shape: object, pointer: string): FarSlices<number | DecodeProblem> {
  const mover = { body: { shape } } as Mover
  const probe = yield* decodeMover(lint.view, mover, lint.limits)
  const problem = isProblem(probe) ? probe : checkBounded({ body: shape }, probe)
  if (problem !== null) return atRule(problem, pointer)
  if (isProblem(probe)) return probe
  const box = new Float64Array(2 * lint.view.table.geometry.axes)
  lint.view.table.geometry.measureOuterBox(probe.body, box, 0)
  giveBack(probe)
  return Math.max(...sidesOf(box))
}

/** The rule has the shape where requests have it in a body. */
function atRule(problem: DecodeProblem, pointer: string): DecodeProblem {
  const places = problem.places.map((place) => ({ ...place, pointer: pointer + place.pointer.replace(/^\/body/, '') }))
  return { ...problem, places }
}

export function* unreachableRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'unreachable'>,
): FarSlices<DecodeProblem | undefined> {
  const { shape, filter, to, obstacles } = rule
  const size = yield* sizeOf(lint, shape, '')
  if (typeof size !== 'number') return size
  const starts = yield* lint.slots(filter)
  const goals = yield* lint.slots(to)
  const isEnd = new Set([...starts, ...goals])
  const isObstacle = lint.accepts(obstacles)
  const accepts: Accepts = (slot) => !isEnd.has(slot) && isObstacle(slot)
  const reached = new Set<number>()
  let most = 0
  let areAllSeen = true
  let left: readonly number[] = goals
  for (const start of starts) {
    if (left.length === 0) break
    if (left.length === 1 && left[0] === start) continue
    const { cells, isWhole, met } = yield* reachFrom(lint, rule, start, left, accepts)
    for (const goal of met) reached.add(goal)
    if (met.length > 0) left = left.filter((goal) => !reached.has(goal))
    most = Math.max(most, cells)
    areAllSeen &&= isWhole
  }
  for (const goal of goals) {
    if (lint.pace.isDue(1)) yield
    if (reached.has(goal) || (starts.length === 1 && starts[0] === goal)) continue
    const what = starts.length === 0 ? 'there is nothing to start from' : `${most} cells can be reached`
    yield* lint.add(rule, 'error', () => ({
      slots: [goal, ...starts.slice(0, MAX_NAMED)],
      point: lint.position(goal),
      measure: most,
      message: areAllSeen
        ? `${lint.id(goal)} cannot be reached: ${what}, and it is beside none of them.`
        : `${lint.id(goal)} was not reached within maxCells: it may be farther away.`,
    }))
  }
  return undefined
}

const BESIDE = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

interface Reached {
  cells: number
  /** Whether all cells that can be reached were. */
  isWhole: boolean
  met: number[]
}

/** The other bodies among the goals that can be reached from the position of a body. A goal is reached from a place at most a cell away. */
function* reachFrom<K extends Kinds>(
  lint: Lint<K>,
  { shape, step, maxCells = USUAL_CELLS }: Rule<'unreachable'>,
  from: number,
  goals: readonly number[],
  accepts: Accepts,
): FarSlices<Reached> {
  const start = lint.position(from)
  const placeOf = (i: number, j: number) => [start[0] + i * step, start[1] + j * step]
  function* isFree(from: readonly number[], to: readonly number[]): FarSlices<boolean> {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
    const length = Math.hypot(dx, dy)
    // what does not go anywhere must still be free
    const way = length > 0 ? [dx / length, dy / length] : [1, 0]
    const mover = { body: { shape, position: lint.vector(from) } } as Mover
    const { status, distance } = yield* dropOf(lint, mover, { way, maxDistance: length, accepts })
    return status === 'nothing-below' || (status === 'landed' && distance >= length)
  }
  const open = new Map<string, number[]>()
  for (const goal of goals) {
    if (goal === from) continue
    const [x, y] = lint.position(goal)
    const cell = `${Math.round((x - start[0]) / step)} ${Math.round((y - start[1]) / step)}`
    const there = open.get(cell)
    if (there === undefined) open.set(cell, [goal])
    else there.push(goal)
    if (lint.pace.isDue(4)) yield
  }
  const met: number[] = []
  const seen = new Set<string>(['0 0'])
  const queue: (readonly [number, number])[] = [[0, 0]]
  if (!(yield* isFree(start, start))) return { cells: 0, isWhole: true, met }
  for (let at = 0; at < queue.length; at++) {
    const [i, j] = queue[at]
    const place = placeOf(i, j)
    const here = `${i} ${j}`
    for (const goal of open.get(here) ?? []) if (yield* isFree(place, lint.position(goal))) met.push(goal)
    open.delete(here)
    if (open.size === 0 || seen.size >= maxCells) break
    for (const [di, dj] of BESIDE) {
      const key = `${i + di} ${j + dj}`
      if (seen.has(key)) continue
      if (lint.isDue(16)) yield
      if (!(yield* isFree(place, placeOf(i + di, j + dj)))) continue
      seen.add(key)
      queue.push([i + di, j + dj])
    }
  }
  return { cells: seen.size, isWhole: open.size === 0 || seen.size < maxCells, met }
}
