// What the README says about the configuration is what the configuration is.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Config } from '../../src/config.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('the README', () => {
  it.each(Object.entries(Config.properties))('lists %s with its default and meaning', (name, schema) => {
    const value = String(schema.default)
    expect(readme).toContain(`| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${schema.description} |`)
  })
})
