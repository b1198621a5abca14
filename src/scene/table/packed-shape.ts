/**
 * Shapes with very many numbers, which are handed on as text and only put together where somebody looks into them: a value of
 * 100,000 vertices takes a tenth of a second to be made.
 */

/** Characters from which on the text of a shape is left as it is. */
const PACKED_LENGTH = 2 ** 16

export class PackedShape {
  /** Canonical text, all numbers included: see `shape-text.ts`. */
  readonly form: string
  /** Items of all lists in it, more or less. */
  readonly items: number

  constructor(form: string, items: number) {
    this.form = form
    this.items = items
  }

  get type(): string {
    return this.form.startsWith('{"children":') ? 'compound' : (/"type":"(\w+)"/.exec(this.form)?.[1] ?? '')
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
