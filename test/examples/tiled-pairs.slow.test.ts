// Runs the example on pairs as its user would, as a process of its own, against the app on a loopback port, with few boxes.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
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
  run(process.execPath, ['--import', 'tsx', 'examples/tiled-pairs.ts', ...args], { cwd: root })

let app: FastifyInstance
let url: string

beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

/** The cells of a table's row, without the time. */
const cells = (line: string) => line.trim().split(/ {2,}/).slice(0, -1)

/** The rows of the report, and how many different numbers of pairs and narrow tests are in them. */
function report(stdout: string) {
  const rows = stdout.split('\n').slice(3, 8).map(cells)
  return {
    rows,
    pairs: new Set(rows.map(([, , pairs]) => pairs)),
    tests: new Set(rows.map(([, , , , tests]) => tests)),
  }
}

describe('the level of this repository', () => {
  it('is asked about by every method', async () => {
    const { stdout } = await example(`--url=${url}`, '--boxes=1000')
    expect(stdout).toMatch(/^examples\/levels\/cellar.ldtk: 146 wall cells, laid side by side to 1,000 boxes\n/)
    const { rows, pairs, tests } = report(stdout)
    expect(rows.map(([method, by]) => `${method}: ${by}`)).toEqual([
      'auto: sweep-and-prune',
      'sweep-and-prune: sweep-and-prune',
      'spatial-hash: spatial-hash',
      'dynamic-tree: dynamic-tree',
      'brute-force: brute-force',
    ])
    expect(pairs.size).toBe(1)
    expect([...pairs]).toEqual([...tests])
    expect(Number([...pairs][0]!.replace(',', ''))).toBeGreaterThan(1000)
    expect(rows[4]![3]).toBe('499,500')
    expect(stdout).toMatch(/\nEvery method answered with the same pairs.\n$/)
  })

  it('is not asked about by a service that is not there', async () => {
    await expect(example('--url=http://127.0.0.1:1', '--boxes=2')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:1: .*\n$/),
    })
  })

  it('is not what another file is', async () => {
    await expect(example('package.json')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('LDtk') })
  })
})

const sample = resolve(root, '../shared/data/ldtk/Typical_2D_platformer_example.ldtk')
describe.skipIf(!existsSync(sample))(
  'the platformer that ships with the editor (skipped when ../shared is absent)',
  () => {
    it('is asked about by every method', async () => {
      const { stdout } = await example(`--url=${url}`, '--boxes=5000', sample)
      expect(stdout).toContain('2,098 wall cells, laid side by side to 5,000 boxes')
      const { rows, pairs } = report(stdout)
      expect(rows).toHaveLength(5)
      expect(pairs.size).toBe(1)
      expect(stdout).toMatch(/\nEvery method answered with the same pairs.\n$/)
    })
  },
)
