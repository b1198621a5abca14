// What a subcommand of `tangent` is, and what it is given.

import type { Config } from '../config.ts'
import type { Flag, GivenFlags } from './flags.ts'
import type { Service } from './service.ts'
import type { Ends } from './terminal.ts'

/** What became of a command: all is well, something was found, or it could not be done. */
export const CLEAN = 0
export const FOUND = 1
export const COULD_NOT = 2

export interface Asked extends GivenFlags {
  readonly ends: Ends
  /** The service inside, or that of `--url`; opened once. */
  service(): Promise<Service>
}

export interface Subcommand {
  /** What follows its name. */
  readonly usage: string
  readonly about: string
  readonly flags: readonly Flag[]
  /** Settings of the service inside, other than those of commands in general. */
  readonly settings?: Partial<Config>
  /** A command line that works where the examples are, as the help shows it. */
  readonly example: string
  /** The exit code. */
  run(asked: Asked): Promise<number>
}
