/**
 * Findings about the rings of a region, whether they bound one or not: every place at which they meet, which way round they run, and
 * which holes are not where holes belong.
 *
 * Method: the sweep that decides about regions (`sweep-line.ts`) says whether rings are in conflict; while they are not, it
 * meets every point at which they touch. Otherwise `ring-check.ts` finds all meetings, and the holes that are in
 * no conflict are swept again by themselves; what lies within an outer ring that crosses itself is decided by the crossing
 * number.
 * Frame: the points' own. Edges, vertices and rings have the user's index, over all rings.
 */

import { spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import { featureIndex } from '../feature.ts'
import {
  compareVertices,
  createEdgeIntersection,
  type EdgeIntersection,
  edgesConflict,
  setMeetingPlace,
} from './edge-intersection.ts'
import { turnAt } from './orientation.ts'
import { createOutline, EDGES_PER_BAND, type Outline, pointInOutline, setChain, setRings } from './outline.ts'
import { BACK, findMeetings } from './ring-check.ts'
import { createTouching, releaseSweep, sweepRings, type Touching } from './sweep-line.ts'

export interface RingFinding {
  /** wrong-way: an outer ring that runs clockwise, a hole that runs counter-clockwise; the others as in `OutlineFault`. */
  kind: 'crossing' | 'overlap' | 'touching' | 'hole-outside' | 'hole-nested' | 'wrong-way'
  /** The edges that meet, lower one first; otherwise 0. */
  edgeA: number
  edgeB: number
  /** The rings of the edges; otherwise the ring spoken of, and of a nested hole the one around it. */
  ringA: number
  ringB: number
  /** Where edges meet, with the other end of a stretch; otherwise the ring's first vertex. */
  x: number
  y: number
  endX: number
  endY: number
}

/** Takes a record that is overwritten afterwards. False says that no more of this kind are wanted. */
type RingReport = (finding: RingFinding) => boolean

/** Steps of looking for a point in an outline, for each band of its edges: mostly a glance at the band. */
const STEPS_PER_BAND = 2

/** Findings about the rings so far. */
interface Examination {
  points: Float64Array
  ringStarts: readonly number[]
  ringCount: number
  report: RingReport
  finding: RingFinding
  rings: Outline
  ringOf: Int32Array
  /** 1 for rings that cross or run along themselves; the same also for those in conflict with another one. */
  selfConflict: Uint8Array
  conflict: Uint8Array
}

/**
 * Calls `report` for every finding, in order for each kind; `turns` are those of all rings (`setTurns`). Returns
 * whether all were found: where more conflicts are found than are wanted, nothing else is looked for.
 */
export function examineRings(
  points: Float64Array,
  ringStarts: readonly number[],
  turns: Int8Array,
  report: RingReport,
): boolean {
  try {
    return examine(beginExamination(points, ringStarts, report), turns)
  } finally {
    releaseSweep()
  }
}

function examine(examination: Examination, turns: Int8Array): boolean {
  const { points, ringStarts, rings, ringOf, ringCount, conflict } = examination
  const touching = createTouching()
  const { edge, other, parents } = sweepRings(rings, ringOf, ringCount, touching)
  if (edge < 0) {
    reportTouching(examination, touching)
    reportWindings(examination)
    reportMisplaced(examination, parents)
    return true
  }
  if (!findConflicts(examination, turns)) {
    if (!conflict.includes(1)) reportPair(examination, Math.min(edge, other), Math.max(edge, other))
    return false
  }
  reportWindings(examination)
  const clean = createOutline()
  const ringOfClean = new Int32Array(ringOf.length)
  setRings(clean, ringOfClean, points, ringStarts, conflict)
  reportMisplaced(examination, sweepRings(clean, ringOfClean, ringCount).parents)
  return true
}

function beginExamination(points: Float64Array, ringStarts: readonly number[], report: RingReport): Examination {
  const ringCount = ringStarts.length - 1
  spend(4 * ringStarts[ringCount] + ringCount)
  const rings = createOutline()
  const ringOf = new Int32Array(ringStarts[ringCount])
  setRings(rings, ringOf, points, ringStarts)
  const finding: RingFinding = {
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
  const conflict = new Uint8Array(ringCount)
  const selfConflict = new Uint8Array(ringCount)
  return { points, ringStarts, ringCount, report, finding, rings, ringOf, selfConflict, conflict }
}

/** Every two passages through one point. */
function reportTouching({ finding, rings, ringOf, report }: Examination, { edges, points }: Touching): void {
  spend(4 * sortingSteps(edges.length))
  const order = Array.from(edges, (_, k) => k).sort((k, l) => edges[k] - edges[l])
  const through = new Map<number, number[]>()
  for (const k of order) {
    const passages = through.get(points[k])
    if (passages === undefined) through.set(points[k], [edges[k]])
    else passages.push(edges[k])
  }
  for (let start = 0, end = 0; start < order.length; start = end) {
    const edge = edges[order[start]]
    const others: { edge: number; point: number }[] = []
    // An edge may pass several points.
    for (end = start; end < order.length && edges[order[end]] === edge; end++) {
      const point = points[order[end]]
      const passages = through.get(point) as number[]
      spend(passages.length)
      for (let l = passages.indexOf(edge) + 1; l < passages.length; l++) others.push({ edge: passages[l], point })
    }
    spend(2 * sortingSteps(others.length))
    others.sort((p, q) => p.edge - q.edge)
    for (const { edge: other, point } of others) {
      setEdges(finding, rings, ringOf, edge, other)
      finding.kind = 'touching'
      finding.x = rings.vertices[2 * point]
      finding.y = rings.vertices[2 * point + 1]
      finding.endX = finding.x
      finding.endY = finding.y
      if (!report(finding)) return
    }
  }
}

function setEdges(finding: RingFinding, rings: Outline, ringOf: Int32Array, edge: number, other: number): void {
  finding.edgeA = featureIndex(rings.edgeNames[edge])
  finding.edgeB = featureIndex(rings.edgeNames[other])
  finding.ringA = ringOf[edge]
  finding.ringB = ringOf[other]
}

/** Marks the rings in conflict as well. False when not all were found. */
function findConflicts(examination: Examination, turns: Int8Array): boolean {
  const { rings } = examination
  const complete = findMeetings(rings, (edge, other, meeting) => {
    setMeetingPlace(rings, edge, other, meeting)
    return reportMeeting(examination, edge, other, meeting) || meeting.kind === 'touching'
  })
  markSpikes(examination, turns)
  return complete
}

function reportMeeting(examination: Examination, edge: number, other: number, meeting: EdgeIntersection): boolean {
  const { finding, rings, ringOf, selfConflict, conflict, report } = examination
  setEdges(finding, rings, ringOf, edge, other)
  const { ringA, ringB } = finding
  if (meeting.kind !== 'touching') {
    conflict[ringA] = 1
    conflict[ringB] = 1
    if (ringA === ringB) selfConflict[ringA] = 1
  }
  finding.kind = meeting.kind
  finding.x = meeting.x
  finding.y = meeting.y
  finding.endX = meeting.endX
  finding.endY = meeting.endY
  return report(finding)
}

/** A conflict that is known of: edges that follow each other are in one only where the path goes back. */
function reportPair(examination: Examination, edge: number, other: number): void {
  const meeting = createEdgeIntersection()
  edgesConflict(examination.rings, edge, other, meeting)
  reportMeeting(examination, edge, other, meeting)
}

function markSpikes({ rings, ringOf, selfConflict, conflict }: Examination, turns: Int8Array): void {
  for (let edge = 0; edge < rings.edgeCount; edge++) {
    if (turns[featureIndex(rings.vertexNames[edge])] !== BACK) continue
    conflict[ringOf[edge]] = 1
    selfConflict[ringOf[edge]] = 1
  }
}

/** Rings that do not cross themselves run one way round, whatever others do. */
function reportWindings(examination: Examination): void {
  const { rings, ringOf, selfConflict } = examination
  let start = 0
  while (start < rings.edgeCount) {
    const ring = ringOf[start]
    let end = start + 1
    while (end < rings.edgeCount && ringOf[end] === ring) end++
    if (selfConflict[ring] === 0 && ringWinding(rings, start, end) > 0 !== (ring === 0)) {
      reportRing(examination, 'wrong-way', ring, ring)
    }
    start = end
  }
}

/** 1 counter-clockwise, −1 clockwise: of the edges at the leftmost vertex (of several the lowest), the lowest has the outside below. */
function ringWinding({ vertices, edgeEnd, edgeBefore }: Outline, start: number, end: number): 1 | -1 {
  let first = start
  for (let i = start + 1; i < end; i++) if (compareVertices(vertices, i, first) < 0) first = i
  let lowest = edgeEnd[first]
  let winding: 1 | -1 = 1
  for (let i = first; i < end; i++) {
    if (compareVertices(vertices, i, first) !== 0) continue
    if (turnAt(vertices, first, edgeEnd[i], lowest) > 0) {
      lowest = edgeEnd[i]
      winding = 1
    }
    if (turnAt(vertices, first, edgeBefore[i], lowest) > 0) {
      lowest = edgeBefore[i]
      winding = -1
    }
  }
  return winding
}

function reportRing(
  { finding, points, ringStarts, report }: Examination,
  kind: RingFinding['kind'],
  ring: number,
  around: number,
): void {
  const first = 2 * ringStarts[ring]
  finding.kind = kind
  finding.edgeA = 0
  finding.edgeB = 0
  finding.ringA = ring
  finding.ringB = around
  finding.x = points[first]
  finding.y = points[first + 1]
  finding.endX = points[first]
  finding.endY = points[first + 1]
  report(finding)
}

/** `parents` of the holes that are in no conflict. */
function reportMisplaced(examination: Examination, parents: Int32Array): void {
  const { rings, ringOf, ringCount, conflict } = examination
  const isHeld = conflict[0] === 1 ? createHolder(examination) : () => false
  const hasArea = new Uint8Array(ringCount)
  for (let edge = 0; edge < rings.edgeCount; edge++) hasArea[ringOf[edge]] = 1
  const outermostOf = createOutermost(parents, ringCount)
  for (let hole = 1; hole < ringCount; hole++) {
    spend(1)
    if (hasArea[hole] === 0 || conflict[hole] === 1 || parents[hole] === 0) continue
    const outermost = outermostOf(hole)
    if (parents[outermost] < 0 && !isHeld(outermost)) reportRing(examination, 'hole-outside', hole, 0)
    else if (outermost !== hole) reportRing(examination, 'hole-nested', hole, parents[hole])
  }
}

/** Tells the hole that lies around a hole and in no other. Looked up once for all holes in each other: as many again as there are. */
function createOutermost(parents: Int32Array, ringCount: number): (hole: number) => number {
  const known = new Int32Array(ringCount)
  return (hole) => {
    let outermost = hole
    while (known[outermost] === 0 && parents[outermost] > 0) outermost = parents[outermost]
    if (known[outermost] > 0) outermost = known[outermost]
    for (let at = hole; known[at] === 0; at = parents[at]) {
      spend(1)
      known[at] = outermost
      if (at === outermost) break
    }
    return outermost
  }
}

/** Tells whether a hole lies within an outer ring that crosses itself but not the hole. Where they only touch it may. */
function createHolder({ points, ringStarts, ringCount }: Examination): (ring: number) => boolean {
  const outer = createOutline()
  setChain(outer, points, ringStarts[1], true, 1, 0)
  outer.solid = true
  const known = new Int8Array(ringCount)
  return (ring) => {
    for (let i = ringStarts[ring]; known[ring] === 0 && i < ringStarts[ring + 1]; i++) {
      spend(STEPS_PER_BAND * Math.ceil(outer.edgeCount / EDGES_PER_BAND))
      known[ring] = pointInOutline(outer, points[2 * i], points[2 * i + 1])
    }
    return known[ring] <= 0
  }
}
