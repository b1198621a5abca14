// What the README prints is what the service says.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { Config, loadConfig } from '../../src/config.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('the README', () => {
  it('prints the answer to its first query', async () => {
    const [, path, body, answer] =
      readme.match(/curl -s \S+?:3000(\S+) .*? -d '([^']+)'\n```\n\n```json\n(.*)\n```/) ?? []
    const app = await buildApp(loadConfig({ LOG_LEVEL: 'silent' }))
    const response = await app.inject({
      method: 'POST',
      url: path!,
      headers: { 'content-type': 'application/json' },
      body: body!,
    })
    await app.close()
    expect(response.body).toBe(answer)
  })

  it.each(Object.entries(Config.properties))('lists %s with its default and meaning', (name, schema) => {
    const value = String(schema.default)
    expect(readme).toContain(`| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${schema.description} |`)
  })
})
