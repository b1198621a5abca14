// The answer of the query table as a result of a batch.

import { Type } from '@sinclair/typebox'
import { TableRequest } from './table.ts'

/** Any of the tables as one object: told apart by `op`, a member of the union cannot be told apart by `measure` as well. */
export const AnyTable = Type.Object({
  measure: TableRequest.properties.measure,
  values: Type.Array(
    Type.Array(
      Type.Unsafe<boolean | number | null>({ type: ['boolean', 'number', 'null'], description: 'One value.' }),
      { description: 'One row.' },
    ),
    {
      description:
        'values[i][j] is of a[i] and b[j]: of overlap true or false, of distance a number, of the others a number or null.',
    },
  ),
})
