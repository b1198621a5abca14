// POST /v1/2d/scenes/{sceneId}/lint and /v1/3d/…: which rules of a level are broken, where, and what would mend it?

import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { progressForm } from '../progress.ts'
import { index, length, nullableReal, real, word } from '../quantity.ts'
import { FINDING_KINDS, FINDING_KINDS_3D } from '../queries/validate.ts'
import { named, nullable, reference, taggedUnion } from '../reference.ts'
import { identifier } from './body.ts'
import { MAX_RESULTS, SceneFilter, scenePlane, sceneSpace, truncated, version } from './probe.ts'
import { SceneOperation, SceneOperation3d } from './write.ts'

/** Most rules of a request, and most points of a way. */
const MAX_RULES = 64
const MAX_WAY_POINTS = 1000
/** Most bodies that a finding names. */
export const MAX_NAMED = 16
/** Most free cells that are looked at for one start. */
export const MAX_CELLS = 1_000_000
const USUAL_CELLS = 65_536

export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

const filtered = (description: string) => Type.Optional(reference(SceneFilter, description))

const SEVERITY = word(
  SEVERITIES,
  'How bad a finding is: error, warning or info. What is usual for the rule when absent.',
)

const common = {
  severity: Type.Optional(SEVERITY),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What its findings are called, to tell two rules of one kind apart; the kind when absent.',
    }),
  ),
  filter: filtered('The bodies that the rule is about; all when absent.'),
}

const against = filtered('The bodies that these are held against; all when absent.')

/** Parts of a rule that both dimensions share are one schema. */
function rule<const Name extends string, P extends TProperties>(
  name: Name,
  tag: string,
  description: string,
  properties: P,
) {
  const title = name.replaceAll(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
  return Type.Object(
    { rule: Type.Literal(name, { description }), ...common, ...properties },
    named(`SceneLint${title}${tag}`, description),
  )
}

const shared = [
  rule(
    'inside-solid',
    '',
    'Bodies, or their positions, in the inside of others. Its fix is separate. Measure: the greatest depth, for positions null. Usually an error.',
    {
      against,
      of: Type.Optional(
        word(['body', 'position'], 'What must be outside: all of the body, or its position alone. body when absent.'),
      ),
      deeperThan: Type.Optional(length('How deep a body may be in another; 0 when absent: it may touch.')),
    },
  ),
  rule(
    'overlap',
    '',
    'Pairs of bodies that overlap, one that the rule is about and one that it is held against. Its fix is separate. Measure: the depth. Usually a warning.',
    {
      against,
      deeperThan: Type.Optional(length('Depths up to this are no finding; 0 when absent: touching is none.')),
    },
  ),
  rule(
    'nearly-touching',
    '',
    'Pairs of bodies with a gap, or an overlap, that is more than 0 and at most a limit: seams that catch or leak. Its fix is snap. Measure: the gap, negative for an overlap. Usually a warning.',
    {
      against,
      within: Type.Optional(length('The limit. A thousandth of the shortest side of their boxes when absent.')),
      moreThan: Type.Optional(
        length('What is up to this is no finding. 2⁻⁴⁸ of their greatest coordinate, which is rounding, when absent.'),
      ),
    },
  ),
  rule(
    'duplicate',
    '',
    'Bodies with the shape and the pose of another. Its fix is remove, of the one with the greater id. Measure: how many more there are. Usually a warning.',
    {},
  ),
  rule('sliver', '', 'Bodies that are thinner than a limit in some direction. Measure: the width. Usually an info.', {
    thinnerThan: Type.Optional(
      length('The limit. A thousandth of the longest side of the body’s own box when absent.'),
    ),
  }),
  rule(
    'degenerate',
    '',
    'Bodies of a kind that has an inside, but without area or volume. Compounds are looked at child by child. Measure: 0. Usually a warning.',
    {},
  ),
  rule('invalid', '', 'Shapes about which validate finds something. Measure: how many findings. Usually an info.', {
    kinds: Type.Optional(
      Type.Array(word([...new Set([...FINDING_KINDS, ...FINDING_KINDS_3D])], 'A kind of finding.'), {
        maxItems: 64,
        description: 'The kinds that count, by the names that validate gives them; all when absent.',
      }),
    ),
  }),
] as const

/** Rules with vectors in them. */
function placed<V extends TSchema, B extends TSchema, S extends TSchema>({
  tag,
  vector,
  aabb,
  shape,
}: {
  tag: string
  vector: V
  aabb: B
  shape: S
}) {
  const down = Type.Optional(
    reference(
      vector,
      'Which way is down, any length but 0; that of the request when absent. One of the two is needed.',
    ),
  )
  const sight = {
    to: reference(SceneFilter, 'The bodies that are looked at.'),
    blockers: filtered('The bodies that can be in the way; all when absent.'),
    maxDistance: Type.Optional(length('Farther pairs are no finding; any distance when absent.')),
  }
  const mover = {
    shape: reference(shape, 'What moves, unturned.'),
    obstacles: filtered('The bodies that are in the way; all when absent.'),
  }
  return {
    mover,
    rules: [
      rule(
        'floating',
        tag,
        'Bodies that nothing holds up: a body rests on what is below it within a limit, and on what it stands in, and a chain of these must lead to a body that the rule is not about, or to one without bounds. Those that rest on each other are one finding, the lowest first. Its fix is drop, of all of them together. Measure: how far they would fall; null where there is nothing below, and for more than 256. Usually a warning.',
        {
          against: filtered(
            'The bodies that hold others up, those that the rule is about only if something holds them; all when absent.',
          ),
          down,
          within: Type.Optional(
            length(
              'Gaps up to this, and those that rounding leaves, are no finding. A thousandth of the shortest side of its box when absent.',
            ),
          ),
        },
      ),
      rule(
        'sunk',
        tag,
        'Bodies that stand in what is below them, which is named too, and are free when they are lifted. Its fix is drop. Measure: how far they are lifted. Usually a warning.',
        {
          against: filtered('The bodies that hold others up; all when absent.'),
          down,
          deeperThan: Type.Optional(length('Depths up to this are no finding; 0 when absent.')),
          within: Type.Optional(
            length('How far they are lifted at most. Half of what its box measures downward when absent.'),
          ),
        },
      ),
      rule(
        'out-of-bounds',
        tag,
        'Bodies that are not all within a box. Measure: how far they stick out. Usually an error.',
        { bounds: reference(aabb, 'The box; its sides belong to it.') },
      ),
      rule(
        'off-grid',
        tag,
        'Bodies that are not on a grid. Its fix is snap, where one translation mends it. Measure: how far off the worst coordinate is. Usually a warning.',
        {
          step: real('Distance of the lines of the grid.', { exclusiveMinimum: 0 }),
          origin: Type.Optional(reference(vector, 'A point of the grid; the origin when absent.')),
          of: Type.Optional(
            word(
              ['position', 'vertices'],
              'What lies on it: the position, or all vertices; bodies with round sides are measured by their positions then too. position when absent.',
            ),
          ),
          tolerance: Type.Optional(
            length('How far off is still on the grid. 2⁻⁴⁰ of the coordinate or the step, if greater, when absent.'),
          ),
        },
      ),
      rule(
        'line-of-sight',
        tag,
        'Pairs of bodies that see each other and should not, as from one spawn to another. Lines go from position to position. Measure: the distance. Usually a warning.',
        sight,
      ),
      rule(
        'no-line-of-sight',
        tag,
        'Pairs of bodies that do not see each other and should, as a camera and its door. Lines go from position to position. Measure: the distance to what is in the way. Usually a warning.',
        sight,
      ),
      rule(
        'blocked-way',
        tag,
        'A way along points that a body cannot go: it moves as in the query move, from each point to the next. Measure: how far it ended from the point that it did not reach. Usually an error.',
        {
          ...mover,
          points: Type.Array(reference(vector), {
            minItems: 2,
            maxItems: MAX_WAY_POINTS,
            description: 'Where its position goes, in order; at the first it must be free.',
          }),
          down,
          maxSlope: Type.Optional(real('As in move.', { minimum: 0 })),
          stepHeight: Type.Optional(length('As in move.')),
          snapToGround: Type.Optional(length('As in move.')),
          tolerance: Type.Optional(
            length('How near a point is near enough. A thousandth of the longest side of the shape’s box when absent.'),
          ),
        },
      ),
      rule(
        'too-steep',
        tag,
        'Faces that look up, too steep to stand on and not steep enough for a wall; of each body the steepest. Measure: its angle from level, in radians. Usually an info.',
        {
          down,
          maxSlope: real('Up to this angle from level, in radians, a face is a floor.', { minimum: 0 }),
          wallSlope: Type.Optional(real('From this angle on it is a wall; 1.4 (80°) when absent.', { minimum: 0 })),
        },
      ),
      rule(
        'overlapping-faces',
        tag,
        'Pairs of bodies with flat faces in one plane that look the same way and share an area: which is seen is left to chance. Measure: the area that they share. Usually an info.',
        { against },
      ),
    ] as const,
  }
}

const LINT_STAGES = {
  checking: 'the bodies are held against the rules, one rule after the other',
  writing: 'the fixes',
} as const

export const lintProgress = progressForm(
  { progress: 'LintProgress', line: 'SceneLintProgress' },
  { the: 'the check', a: 'a check' },
  LINT_STAGES,
  {
    rules: 'Rules that are done.',
    checked: 'Bodies, or pairs of points, held against the present rule.',
    findings: 'Findings so far.',
  },
  { stage: 'checking', rules: 3, checked: 41_000, findings: 7 },
)

function sceneLint<V extends TSchema, O extends TSchema, const R extends readonly TObject[]>(
  { tag, ofSpace, vector, operation }: { tag: string; ofSpace: string; vector: V; operation: O },
  rules: R,
  examples: Examples,
) {
  const any = taggedUnion('rule', rules, {
    $id: `SceneLintRule${tag}`,
    description: `What must hold of the bodies of a scene${ofSpace}; rule says which.`,
  })
  const request = Type.Object(
    {
      rules: Type.Optional(
        Type.Array(reference(any), {
          minItems: 1,
          maxItems: MAX_RULES,
          description:
            'The rules, in the order of their findings. When absent, all that need nothing said: duplicate, degenerate, invalid, sliver, nearly-touching, in space open-mesh too, and inside-solid of the positions of what importers tag kind:entity.',
        }),
      ),
      down: Type.Optional(reference(vector, 'Which way is down for rules that do not say it, any length but 0.')),
      fixes: Type.Optional(
        Type.Boolean({ description: 'Whether to look for what would mend a finding; true when absent.' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          format: 'int32',
          minimum: 1,
          maximum: MAX_RESULTS,
          description:
            'Most findings that are given; all are counted. As many as the service gives when absent, see maxResults at /v1/limits.',
        }),
      ),
    },
    named(`SceneLint${tag}Request`, 'The rules that a level must keep.', examples.request),
  )
  const fix = Type.Object(
    {
      kind: word(
        ['separate', 'drop', 'snap', 'remove'],
        'separate: out of what it overlaps by the least translation; drop: down onto what is below, or up out of it; snap: to the grid, or against its neighbour; remove: away.',
      ),
      operations: Type.Array(reference(operation), {
        description: 'The changes, as a write takes them. Each mends this finding alone, in the scene as it is.',
      }),
    },
    named(`SceneLintFix${tag}`, 'What would mend a finding.'),
  )
  const finding = Type.Object(
    {
      rule: word(
        rules.map((each) => (each as unknown as { properties: { rule: { const: string } } }).properties.rule.const),
        'The kind of the rule.',
      ),
      name: Type.String({ description: 'The name of the rule, or its kind.' }),
      severity: word(SEVERITIES, 'How bad it is.'),
      bodies: Type.Array(identifier('A body.'), {
        description: `The bodies that it is about, the first one first; at most ${MAX_NAMED}.`,
      }),
      point: nullable(vector, 'A place where it can be seen, world frame; null where there is none.'),
      measure: nullableReal('How bad, in the measure of the rule; null where there is no number for it.'),
      message: Type.String({ description: 'What is there, as a sentence.' }),
      fix: nullable(
        fix,
        'What would mend it; null where the service knows nothing that would, or was not asked to look.',
      ),
    },
    named(`SceneLintFinding${tag}`, 'One place where a rule is broken.'),
  )
  const response = Type.Object(
    {
      version,
      findings: Type.Array(reference(finding), {
        description: 'In the order of the rules; those of one rule by the ids of their bodies.',
      }),
      counts: Type.Object(
        {
          error: index('Errors.'),
          warning: index('Warnings.'),
          info: index('Infos.'),
        },
        { additionalProperties: false, description: 'How many there are, those that are not given among them.' },
      ),
      fixed: Type.Optional(
        index(
          'With the parameter fix: how many findings were mended, or would be in a dry run. A fix waits if one before it changes a body of its finding; ask again for the rest.',
        ),
      ),
      truncated,
    },
    named(`SceneLint${tag}Response`, 'What was found.', examples.response),
  )
  return { request, response, finding, any }
}

/** Options of the route. */
export const SceneLintParameters = {
  fix: Type.Optional(
    Type.Boolean({
      description:
        'Make the changes that mend findings, all in one write: the answer has the findings of the version before, and the version after.',
    }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'With fix: change nothing, and tell how much would be mended.' })),
} as const

const inPlane = placed(scenePlane)
const planeRules = [
  ...shared,
  ...inPlane.rules,
  rule(
    'unreachable',
    '',
    'Bodies that a body of a given shape cannot get to: from the positions of the bodies that the rule is about to those of others, along a grid of cells whose sides it can go along freely. Measure: how many cells it can get to. Usually an error.',
    {
      ...inPlane.mover,
      to: reference(
        SceneFilter,
        'The bodies to get to; they and the bodies that the rule is about are never in the way.',
      ),
      step: real('Width of a cell. Passages that are not this much wider than the shape may be missed.', {
        exclusiveMinimum: 0,
      }),
      maxCells: Type.Optional(
        Type.Integer({
          format: 'int32',
          minimum: 1,
          maximum: MAX_CELLS,
          description: `Most cells that are looked at for one start; ${USUAL_CELLS} when absent. Where they are not enough the finding says so.`,
        }),
      ),
    },
  ),
] as const

export const {
  request: SceneLintRequest,
  response: SceneLintResponse,
  finding: SceneLintFinding,
  any: SceneLintRule,
} = sceneLint({ ...scenePlane, operation: SceneOperation }, planeRules, {
  request: {
    'floats-and-gaps': {
      down: { x: 0, y: -1 },
      rules: [
        { rule: 'floating', filter: { tags: { any: ['prop'] } } },
        { rule: 'nearly-touching', within: 0.01 },
      ],
    },
  },
  response: [
    {
      version: 2,
      findings: [
        {
          rule: 'floating',
          name: 'floating',
          severity: 'warning',
          bodies: ['ball'],
          point: { x: -6, y: 4 },
          measure: 3.5,
          message: 'ball floats 3.5 above floor.',
          fix: { kind: 'drop', operations: [{ op: 'move', id: 'ball', position: { x: -6, y: 0.5 } }] },
        },
      ],
      counts: { error: 0, warning: 1, info: 0 },
      truncated: false,
    },
  ],
})
export type SceneLintRequest = Static<typeof SceneLintRequest>
export type SceneLintResponse = Static<typeof SceneLintResponse>
export type SceneLintRule = Static<typeof SceneLintRule>
export type LintFinding = Static<typeof SceneLintFinding>

const inSpace = placed(sceneSpace)
const spaceRules = [
  ...shared,
  ...inSpace.rules,
  rule(
    'open-mesh',
    '',
    'Meshes with edges that only one triangle has: they are no solids. Measure: how many such edges. Usually a warning.',
    {},
  ),
] as const

export const {
  request: SceneLint3dRequest,
  response: SceneLint3dResponse,
  finding: SceneLintFinding3d,
  any: SceneLintRule3d,
} = sceneLint({ ...sceneSpace, operation: SceneOperation3d }, spaceRules, {
  request: {
    'floats-and-gaps': {
      down: { x: 0, y: -1, z: 0 },
      rules: [
        { rule: 'floating', filter: { tags: { any: ['prop'] } } },
        { rule: 'nearly-touching', within: 0.01 },
      ],
    },
  },
  response: [
    {
      version: 2,
      findings: [
        {
          rule: 'floating',
          name: 'floating',
          severity: 'warning',
          bodies: ['ball'],
          point: { x: -6, y: 4, z: 0 },
          measure: 3.5,
          message: 'ball floats 3.5 above floor.',
          fix: { kind: 'drop', operations: [{ op: 'move', id: 'ball', position: { x: -6, y: 0.5, z: 0 } }] },
        },
      ],
      counts: { error: 0, warning: 1, info: 0 },
      truncated: false,
    },
  ],
})
export type SceneLint3dRequest = Static<typeof SceneLint3dRequest>
export type SceneLint3dResponse = Static<typeof SceneLint3dResponse>
export type SceneLintRule3d = Static<typeof SceneLintRule3d>

/** Of either dimension. */
export const lintRules = [...planeRules, ...spaceRules] as const
