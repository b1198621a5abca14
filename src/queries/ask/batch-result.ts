// Results of batches as text: answers, and problems in their place, with `op` before everything else.
//
// Whoever answers a query does not know of batches: the text of the answer is written behind that of `op`, and its first bracket
// becomes the comma between them. Answers have at least one field.

import { PROBLEM_OP } from '../../../schemas/queries/batch.ts'
import { appendText } from '../../json/output.ts'
import type { JsonWriter } from '../../json/writer.ts'

const COMMA = 44

/** Writes as results what `write` writes as answers to the query `op`. */
export function resultWriter(op: string, write: JsonWriter): JsonWriter {
  const head = headOf(op)
  return (out, at, value) => {
    const start = appendText(out, at, head)
    const end = write(out, start, value)
    out.view.setUint8(start, COMMA)
    return end
  }
}

/** The text of an answer to the query `op`, as a result. */
export function resultText(op: string, text: string): string {
  return `${headOf(op)},${text.slice(1)}`
}

/** Problem details as a result. */
export function problemResult<Details extends object>(details: Details): Details {
  return { op: PROBLEM_OP, ...details }
}

function headOf(op: string): string {
  return `{"op":${JSON.stringify(op)}`
}
