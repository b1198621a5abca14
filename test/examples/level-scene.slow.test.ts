// Runs the example with scenes as its user would, as a process of its own, which starts a service of its own.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { changedLevel } from '../support/families/changed-level.ts'
import { bundled } from '../support/services/bundled.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
/** The service is one file, which starts at once. */
const script = bundled('src/server.ts')
const example = async (...args: string[]) =>
  run(process.execPath, ['--import', 'tsx', 'examples/level-scene.ts', ...args], {
    cwd: root,
    timeout: 110_000,
    env: { ...process.env, TANGENT_SERVER: await script },
  })

describe('the levels of this repository as scenes', () => {
  it('are shown in examples/README.md as they are here', async () => {
    const { stdout } = await example()
    expect(stdout).toContain('\nkilled and started again: 60 answers, all the same\n')
    const page = readFileSync(resolve(root, 'examples/README.md'), 'utf8')
    const [, shown] = /\nnpm run example:scene[\s\S]*?```\n\n```text\n([\s\S]*?)```/.exec(page)!
    expect(stdout).toBe(shown)
  })

  it('are walls and entities whatever they are called', async () => {
    const path = changedLevel(({ defs, levels }) => {
      for (const { intGridValues } of defs.layers) for (const value of intGridValues) value.identifier = 'wall'
      const layers = levels.flatMap(({ layerInstances }) => layerInstances)
      for (const entity of layers.flatMap(({ entityInstances }) => entityInstances)) entity.__identifier = 'wall'
    })
    const { stdout } = await example(path)
    expect(stdout).toContain('\nkilled and started again: 60 answers, all the same\n')
    // the last bat falls past everything: entities are no walls
    expect(stdout).toMatch(/\n {2}wall-2 .* nothing /)
  })

  it('end with what the service says of a level that it refuses', async () => {
    const path = changedLevel(({ levels }) => {
      const [hero] = levels
        .flatMap(({ layerInstances }) => layerInstances)
        .flatMap(({ entityInstances }) => entityInstances)
      hero!.px = [1e300, 0]
    })
    await expect(example(path)).rejects.toMatchObject({
      code: 1,
      killed: false,
      stderr: expect.stringContaining('422'),
    })
  })

  it('says which names there are when one is unknown', async () => {
    await expect(example('--walls=lava')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('lava') })
  })
})

const samples = resolve(root, '../shared/data/ldtk')
describe.skipIf(!existsSync(samples))('projects that ship with the editor (skipped when ../shared is absent)', () => {
  it.each([
    ['Typical_2D_platformer_example', 75],
    ['Typical_TopDown_example', 105],
    ['Entities', 135],
  ])('%s', async (name, answers) => {
    const { stdout } = await example(resolve(samples, `${name}.ldtk`))
    expect(stdout).toContain(`\nkilled and started again: ${answers} answers, all the same\n`)
    expect(stdout).not.toMatch(/NaN|undefined|null|WRONG/)
  })
})
