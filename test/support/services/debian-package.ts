import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

const PATIENCE_MS = 120_000
/** Another test may be installing something else. */
const APT = ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends']
/** Its services are not started: they would be in the way. */
const ENV = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }

const asked = new Map<string, Promise<string | null>>()

/** Installs a package of Debian of which `program` is part, unless that is there. Null; or why it cannot be had, for people. */
export function installPackage(name: string, program: string): Promise<string | null> {
  let outcome = asked.get(name)
  if (outcome === undefined) {
    outcome = install(name, program)
    asked.set(name, outcome)
  }
  return outcome
}

async function install(name: string, program: string): Promise<string | null> {
  if (existsSync(program)) return null
  if (process.getuid?.() !== 0) return `${program} is not there, and only root could install ${name}`
  if (!existsSync('/usr/bin/apt-get')) return `${program} is not there, and this is no Debian`
  try {
    await run('apt-get', ['update', '-qq', '-o', 'DPkg::Lock::Timeout=120'], { env: ENV, timeout: PATIENCE_MS })
    await run('apt-get', ['install', ...APT, name], { env: ENV, timeout: PATIENCE_MS })
  } catch (error) {
    return `${name} could not be installed: ${(error as Error).message.slice(-500)}`
  }
  return existsSync(program) ? null : `${name} is of another version`
}
