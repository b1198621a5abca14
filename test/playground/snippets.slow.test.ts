// Requests as other programs make them: each is run, where what runs it is installed, and gets the answer that the page got.

import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { type Language, snippet } from '../../src/playground/snippets.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'tangent-snippets-'))
let apps: FastifyInstance[]
const TOKEN = 'sesame'
beforeAll(async () => {
  apps = await Promise.all(
    [{}, { API_TOKENS: TOKEN }].map(async (tokens) => {
      const app = await buildApp(
        loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000', ...tokens }),
      )
      await app.listen({ host: '127.0.0.1', port: 0 })
      return app
    }),
  )
})
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()))
  rmSync(folder, { recursive: true })
})

const circle = { shape: { type: 'circle', radius: 1 } }
const asked = { path: '/v1/2d/distance', body: { a: circle, b: { ...circle, position: { x: 1e-7, y: -3.5 } } } }

const PROGRAMS: [Language, name: string, command: string, ...words: string[]][] = [
  ['curl', 'ask.sh', 'sh'],
  ['fetch', 'ask.mjs', process.execPath],
  ['Python', 'ask.py', 'python3'],
  ['Go', 'ask.go', 'go', 'run'],
]
const isThere = (command: string) => spawnSync(command === 'sh' ? 'curl' : command, ['--version']).error === undefined

it.each(PROGRAMS)('%s', async (language, name, command, ...words) => {
  if (!isThere(command)) {
    console.warn(`${command} is not installed: not run.`)
    return
  }
  const [open, guarded] = apps
  const expected = await open!.inject({ method: 'POST', url: asked.path, payload: asked.body })
  expect(expected.statusCode).toBe(200)
  const { distance } = expected.json()
  for (const app of [open!, guarded!]) {
    const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const path = join(folder, name)
    writeFileSync(path, snippet(language, origin, asked, app === guarded))
    const env = app === guarded ? { ...process.env, TANGENT_TOKEN: TOKEN } : process.env
    const { stdout } = await run(command, [...words, path], { env })
    expect(stdout).toContain('pointA')
    expect(stdout).toContain(String(distance))
  }
})
