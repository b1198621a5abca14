// What the README prints is what the service says.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { Config, loadConfig } from '../../src/config.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('the README', () => {
  const all = [...readme.matchAll(/curl -s \S+?:3000(\S+) .*? -d '([^']+)'\n```\n\n```json\n(.*)\n```/g)].map(
    ([, path, body, answer]): [string, string, string] => [path, body, answer],
  )

  const asked = all.filter(([path]) => path.startsWith('/v1/2d/scenes/'))
  const queries = all.filter((example) => !asked.includes(example))

  it('shows a query of every kind that is new, and a contact', () => {
    const kinds = ['contact', 'time-of-impact', 'shape-cast', 'trajectory', 'bounds', 'batch']
    expect(queries.map(([path]) => path)).toEqual(kinds.map((kind) => `/v1/2d/${kind}`))
  })

  it.each(queries)('prints the answer to a query: %s', async (path, body, answer) => {
    const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    const headers = { 'content-type': 'application/json' }
    const response = await app.inject({ method: 'POST', url: path, headers, body })
    await app.close()
    expect(response.body).toBe(answer)
  })

  it('makes a scene, and prints what it answers', async () => {
    const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    const headers = { 'content-type': 'application/json' }
    const [, name] = /curl -s \S+\/v1\/2d\/scenes\/cellar -X PUT .*? -d '([^']+)'/.exec(readme)!
    await app.inject({ method: 'PUT', url: '/v1/2d/scenes/cellar', headers, payload: name })
    const [, operations, answer] = /cellar\/operations .*? -d '([^']+)' +# (.*)/.exec(readme)!
    const url = '/v1/2d/scenes/cellar/operations'
    const written = await app.inject({ method: 'POST', url, headers, payload: operations })
    expect(written.body).toBe(answer)
    expect(asked.map(([path]) => path.split('/').at(-1))).toEqual(['ray-cast', 'move'])
    for (const [path, body, expected] of asked) {
      expect((await app.inject({ method: 'POST', url: path, headers, payload: body })).body).toBe(expected)
    }
    await app.close()
  })

  it.each(Object.entries(Config.properties))('lists %s with its default and meaning', (name, schema) => {
    const value = String(schema.default)
    expect(readme).toContain(`| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${schema.description} |`)
  })
})
