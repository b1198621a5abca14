// Answers as JSON text, written as their schemas have them: what a schema does not name is left out.

import type { TSchema } from '@sinclair/typebox'
import { createJsonOutput, takeText } from '../json/output.ts'
import { compileWriter } from '../json/writer.ts'

const out = createJsonOutput()

export function buildSerializer(schemas: unknown) {
  return ({ schema }: { schema?: unknown }) => {
    const write = compileWriter(schema as TSchema, schemas as Record<string, TSchema>)
    return (answer: unknown): string => {
      out.length = write(out, 0, answer)
      // the framework sends buffers as well, though its types do not say so
      return takeText(out) as string
    }
  }
}
