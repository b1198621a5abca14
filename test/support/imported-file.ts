// What a file comes to, with its bodies and what was skipped as lists.

import { finishAtOnce } from '../../src/containers/budget.ts'
import type { Skipped } from '../../src/import/drawing.ts'
import { readSkipped } from '../../src/import/import-diff.ts'
import {
  bodyAt,
  bodyCount,
  type ImportTask,
  importFile as importPacked,
  type ImportedFile as Packed,
  type ReadyBody,
} from '../../src/import/import-file.ts'
import { type DecodeProblem, isProblem } from '../../src/wire/decode-problem.ts'

export type { ReadyBody }

export interface ImportedFile extends Omit<Packed, 'bodies' | 'skipped' | 'repaired'> {
  bodies: ReadyBody[]
  skipped: Skipped[]
  repaired: Skipped[]
}

export function importFile(task: ImportTask): ImportedFile | DecodeProblem {
  const file = importPacked(task)
  if (isProblem(file)) return file
  const bodies = Array.from({ length: bodyCount(file.bodies) }, (_, k) => bodyAt(file.bodies, k))
  return {
    ...file,
    bodies,
    skipped: finishAtOnce(readSkipped(file.skipped)),
    repaired: finishAtOnce(readSkipped(file.repaired)),
  }
}
