// Runs the level check in motion as its user would, as a process of its own, against the app on a loopback port.

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
  run(process.execPath, ['--import', 'tsx', 'examples/motion-check.ts', `--url=${url}`, ...args], { cwd: root })

let app: FastifyInstance
let url: string

beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

const timeless = (text: string) => text.replace(/ in \d+(\.\d+)? ms\n/, '')
/** Without the last digits of rounding. */
const rounded = (text: string) => text.replace(/at worst .*/g, '')

describe('the level of this repository in motion', () => {
  it('bounces a ball from each entity, and none enters a wall', async () => {
    const { stdout } = await example()
    expect(stdout).toContain('walls: 3 regions with 1 hole, seed 1')
    expect(stdout.match(/: a ball of radius /g)).toHaveLength(11)
    expect(stdout).toContain('Fish starts in a wall: not thrown')
    expect(stdout.match(/never in a wall$/gm)).toHaveLength(11)
    expect(stdout.match(/none in a wall: at worst \S+ of the radius deep, \S+ astray$/gm)).toHaveLength(2)
    expect(stdout).not.toMatch(/WRONG|NaN|Infinity|undefined|null/)
  })

  it('is the same for the same seed, and another for another', async () => {
    const [first, again, other] = await Promise.all([example('--seed=7'), example('--seed=7'), example('--seed=8')])
    expect(timeless(again.stdout)).toBe(timeless(first.stdout))
    expect(timeless(other.stdout)).not.toBe(timeless(first.stdout))
    expect(other.stdout).not.toContain('WRONG')
  })

  it('is shown in examples/README.md as it is here', async () => {
    const { stdout } = await example()
    const page = readFileSync(resolve(root, 'examples/README.md'), 'utf8')
    const [, shown] = /\nnpm run example:motion[\s\S]*?```\n\n```text\n([\s\S]*?)\n```/.exec(page)!
    for (const part of rounded(shown).split('\n  …\n')) expect(rounded(stdout)).toContain(part)
  })
})

const samples = resolve(root, '../shared/data/ldtk')
describe.skipIf(!existsSync(samples))('projects that ship with the editor (skipped when ../shared is absent)', () => {
  it.each(['Typical_2D_platformer_example', 'Typical_TopDown_example', 'Entities'])(
    '%s: no ball ever enters a wall',
    async (name) => {
      const { stdout } = await example(resolve(samples, `${name}.ldtk`))
      expect(stdout).toMatch(/none in a wall/)
      expect(stdout).not.toMatch(/WRONG|NaN|Infinity|undefined|null/)
    },
    30_000,
  )
})
