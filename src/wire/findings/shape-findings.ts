// The list of what is found about a shape, while it is written: in order, so many of each kind, none described in vain.

import type { ProblemCode } from '../../../schemas/problem.ts'
import { FINDING_KINDS, type FindingKind, MAX_FINDINGS, type ShapeFinding } from '../../../schemas/queries/validate.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import type { Pose } from '../../core2d/shape/composite.ts'
import { encodeVec2 } from '../bodies/encode.ts'
import type { DecodeProblem } from '../problems/decode-problem.ts'

export interface ShapeFindings {
  listed: ShapeFinding[]
  /** Of the shape that is being looked at, not in order yet. */
  open: { place: number; finding: ShapeFinding }[]
  counts: Map<FindingKind, number>
  refused: boolean
  truncated: boolean
}

/** One shape, not a compound, and where it is. */
export interface ShapeScope {
  findings: ShapeFindings
  /** Leads to the shape, as a URI fragment. */
  pointer: string
  /** Of the shape in the frame of the whole. */
  pose: Pose
  maxVertices: number
}

/** What a finding says beside its kind and outcome; the pointers start at the shape. */
export type Description = Pick<ShapeFinding, 'detail' | 'pointers' | 'points' | 'edges'>

const RANKS = new Map(FINDING_KINDS.map((kind, rank) => [kind, rank]))

export function createShapeFindings(): ShapeFindings {
  return { listed: [], open: [], counts: new Map(), refused: false, truncated: false }
}

/** A point of the shape, in the frame of the whole. */
export function pointOf({ pose: { x, xLow, y, yLow, rotation } }: ShapeScope, px: number, py: number): Vec2 {
  if (rotation === 0) return encodeVec2(x + px + xLow, y + py + yLow)
  const cos = Math.cos(rotation)
  const sin = Math.sin(rotation)
  return encodeVec2(x + (cos * px - sin * py) + xLow, y + (sin * px + cos * py) + yLow)
}

/** `place` orders the findings of one shape; those of one kind are added in that order. False when there are too many. */
export function addRefused(
  scope: ShapeScope,
  place: number,
  kind: FindingKind,
  code: ProblemCode,
  describe: () => Description,
): boolean {
  scope.findings.refused = true
  return add(scope, place, kind, () => ({
    kind,
    outcome: 'refused',
    code,
    action: `Refused as ${code}.`,
    ...describe(),
  }))
}

/** The same in a decoder's words. */
export function addProblem(
  scope: ShapeScope,
  place: number,
  kind: FindingKind,
  { code, detail, places }: DecodeProblem,
  points: Vec2[] = [],
): void {
  addRefused(scope, place, kind, code, () => ({ detail, pointers: places.map(({ pointer }) => pointer), points }))
}

export function addAccepted(
  scope: ShapeScope,
  place: number,
  kind: FindingKind,
  action: string,
  describe: () => Description,
): boolean {
  return add(scope, place, kind, () => ({ kind, outcome: 'accepted', action, ...describe() }))
}

function add(
  { findings: { open, counts }, findings, pointer }: ShapeScope,
  place: number,
  kind: FindingKind,
  create: () => ShapeFinding,
): boolean {
  const count = counts.get(kind) ?? 0
  if (count === MAX_FINDINGS) {
    findings.truncated = true
    return false
  }
  counts.set(kind, count + 1)
  const finding = create()
  finding.pointers = finding.pointers.map((path) => pointer + path)
  open.push({ place, finding })
  return true
}

/** Puts the findings of one shape in order. */
export function closeShape({ listed, open }: ShapeFindings): void {
  open.sort((p, q) => p.place - q.place || rankOf(p.finding) - rankOf(q.finding))
  for (const { finding } of open) listed.push(finding)
  open.length = 0
}

function rankOf({ kind }: ShapeFinding): number {
  return RANKS.get(kind) as number
}
