/** HAProxy with deploy/haproxy.cfg, of which only ports and the name server are others. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../databases/free-port.ts'
import { newDirectory, removeDirectory } from '../databases/server-directory.ts'
import { ROOT } from '../document-requests.ts'
import { installPackage } from '../services/debian-package.ts'
import { leash } from '../services/scene-server.ts'

const PROGRAM = '/usr/sbin/haproxy'
const PATIENCE_MS = 30_000

/** Installs it where that can be done. Null; or why there is none, for people. */
export function missingBalancer(): Promise<string | null> {
  return installPackage('haproxy', PROGRAM)
}

export interface Balancer {
  readonly port: number
  readonly url: string
  /** As `docker stop` does. Resolves with the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  dispose(): Promise<void>
}

export interface BalancerOptions {
  /** At which every replica listens, each on an address of its own. */
  readonly replicaPort: number
  readonly nameServerPort: number
  /** Whether scenes are hashed, as the comment in the file says. */
  readonly isHashing?: boolean
}

/** Resolves when it finds replicas; after `missingBalancer` has said that there is one. */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const directory = newDirectory('haproxy')
  await mkdir(directory)
  const port = await freePort()
  const file = join(directory, 'haproxy.cfg')
  await writeFile(file, configuration(await readFile(join(ROOT, 'deploy/haproxy.cfg'), 'utf8'), port, options))
  const [command, ...args] = [...leash, PROGRAM, '-db', '-f', file]
  const child = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const closed = once(child, 'close').then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`haproxy does not start: ${output}`)
    await pause(20)
  }
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return closed
  }
  return {
    port,
    url,
    stop,
    dispose: async () => {
      await stop('SIGKILL')
      await removeDirectory(directory)
    },
  }
}

function configuration(text: string, port: number, options: BalancerOptions): string {
  const replace = (from: string, to: string) => {
    if (text.split(from).length !== 2) throw new Error(`deploy/haproxy.cfg does not have one ${from}`)
    text = text.replace(from, to)
  }
  replace('bind :3000', `bind 127.0.0.1:${port}`)
  replace('tangent:3000', `tangent:${options.replicaPort}`)
  replace('127.0.0.11:53', `127.0.0.1:${options.nameServerPort}`)
  if (options.isHashing) {
    replace('    balance leastconn\n', '')
    replace('# balance hash', 'balance hash')
    replace('# hash-type', 'hash-type')
  }
  return text
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}
