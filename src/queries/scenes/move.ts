// The query `move` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { climbOf, footingOf, type Steps } from '../../scene/queries/footing.ts'
import type { Place } from '../../scene/queries/gait.ts'
import { type Met, type MoveAnswer, queryMove } from '../../scene/queries/move.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { checkBounded, checkPoint, decodeMover, giveBack, type ProbeRequest } from '../../wire/decode-probe.ts'
import { checkVector, type DecodeProblem, isProblem, isZeroVector, problemAt } from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3 } from '../../wire/encode.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneInBoth, type SceneQueryLimits, type Selection } from '../ask/scene-query.ts'
import { encodeSeparationAs } from './separate.ts'

const DEFAULT_MAX_SLIDES = 8

interface Request<V> extends Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>, Selection, Steps {
  up?: V
  translation: V
  maxSlides?: number
}

function query<K extends Kinds, V extends Vec2 | Vec3>(
  problems: readonly ProblemCode[],
  numbers: (vector: V) => number[],
  vector: (place: Place) => V,
  upward: V,
) {
  return {
    summary: 'How far does a character get?',
    description:
      'It goes until it meets something, and slides along that with what is left of the motion. It never ends inside a body, goes through none, however fast it is, and does not catch on the seams of tiles and triangles. Where it stands in something it first gets out, as separate has it. With stepHeight it steps onto what is low, with snapToGround it keeps to the ground. Bodies that it only touches do not hold it, but it slips through no seam between bodies that touch. A line has no inside: what lies on one may leave it to either side, and the line is among the contacts; what has come to one stays next to it, on its side. Nothing is moved by asking.',
    advice: 'Ask for a shorter translation or fewer slides, or filter.',
    problems: [...problems, 'shape-unbounded', 'direction-zero'] as const,
    mayBeLong: true,
    *answer(view: View<K>, request: Request<V>, limits: SceneQueryLimits) {
      const { translation, maxSlides = DEFAULT_MAX_SLIDES, filter } = request
      const decoded =
        checkPoint(translation, '/translation') ?? checkUp(request) ?? (yield* decodeMover(view, request, limits))
      if (isProblem(decoded)) return decoded
      const { body, slot, describe } = decoded
      const unbounded = checkBounded(request, decoded)
      if (unbounded !== null) return unbounded
      const limit = resultLimit(request, limits)
      const up = unit(numbers(request.up ?? upward))
      const answer = yield* queryMove(view, {
        body,
        describe,
        translation: numbers(translation),
        maxSlides,
        climb: climbOf(request, up),
        footing: footingOf(request, up),
        accepts: compileFilter(view, filter, slot),
        mostContacts: limit,
      })
      giveBack(decoded)
      return { version: view.version, ...encodeMove(answer, limit, request.snapToGround !== undefined, vector) }
    },
  }
}

/** The problem of an `up` that nothing needs, or that has no direction, or null. */
function checkUp<V extends Vec2 | Vec3>({ up, maxSlope, stepHeight, snapToGround }: Request<V>): DecodeProblem | null {
  if (up === undefined) return null
  if (maxSlope === undefined && stepHeight === undefined && snapToGround === undefined) {
    const detail = 'up is for a maxSlope, a stepHeight or a snapToGround, which are missing.'
    return problemAt('/up', 'schema-violation', detail)
  }
  const wrong = checkVector(up, '/up', 'Directions')
  if (wrong !== null || !isZeroVector(up)) return wrong
  return problemAt('/up', 'direction-zero', 'The direction must not be the zero vector.')
}

function unit(way: readonly number[]): number[] {
  const length = Math.hypot(...way)
  return way.map((x) => x / length)
}

/** `limit`: most contacts, and most bodies that it stood in. `hasGround`: whether what it stands on was asked. */
function encodeMove<V>(
  { path, contacts, rest, status, start, ground }: MoveAnswer,
  limit: number,
  hasGround: boolean,
  vector: (place: Place) => V,
) {
  const separation = encodeSeparationAs(start, vector)
  const corners = path.map(vector)
  const encode = ({ id, point, normal }: Met) => ({ id, point: vector(point), normal: vector(normal) })
  return {
    status,
    position: corners[corners.length - 1],
    path: corners,
    contacts: contacts.slice(0, limit).map(encode),
    remaining: vector(rest),
    separation: start === null ? null : { ...separation, bodies: separation.bodies.slice(0, limit) },
    ...(hasGround && { ground: ground === null ? null : encode(ground) }),
    truncated: contacts.length > limit || separation.bodies.length > limit,
  }
}

export const sceneMoveQuery: SceneInBoth<'move'> = {
  2: query(
    PROBE_PROBLEMS,
    ({ x, y }: Vec2) => [x, y],
    ([x, y]) => encodeVec2(x, y),
    { x: 0, y: 1 },
  ),
  3: query(
    PROBE_3D_PROBLEMS,
    ({ x, y, z }: Vec3) => [x, y, z],
    ([x, y, z]) => encodeVec3(x, y, z),
    { x: 0, y: 1, z: 0 },
  ),
}
