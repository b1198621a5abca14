/** How far an import is: a few numbers in memory that its worker and the main thread share. */

import { IMPORT_STAGES, type ImportStage } from '../../schemas/scenes/import.ts'

/** Shared; see below for what lies where. */
export type ImportProgress = Int32Array<SharedArrayBuffer>

interface ImportCounts {
  stage: ImportStage
  bodies: number
  cells: number
  checked: number
}

const PLACES = { stage: 0, bodies: 1, cells: 2, checked: 3 } as const
const LENGTH = 4

/** At its beginning. */
export function createProgress(): ImportProgress {
  return new Int32Array(new SharedArrayBuffer(LENGTH * Int32Array.BYTES_PER_ELEMENT))
}

/** Does nothing where nobody watches the import. */
export function noteStage(progress: ImportProgress | undefined, stage: ImportStage): void {
  if (progress !== undefined) Atomics.store(progress, PLACES.stage, IMPORT_STAGES.indexOf(stage))
}

export function noteCount(progress: ImportProgress | undefined, what: keyof typeof PLACES, count: number): void {
  if (progress !== undefined) Atomics.store(progress, PLACES[what], count)
}

export function countsOf(progress: ImportProgress): ImportCounts {
  const at = (what: keyof typeof PLACES) => Atomics.load(progress, PLACES[what])
  return { stage: IMPORT_STAGES[at('stage')], bodies: at('bodies'), cells: at('cells'), checked: at('checked') }
}
