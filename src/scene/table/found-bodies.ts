/**
 * What was found out about shapes when bodies with them were accepted, by the values of the shapes: what is known then is not found
 * out again when the bodies are put. A value that nobody has any more is forgotten.
 */
import type { Body } from '../../core2d/shape/body.ts'

/** About a shape at one pose. */
export interface FoundBody {
  readonly x: number
  readonly y: number
  readonly rotation: number
  /** Min x, min y, max x, max y, as `measureOuterBox` has it. */
  readonly box: Float64Array
  /** No region in it touches itself. */
  readonly isPlain: boolean
  /** The prepared body, where that was worth handing on. */
  readonly core: Body | null
}

const found = new WeakMap<object, FoundBody>()

export function noteFound(shape: object, body: FoundBody): void {
  found.set(shape, body)
}

export function foundOf(shape: object): FoundBody | null {
  return found.get(shape) ?? null
}
