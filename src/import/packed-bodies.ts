/**
 * Bodies on their way from the thread that reads a file to the one that writes them: texts and numbers in a few pieces of memory. As
 * 100,000 records they would keep the other thread from everything else for half a second.
 */

import type { FoundBody } from '../scene/table/shape-pool.ts'
import type { ImportedBody } from './drawing/drawing.ts'
import { TextPages, type Texts, textAt, textCount } from './drawing/text-pages.ts'

/** A body as the scene keeps it: the shape as its canonical text. */
export interface ReadyBody extends Omit<ImportedBody, 'shape'> {
  form: string
  /** Items of all lists in the shape. */
  items: number
  found: FoundBody
}

export interface PackedBodies {
  /** All but the shapes, and those. */
  heads: Texts
  forms: Texts
  /** See below. */
  numbers: Float64Array<ArrayBuffer>
}

/** Of each body: items, then what was found about it: position and rotation, box, and whether it is plain. */
const NUMBER_COUNT = 9

export class BodyPacker {
  #heads = new TextPages()
  #forms = new TextPages()
  #numbers = new Float64Array(NUMBER_COUNT * 64)

  add({ form, items, found, ...head }: ReadyBody): void {
    const at = NUMBER_COUNT * this.#heads.count
    if (at === this.#numbers.length) {
      const larger = new Float64Array(2 * at)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    const { x, y, rotation, box, isPlain } = found
    this.#numbers.set([items, x, y, rotation, ...box, isPlain ? 1 : 0], at)
    this.#heads.add(JSON.stringify(head))
    this.#forms.add(form)
  }

  finish(): PackedBodies {
    const numbers = this.#numbers.subarray(0, NUMBER_COUNT * this.#heads.count)
    return { heads: this.#heads.finish(), forms: this.#forms.finish(), numbers }
  }
}

export function bodyCount({ heads }: PackedBodies): number {
  return textCount(heads)
}

/** Made when somebody asks. */
export function bodyAt({ heads, forms, numbers }: PackedBodies, index: number): ReadyBody {
  const start = NUMBER_COUNT * index
  const [items, x, y, rotation, minX, minY, maxX, maxY, isPlain] = numbers.subarray(start, start + NUMBER_COUNT)
  const box = Float64Array.of(minX, minY, maxX, maxY)
  const found = { x, y, rotation, box, isPlain: isPlain === 1, core: null }
  return { ...JSON.parse(textAt(heads, index)), form: textAt(forms, index), items, found }
}
