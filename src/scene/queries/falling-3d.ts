/** How a body falls and turns in space: over what `walker-3d.ts` does. */

import type { FarSlices } from '../../containers/far-call.ts'
import { opposite, plus, positionOf, type Vector } from '../../core3d/shape/body.ts'
import { angleOf, inverse, NO_TURN, product, type Turn, turnBetween } from '../../core3d/shape/turn.ts'
import type { Space } from '../state/geometry.ts'
import type { Falling, FirstStop } from './falling.ts'
import { spacePlacing } from './placing-3d.ts'
import { costlyRestingTurn } from './scene-tasks.ts'
import { ROUNDING_RATIO } from './tolerances.ts'
import {
  advance3d,
  type Block3d,
  blocksOf3d,
  createWalker3d,
  depthIn,
  overlappedBy3d,
  putWalker3d,
  reachOf,
  settleBack3d,
  settleFree3d,
  sizeOf,
  vectorOf,
  type Walker3d,
} from './walker-3d.ts'

export const SPACE_FALLING: Readonly<Falling<Space, Block3d, Turn>> = {
  faller(view, { body, describe }, accepts, pace) {
    const walker = createWalker3d(view, body, accepts, describe, pace)
    return {
      ...spacePlacing(walker),
      reach: reachOf(walker.body),
      standing: () => standing(walker),
      stops: (way, instant) => blocksOf3d(walker, vectorOf(way), instant, true),
      land: (way, stop, isStrict) => land(walker, vectorOf(way), stop, isStrict),
    }
  },
  noTurn: NO_TURN,
  toNormal: (way, normal) => turnBetween(opposite(vectorOf(way)), vectorOf(normal)),
  toFace: ({ body, describe }, normal) => costlyRestingTurn(body, describe, vectorOf(normal)),
  sum: (turn, more) => product(more, turn),
  rest: (turn, sum) => product(sum, inverse(turn)),
  angle: angleOf,
}

function* standing(walker: Walker3d): FarSlices<'free' | 'shallow' | 'deep'> {
  const overlapped = yield* overlappedBy3d(walker)
  const rounding = ROUNDING_RATIO * sizeOf(walker, 0)
  for (const slot of overlapped) {
    const found = yield* depthIn(walker, slot)
    if (found === null || found.depth > rounding) return 'deep'
  }
  return overlapped.length === 0 ? 'free' : 'shallow'
}

/** Strictly: as much less far as rounding asks for. */
function* land(walker: Walker3d, way: Vector, stop: FirstStop<Block3d>, isStrict: boolean): FarSlices<boolean> {
  const length = stop.length * stop.time
  if (isStrict) return length > 0 && (yield* advance3d(walker, plus([0, 0, 0], way, length), 1, [stop])) > 0
  putWalker3d(walker, plus(positionOf(walker.body), way, length))
  yield* settleBack3d(walker, stop, opposite(way), length)
  return yield* settleFree3d(walker, length)
}
