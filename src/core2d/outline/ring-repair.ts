/**
 * Repairs rings: returns the regions that they fill, and reports each change and its place.
 *
 * Method: `filled-regions.ts` finds the regions. The changes come from the rings as they were drawn: `ring-check.ts`
 * finds where they cross, overlap, go back or stay, and every ring that is in no conflict is looked
 * for among the rings of the regions.
 * Frame: the points' own. Edges and vertices have the user's index, over all rings.
 */

import { spend } from '../../containers/budget.ts'
import { featureIndex } from '../feature.ts'
import { setMeetingPlace } from './edge-intersection.ts'
import { type FilledRegion, filledRegions } from './filled-regions.ts'
import type { FillRule } from './noded-edges.ts'
import { createOutline, setRings } from './outline.ts'
import { BACK, findMeetings, REPEATED, setTurns } from './ring-check.ts'

export interface RingChange {
  /**
   * crossing: two edges cross and are cut there. overlap: two edges share a stretch, which is kept once or not at all. spike: a ring goes
   * back along itself. repeated: a vertex on the one before. no-area: all of a ring lies on one line. no-effect: what is on both sides
   * of a ring is filled, or neither. turned: a ring runs the other way. divided: a ring that touches itself or others is linked anew.
   */
  kind: 'crossing' | 'overlap' | 'spike' | 'repeated' | 'no-area' | 'no-effect' | 'turned' | 'divided'
  /** The edges that meet, lower one first; of a spike and a repeated vertex the vertex, twice; of a ring its first vertex, twice. */
  edgeA: number
  edgeB: number
  /** The rings of these. */
  ringA: number
  ringB: number
  /** Where, with the other end of a stretch. */
  x: number
  y: number
  endX: number
  endY: number
}

/** Takes a record that is overwritten afterwards. False says that no more of this kind are wanted. */
type ChangeReport = (change: RingChange) => boolean

/**
 * `points`: x0, y0, … of all rings, ring r from vertex ringStarts[r] to ringStarts[r + 1]. Calls `report` for every change; of those of
 * one kind in order. Throws `OutOfBudget` where there are more crossings than can be looked at.
 */
export function repairRings(
  points: Float64Array,
  ringStarts: readonly number[],
  rule: FillRule,
  report: ChangeReport,
): FilledRegion[] {
  const regions = filledRegions(points, ringStarts, rule)
  new RingComparison(points, ringStarts, report).compare(regions)
  return regions
}

class RingComparison {
  readonly #points: Float64Array
  readonly #ringStarts: readonly number[]
  readonly #ringCount: number
  readonly #report: ChangeReport
  readonly #turns: Int8Array
  /** 1 of rings that have no area, and of rings in conflict with themselves or others. */
  readonly #isFlat: Uint8Array
  readonly #isInConflict: Uint8Array
  readonly #change: RingChange = {
    kind: 'crossing',
    edgeA: 0,
    edgeB: 0,
    ringA: 0,
    ringB: 0,
    x: 0,
    y: 0,
    endX: 0,
    endY: 0,
  }

  constructor(points: Float64Array, ringStarts: readonly number[], report: ChangeReport) {
    this.#points = points
    this.#ringStarts = ringStarts
    this.#ringCount = ringStarts.length - 1
    this.#report = report
    this.#turns = new Int8Array(points.length / 2)
    this.#isFlat = new Uint8Array(this.#ringCount).fill(1)
    this.#isInConflict = new Uint8Array(this.#ringCount)
  }

  compare(regions: readonly FilledRegion[]): void {
    spend(8 * this.#turns.length)
    const isComplete = this.#findMeetings()
    for (let ring = 0; ring < this.#ringCount; ring++) this.#reportVertices(ring)
    this.#reportRings(regions, isComplete)
  }

  /** Where edges cross and overlap. False where not all of that was looked at. */
  #findMeetings(): boolean {
    const rings = createOutline()
    const ringOf = new Int32Array(Math.max(8, this.#turns.length))
    setRings(rings, ringOf, this.#points, this.#ringStarts)
    for (let edge = 0; edge < rings.edgeCount; edge++) this.#isFlat[ringOf[edge]] = 0
    if (rings.edgeCount === 0) return true
    return findMeetings(rings, (edge, other, meeting) => {
      if (meeting.kind === 'touching') return true
      setMeetingPlace(rings, edge, other, meeting)
      this.#isInConflict[ringOf[edge]] = 1
      this.#isInConflict[ringOf[other]] = 1
      const { kind, x, y, endX, endY } = meeting
      const [edgeA, edgeB] = [featureIndex(rings.edgeNames[edge]), featureIndex(rings.edgeNames[other])]
      Object.assign(this.#change, { kind, x, y, endX, endY, edgeA, edgeB, ringA: ringOf[edge], ringB: ringOf[other] })
      return this.#report(this.#change)
    })
  }

  /** Vertices that are left out. */
  #reportVertices(ring: number): void {
    const [start, end] = [this.#ringStarts[ring], this.#ringStarts[ring + 1]]
    setTurns(this.#turns, this.#points, start, end, true)
    for (let i = start; i < end; i++) {
      const turn = this.#turns[i]
      if (turn === REPEATED) this.#tell('repeated', i, ring)
      if (turn === BACK && this.#isFlat[ring] === 0) {
        this.#isInConflict[ring] = 1
        this.#tell('spike', i, ring)
      }
    }
  }

  #tell(kind: RingChange['kind'], vertex: number, ring: number): void {
    const [x, y] = [this.#points[2 * vertex], this.#points[2 * vertex + 1]]
    Object.assign(this.#change, {
      kind,
      x,
      y,
      endX: x,
      endY: y,
      edgeA: vertex,
      edgeB: vertex,
      ringA: ring,
      ringB: ring,
    })
    this.#report(this.#change)
  }

  #reportRings(regions: readonly FilledRegion[], isComplete: boolean): void {
    const known = ringsByStart(regions)
    /** Made when it is first needed. */
    let edges: Set<string> | null = null
    for (let ring = 0; ring < this.#ringCount; ring++) {
      const start = this.#ringStarts[ring]
      if (start === this.#ringStarts[ring + 1]) continue
      if (this.#isFlat[ring] === 1) {
        this.#tell('no-area', start, ring)
        continue
      }
      if (this.#isInConflict[ring] === 1) continue
      const drawn = this.#fromLowest(ring)
      const like = known.get(placeText(drawn, 0))?.filter(({ length }) => length === drawn.length) ?? []
      if (like.some((other) => isSameRing(drawn, other))) continue
      const back = reversed(drawn)
      if (like.some((other) => isSameRing(back, other))) {
        this.#tell('turned', start, ring)
        continue
      }
      // It may be in a conflict that was not looked at.
      if (!isComplete) continue
      edges ??= edgesOf(regions)
      this.#tell(hasEdgeIn(drawn, edges) || hasEdgeIn(back, edges) ? 'divided' : 'no-effect', start, ring)
    }
  }

  /** The vertices of a ring that are not repeated, from the leftmost (the lowest of these) on. */
  #fromLowest(ring: number): Float64Array {
    const own: number[] = []
    let low = 0
    for (let i = this.#ringStarts[ring]; i < this.#ringStarts[ring + 1]; i++) {
      if (this.#turns[i] === REPEATED) continue
      const [x, y] = [this.#points[2 * i] + 0, this.#points[2 * i + 1] + 0]
      if (x < own[low] || (x === own[low] && y < own[low + 1])) low = own.length
      own.push(x, y)
    }
    return Float64Array.from([...own.slice(low), ...own.slice(0, low)])
  }
}

function ringsByStart(regions: readonly FilledRegion[]): Map<string, Float64Array[]> {
  const known = new Map<string, Float64Array[]>()
  for (const { outer, holes } of regions) {
    for (const ring of [outer, ...holes]) {
      const key = placeText(ring, 0)
      const others = known.get(key)
      if (others === undefined) known.set(key, [ring])
      else others.push(ring)
    }
  }
  return known
}

function placeText(ring: Float64Array, at: number): string {
  return `${ring[at]} ${ring[at + 1]}`
}

function isSameRing(ring: Float64Array, other: Float64Array): boolean {
  spend(ring.length >> 3)
  return ring.every((value, k) => value === other[k])
}

/** The other way round from the same vertex. */
function reversed(ring: Float64Array): Float64Array {
  const back = new Float64Array(ring.length)
  const count = ring.length / 2
  for (let k = 0; k < count; k++) {
    const from = k === 0 ? 0 : count - k
    back[2 * k] = ring[2 * from]
    back[2 * k + 1] = ring[2 * from + 1]
  }
  return back
}

function edgesOf(regions: readonly FilledRegion[]): Set<string> {
  const edges = new Set<string>()
  for (const { outer, holes } of regions) {
    for (const ring of [outer, ...holes]) for (const edge of edgeTexts(ring)) edges.add(edge)
  }
  return edges
}

function hasEdgeIn(ring: Float64Array, edges: ReadonlySet<string>): boolean {
  for (const edge of edgeTexts(ring)) if (edges.has(edge)) return true
  return false
}

function* edgeTexts(ring: Float64Array): Generator<string, void, undefined> {
  spend(2 * ring.length)
  for (let k = 0; k < ring.length; k += 2) yield `${placeText(ring, k)} ${placeText(ring, (k + 2) % ring.length)}`
}
