/**
 * The way out where obstacles forbid only by the tolerance that they reach beyond their inner edges.
 *
 * Why: behind an inner edge the bodies go on, and what they forbid there does too; but where a body is no thicker than rounding
 * (a spike, a sliver, two walls that fall upon each other) it ends behind that edge, and beyond may be free.
 * Method: translations that lie a little farther on the free side of the path are asked about, at several distances and in
 * several directions: what is free there, tolerances and all, is free. Where none is, it is asked again where what forbids
 * them ends.
 * Frame: as `search-body.ts`; translations are B's.
 */

import { GAP_LOOK_COUNT, GAP_PLACE_COUNT, GAP_SLIP_COUNT, TRANSLATION_STEP_COUNT } from '../tolerances.ts'
import { createCObstacle, isBehindInner } from './c-obstacle.ts'
import { BY_LEAVES, BY_OUTLINE, CLEARANCE_COUNT, causeAt, FREE, type Search } from './forbidden.ts'
import { createPathPoint, isLine, measureWay, type PathPoint, type Paths, setPathPoint, type Way } from './paths.ts'
import { wayToOutline } from './ways.ts'

/** Directions in which is looked, in shares of the path's own and of its free side. */
const WAYS = [
  [0, 1],
  [1, 1],
  [-1, 1],
  [1, 1 / 8],
] as const
/** Tolerances to the nearest look; each next one is so many times farther. */
const NEAREST_COUNT = 8
const FACTOR = 8

/** Takes the place of the obstacle that forbade last, which is not to be disturbed. */
let scratch = createCObstacle()
const beside = createPathPoint()
const place = createPathPoint()
/** Until the path is clear of what forbids what is nearest on its free side. */
const wayBeside: Way = { step: 0, trueStep: 0, unit: 1 }

/**
 * Looks for a way out of the obstacle that forbids `point` of a path, which leaves it by `way`. True when there is one here: then
 * `point` is where the path stands exactly. Where there is one later on, `way` ends there.
 */
export function findGap(scene: Search, paths: Paths, path: number, point: PathPoint, way: Way): boolean {
  const { obstacle, blocking, tolerance } = scene
  const least = (GAP_SLIP_COUNT * tolerance) / way.unit
  if (blocking !== obstacle || obstacle.radius > 0 || !(way.step > least)) return false
  const straight = isLine(paths, path)
  const shallow = isBehindInner(obstacle, point.x, point.y, point.nx, point.ny, tolerance)
  const start = shallow ? 0 : straight ? Math.max(way.trueStep, 0) : way.step
  if (way.step - start <= least) return false
  setPathPoint(paths, path, true, place)
  const end = straight ? way.step - least : least
  const gap = undisturbed(scene, () => wayToGap(scene, paths, path, start, end, least))
  if (gap === 0) Object.assign(point, place)
  else if (gap < way.step) way.step = way.trueStep = gap
  return gap === 0
}

/** What `search` returns; the obstacle that forbade last is the same afterwards, however it ends, and so is what counts as work. */
function undisturbed(scene: Search, search: () => number): number {
  const { obstacle, work } = scene
  scene.obstacle = scratch
  scratch.hollow = true
  try {
    return search()
  } finally {
    scratch = scene.obstacle
    scene.obstacle = obstacle
    scene.blocking = obstacle
    scene.work = work
  }
}

/** How far from `place` on a path there is a gap, from `start` on; `Infinity` when there is none before `end`. */
function wayToGap(scene: Search, paths: Paths, path: number, start: number, end: number, least: number): number {
  const { x, y, ux, uy } = place
  for (
    let at = start, places = 0;
    at < end && scene.steps < TRANSLATION_STEP_COUNT;
    at += Math.max(wayBeside.step, least), places++
  ) {
    if (at > 0) {
      place.x = x + at * ux
      place.y = y + at * uy
    }
    // After so many the path is to wait for its turn again.
    if (isFreeBeside(scene, paths, path) || places === GAP_PLACE_COUNT) return at
  }
  return Infinity
}

/** Whether a translation beside `place` is free; else `wayBeside` is set. */
function isFreeBeside(scene: Search, paths: Paths, path: number): boolean {
  const { tolerance } = scene
  Object.assign(beside, place)
  wayBeside.step = Infinity
  let step = NEAREST_COUNT * tolerance
  for (let look = 0; look < GAP_LOOK_COUNT; look++, step *= FACTOR) {
    for (const [along, aside] of WAYS) {
      beside.x = place.x + step * (along * place.ux + aside * place.nx)
      beside.y = place.y + step * (along * place.uy + aside * place.ny)
      const cause = causeAt(scene, beside)
      if (cause === FREE) return true
      if (cause === BY_OUTLINE) {
        // What holds a part clear of its edges is no thinner than the looks go.
        wayBeside.step = Math.min(wayBeside.step, wayToOutline(scene, paths, path, beside))
        return false
      }
      if (cause === BY_LEAVES && wayBeside.step === Infinity) {
        measureWay(paths, path, beside, scene.blocking, tolerance, wayBeside)
      }
    }
  }
  return false
}

const beyond = createPathPoint()

/**
 * Whether what an outline is said to hold is free but for rounding: a path leaves an obstacle that it crosses at a small angle
 * a good deal before its true end.
 */
export function isFreeBeyond(scene: Search, paths: Paths, path: number): boolean {
  const { holderIsA, holder, held, tolerance } = scene
  setPathPoint(paths, path, true, beyond)
  beyond.x += 2 * CLEARANCE_COUNT * tolerance * beyond.ux
  beyond.y += 2 * CLEARANCE_COUNT * tolerance * beyond.uy
  if (causeAt(scene, beyond) === FREE) return true
  Object.assign(scene, { holderIsA, holder, held })
  return false
}
