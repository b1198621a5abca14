/**
 * Shapes with very many numbers, which are handed on as text and only put together where somebody looks into them: a value of
 * 100,000 vertices takes a tenth of a second to be made.
 */
import type { Body } from '../../core2d/shape/body.ts'

/** Characters from which on the text of a shape is left as it is. */
const PACKED_LENGTH = 2 ** 16

/** What has been found out about a shape at one pose, while it was checked. */
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

export class PackedShape {
  /** Canonical text, all numbers included: see `shape-text.ts`. */
  readonly form: string
  /** Items of all lists in it, more or less. */
  readonly items: number
  readonly #found: FoundBody | null

  constructor(form: string, items: number, found: FoundBody | null = null) {
    this.form = form
    this.items = items
    this.#found = found
  }

  get type(): string {
    return this.form.startsWith('{"children":') ? 'compound' : (/"type":"(\w+)"/.exec(this.form)?.[1] ?? '')
  }

  get found(): FoundBody | null {
    return this.#found
  }

  /** The value, newly made. Cost O(its size). */
  toJSON(): object {
    return JSON.parse(this.form)
  }
}

/** A shape out of its canonical text. */
export function shapeOfText(form: string): object {
  return form.length < PACKED_LENGTH ? JSON.parse(form) : new PackedShape(form, form.length >> 5)
}

export function plainShape(shape: object): object {
  return shape instanceof PackedShape ? shape.toJSON() : shape
}

/** JSON text of an object that may have a shape, which costs nothing where that is packed. */
export function textWithShape(holder: object): string {
  const { shape, ...rest } = holder as { shape?: unknown }
  if (!(shape instanceof PackedShape)) return JSON.stringify(holder)
  const others = JSON.stringify(rest)
  return `${others.slice(0, -1)}${others === '{}' ? '' : ','}"shape":${shape.form}}`
}
