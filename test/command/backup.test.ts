// tangent backup and tangent restore on a data directory that a service writes to.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { runTangent } from '../support/command-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'tangent-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = (name: string) => join(folder, name)

async function open(directory: string) {
  const app = await buildApp(loadConfig({ DATA_DIR: directory, LOG_LEVEL: 'silent' }))
  await app.ready()
  await app.scenes.recovered
  return app
}
const crate = { shape: { type: 'box', width: 1, height: 1 } }

it('copies while the service runs, and puts back what was there then', async () => {
  const app = await open(path('data'))
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/cellar', payload: {} })
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/cellar/bodies/crate', payload: crate })
  // of somebody else
  mkdirSync(path('copy.new'))
  const saved = await runTangent(['backup', path('copy/'), '--data-dir', path('data')])
  expect(existsSync(path('copy.new'))).toBe(true)
  expect(saved).toMatchObject({ code: 0, err: '' })
  expect(saved.out).toMatch(/copy\/: \d+ files, [\d.]+ MiB/)
  await app.inject({ method: 'DELETE', url: '/v1/2d/scenes/cellar' })
  await app.close()
  expect(await runTangent(['restore', path('copy'), '--data-dir', path('back')])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/back: \d+ files, .*, 1 scene\n/),
  })
  const again = await open(path('back'))
  expect((await again.inject('/v1/2d/scenes/cellar/bodies/crate')).json().body).toMatchObject(crate)
  await again.close()
})

it('refuses, and says what to do', async () => {
  mkdtempSync(path('empty-'))
  const [empty] = readdirSync(folder).filter((name) => name.startsWith('empty-'))
  const refused = async (...args: string[]) => {
    const { code, err } = await runTangent(args)
    expect(code).toBe(2)
    return err
  }
  expect(await refused('backup', path('copy'), '--data-dir', path('data'))).toContain('exists already')
  expect(await refused('backup', path('other'), '--data-dir', path(empty))).toContain('has no scenes')
  expect(await refused('backup', path('other'), '--data-dir', path('nowhere'))).toContain('cannot be read')
  expect(readdirSync(folder).filter((name) => name.startsWith('other'))).toEqual([])
  writeFileSync(path('file'), '')
  expect(await refused('backup', path('file/copy'), '--data-dir', path('data'))).toMatch(/^tangent backup: E\w+: /)
  expect(await refused('restore', path('copy'), '--data-dir', path('data'))).toContain('not empty')
  expect(await refused('restore', path(empty), '--data-dir', path('new'))).toContain('is no backup')
  expect(await refused('backup')).toContain('Name one folder')
})

it('names what is damaged in a backup', async () => {
  const log = readdirSync(path('copy')).filter((name) => name.startsWith('log-'))[0]
  truncateSync(join(path('copy'), log), 100)
  writeFileSync(join(path('copy'), 'note.txt'), 'from the operator')
  const { code, err } = await runTangent(['restore', path('copy'), '--data-dir', path('broken')])
  expect([code, err]).toEqual([1, expect.stringContaining('Scene cellar')])
})
