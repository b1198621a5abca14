// The workflow of a release, and the list of documents for language models: what they name is there.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Workflow {
  on: { push: { tags: string[] } }
  jobs: Record<string, { needs?: string; steps: { run?: string; uses?: string }[] }>
}

it('tests before it publishes, and only what is tagged', () => {
  const { on, jobs } = parse(text('.github/workflows/release.yml')) as Workflow
  expect(on.push.tags).toEqual(['v*'])
  expect(Object.keys(jobs)).toEqual(['test', 'package', 'image'])
  for (const [name, { needs }] of Object.entries(jobs)) if (name !== 'test') expect(needs).toBe('test')
  expect(jobs.test.steps.map(({ run }) => run)).toContain('bash .ci/run')
  for (const { steps } of Object.values(jobs)) {
    for (const { run, uses } of steps) expect([run, uses].filter((each) => each !== undefined)).toHaveLength(1)
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@v\d+$/)
  }
})

it('finds the notes of a version in the changelog', () => {
  const headings = [...text('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version)
  expect(headings[0]).toBe('Unreleased')
  expect(headings).toContain((JSON.parse(text('package.json')) as { version: string }).version)
})

it('lists documents for language models that there are', () => {
  const list = text('llms.txt')
  expect(list).toMatch(/^# Tangent\n\n> /)
  const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path)
  expect(links.length).toBeGreaterThan(10)
  for (const path of links) expect(existsSync(join(ROOT, path)), path).toBe(true)
})
