// Reports that go to what is no file: it stays what it is.

import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runTangent } from '../support/command-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'tangent-pipes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a report is written through a pipe', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const level = join(folder, 'level.geojson')
  writeFileSync(level, '{"type":"FeatureCollection","features":[]}')
  const read = readFile(pipe, 'utf8')
  await runTangent(['check', level, '-o', pipe])
  expect([await read, lstatSync(pipe).isFIFO()]).toEqual([expect.stringContaining('nothing found'), true])
})
