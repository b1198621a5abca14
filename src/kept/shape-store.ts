import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import type { Dimension } from '../wire/shape-source.ts'
import type { MadeShape } from './keep-shape.ts'
import type { KeptShape } from './kept-shape.ts'

/** Where kept shapes outlive the process, within the limits: what goes beyond them is deleted, that which was used longest ago first. */
export interface ShapeStore {
  /** Where workers write shapes before they are added; null where `add` does. */
  readonly directory: string | null
  /** False where it is certain that there are none. */
  readonly mayHaveAny: boolean
  /** False where it is certain that there is no such shape. */
  mayHave(id: string): boolean
  summary(id: string): Promise<{ readonly dimension: Dimension; readonly summary: KeptSummary } | null>
  /** Up to so many shapes behind the cursor, by id. */
  page(dimension: Dimension, cursor: string, count: number): Promise<KeptSummary[]>
  /** Whether it is new. */
  add(made: MadeShape): Promise<boolean>
  /** Null where it is not there; one that is damaged is deleted. */
  read(id: string): Promise<KeptShape | null>
  /** Whether it was there. */
  remove(id: string, dimension: Dimension): Promise<boolean>
  /** That it is used now: whether it is still there, where that had to be asked. */
  use(id: string): Promise<boolean> | null
}

export interface StoreLimits {
  readonly mostBytes: number
  readonly mostCount: number
}

/** Told of shapes that are damaged, or not to be read. */
export type OnFinding = (finding: { readonly shape: string; readonly reason: string }) => void

/** Milliseconds that what is noted of the use of a shape may lag behind. */
export const LAG_MS = 60_000
