// One process owns a data directory, and its lock ends with it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { lockDirectory } from '../../../src/scene/store/lock-directory.ts'
import { StoreFailed, StoreLocked } from '../../../src/scene/store/store.ts'

const root = join(import.meta.dirname, '../../..')
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
  import { lockDirectory } from './src/scene/store/lock-directory.ts'
  try {
    await lockDirectory(process.argv[1])
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
  await expect(openFileStore({ directory })).rejects.toThrow(StoreLocked)
  await expect(openFileStore({ directory })).rejects.toThrow(
    `The data directory ${directory} is in use by process ${owner.pid}; one process owns a data directory`,
  )
  const second = await contender(directory)
  expect(second.said).toBe(
    `StoreLocked: The data directory ${directory} is in use by process ${owner.pid}; one process owns a data directory`,
  )
  await owner.kill()
  const store = await openFileStore({ directory })
  await store.close()
})

it('refuses the same process a second time, by whatever path', async () => {
  const directory = temporary()
  const other = join(temporary(), 'link')
  symlinkSync(directory, other)
  const store = await openFileStore({ directory })
  await expect(openFileStore({ directory })).rejects.toThrow(`in use by process ${process.pid}`)
  await expect(openFileStore({ directory: other })).rejects.toThrow(StoreLocked)
  // Having been refused, the process must not have lost what it owns.
  expect((await contender(directory)).said).toContain(`in use by process ${process.pid}`)
  await store.close()
  await (await openFileStore({ directory: other })).close()
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
  await (await lockDirectory(directory))()
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
  await expect(lockDirectory(directory)).rejects.toThrow(StoreLocked)
  await owner.kill()
})

it('is not hindered by what lies in the place of a lock, and keeps nobody out by it', async () => {
  const directory = temporary()
  writeFileSync(join(directory, 'owner.1'), Buffer.alloc(300, 255))
  writeFileSync(join(directory, 'owner.999999999999999999'), '')
  mkdirSync(join(directory, 'owner.7'))
  writeFileSync(join(directory, 'claim-0123456789abcdef'), 'x')
  const unlock = await lockDirectory(directory)
  expect(readdirSync(directory).sort()).toEqual(['owner.8', 'owner.999999999999999999'])
  expect((await contender(directory)).said).toContain(`in use by process ${process.pid}`)
  // Nor by what is written over it: a socket has no bytes.
  expect(() => writeFileSync(join(directory, 'owner.8'), 'x')).toThrow()
  await unlock()
  await (await lockDirectory(directory))()
})

it('is held by an owner that does not get to answer', async () => {
  const directory = temporary()
  const owner = await contender(directory)
  process.kill(owner.pid as number, 'SIGSTOP')
  await expect(lockDirectory(directory)).rejects.toThrow('in use by another process')
  await owner.kill()
  await (await lockDirectory(directory))()
})

it('works where the path is longer than a socket may be called', async () => {
  const directory = join(temporary(), 'x'.repeat(120), 'y'.repeat(120))
  const unlock = await lockDirectory(directory)
  expect((await contender(directory)).said).toContain(`in use by process ${process.pid}`)
  await unlock()
})

it('names a directory that cannot be used', async () => {
  const directory = temporary()
  writeFileSync(join(directory, 'file'), '')
  await expect(lockDirectory(join(directory, 'file'))).rejects.toThrow(StoreFailed)
  await expect(lockDirectory(join(directory, 'file'))).rejects.toThrow(/^The data directory .*\/file cannot be used: /)
})
