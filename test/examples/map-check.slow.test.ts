// Runs the example on a map as its user would, as a process of its own, against the app on a loopback port.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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
    const [, shown] = /\nnpm run example:map[\s\S]*?```\n\n```text\n([\s\S]*?)```/.exec(page)!
    expect(timeless(stdout)).toBe(timeless(shown!))
  })

  it('is refused by line where it is none', async () => {
    await expect(example(`--url=${url}`, 'examples/levels/cellar.ldtk')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 2'),
    })
  })
})

describe('maps of other editors', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-map-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const mapFile = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  const FLOOR = `{ brushDef {
    ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) ( ( 1 0 0 ) ( 0 1 0 ) ) stone 0 0 0
    ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) ( ( 1 0 0 ) ( 0 1 0 ) ) stone 0 0 0
    ( 0 0 -8 ) ( 1 0 -8 ) ( 0 1 -8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) stone 0 0 0
    ( 64 64 0 ) ( 64 65 0 ) ( 65 64 0 ) ( ( 1 0 0 ) ( 0 1 0 ) ) stone 0 0 0
    ( 64 64 0 ) ( 65 64 0 ) ( 64 64 1 ) ( ( 1 0 0 ) ( 0 1 0 ) ) stone 0 0 0
    ( 64 64 0 ) ( 64 64 1 ) ( 64 65 0 ) ( ( 1 0 0 ) ( 0 1 0 ) ) stone 0 0 0
  } }`
  const world = (brush: string, more = '') => `{ "classname" "worldspawn" ${brush} }\n${more}`
  const light = (origin: string) => `{ "classname" "light" "origin" "${origin}" }\n`

  it('are checked where their brushes are primitives, and rounding is no finding', async () => {
    const text = world(FLOOR, light('32 32 16') + light('32 32 -0.000000000019') + light('64.000000000019 32 4'))
    const { stdout } = await example(`--url=${url}`, '--all', mapFile('floor.map', text))
    expect(stdout).toContain('1 hull, 0 entities in brushes\nthe planes of the brushes say the same')
    expect(stdout).toMatch(/32, 32, 16 +- +brush 0, 16 +brush 0, 16/)
  })

  it.each([
    ['without a brush', world('', light('0 0 0')), 'no brush that is a hull'],
    ['of patches', world('{ patchDef2 { x ( 3 3 0 0 0 ) ( ( 1 2 3 ) ) } }', light('0 0 0')), 'no brush that is a hull'],
    ['without an entity', world(FLOOR), 'no point entity'],
  ])('fail %s: nothing was checked', async (name, text, why) => {
    await expect(example(`--url=${url}`, mapFile(`${name}.map`, text))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`nothing was checked: the map has ${why}`),
      stdout: expect.not.stringContaining('say the same'),
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
