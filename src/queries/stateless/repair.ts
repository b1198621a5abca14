// The query `repair`. Rings: decoded, the regions that they fill found, and what was done about the rings told in sentences.

import {
  CHANGE_KINDS,
  MAX_CHANGES,
  type RepairChange,
  type RepairedRegion,
  type RepairRequest,
  type RepairResponse,
} from '../../../schemas/queries/repair.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import type { FilledRegion } from '../../core2d/outline/filled-regions.ts'
import { type RingChange, repairRings } from '../../core2d/outline/ring-repair.ts'
import { shownPoint, tooManyVertices } from '../../wire/body.ts'
import { type DecodeProblem, inRange, vectorOutOfRange } from '../../wire/decode-problem.ts'
import { encodeVec2 } from '../../wire/encode.ts'
import { REQUEST_PROBLEMS } from '../../wire/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

export const repairQuery: QueryOf<'repair'> = {
  tag: 'shapes',
  summary: 'Which regions do these rings fill?',
  description:
    'Turns outlines that cross, overlap or repeat themselves into simple regions with holes, as an editor fills them by its fill rule, and lists what was done and where. Every decision is exact; only the coordinates of crossings are rounded, once. The regions can be sent to any other query.',
  advice: 'Send rings with fewer vertices or fewer crossings.',
  problems: [...REQUEST_PROBLEMS, 'too-many-vertices', 'coordinate-out-of-range'],
  answer: repair,
}

/** The answer, or the first problem, with pointers into the request. */
function repair(
  { rings, rule }: RepairRequest,
  { maxVertices }: { maxVertices: number },
): RepairResponse | DecodeProblem {
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const count = starts[rings.length]
  if (count > maxVertices) return tooManyVertices('Rings', '/rings', maxVertices, count)
  spend(2 * count)
  const points = new Float64Array(2 * count)
  let at = 0
  for (let ring = 0; ring < rings.length; ring++) {
    for (let i = 0; i < rings[ring].length; i++) {
      const { x, y } = rings[ring][i]
      if (!inRange(x) || !inRange(y)) return vectorOutOfRange(rings[ring][i], `/rings/${ring}/${i}`)
      points[at++] = x
      points[at++] = y
    }
  }
  const changes = new Changes(starts)
  const regions = repairRings(points, starts, rule, (change) => changes.add(change))
  return { regions: regions.map(encodeRegion), changes: changes.listed(), truncated: changes.isCut }
}

function encodeRegion({ outer, holes }: FilledRegion): RepairedRegion {
  return { outer: encodeRing(outer), holes: holes.map(encodeRing) }
}

function encodeRing(ring: Float64Array): Vec2[] {
  spend(ring.length)
  return Array.from({ length: ring.length / 2 }, (_, i) => encodeVec2(ring[2 * i], ring[2 * i + 1]))
}

/** The list of changes, so many of each kind. */
class Changes {
  readonly #starts: readonly number[]
  readonly #byKind = new Map<RingChange['kind'], RepairChange[]>(CHANGE_KINDS.map((kind) => [kind, []]))
  /** Whether there were more. */
  isCut = false

  constructor(starts: readonly number[]) {
    this.#starts = starts
  }

  /** False where no more of the kind are wanted. */
  add(change: RingChange): boolean {
    const list = this.#byKind.get(change.kind) as RepairChange[]
    if (list.length === MAX_CHANGES) {
      this.isCut = true
      return false
    }
    spend(16)
    list.push({ kind: change.kind, ...this.#described(change) })
    return true
  }

  listed(): RepairChange[] {
    return [...this.#byKind.values()].flat()
  }

  #described(change: RingChange): Omit<RepairChange, 'kind'> {
    const { kind, edgeA, edgeB, ringA, ringB, x, y, endX, endY } = change
    const start = encodeVec2(x, y)
    const end = encodeVec2(endX, endY)
    const place = shownPoint(start)
    const ring = `#/rings/${ringA}`
    const vertex = `${ring}/${edgeA - this.#starts[ringA]}`
    const ofRing = { pointers: [ring], points: [start] }
    const ofVertex = { pointers: [vertex], points: [start] }
    const ofEdges = { pointers: [vertex, `#/rings/${ringB}/${edgeB - this.#starts[ringB]}`] }
    switch (kind) {
      case 'crossing':
        return {
          detail: `${this.#edges(change)} cross at ${place}.`,
          action: 'Both are cut there.',
          ...ofEdges,
          points: [start],
        }
      case 'overlap':
        return {
          detail: `${this.#edges(change)} share the stretch from ${place} to ${shownPoint(end)}.`,
          action: 'It is kept once where one of its sides is filled, and dropped where both are or neither.',
          ...ofEdges,
          points: [start, end],
        }
      case 'spike':
        return {
          detail: `Ring ${ringA} goes back along itself at vertex ${edgeA - this.#starts[ringA]} ${place}.`,
          action: 'What has no area is dropped.',
          ...ofVertex,
        }
      case 'repeated':
        return {
          detail: `Vertex ${edgeA - this.#starts[ringA]} of ring ${ringA} is the one before it again: ${place}.`,
          action: 'It is dropped.',
          ...ofVertex,
        }
      case 'no-area':
        return { detail: `Ring ${ringA} has no area.`, action: 'It is dropped.', ...ofRing }
      case 'no-effect':
        return {
          detail: `Both sides of ring ${ringA} are filled, or neither is.`,
          action: 'It is dropped.',
          ...ofRing,
        }
      case 'turned':
        return {
          detail: `Ring ${ringA} runs against the direction of outer rings and holes.`,
          action: 'It is turned: outer rings run counter-clockwise, holes clockwise.',
          ...ofRing,
        }
      case 'divided':
        return {
          detail: `Ring ${ringA} touches itself or another ring.`,
          action: 'It is divided there, or joined to the other one.',
          ...ofRing,
        }
    }
  }

  #edges({ edgeA, edgeB, ringA, ringB }: RingChange): string {
    const [a, b] = [edgeA - this.#starts[ringA], edgeB - this.#starts[ringB]]
    return ringA === ringB
      ? `Edge ${a} and edge ${b} of ring ${ringA}`
      : `Edge ${a} of ring ${ringA} and edge ${b} of ring ${ringB}`
  }
}
