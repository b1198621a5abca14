// Files for continuous integration: they are what their hosts read, and the commands in them are command lines of `tangent`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SERVICE_FLAGS, subcommand } from '../../src/command/command.ts'
import { readFlags } from '../../src/command/flags.ts'
import { SERVICE_VERSION } from '../../src/version.ts'
import { runTangent } from '../support/command-run.ts'
import { ROOT } from '../support/document-requests.ts'

const folder = join(ROOT, 'examples/ci')
const read = (name: string) => parse(readFileSync(join(folder, name), 'utf8'))

const github = read('github.yaml')
const steps: { uses?: string; run?: string; with?: Record<string, unknown> }[] = github.jobs.check.steps
const gitlab = read('gitlab.yaml').levels
const hook = read('pre-commit.yaml').repos[0].hooks[0]

it('are a workflow, a job and a hook', () => {
  expect(Object.keys(github)).toEqual(['name', 'on', 'jobs'])
  for (const step of steps) expect(Number('uses' in step) + Number('run' in step)).toBe(1)
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/)
  expect(gitlab).toMatchObject({ image: 'node:20', artifacts: { when: 'always', reports: { junit: 'findings.xml' } } })
  expect(hook).toMatchObject({ id: 'levels', name: expect.any(String), language: 'system' })
  for (const level of ['a.ldtk', 'maps/b.tmx']) expect(level).toMatch(new RegExp(hook.files))
  expect('a.ts').not.toMatch(new RegExp(hook.files))
})

const commands: string[] = [...steps.map(({ run = '' }) => run), ...gitlab.script, `${hook.entry} levels/a.ldtk`]
const checks = commands.filter((line) => line.startsWith('npx --no-install tangent'))

it('install the package of this release', () => {
  const installs = commands.filter((line) => line.startsWith('npm install'))
  expect(installs).toHaveLength(2)
  for (const line of installs) expect(line).toMatch(new RegExp(`/tangent-${SERVICE_VERSION}\\.tgz$`))
})

describe('commands', () => {
  it('are three', () => expect(checks).toHaveLength(3))

  it.each(checks)('are understood, and run on a level: %s', async (line) => {
    const [, , , name, ...args] = line.split(' ')
    const given = readFlags(args, [...(await subcommand(name)).flags, ...SERVICE_FLAGS])
    if (typeof given === 'string') throw new Error(given)
    expect(given.operands).toHaveLength(1)
    expect(given.values.get('rules')).toEqual(['levels/rules.json'])
    const format = given.values.get('report') ?? ['text']
    const rules = join(folder, 'rules.json')
    const level = join(ROOT, 'examples/levels/cellar.ldtk')
    const { code, out } = await runTangent([name, level, '--rules', rules, '--format', ...format])
    expect([code, out]).toEqual([1, expect.stringContaining('inside-solid')])
  })
})
