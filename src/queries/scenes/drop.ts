// The query `drop` of scenes.

import { queryDrop } from '../../scene/queries/drop.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import {
  cannotTurn,
  checkBounded,
  decodeMover,
  giveBack,
  turnedMover,
  turnedRotation,
} from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { encodeVec2 } from '../../wire/encode.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import type { SceneQueryOf } from '../ask/scene-query.ts'
import { checkDirection } from '../stateless/support.ts'
import { encodeSeparation } from './separate.ts'

export const sceneDropQuery: SceneQueryOf<'drop'> = {
  summary: 'Where does a body come to rest when it falls?',
  description:
    'It falls along the direction until something stops it, and is turned to that if wished. What it only touches or slides along does not stop it, but what bodies cover together does: nothing falls through the seam of two boxes. A point, a segment or a chain is stopped by a line that it meets or rests on, unless it falls along it. Where it has landed it touches, or is as near as doubles get, and overlaps nothing. A body that stands in something by no more than rounding is let out of it first, and `separation` says so. Nothing is moved by asking.',
  advice: 'Give a smaller maxDistance, or filter.',
  problems: [...PROBE_PROBLEMS, 'shape-unbounded', 'direction-zero'],
  *answer(view, request, limits) {
    const { direction, maxDistance = Infinity, align = null, filter } = request
    const decoded = checkDirection(direction) ?? (yield* decodeMover(view, request, limits))
    if (isProblem(decoded)) return decoded
    const unbounded = checkBounded(request, decoded)
    if (unbounded !== null) return unbounded
    const { version } = view
    const accepts = compileFilter(view, filter, decoded.slot)
    const movers = [decoded]
    if (align !== null) {
      // One that cannot be turned says so before anything is asked.
      const tried = yield* decodeMover(view, turnedMover(view, request, 1), limits)
      if (isProblem(tried)) return cannotTurn(tried, 'align')
      movers.push(tried)
    }
    const { x, y } = direction
    const scale = Math.max(Math.abs(x), Math.abs(y))
    const length = Math.hypot(x / scale, y / scale)
    const found = yield* queryDrop(view, {
      ux: x / scale / length,
      uy: y / scale / length,
      maxDistance,
      align,
      accepts,
      *turned(turn) {
        const mover = yield* decodeMover(view, turnedMover(view, request, turn), limits)
        if (isProblem(mover)) throw new Error(mover.detail)
        movers.push(mover)
        return mover
      },
    })
    for (const mover of movers) giveBack(mover)
    const { status, distance, aligned, contact, turn, start } = found
    const separation = start === null ? null : encodeSeparation(start)
    if (contact === null) {
      return {
        version,
        status,
        position: null,
        rotation: null,
        distance: null,
        aligned,
        contact: null,
        separation,
        truncated: false,
      }
    }
    const { id, nx, ny } = contact
    return {
      version,
      status,
      position: encodeVec2(found.x, found.y),
      rotation: turnedRotation(view, request, turn),
      distance,
      aligned,
      contact: { id, point: encodeVec2(contact.x, contact.y), normal: encodeVec2(nx, ny) },
      separation,
      truncated: false,
    }
  },
}
