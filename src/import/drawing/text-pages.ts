/**
 * Very many texts in a few pieces of memory, which one thread hands to another without copying them, and which are made texts of again
 * one by one.
 */

export interface Texts {
  /** UTF-8. A text lies in one page. */
  pages: Uint8Array<ArrayBuffer>[]
  /** Of each text: its page, where it begins there, and where it ends. */
  places: Int32Array<ArrayBuffer>
}

const PAGE_LENGTH = 2 ** 18
const PLACE_LENGTH = 3
/** Most bytes of a unit of text. */
const UNIT_BYTES = 3

export class TextPages {
  count = 0
  #pages: Buffer<ArrayBuffer>[] = []
  #places = new Int32Array(PLACE_LENGTH * 64)
  /** Of the last page: how much of it is full. */
  #size = 0

  add(text: string): void {
    if (PLACE_LENGTH * this.count === this.#places.length) {
      const larger = new Int32Array(2 * this.#places.length)
      larger.set(this.#places)
      this.#places = larger
    }
    const page = this.#pageFor(text)
    const start = this.#size
    this.#size += page.write(text, start)
    this.#places.set([this.#pages.length - 1, start, this.#size], PLACE_LENGTH * this.count++)
  }

  finish(): Texts {
    return { pages: this.#pages, places: this.#places.subarray(0, PLACE_LENGTH * this.count) }
  }

  #pageFor(text: string): Buffer {
    const last = this.#pages.at(-1)
    const most = UNIT_BYTES * text.length
    if (last !== undefined && last.length - this.#size >= most) return last
    // a page of its own is as long as the text
    const length = most <= PAGE_LENGTH ? PAGE_LENGTH : Buffer.byteLength(text)
    if (last !== undefined && last.length - this.#size >= length) return last
    const page = Buffer.from(new ArrayBuffer(length))
    this.#pages.push(page)
    this.#size = 0
    return page
  }
}

export function textCount({ places }: Texts): number {
  return places.length / PLACE_LENGTH
}

export function textAt({ pages, places }: Texts, index: number): string {
  const at = PLACE_LENGTH * index
  const { buffer, byteOffset, length } = pages[places[at]]
  return Buffer.from(buffer, byteOffset, length).toString('utf8', places[at + 1], places[at + 2])
}
