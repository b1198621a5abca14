// A result of a batch: the answer of any stateless query, or a problem, and which of them it is.

import { type Static, type TObject, Type } from '@sinclair/typebox'
import { ProblemDetails } from '../problem.ts'
import { named } from '../reference.ts'
import { taggedUnion } from '../tagged-union.ts'
import { BoundsResponse } from './bounds.ts'
import { ContactResponse } from './contact.ts'
import { DecomposeResponse } from './decompose.ts'
import { DistanceResponse } from './distance.ts'
import { HullResponse } from './hull.ts'
import { MassResponse } from './mass.ts'
import { MinkowskiResponse } from './minkowski.ts'
import { OverlapResponse } from './overlap.ts'
import { PairsResponse } from './pairs.ts'
import { RayCastResponse } from './ray-cast.ts'
import { ShapeCastResponse } from './shape-cast.ts'
import { SupportResponse } from './support.ts'
import { TableRequest } from './table.ts'
import { TimeOfImpactResponse } from './time-of-impact.ts'
import { TrajectoryResponse } from './trajectory.ts'
import { ValidateResponse } from './validate.ts'

/** The `op` of a result that is no answer. */
export const PROBLEM_OP = 'problem'

/** An answer as a result of a batch. `name`: of the answers, where it is not that of the schema. */
export const resultOf = <Op extends string, Answer extends TObject>(op: Op, answer: Answer, name = answer.$id) => {
  const word = Type.Literal(op, { description: 'Which query this is the answer to.' })
  const description = `The fields of ${name}, and which query they answer.`
  return Type.Object({ op: word, ...answer.properties } as { op: typeof word } & Answer['properties'], {
    ...named(String(name).replace(/Response$/, 'Result'), description),
  })
}

export const ProblemResult = Type.Object(
  {
    op: Type.Literal(PROBLEM_OP, { description: 'That the query has no answer.' }),
    ...ProblemDetails.properties,
  },
  named('ProblemResult', 'The fields of ProblemDetails in place of an answer. Pointers lead into the query.'),
)

/** Any of the tables as one object: told apart by `op`, a member of the union cannot be told apart by `measure` as well. */
const AnyTable = Type.Object({
  measure: TableRequest.properties.measure,
  values: Type.Array(
    Type.Array(
      Type.Unsafe<boolean | number | null>({ type: ['boolean', 'number', 'null'], description: 'One value.' }),
      {
        description: 'One row.',
      },
    ),
    {
      description:
        'values[i][j] is of a[i] and b[j]: of overlap true or false, of distance a number, of the others a number or null.',
    },
  ),
})

/** One for each stateless query. */
export const batchResults = [
  resultOf('overlap', OverlapResponse),
  resultOf('distance', DistanceResponse),
  resultOf('contact', ContactResponse),
  resultOf('time-of-impact', TimeOfImpactResponse),
  resultOf('ray-cast', RayCastResponse),
  resultOf('shape-cast', ShapeCastResponse),
  resultOf('trajectory', TrajectoryResponse),
  resultOf('table', AnyTable, 'TableResponse'),
  resultOf('pairs', PairsResponse),
  resultOf('bounds', BoundsResponse),
  resultOf('support', SupportResponse),
  resultOf('mass', MassResponse),
  resultOf('hull', HullResponse),
  resultOf('minkowski', MinkowskiResponse),
  resultOf('decompose', DecomposeResponse),
  resultOf('validate', ValidateResponse),
] as const

export const BatchResult = taggedUnion('op', [...batchResults, ProblemResult] as const, {
  $id: 'BatchResult',
  description:
    'What the path of the query itself would have answered, and op, which is that of the query, or problem where it has no answer.',
})
export type BatchResult = Static<typeof BatchResult>
