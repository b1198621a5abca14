import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import type { Dimension } from '../wire/shape-source.ts'
import type { MadeShape } from './keep-shape.ts'
import type { KeptShape } from './kept-shape.ts'

/** Keeps shapes beyond the life of the process, within limits: beyond them the least recently used are deleted. */
export interface ShapeStore {
  /** Where workers write the file of a shape before it is added; null where `add` writes all of it. */
  readonly directory: string | null
  /** False where the store is certain to have no shapes. */
  readonly mayHaveAny: boolean
  /** From now on `onGone` is called with each shape that this process deletes to make room, or because it is damaged. */
  watch(onGone: (id: string) => void): void
  /** False where the store is certain not to have the shape. */
  mayHave(id: string): boolean
  /** Null where the store does not have it. */
  summary(id: string): Promise<{ readonly dimension: Dimension; readonly summary: KeptSummary } | null>
  /** Up to so many shapes behind the cursor, by id. */
  page(dimension: Dimension, cursor: string, count: number): Promise<KeptSummary[]>
  /** Returns whether the shape is new. */
  add(made: MadeShape): Promise<boolean>
  /** Null where the store does not have it. A damaged shape is deleted. */
  read(id: string): Promise<KeptShape | null>
  /** Returns whether it was there. */
  remove(id: string, dimension: Dimension): Promise<boolean>
  /** Notes that the shape is used now. Resolves to whether it is still there; null where that was not asked. */
  use(id: string): Promise<boolean> | null
}

export interface StoreLimits {
  readonly mostBytes: number
  readonly mostCount: number
}

/** Called with each shape that is damaged or cannot be read. */
export type OnFinding = (finding: { readonly shape: string; readonly reason: string }) => void

/** The use of a shape is noted at most once in so many milliseconds. */
export const LAG_MS = 60_000
