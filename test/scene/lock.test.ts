// One process owns a data directory, and its lock ends with it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openLmdbStore } from '../../src/scene/lmdb-store.ts'
import { lockDirectory } from '../../src/scene/lock-directory.ts'
import { StoreFailed, StoreLocked } from '../../src/scene/store.ts'

const root = join(import.meta.dirname, '../..')
const directories: string[] = []
afterEach(() => {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

function temporary() {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-lock-'))
  directories.push(directory)
  return directory
}

const OWN = `
  import { lockDirectory } from './src/scene/lock-directory.ts'
  try {
    lockDirectory(process.argv[1])
    console.log('owned')
    setInterval(() => {}, 1000)
  } catch (error) {
    console.log(error.name + ': ' + error.message)
  }
`
/** A process that tries to own the directory; with `wrapper`, a command in front of it. */
async function contender(directory: string, wrapper: string[] = []) {
  const command = [...wrapper, process.execPath, '--import', 'tsx', '--input-type=module', '-e', OWN, directory]
  const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  const kill = async () => {
    child.kill('SIGKILL')
    await exit
  }
  return { said: String(line).trim(), pid: child.pid, kill }
}

it('refuses a second process, which says whose the directory is', async () => {
  const directory = temporary()
  const owner = await contender(directory)
  expect(owner.said).toBe('owned')
  await expect(openLmdbStore({ directory })).rejects.toThrow(StoreLocked)
  await expect(openLmdbStore({ directory })).rejects.toThrow(
    `The data directory ${directory} is in use by process ${owner.pid}; one process owns a data directory`,
  )
  const second = await contender(directory)
  expect(second.said).toBe(
    `StoreLocked: The data directory ${directory} is in use by process ${owner.pid}; one process owns a data directory`,
  )
  await owner.kill()
  const store = await openLmdbStore({ directory })
  await store.close()
})

it('refuses the same process a second time, by whatever path', async () => {
  const directory = temporary()
  const other = join(temporary(), 'link')
  symlinkSync(directory, other)
  const store = await openLmdbStore({ directory })
  await expect(openLmdbStore({ directory })).rejects.toThrow(`in use by process ${process.pid}`)
  await expect(openLmdbStore({ directory: other })).rejects.toThrow(StoreLocked)
  // Having been refused, the process must not have lost what it owns.
  expect((await contender(directory)).said).toContain(`in use by process ${process.pid}`)
  await store.close()
  await (await openLmdbStore({ directory: other })).close()
})

it('gives the directory to exactly one of many that come at once', async () => {
  const directory = temporary()
  const contenders = await Promise.all(Array.from({ length: 6 }, () => contender(directory)))
  expect(contenders.filter(({ said }) => said === 'owned').length).toBe(1)
  expect(contenders.filter(({ said }) => said.startsWith('StoreLocked')).length).toBe(5)
  await Promise.all(contenders.map(({ kill }) => kill()))
})

it('survives owners that are killed, one after the other', async () => {
  const directory = temporary()
  for (let turn = 0; turn < 3; turn++) {
    const owner = await contender(directory)
    expect(owner.said).toBe('owned')
    await owner.kill()
  }
  await lockDirectory(directory)()
})

// Two containers that share a volume: each sees itself as process 1 and nothing of the other.
const namespace = ['unshare', '--fork', '--pid', '--kill-child']
const hasNamespaces = spawnSync(namespace[0], [...namespace.slice(1), 'true']).status === 0
it.runIf(hasNamespaces)('holds between processes that cannot see each other', async () => {
  const directory = temporary()
  const owner = await contender(directory, namespace)
  expect(owner.said).toBe('owned')
  const second = await contender(directory, namespace)
  expect(second.said).toMatch(/^StoreLocked: .* in use by process 1;/)
  expect(() => lockDirectory(directory)).toThrow(StoreLocked)
  await owner.kill()
})

it('names a directory that cannot be used', () => {
  const directory = temporary()
  writeFileSync(join(directory, 'file'), '')
  expect(() => lockDirectory(join(directory, 'file'))).toThrow(StoreFailed)
  expect(() => lockDirectory(join(directory, 'file'))).toThrow(/^The data directory .*\/file cannot be used: /)
  mkdirSync(join(directory, 'owner.lmdb'))
  expect(() => lockDirectory(directory)).toThrow(StoreFailed)
})
