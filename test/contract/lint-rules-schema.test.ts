// The schema of files of rules: it takes what the service takes, and nothing else.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lintRules } from '../../schemas/scenes/lint.ts'
import { LINT_RULES_SCHEMA } from '../../src/wire/lint-rules-schema.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const isValid = new Ajv({ allowUnionTypes: true }).compile(read(`openapi/${LINT_RULES_SCHEMA}`))

let client: SceneClient
beforeAll(async () => {
  client = await startScenes()
})
afterAll(() => client.close())

it('is what the service has, without a token too', async () => {
  const service = await startScenes({ API_TOKENS: 'a-token-of-some-length' })
  const answer = await service.app.inject(`/${LINT_RULES_SCHEMA}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, read(`openapi/${LINT_RULES_SCHEMA}`)])
  await service.close()
})

it.each(['examples/ci/rules.json', 'examples/editors/trenchbroom-rules.json'])('takes %s', (path) => {
  const rules = read(path)
  expect([isValid(rules), isValid.errors]).toEqual([true, null])
  expect(isValid(Array.isArray(rules) ? { $schema: './schema.json', rules } : rules)).toBe(true)
})

const box2d = { type: 'box', width: 1, height: 1 }
const box3d = { type: 'box', size: { x: 1, y: 1, z: 1 } }
/** The fields that rules must have, in the plane and in space. */
const NEEDED: Record<string, object> = {
  'out-of-bounds': { bounds: { min: { x: 0, y: 0 }, max: { x: 1, y: 1 } } },
  'off-grid': { step: 0.5 },
  'line-of-sight': { to: {} },
  'no-line-of-sight': { to: {} },
  'blocked-way': {
    shape: box2d,
    points: [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
    ],
  },
  unreachable: { shape: box2d, to: {}, step: 1 },
  'too-steep': { maxSlope: 0.5 },
}
const NEEDED_3D: Record<string, object> = {
  ...NEEDED,
  'out-of-bounds': { bounds: { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } } },
  'blocked-way': {
    shape: box3d,
    points: [
      { x: 0, y: 0, z: 0 },
      { x: 1, y: 0, z: 0 },
    ],
  },
}
const kinds = [...new Set(lintRules.map(({ properties }) => properties.rule.const as string))]

describe.each(kinds)('%s', (rule) => {
  const known = { rule, severity: 'info', name: 'mine', filter: { tags: { any: ['prop'] } } }
  const forms = [
    ...(rule === 'open-mesh' ? [] : [{ ...known, ...NEEDED[rule] }]),
    ...(rule === 'unreachable' ? [] : [{ ...known, ...NEEDED_3D[rule] }]),
  ]

  it('is taken, in lists and in objects', () => {
    for (const form of forms) {
      expect([isValid([form]), isValid.errors]).toEqual([true, null])
      expect(isValid({ $schema: 'schema.json', rules: [form], fixes: false })).toBe(true)
    }
  })

  it('is refused without what it needs, with what it does not know, and with numbers for words', () => {
    for (const form of forms) {
      expect(isValid([{ ...form, deeper: 1 }])).toBe(false)
      expect(isValid([{ ...form, severity: 'fatal' }])).toBe(false)
      expect(isValid([{ ...form, filter: { tags: ['prop'] } }])).toBe(false)
      for (const needed of Object.keys(NEEDED[rule] ?? {}))
        expect(isValid([{ ...form, [needed]: undefined }])).toBe(false)
    }
  })
})

it.each([
  ['no rule', []],
  ['no rules', {}],
  ['an unknown rule', [{ rule: 'flaoting' }]],
  ['a rule alone', { rule: 'duplicate' }],
  ['an unknown field', { rules: [{ rule: 'duplicate' }], ups: { x: 0, y: 1 } }],
  ['both dimensions', { rules: [{ rule: 'unreachable', ...NEEDED.unreachable }], down: { x: 0, y: 0, z: -1 } }],
  ['text', 'duplicate'],
])('refuses %s, as the service does', async (_, file) => {
  expect(isValid(file)).toBe(false)
  const id = await client.createScene()
  const body = Array.isArray(file) ? { rules: file } : file
  const { status } = await client.send('POST', `/${id}/lint`, body)
  // all rules are usual without any; those of a file are not
  expect(status).toBe(JSON.stringify(body) === '{}' ? 200 : 400)
})
