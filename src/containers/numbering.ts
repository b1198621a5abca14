/** Numbers slots, which are small integers, in the order in which they come. */

export class Numbering {
  #numbers = new Int32Array(0)
  #count = 0

  /** The number of a slot that has come before, or −1: then it has one from now on. */
  find(slot: number): number {
    if (slot >= this.#numbers.length) {
      const larger = new Int32Array(Math.max(2 * this.#numbers.length, slot + 1)).fill(-1)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    const known = this.#numbers[slot]
    if (known < 0) this.#numbers[slot] = this.#count++
    return known
  }

  get last(): number {
    return this.#count - 1
  }
}
