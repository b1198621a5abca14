/**
 * How far long work is: its stage and what it has counted, in memory that its thread shares with the one that tells of it.
 *
 * Method: nothing is sent. The work notes where it is, and whoever tells of it looks when it likes: a slow reader misses what has passed, and
 * holds nothing up. The work does not know whether anybody asks; where nobody does, a note costs a comparison.
 */

import type { FarSlices } from './far-call.ts'

export interface Progress<Stage extends string = string, Count extends string = string> {
  readonly stages: readonly Stage[]
  /** Names of the counts. */
  readonly counts: readonly Count[]
  /** Shared: the index of the stage, then the counts. */
  readonly places: Int32Array<SharedArrayBuffer>
}

/** At its beginning: at the first stage, with nothing counted. */
export function createProgress<Stage extends string, Count extends string>({
  stages,
  counts,
}: Omit<Progress<Stage, Count>, 'places'>): Progress<Stage, Count> {
  const places = new Int32Array(new SharedArrayBuffer((1 + counts.length) * Int32Array.BYTES_PER_ELEMENT))
  return { stages, counts, places }
}

/** Of the work under way. */
let noted: Progress | null = null

/** Does work whose notes are for this progress; nobody's where it is undefined. */
export function noting<Result>(progress: Progress | undefined, work: () => Result): Result {
  const outer = noted
  noted = progress ?? null
  try {
    return work()
  } finally {
    noted = outer
  }
}

/** Work with pauses, whose notes are for this progress whenever it goes on. */
export function* notingSlices<Result>(progress: Progress | undefined, work: FarSlices<Result>): FarSlices<Result> {
  try {
    for (;;) {
      const { done, value } = noting(progress, () => work.next())
      if (done) return value
      yield value
    }
  } finally {
    work.return(undefined as never)
  }
}

/** Stages that the progress does not have are those of other work, and not noted. */
export function noteStage(stage: string): void {
  if (noted === null) return
  const at = noted.stages.indexOf(stage)
  if (at >= 0) Atomics.store(noted.places, 0, at)
}

/** Counts that the progress does not have are those of other work, and not noted. */
export function noteCount(name: string, count: number): void {
  if (noted === null) return
  const at = noted.counts.indexOf(name)
  if (at >= 0) Atomics.store(noted.places, 1 + at, count)
}

/** As clients see it. */
export function shownProgress({ stages, counts, places }: Progress): object {
  const counted = counts.map((name, k) => [name, Atomics.load(places, 1 + k)])
  return { stage: stages[Atomics.load(places, 0)], ...Object.fromEntries(counted) }
}
