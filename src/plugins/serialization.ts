// Answers as JSON text, written as their schemas have them: what a schema does not name is left out.

import type { TSchema } from '@sinclair/typebox'
import { createJsonOutput, takeBytes } from '../json/output.ts'
import { compileWriter } from '../json/writer.ts'

/** Bytes up to which text goes out together with the headers, if it is a string. */
const STRING_LENGTH = 2 ** 14

const out = createJsonOutput()

export function buildSerializer(schemas: unknown) {
  return ({ schema }: { schema?: unknown }) => {
    const write = compileWriter(schema as TSchema, schemas as Record<string, TSchema>)
    return (answer: unknown): string => {
      out.length = write(out, 0, answer)
      if (out.length <= STRING_LENGTH) return out.bytes.toString('utf8', 0, out.length)
      // the framework sends buffers as well, though its types do not say so
      return takeBytes(out) as unknown as string
    }
  }
}
