// All rules of one request, one after the other, against one version of a scene.

import type { SceneLintRule, SceneLintRule3d } from '../../../schemas/scenes/lint.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { noteCount } from '../../containers/progress.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { type DecodeProblem, under } from '../../wire/decode-problem.ts'
import type { SceneQueryLimits } from '../ask/scene-query.ts'
import {
  degenerateRule,
  duplicateRule,
  invalidRule,
  offGridRule,
  openMeshRule,
  outOfBoundsRule,
  sliverRule,
} from './body-rules.ts'
import { unitDown } from './down.ts'
import { overlappingFacesRule, tooSteepRule } from './face-rules.ts'
import { floatingRule, sunkRule } from './fall-rules.ts'
import { type AnyVector, type Check, type Finding, Lint } from './linting.ts'
import { insideSolidRule, nearlyTouchingRule, overlapRule } from './pair-rules.ts'
import { blockedWayRule, sightRule, unreachableRule } from './way-rules.ts'

type AnyLintRule = SceneLintRule | SceneLintRule3d
type RuleName = AnyLintRule['rule']

export interface LintRequest {
  rules?: readonly AnyLintRule[]
  down?: AnyVector
  fixes?: boolean
}

export interface LintAnswer {
  findings: Finding[]
  counts: Lint['counts']
  truncated: boolean
}

const CHECKS: { readonly [Name in RuleName]: Check<Kinds, Extract<AnyLintRule, { rule: Name }>> } = {
  'inside-solid': insideSolidRule,
  overlap: overlapRule,
  floating: floatingRule,
  sunk: sunkRule,
  'nearly-touching': nearlyTouchingRule,
  duplicate: duplicateRule,
  sliver: sliverRule,
  degenerate: degenerateRule,
  invalid: invalidRule,
  'out-of-bounds': outOfBoundsRule,
  'off-grid': offGridRule,
  'blocked-way': blockedWayRule,
  'line-of-sight': sightRule(true),
  'no-line-of-sight': sightRule(false),
  unreachable: unreachableRule,
  'too-steep': tooSteepRule,
  'open-mesh': openMeshRule,
  'overlapping-faces': overlappingFacesRule,
}

const ENTITY = 'kind:entity'

/** Rules that need nothing said. */
const USUAL: readonly AnyLintRule[] = [
  { rule: 'duplicate' },
  { rule: 'degenerate' },
  { rule: 'invalid' },
  { rule: 'sliver' },
  { rule: 'nearly-touching' },
  {
    rule: 'inside-solid',
    severity: 'warning',
    of: 'position',
    filter: { tags: { any: [ENTITY] } },
    against: { tags: { none: [ENTITY] }, sensors: 'exclude' },
  },
]
const USUAL_3D: readonly AnyLintRule[] = [...USUAL, { rule: 'open-mesh' }]

/** The findings, up to a limit, and how many there are in all. The view must stay open until the end. */
export function* lintView<K extends Kinds>(
  view: View<K>,
  { rules = view.table.geometry.dimension === 2 ? USUAL : USUAL_3D, down, fixes: wantsFixes = true }: LintRequest,
  limit: number,
  limits: SceneQueryLimits,
): FarSlices<LintAnswer | DecodeProblem> {
  const toNumbers = ({ x, y, z }: AnyVector) => (view.table.geometry.axes === 2 ? [x, y] : [x, y, z as number])
  const fallen = down === undefined ? null : unitDown(toNumbers(down), down, '/down')
  if (fallen !== null && 'ok' in fallen) return fallen
  const lint = new Lint(view as View as View<Kinds>, limits, { down: fallen, wantsFixes, limit })
  for (const [k, rule] of rules.entries()) {
    const problem = under(`/rules/${k}`, (yield* CHECKS[rule.rule](lint, rule as never)) ?? null)
    if (problem !== null) return problem
    noteCount('rules', k + 1)
    yield
  }
  const { findings, counts } = lint
  return { findings, counts, truncated: lint.count > findings.length }
}
