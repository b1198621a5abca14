// How far long work is, in lines before its answer: its stage, and what it has counted.

import { type TObject, Type } from '@sinclair/typebox'
import { index, word } from './quantity.ts'
import { named, reference } from './reference.ts'

/** What work can say of how far it is. */
export interface ProgressForm {
  /** In their order; the first is where it begins. */
  readonly stages: readonly string[]
  /** Names of the counts. */
  readonly counts: readonly string[]
  readonly schema: TObject
  /** A line of the answer. */
  readonly line: TObject
}

/** `work`: as the subject of a sentence and after an indefinite article. `stages` and `counts`: what each means, counts as sentences. */
export function progressForm<const Stage extends string, const Count extends string>(
  names: { readonly progress: string; readonly line: string },
  work: { readonly the: string; readonly a: string },
  stages: Readonly<Record<Stage, string>>,
  counts: Readonly<Record<Count, string>>,
  example: { readonly stage: NoInfer<Stage> } & Readonly<Record<NoInfer<Count>, number>>,
): ProgressForm & { readonly stages: readonly Stage[]; readonly counts: readonly Count[] } {
  const stageNames = Object.keys(stages) as Stage[]
  const countNames = Object.keys(counts) as Count[]
  const meanings = stageNames.map((stage) => `${stage}: ${stages[stage]}`).join('; ')
  const schema = Type.Object(
    {
      stage: word(stageNames, `${meanings}.`),
      ...Object.fromEntries(countNames.map((count) => [count, index(counts[count])])),
    },
    named(names.progress, `How far ${work.the} is.`),
  )
  const line = Type.Object(
    { progress: reference(schema, 'How far it is.') },
    named(names.line, `A line of ${work.a} that is answered as lines, but the last.`, [{ progress: example }]),
  )
  return { stages: stageNames, counts: countNames, schema, line }
}
