/**
 * What every rule of a level works with: one version of the scene, its bodies in the order of their ids, and the list that findings go to.
 *
 * A rule looks at the bodies in that order, so the findings do not depend on the order of slots or the shape of a tree. Findings past the
 * limit are counted, and nothing is looked up for them.
 */

import type { Severity } from '../../../schemas/scenes/lint.ts'
import { MAX_NAMED } from '../../../schemas/scenes/lint.ts'
import type { SceneFilter } from '../../../schemas/scenes/probe.ts'
import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { noteCount } from '../../containers/progress.ts'
import { bodiesOf } from '../../scene/queries/near-pairs.ts'
import { fetchBody, isCostly } from '../../scene/queries/scene-tasks.ts'
import { shapeSlot } from '../../scene/state/body-table.ts'
import { type Accepts, compileFilter, sortById } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import {
  boxAt,
  findBody,
  heldBodyAt,
  idAt,
  poseAt,
  rowAt,
  slotLimit,
  tableOf,
  type View,
} from '../../scene/state/view.ts'
import type { DecodeProblem } from '../../wire/decode-problem.ts'
import type { SceneQueryLimits } from '../ask/scene-query.ts'

/** Vectors of either dimension. */
export interface AnyVector {
  x: number
  y: number
  z?: number
}

/** What the rules have in common. */
export interface AnyRule {
  rule: string
  severity?: Severity
  name?: string
  filter?: SceneFilter
}

type FixOperation = { op: 'remove'; id: string } | { op: 'move'; id: string; position: AnyVector }

export interface Fix {
  kind: 'separate' | 'drop' | 'snap' | 'remove'
  operations: FixOperation[]
}

/** What a rule found. */
export interface Found {
  /** The bodies, the first one first. */
  slots: readonly number[]
  point: readonly number[] | null
  measure: number | null
  message: string
  /** Looks for what would mend it; absent where the rule has no fix. */
  fix?: () => Fix | null | FarSlices<Fix | null>
}

export interface Finding {
  rule: string
  name: string
  severity: Severity
  bodies: string[]
  point: AnyVector | null
  measure: number | null
  message: string
  fix: Fix | null
}

interface LintOptions {
  down: readonly number[] | null
  wantsFixes: boolean
  limit: number
}

/** A rule at work. Returns the problem of a rule that cannot be asked, with pointers into the rule. */
export type Check<K extends Kinds, Rule extends AnyRule> = (
  lint: Lint<K>,
  rule: Rule,
) => FarSlices<DecodeProblem | undefined>

export class Lint<K extends Kinds = Kinds> {
  readonly view: View<K>
  readonly limits: SceneQueryLimits
  readonly options: LintOptions
  readonly pace = new Pace()
  readonly findings: Finding[] = []
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  /** The place of each slot’s body in the order of ids. */
  readonly ranks: Int32Array
  #ordered: readonly number[] | null = null
  #checked = 0

  constructor(view: View<K>, limits: SceneQueryLimits, options: LintOptions) {
    this.view = view
    this.limits = limits
    this.options = options
    this.ranks = new Int32Array(slotLimit(view))
  }

  get count(): number {
    const { error, warning, info } = this.counts
    return error + warning + info
  }

  /** The slots of bodies that pass, by id. */
  *slots(filter: SceneFilter | undefined): Slices<number[]> {
    if (this.#ordered === null) {
      const slots = yield* bodiesOf(this.view, this.pace)
      yield* sortById(this.view, slots, this.pace)
      for (let place = 0; place < slots.length; place++) this.ranks[slots[place]] = place
      this.#ordered = slots
    }
    this.#checked = 0
    const accepts = this.accepts(filter)
    const passed: number[] = []
    for (const slot of this.#ordered) {
      if (accepts(slot)) passed.push(slot)
      if (this.pace.isDue(1)) yield
    }
    return passed
  }

  accepts(filter: SceneFilter | undefined, self = -1): Accepts {
    return compileFilter(this.view, filter, self)
  }

  /** The body in `own` or elsewhere: it is good until `own` holds another. */
  *body(slot: number, own: K['body']): FarSlices<K['body']> {
    return isCostly(this.view, slot) ? yield* fetchBody(this.view, slot) : heldBodyAt(this.view, slot, own)
  }

  id(slot: number): string {
    return idAt(this.view, slot)
  }

  /** Of a body of the scene. */
  slotOf(id: string): number {
    return findBody(this.view, id)
  }

  /** Low sides, then high ones, rounded outward. */
  box(slot: number): Float64Array {
    const box = new Float64Array(2 * this.view.table.geometry.axes)
    boxAt(this.view, slot, box)
    return box
  }

  position(slot: number): number[] {
    return [...poseAt(this.view, slot).subarray(0, this.view.table.geometry.axes)]
  }

  /** Equal shapes have one: good for as long as the view is open. */
  shapeKey(slot: number): number {
    return shapeSlot(tableOf(this.view, slot), rowAt(this.view, slot))
  }

  vector([x, y, z]: readonly number[]): AnyVector {
    return this.view.table.geometry.axes === 2 ? { x: x + 0, y: y + 0 } : { x: x + 0, y: y + 0, z: z + 0 }
  }

  numbers({ x, y, z }: AnyVector): number[] {
    return this.view.table.geometry.axes === 2 ? [x, y] : [x, y, z as number]
  }

  /** One more body, or pair, has been looked at. `points`: what that cost. */
  isDue(points: number): boolean {
    noteCount('checked', ++this.#checked)
    return this.pace.isDue(points)
  }

  /** `tell`: asked only where the finding is given, the others are counted. */
  *add(
    { rule, name = rule, severity }: AnyRule,
    usual: Severity,
    tell: () => Found | FarSlices<Found>,
  ): FarSlices<void> {
    const weight = severity ?? usual
    this.counts[weight]++
    noteCount('findings', this.count)
    if (this.findings.length >= this.options.limit) return
    const told = tell()
    const found = 'next' in told ? yield* told : told
    const { slots, point, measure, message, fix } = found
    const looked = this.options.wantsFixes && fix !== undefined ? fix() : null
    const mends = looked !== null && 'next' in looked ? yield* looked : looked
    this.findings.push({
      rule,
      name,
      severity: weight,
      bodies: slots.slice(0, MAX_NAMED).map((slot) => this.id(slot)),
      point: point === null ? null : this.vector(point),
      measure,
      message,
      fix: mends?.operations.some((each) => this.#isChange(each)) ? mends : null,
    })
  }

  /** A body may be as near to where it should be as numbers go. */
  #isChange(operation: FixOperation): boolean {
    if (operation.op === 'remove') return true
    const now = this.position(this.slotOf(operation.id))
    return this.numbers(operation.position).some((x, k) => x !== now[k])
  }
}

/** As sentences have it. */
export function shown(value: number): string {
  return String(Number(value.toPrecision(6)))
}

/** `a, b and 3 more`. */
export function listed(ids: readonly string[], most = 3): string {
  const more = ids.length - most
  if (more > 0) return `${ids.slice(0, most).join(', ')} and ${more} more`
  return ids.length < 2 ? (ids[0] ?? '') : `${ids.slice(0, -1).join(', ')} and ${ids[ids.length - 1]}`
}

/** Of coordinates: what rounding makes of bodies that touch. */
const ROUNDING_RATIO = 2 ** -48

/** The gap that rounding may leave between what touches, by the greatest coordinate of a box that is finite. */
export function roundingOf(box: Float64Array): number {
  return ROUNDING_RATIO * box.reduce((most, side) => (Number.isFinite(side) ? Math.max(most, Math.abs(side)) : most), 0)
}

/** The sides of a box. */
export function sidesOf(box: ArrayLike<number>): number[] {
  const axes = box.length / 2
  const sides: number[] = []
  for (let k = 0; k < axes; k++) sides.push(box[axes + k] - box[k])
  return sides
}

/** The shortest side that is not 0; 0 without any, Infinity where it has no end. */
export function shortestSide(box: ArrayLike<number>): number {
  const axes = box.length / 2
  let shortest = Infinity
  let isPoint = true
  for (let k = 0; k < axes; k++) {
    const side = box[axes + k] - box[k]
    if (!(side > 0)) continue
    isPoint = false
    shortest = Math.min(shortest, side)
  }
  return isPoint ? 0 : shortest
}

export function isBounded(box: Float64Array): boolean {
  for (let k = 0; k < box.length; k++) if (!Number.isFinite(box[k])) return false
  return true
}

export function middleOf(box: ArrayLike<number>): number[] | null {
  const axes = box.length / 2
  const middle = Array.from({ length: axes }, (_, k) => box[k] + (box[axes + k] - box[k]) / 2)
  return middle.every(Number.isFinite) ? middle : null
}
