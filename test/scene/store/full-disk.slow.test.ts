// A disk that is full, as the system tells it: writes to the file of the store fail, in the middle of a commit.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { bundled } from '../../support/services/bundled.ts'

const canLimit = spawnSync('prlimit', ['--version']).status === 0

it.runIf(canLimit)('refuses by name, loses nothing, and works on once there is room', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-full-'))
  const script = await bundled('test/support/services/full-child.ts')
  const child = spawn('prlimit', ['--fsize=3000000:unlimited', process.execPath, script, directory])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (command: string) => {
    child.stdin.write(`${command}\n`)
    return JSON.parse((await lines.next()).value as string)
  }
  try {
    const { version, outcome } = await ask('fill')
    expect(outcome).toBe('StoreFull')
    expect(version).toBeGreaterThan(40)
    expect(await ask('try 20')).toEqual(Array(20).fill('StoreFull'))
    // Often enough to see that failing leaves nothing behind.
    for (let turn = 0; turn < 30; turn++) expect(await ask('fill')).toEqual({ version, outcome: 'StoreFull' })
    expect(await ask('read')).toEqual({ whole: version, scenes: ['a'] })
    expect(spawnSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited']).status).toBe(0)
    expect(await ask('try 20')).toEqual(Array(20).fill(1))
    const closed = once(child, 'close')
    child.stdin.write('close\n')
    await closed
    const store = await openFileStore({ directory })
    expect((await store.list()).length).toBe(21)
    expect((await store.list())[0]).toMatchObject({ id: 'a', version })
    await store.close()
  } finally {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
})
