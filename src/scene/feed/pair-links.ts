/**
 * Which pairs of slots meet: for each slot its links, in lists that are linked both ways, in typed arrays.
 *
 * Link 2k leads from the first slot of pair k to the second, link 2k + 1 back. Cost: O(1) a link that is made or cut, 28 bytes a pair.
 */

/** No link. */
export const NONE = -1

export class PairLinks {
  /** The first link of each slot. */
  #heads = new Int32Array(64).fill(NONE)
  /** Of each link: the slot it leads to, the next of the same slot, and the one before. */
  #to = new Int32Array(128)
  #next = new Int32Array(128)
  #previous = new Int32Array(128)
  #used = 0
  /** The first free pair; the next ones behind it, by the links' `#next`. */
  #free = NONE
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Makes room for slots below `limit`. */
  reserve(limit: number): void {
    if (limit <= this.#heads.length) return
    const larger = new Int32Array(Math.max(limit, 2 * this.#heads.length)).fill(NONE)
    larger.set(this.#heads)
    this.#heads = larger
  }

  first(slot: number): number {
    return this.#heads[slot]
  }

  next(link: number): number {
    return this.#next[link]
  }

  to(link: number): number {
    return this.#to[link]
  }

  join(a: number, b: number): void {
    let link = this.#free
    if (link === NONE) {
      link = this.#used
      this.#used += 2
      if (this.#used > this.#to.length) this.#grow()
    } else this.#free = this.#next[link]
    this.#enter(link, a, b)
    this.#enter(link + 1, b, a)
    this.#count++
  }

  /** Cuts a pair, by either of its links. */
  cut(link: number): void {
    const pair = link & ~1
    this.#leave(pair, this.#to[pair + 1])
    this.#leave(pair + 1, this.#to[pair])
    this.#next[pair] = this.#free
    this.#free = pair
    this.#count--
  }

  #enter(link: number, from: number, to: number): void {
    const next = this.#heads[from]
    this.#to[link] = to
    this.#next[link] = next
    this.#previous[link] = NONE
    if (next !== NONE) this.#previous[next] = link
    this.#heads[from] = link
  }

  #leave(link: number, from: number): void {
    const next = this.#next[link]
    const previous = this.#previous[link]
    if (previous === NONE) this.#heads[from] = next
    else this.#next[previous] = next
    if (next !== NONE) this.#previous[next] = previous
  }

  #grow(): void {
    const grown = (from: Int32Array) => {
      const larger = new Int32Array(2 * from.length)
      larger.set(from)
      return larger
    }
    this.#to = grown(this.#to)
    this.#next = grown(this.#next)
    this.#previous = grown(this.#previous)
  }

  /** What is wrong with the links, for tests; null when nothing is. */
  validate(): string | null {
    let links = 0
    for (let slot = 0; slot < this.#heads.length; slot++) {
      const partners = new Set<number>()
      let previous = NONE
      for (let link = this.#heads[slot]; link !== NONE; link = this.#next[link]) {
        if (this.#previous[link] !== previous) return `link ${link} of slot ${slot} does not know the one before it`
        if (this.#to[link ^ 1] !== slot) return `link ${link} of slot ${slot} does not lead back`
        if (partners.has(this.#to[link])) return `slots ${slot} and ${this.#to[link]} are joined twice`
        partners.add(this.#to[link])
        previous = link
        links++
      }
    }
    return links === 2 * this.#count ? null : `${links} links of ${this.#count} pairs`
  }
}
