/**
 * The clock of the database, which all replicas share: a replica whose own clock is wrong neither forgets keys nor writes times that
 * nobody else has. Between two times that it is asked, time goes on by a clock that nobody can set.
 */

/** What is asked: `set` is given what comes. */
export const CLOCK = 'select (extract(epoch from clock_timestamp()) * 1000)::float8'

export class SharedClock {
  private offset: number | null = null

  /** The database's clock was at `at` (ms since 1970) between `askedAt`, by `performance.now()`, and now. */
  set(at: number, askedAt: number): void {
    this.offset = at - (askedAt + performance.now()) / 2
  }

  /** Ms since 1970. Before it was set: of this machine. */
  now(): number {
    return this.offset === null ? Date.now() : Math.round(performance.now() + this.offset)
  }
}
