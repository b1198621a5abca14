/** How long to wait before the next try: up to 50 ms, doubling to 2 s, each time anything up to that, so that many do not come at once. */

const LEAST_MS = 50
const MOST_MS = 2000

export class Backoff {
  private failures = 0

  /** After a failure. */
  nextMs(): number {
    const most = Math.min(LEAST_MS * 2 ** this.failures, MOST_MS)
    if (most < MOST_MS) this.failures++
    return Math.random() * most
  }

  succeeded(): void {
    this.failures = 0
  }
}
