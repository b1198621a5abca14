// The query `drop` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { Quaternion, Vec2, Vec3 } from '../../../schemas/vector.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { NO_TURN, type Turn } from '../../core3d/shape/turn.ts'
import { type DropAnswer, type DropQuery, queryDrop } from '../../scene/queries/drop.ts'
import { PLANE_FALLING } from '../../scene/queries/falling-2d.ts'
import { SPACE_FALLING } from '../../scene/queries/falling-3d.ts'
import type { Place } from '../../scene/queries/placing.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import {
  cannotTurn,
  checkBounded,
  decodeMover,
  giveBack,
  knownMover,
  type Mover,
  type Probe,
  turnedMover,
  turnedOrientation,
  turnedRotation,
  withPose,
} from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { encodeQuaternion, encodeVec2, encodeVec3 } from '../../wire/encode.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import type { SceneInBoth, SceneQueryLimits, Selection } from '../ask/scene-query.ts'
import { checkDirection } from '../stateless/support.ts'
import { encodeSeparationAs } from './separate.ts'

interface Request<V> extends Mover, Selection {
  direction: V
  maxDistance?: number
  align?: 'face' | 'normal'
}

/** What differs between the dimensions. `T`: a turn. */
interface Dropping<K extends Kinds, V, T, Turned> {
  numbers(vector: V): number[]
  vector(place: Place): V
  /** What lets bodies through. */
  seams: string
  drop(view: View<K>, query: DropQuery<K, T>): FarSlices<DropAnswer<T>>
  /** Any, which tells whether the body can be turned at all. */
  someTurn: T
  /** The request with its body turned. */
  turned(view: View<K>, request: Mover, turn: T): Mover
  /** How it stands then; or nothing, where it has not landed. */
  encodeTurn(view: View<K>, request: Mover, turn: T | null): Turned
}

function query<K extends Kinds, V extends Vec2 | Vec3, T, Turned extends object>(
  problems: readonly ProblemCode[],
  { numbers, vector, seams, drop, someTurn, turned, encodeTurn }: Dropping<K, V, T, Turned>,
) {
  return {
    summary: 'Where does a body come to rest when it falls?',
    description: `It falls along the direction until something stops it, and is turned to that if wished. What it only touches or slides along does not stop it, ${seams} Where it has landed it touches, or is as near as doubles get, and overlaps nothing. A body that stands in something by no more than rounding is let out of it first, and \`separation\` says so. Nothing is moved by asking.`,
    advice: 'Give a smaller maxDistance, or filter.',
    problems: [...problems, 'shape-unbounded', 'direction-zero'] as const,
    *answer(view: View<K>, request: Request<V>, limits: SceneQueryLimits) {
      const { direction, maxDistance = Infinity, align = null, filter } = request
      const decoded = checkDirection(direction) ?? (yield* decodeMover(view, request, limits))
      if (isProblem(decoded)) return decoded
      const unbounded = checkBounded(request, decoded)
      if (unbounded !== null) return unbounded
      const movers: Probe<K>[] = [decoded]
      if (align !== null) {
        // One that cannot be turned says so before anything is asked.
        const tried = yield* decodeMover(view, turned(view, request, someTurn), limits)
        if (isProblem(tried)) return cannotTurn(tried, 'align')
        movers.push(tried)
      }
      const found = yield* drop(view, {
        way: unit(numbers(direction)),
        maxDistance,
        align,
        accepts: compileFilter(view, filter, decoded.slot),
        *turned(turn) {
          const mover = yield* knownMover(view, turned(view, request, turn), limits)
          movers.push(mover)
          return mover
        },
      })
      for (const mover of movers) giveBack(mover)
      const { status, position, distance, aligned, contact, turn, start } = found
      return {
        version: view.version,
        status,
        position: contact === null ? null : vector(position),
        ...encodeTurn(view, request, contact === null ? null : turn),
        distance: contact === null ? null : distance,
        aligned,
        contact:
          contact === null ? null : { id: contact.id, point: vector(contact.point), normal: vector(contact.normal) },
        separation: start === null ? null : encodeSeparationAs(start, vector),
        truncated: false,
      }
    },
  }
}

/** Scaled first: squares of long and short ones leave the range. */
function unit(way: readonly number[]): number[] {
  const scale = Math.max(...way.map(Math.abs))
  const scaled = way.map((x) => x / scale)
  const length = Math.hypot(...scaled)
  return scaled.map((x) => x / length)
}

export const sceneDropQuery: SceneInBoth<'drop'> = {
  2: query<Plane, Vec2, number, { rotation: number | null }>(PROBE_PROBLEMS, {
    numbers: ({ x, y }) => [x, y],
    vector: ([x, y]) => encodeVec2(x, y),
    seams:
      'but what bodies cover together does: nothing falls through the seam of two boxes. A point, a segment or a chain is stopped by a line that it meets or rests on, unless it falls along it.',
    drop: (view, asked) => queryDrop(view, PLANE_FALLING, asked),
    someTurn: 1,
    turned: turnedMover,
    encodeTurn: (view, request, turn) => ({ rotation: turn === null ? null : turnedRotation(view, request, turn) }),
  }),
  3: query<Space, Vec3, Turn, { orientation: Quaternion | null }>(PROBE_3D_PROBLEMS, {
    numbers: ({ x, y, z }) => [x, y, z],
    vector: ([x, y, z]) => encodeVec3(x, y, z),
    seams:
      'so a point or a flat body may slip between two bodies that only touch. What has no inside, such as a point, a triangle or a mesh that is not solid, is stopped by a surface that it meets or rests on, unless it falls along it.',
    drop: (view, asked) => queryDrop(view, SPACE_FALLING, asked),
    someTurn: [1, 0, 0, 0],
    turned: (view, request, turn) =>
      turn === NO_TURN ? request : withPose(request, { orientation: turnedOrientation(view, request, turn) }),
    encodeTurn: (view, request, turn) => ({
      orientation: turn === null ? null : encodeQuaternion(turnedOrientation(view, request, turn)),
    }),
  }),
}
