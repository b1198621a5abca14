/** pgbouncer in transaction mode: every transaction may get another connection of the server. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installPackage } from '../services/debian-package.ts'
import { freePort } from './free-port.ts'
import { newDirectory, removeDirectory, serverUser } from './server-directory.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const PATIENCE_MS = 10_000

/** Installs it where that can be done. Null; or why there is none, for people. */
export function missingPgbouncer(): Promise<string | null> {
  return installPackage('pgbouncer', PROGRAM)
}

export interface Pgbouncer {
  readonly port: number
  readonly url: string
  dispose(): Promise<void>
}

/** One in front of the server at `serverPort`, after `missingPgbouncer` has said that there is one. */
export async function startPgbouncer(serverPort: number): Promise<Pgbouncer> {
  const directory = newDirectory('pgbouncer')
  await mkdir(directory)
  const port = await freePort()
  const settings = [
    '[databases]',
    // of any user, all statements are those of one
    `* = host=127.0.0.1 port=${serverPort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 5',
    // which clients send when they connect, and only this server knows
    'ignore_startup_parameters = extra_float_digits,options',
  ]
  const file = join(directory, 'pgbouncer.ini')
  await writeFile(file, `${settings.join('\n')}\n`)
  const log = join(directory, 'log')
  const output = openSync(log, 'a')
  const child = spawn(PROGRAM, [file], { ...serverUser, cwd: directory, stdio: ['ignore', output, output] })
  closeSync(output)
  child.unref()
  await writeFile(join(directory, 'pgbouncer.pid'), `${child.pid}\n`)
  const deadline = performance.now() + PATIENCE_MS
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`pgbouncer does not start: ${await readFile(log, 'utf8')}`)
    }
    await pause(5)
  }
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    dispose: async () => {
      child.ref()
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await removeDirectory(directory)
    },
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
