/**
 * Where servers of a test process have their files: a directory that goes when the process ends, however it ends, and with it
 * every server that still runs there.
 */

import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, realpathSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** PostgreSQL and pgbouncer refuse to run as root: then they run as nobody. */
const NOBODY = 65_534
export const serverUser: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/**
 * Waits until its standard input closes, which is when the process that started it is no more. Then it ends every server whose
 * directory lies in `$0`, with all that the server has started: those would stay where they have been stopped. A number of a process
 * counts only while that process is at work in this directory.
 */
const WATCH = `
cat > /dev/null
for file in "$0"/*/*.pid; do
  [ -e "$file" ] || continue
  read -r pid < "$file"
  [ "$(readlink "/proc/$pid/cwd")" = "\${file%/*}" ] || continue
  kill -9 "$pid" $(cat "/proc/$pid/task/$pid/children")
done
rm -rf "$0" || { sleep 1; rm -rf "$0"; }
`

let base: string | undefined

function baseDirectory(): string {
  if (base !== undefined) return base
  base = mkdtempSync(join(realpathSync(tmpdir()), 'tangent-servers-'))
  chmodSync(base, 0o755)
  if (serverUser.uid !== undefined) chownSync(base, serverUser.uid, NOBODY)
  // of its own session: what ends the tests by their terminal does not end it
  const watch = spawn('sh', ['-c', WATCH, base], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watch.unref()
  ;(watch.stdin as unknown as { unref(): void }).unref()
  return base
}

let count = 0

/** A path of a directory that is not there yet. A server in it works in it, and keeps its process id in a file `*.pid` there. */
export function newDirectory(name: string): string {
  return join(baseDirectory(), `${name}-${++count}`)
}

/** A copy with owners and times, which shares blocks where the file system can. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to])
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
}

/** Processes that were started by `pid` and still run. */
export async function childrenOf(pid: number): Promise<number[]> {
  try {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Whether it does anything still: one that has ended may wait long for its number to be taken away. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !text.includes(') Z ')
}

/** Whether a program may be run by whoever runs servers. */
export function canServersRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { ...serverUser, stdio: 'ignore', cwd: '/' })
    return true
  } catch {
    return false
  }
}
