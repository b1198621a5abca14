// Runs the level example as its user would, as a process of its own, against the app on a loopback port.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { changedLevel } from '../support/families/changed-level.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const example = (...args: string[]) =>
  run(process.execPath, ['--import', 'tsx', 'examples/level-check.ts', ...args], { cwd: root })

let app: FastifyInstance
let url: string

beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

describe('the level of this repository', () => {
  it('is reported entity by entity', async () => {
    const { stdout } = await example(`--url=${url}`)
    expect(stdout.replace(/\d+(\.\d+)? ms\n/, '# ms\n')).toMatchInlineSnapshot(`
      "examples/levels/cellar.ldtk: 2 levels, 146 wall cells (138 stone, 8 water), 12 entities

      Cellar: 106 wall cells (98 stone, 8 water), 7 entities
        entity  at        size     walls           nearest wall  straight down
        Hero    34, 128   12 x 16  touches stone   stone, 0      stone, 0
        Bat     64, 46    12 x 12  -               stone, 30     stone, 86
        Bat     130, 34   12 x 12  -               stone, 2      stone, 2
        Crate   208, 83   16 x 16  overlaps stone  stone, 0      stone, 0
        Coin    212, 56   8 x 8    -               stone, 32     Crate, 19
        Fish    153, 156  14 x 8   overlaps water  water, 0      water, 0
        Crate   264, 128  16 x 16  touches stone   stone, 0      stone, 0

      Roof: 40 wall cells, 5 entities
        entity  at       size     walls          nearest wall  straight down
        Hero    34, 96   12 x 16  touches stone  stone, 0      stone, 0
        Coin    84, 76   8 x 8    -              stone, 12     stone, 12
        Bat     122, 34  12 x 12  -              stone, 50.99  nothing
        Crate   163, 96  16 x 16  touches stone  stone, 0      stone, 0
        Coin    212, 17  8 x 8    -              stone, 30.48  stone, 87

      8 requests in # ms
      "
    `)
  })

  it('is reported in examples/README.md as it is here', async () => {
    const { stdout } = await example(`--url=${url}`)
    const page = readFileSync(resolve(root, 'examples/README.md'), 'utf8')
    expect(page).toContain(stdout.replace(/\d+ requests in .*\n$/, ''))
  })

  it('counts only the named values as walls when asked to', async () => {
    const { stdout } = await example(`--url=${url}`, '--walls=solid')
    expect(stdout).toContain('2 levels, 138 wall cells, 12 entities')
    expect(stdout).not.toContain('water')
  })

  it('is sent once, however many entities there are', async () => {
    const path = changedLevel(({ levels }) => {
      for (const { entityInstances } of levels.flatMap(({ layerInstances }) => layerInstances)) {
        const [first] = entityInstances
        for (let i = entityInstances.length; i > 0 && i < 1024; i++) {
          entityInstances.push({ ...first!, px: [(7 * i) % 320, (13 * i) % 160] })
        }
      }
    })
    const { stdout } = await example(`--url=${url}`, path)
    expect(stdout).toContain(': 2 levels, 146 wall cells (138 stone, 8 water), 2,048 entities')
    expect(stdout.match(/\n {2}Hero /g)).toHaveLength(1024 - 6 + 1024 - 4)
    expect(stdout).toMatch(/\n10 requests in /)
  })

  it('leaves no scene behind', async () => {
    await example(`--url=${url}`)
    expect((await app.inject('/v1/2d/scenes')).json().scenes).toEqual([])
  })

  it('says which names there are when one is unknown', async () => {
    await expect(example(`--url=${url}`, '--walls=lava')).rejects.toMatchObject({
      code: 1,
      stderr: 'no IntGrid value, group or layer is called "lava"; there are: stone, solid, Terrain, water\n',
    })
  })
})

it('says in one line how to start the service when nothing answers', async () => {
  await expect(example('--url=http://127.0.0.1:1')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Nothing answers at http:\/\/127\.0\.0\.1:1: start the service with "npm start".*\n$/,
    ),
  })
})

const samples = resolve(root, '../shared/data/ldtk')
describe.skipIf(!existsSync(samples))('projects that ship with the editor (skipped when ../shared is absent)', () => {
  it.each([
    ['Typical_2D_platformer_example', /4 levels, 2,098 wall cells \(.*\), 15 entities/],
    ['Typical_TopDown_example', /3 levels, 363 wall cells, 21 entities/],
    ['Entities', /1 level, 1,069 wall cells, 27 entities/],
  ])('%s', async (name, summary) => {
    const { stdout } = await example(`--url=${url}`, resolve(samples, `${name}.ldtk`))
    expect(stdout).toMatch(summary)
    expect(stdout).not.toMatch(/NaN|undefined|null/)
  })
})
