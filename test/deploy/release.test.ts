// The workflow of a release, and the list of documents for language models: what they name is there.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { notesOf } from '../../.ci/release-notes.mjs'
import { SERVICE_VERSION } from '../../src/version.ts'

const ROOT = join(import.meta.dirname, '../..')
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Workflow {
  on: { push: { tags: string[] } }
  jobs: Record<string, Job>
}

interface Job {
  needs?: string
  permissions?: Record<string, string>
  steps: { run?: string; uses?: string }[]
}

it('tests before it publishes, and only what is tagged', () => {
  const { on, jobs } = parse(text('.github/workflows/release.yml')) as Workflow
  expect(on.push.tags).toEqual(['v*'])
  const needs = Object.entries(jobs).map(([name, job]) => [name, job.needs])
  expect(Object.fromEntries(needs)).toEqual({ test: undefined, package: 'test', python: 'package', image: 'test' })
  for (const [name, { permissions }] of Object.entries(jobs)) {
    expect(permissions?.['id-token']).toBe(name === 'test' ? undefined : 'write')
  }
  expect(jobs.test.steps.map(({ run }) => run)).toContain('bash .ci/run')
  for (const { steps } of Object.values(jobs)) {
    for (const { run, uses } of steps) expect([run, uses].filter((each) => each !== undefined)).toHaveLength(1)
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@(release\/)?v\d+$/)
  }
})

it('runs scripts and packs names that there are', () => {
  const { jobs } = parse(text('.github/workflows/release.yml')) as Workflow
  const runs = jobs.package.steps.flatMap(({ run }) => run ?? [])
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
  const spoken = runs.flatMap((run) => [...run.matchAll(/npm run ([\w:]+)|node (\S+)/g)])
  expect(spoken.length).toBe(2)
  for (const [, script, file] of spoken) {
    if (script !== undefined) expect(scripts).toHaveProperty([script])
    else expect(existsSync(join(ROOT, file)), file).toBe(true)
  }
})

it('publishes nothing by hand, and under the names that documents say', () => {
  expect(JSON.parse(text('package.json'))).toMatchObject({ name: 'tangent', private: true })
  const packed = /\b(tangent(?:[-_][a-z]+)?)-(\d+\.\d+\.\d+)/g
  const pages = ['README.md', 'docs/clients.md', 'clients/typescript/README.md', 'clients/python/README.md']
  const said = pages.flatMap((path) => [...text(path).matchAll(packed)])
  expect(new Set(said.map(([, name]) => name))).toEqual(new Set(['tangent', 'tangent-client', 'tangent_geometry']))
  expect(new Set(said.map(([, , version]) => version))).toEqual(new Set([SERVICE_VERSION]))
})

describe('the notes of a release', () => {
  it('are the section of its version in the changelog', () => {
    const changelog = text('CHANGELOG.md')
    const headings = [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version)
    expect(headings.slice(0, 2)).toEqual(['Unreleased', SERVICE_VERSION])
    const notes = notesOf(changelog, SERVICE_VERSION, 'https://example.org/blob/v1')
    expect(notes).not.toMatch(/^## /m)
    expect(notes).toMatch(/\]\(https:\/\/example\.org\/blob\/v1\/docs\/\S+\.md/)
    expect(changelog).toContain(`\n\n${notes.replaceAll('https://example.org/blob/v1/', '')}\n## [${headings[2]}]`)
  })

  it('link to files of the repository at its tag', () => {
    const changelog =
      '# Log\n\n## [Unreleased]\n\n## [1.0.0] - now\n\n- A [b](docs/c.md#d), [e](https://f.org).\n\n## [0.9.0]\n\n- G\n'
    const files = 'https://example.org/blob/v1.0.0'
    expect(notesOf(changelog, '1.0.0', files)).toBe(`- A [b](${files}/docs/c.md#d), [e](https://f.org).\n`)
    for (const version of ['Unreleased', '2.0.0']) {
      expect(() => notesOf(changelog, version, files)).toThrow(`nothing about ${version}`)
    }
  })
})

it('lists documents for language models that there are', () => {
  const list = text('llms.txt')
  expect(list).toMatch(/^# Tangent\n\n> /)
  const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path)
  expect(links.length).toBeGreaterThan(10)
  for (const path of links) expect(existsSync(join(ROOT, path)), path).toBe(true)
})
