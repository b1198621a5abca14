// The start of the process: a signal ends it quietly at every moment, and too low a limit of open files is one readable line.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, expect, it } from 'vitest'
import { bundled } from './support/services/bundled.ts'

const root = new URL('..', import.meta.url)
const env = { PATH: process.env.PATH ?? '', SCENE_STORE: 'memory', HOST: '127.0.0.1', PORT: '0' }

let script = ''
beforeAll(async () => {
  script = await bundled('src/server.ts')
})

function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, { cwd: root, env })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  return { child, output, exit: once(child, 'exit') }
}

/** Until it says that it listens. */
async function begun({ child, output }: ReturnType<typeof start>): Promise<void> {
  while (!output.out.includes('"address":"') && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

it.each([
  ['as it listens', 0],
  ['while its threads load', 60],
  ['while its threads load, later', 250],
  ['a little later', 700],
])('ends with code 0 when SIGTERM comes %s', async (_, delay) => {
  const server = start(process.execPath, [script])
  await begun(server)
  await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())))
  server.child.kill('SIGTERM')
  expect([...(await server.exit), server.output.err]).toEqual([0, null, ''])
})

it.skipIf(process.platform === 'win32').each([64, 200, 256])(
  'ends with one readable line when only %d files may be open',
  async (limit) => {
    const server = start('sh', ['-c', `ulimit -n ${limit}; exec "$0" "$1"`, process.execPath, script])
    expect(await server.exit).toEqual([1, null])
    expect(server.output).toEqual({
      out: '',
      err: 'Open files: the limit is too low; allow at least 512 (ulimit -n), better 1024 or more.\n',
    })
  },
)
