// Runs the example on a map as its user would, as a process of its own, against the app on a loopback port.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const example = (...args: string[]) =>
  run(process.execPath, ['--import', 'tsx', 'examples/map-check.ts', ...args], { cwd: root, maxBuffer: 2 ** 24 })
const timeless = (text: string) => text.replace(/\d+(\.\d+)? ms/g, '# ms')

let app: FastifyInstance
let url: string

beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

describe('the map of this repository', () => {
  it('is shown in examples/README.md as it is here', async () => {
    const { stdout } = await example(`--url=${url}`)
    const page = readFileSync(resolve(root, 'examples/README.md'), 'utf8')
    const [, shown] = /\nnpm run example:map[\s\S]*?```\n\n```\n([\s\S]*?)```/.exec(page)!
    expect(timeless(stdout)).toBe(timeless(shown!))
  })

  it('is refused by line where it is none', async () => {
    await expect(example(`--url=${url}`, 'examples/levels/cellar.ldtk')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 2'),
    })
  })
})

const level = resolve(root, '../shared/data/quake/librequake-e3m4.map')
describe.skipIf(!existsSync(level))('a level of LibreQuake (skipped when ../shared is absent)', () => {
  it('has a hull for every brush, and the planes agree with every answer', async () => {
    const { stdout } = await example(`--url=${url}`, level)
    expect(stdout).not.toMatch(/WRONG|no hull|NaN|undefined/)
    expect(stdout).toMatch(/\n3,441 hulls, \d+ entities in brushes\nthe planes of the brushes say the same\n/)
  })
})
