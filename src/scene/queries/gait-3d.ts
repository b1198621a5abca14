/**
 * How a character moves in space: over what `walker-3d.ts` does.
 *
 * Turning: at a place, the bodies that stop the character are gathered, with the planes in which they touch it. Ways along one plane, and
 * along the crease of two, are tried in the order of how far they lead the way that the motion wants; the first that leads into none of
 * the bodies is taken. If another body stops it at once, its plane joins the others. Where three planes leave no way, there is none.
 */

import type { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createSupport, support } from '../../core3d/queries/support.ts'
import { cross, positionOf, REACH, type Vector } from '../../core3d/shape/body.ts'
import { SPACE, type Space } from '../state/geometry.ts'
import {
  byId,
  type Climb,
  dot,
  type Gait,
  type GaitQuery,
  isTooSteep,
  lengthOf,
  type Place,
  type Stop,
  step,
} from './gait.ts'
import { spacePlacing } from './placing-3d.ts'
import { separateBy } from './separate.ts'
import { LIFT_RATIOS, NO_WAY_OUT_RATIO, SAME_PLANE_RATIO, TOUCH_RATIO } from './tolerances.ts'
import {
  advance3d,
  blockBy3d,
  blocksOf3d,
  createWalker3d,
  putWalker3d,
  type SpaceView,
  sizeOf,
  vectorOf,
  type Walker3d,
} from './walker-3d.ts'

/** What holds the character at a place. */
interface Hold {
  /** The rest of the motion with which it came there. */
  wanted: Vector
  slots: Set<number>
  normals: Vector[]
}

/** Most planes at one place, and most ways along them that are tried. */
const MOST_PLANES = 12
const MOST_WAYS = 32

export function spaceGait(view: SpaceView, query: GaitQuery<Space>, pace: Pace): Gait<Space> {
  const { describe, accepts, climb, translation } = query
  const walker = createWalker3d(view, query.body, accepts, describe, pace)
  const { body } = walker
  let hold: Hold | null = null
  return {
    view,
    pace,
    body,
    reach: body.numbers[REACH],
    position: () => [...positionOf(walker.body)],
    put: (position) => putWalker3d(walker, vectorOf(position)),
    getOut: () => separateBy(spacePlacing(walker)),
    *go(way) {
      const wanted = vectorOf(way)
      const blocks = yield* blocksOf3d(walker, wanted, instantOf(walker, lengthOf(way)))
      const time = blocks.reduce((least, block) => Math.min(least, block.time), 1)
      const passed = yield* advance3d(walker, wanted, time, blocks)
      return { time, passed, stops: yield* byId(view, pace, blocks) }
    },
    *look(way) {
      return yield* byId(view, pace, yield* blocksOf3d(walker, vectorOf(way), instantOf(walker, lengthOf(way))))
    },
    *turn(rest, stops, isNew) {
      if (hold === null || isNew) hold = { wanted: vectorOf(rest), slots: new Set(), normals: [] }
      holdBy(hold, stops, climb)
      return yield* turn(walker, hold, translation, climb)
    },
    lowest: (up) => {
      support(body, -up[0], -up[1], -up[2], found)
      return dot([found.x, found.y, found.z], up)
    },
    width: (way) => {
      SPACE.measureOuterBox(body, box, 0)
      return way.reduce((sum, x, k) => sum + Math.abs(x) * (box[k + 3] - box[k]), 0)
    },
  }
}

const found = createSupport()
const box = new Float64Array(6)

/** Share of a motion of that length that is its start. */
function instantOf(walker: Walker3d, length: number): number {
  return (TOUCH_RATIO * sizeOf(walker, length)) / length
}

/** Adds what stops the character. What is too steep to climb is a wall to it too, upright. */
function holdBy({ slots, normals }: Hold, stops: readonly Stop[], climb: Climb | null): void {
  for (const { slot, normal } of stops) {
    slots.add(slot)
    addPlane(normals, vectorOf(normal))
    if (climb === null || dot(normal, climb.up) >= climb.least) continue
    const level = step(normal, climb.up, -dot(normal, climb.up))
    const length = lengthOf(level)
    if (length > NO_WAY_OUT_RATIO) addPlane(normals, vectorOf(level.map((x) => x / length)))
  }
}

function addPlane(normals: Vector[], normal: Vector): void {
  const isKnown = normals.some((other) => lengthOf(step(other, normal, -1)) <= SAME_PLANE_RATIO)
  if (!isKnown && normals.length < MOST_PLANES) normals.push(normal)
}

/** A way, and the planes along which it leads. */
interface Way {
  way: Vector
  normals: readonly Vector[]
  progress: number
}

function* turn(walker: Walker3d, hold: Hold, translation: Place, climb: Climb | null): FarSlices<number[]> {
  const tried = new Set<string>()
  for (let count = 0; count < MOST_WAYS; ) {
    const best = waysOf(hold, translation, climb).find(({ way }) => !tried.has(way.join(' ')))
    if (best === undefined) break
    tried.add(best.way.join(' '))
    for (const way of liftedWays(best)) {
      count++
      if (!(yield* isClosed(walker, hold.slots, way))) {
        // what else is met at once holds it too
        const next = yield* blocksOf3d(walker, way, instantOf(walker, lengthOf(way)))
        const atOnce = next.filter(({ time }) => time <= instantOf(walker, lengthOf(way)))
        if (atOnce.length === 0) return [...way]
        holdBy(hold, yield* byId(walker.view, walker.pace, atOnce), climb)
        break
      }
      // one along a single plane may lead into it by rounding
      if (best.normals.length > 1) break
    }
  }
  return [0, 0, 0]
}

/** The way, and if it leads along one plane, ways that lead off it by little and by more. */
function liftedWays({ way, normals }: Way): Vector[] {
  if (normals.length > 1) return [way]
  const length = lengthOf(way)
  return [way, ...LIFT_RATIOS.map((ratio) => vectorOf(step(way, normals[0], ratio * length)))]
}

/** Ways along one plane or two for which there is something to be gained, the best first. */
function waysOf({ wanted, normals }: Hold, translation: Place, climb: Climb | null): Way[] {
  const length = lengthOf(wanted)
  const ways: Way[] = []
  const add = (way: Vector, along: readonly Vector[]): void => {
    const progress = dot(way, wanted) / length
    // never back, and not along the rounding error of a head-on hit
    if (progress <= TOUCH_RATIO * length || dot(way, translation) <= 0) return
    if (climb !== null && isTooSteep(climb, along, wanted, way, TOUCH_RATIO)) return
    ways.push({ way, normals: along, progress })
  }
  for (const [i, normal] of normals.entries()) {
    add(vectorOf(step(wanted, normal, -dot(wanted, normal) / dot(normal, normal))), [normal])
    for (const other of normals.slice(0, i)) {
      const crease = cross(normal, other)
      const square = dot(crease, crease)
      if (square <= NO_WAY_OUT_RATIO ** 2) continue
      add(vectorOf(crease.map((x) => (x * dot(wanted, crease)) / square)), [normal, other])
    }
  }
  return ways.sort((a, b) => b.progress - a.progress)
}

/** Whether a body that holds the walker stops the motion at once. */
function* isClosed(walker: Walker3d, slots: ReadonlySet<number>, way: Vector): FarSlices<boolean> {
  const instant = instantOf(walker, lengthOf(way))
  for (const slot of slots) {
    const block = yield* blockBy3d(walker, slot, way)
    if (block !== null && block.time <= instant) return true
  }
  return false
}
