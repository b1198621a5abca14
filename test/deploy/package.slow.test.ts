// What `npm pack` makes, installed where nothing else is, as a user has it: it starts, answers, and has its documents and pages.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../examples/scene-service.ts'
import { SERVICE_VERSION } from '../../src/version.ts'
import { documentText, fencesOf, ROOT } from '../support/document-requests.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'tangent-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Without what npm tells the scripts that it runs, of which this test may be one, and with compilers that fail. */
const env = Object.fromEntries(
  Object.entries({ ...process.env, CC: 'false', CXX: 'false', LOG_LEVEL: 'info' }).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|INIT_CWD)/i.test(name),
  ),
)

beforeAll(async () => {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT, env })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...options, `./${packed}`], { cwd: folder, env })
}, 600_000)

it('says which version it is, and which flags there are', async () => {
  const version = await run('npx', ['--no-install', 'tangent', '--version'], { cwd: folder, env })
  expect(version).toEqual({ stdout: `tangent ${SERVICE_VERSION}\n`, stderr: '' })
  const help = await run('npx', ['--no-install', 'tangent', 'serve', '--help'], { cwd: folder, env })
  expect(help.stdout).toContain('--port <number>')
})

it('refuses a flag that does not exist, in one line', async () => {
  const wrong = run('npx', ['--no-install', 'tangent', '--prot', '1'], { cwd: folder, env })
  const stderr = 'Configuration: --prot is not a flag; did you mean --port?; see --help\n'
  await expect(wrong).rejects.toMatchObject({ code: 2, stdout: '', stderr })
})

it('has no more than it needs', () => {
  const installed = readdirSync(join(folder, 'node_modules'))
  expect(installed).toContain('fastify')
  for (const name of ['typescript', 'esbuild', 'vitest', 'tsx', 'planck']) expect(installed).not.toContain(name)
  const files = readdirSync(join(folder, 'node_modules/tangent'), { recursive: true, encoding: 'utf8' })
  const outside = files.filter((name) => !name.startsWith('dist/src/'))
  expect(outside.filter((name) => /\.\w+$|LICENSE/.test(name)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/openapi/lint-rules.schema.json',
    ...['', '-3.0', '-flat'].map((view) => `dist/openapi/openapi${view}.json`).sort(),
    ...['index.html', 'playground.css', 'playground.js', 'space.js'].map((name) => `dist/playground/${name}`),
    'package.json',
  ])
  expect(files.filter((name) => /\.(map|tsbuildinfo|stamp)$|[^d]\.ts$|^(test|loadtest)/.test(name))).toEqual([])
})

it('says what to install for telemetry', async () => {
  const args = ['--import', './node_modules/tangent/dist/src/telemetry.js', 'node_modules/tangent/dist/src/server.js']
  const stderr =
    'Telemetry: @fastify/otel is not installed; run npm install @opentelemetry/api @opentelemetry/sdk-node @fastify/otel\n'
  await expect(run(process.execPath, args, { cwd: folder, env })).rejects.toMatchObject({ code: 1, stdout: '', stderr })
})

it('checks a level with one command, without a service or a network', async () => {
  copyFileSync(join(ROOT, 'examples/levels/cellar.ldtk'), join(folder, 'level.ldtk'))
  const offline = { ...env, npm_config_offline: 'true' }
  const check = run('npx', ['--no-install', 'tangent', 'check', 'level.ldtk'], { cwd: folder, env: offline })
  const stdout = expect.stringMatching(/^level\.ldtk: 19 bodies, 1 warning\n {2}warning inside-solid .*\n$/)
  await expect(check).rejects.toMatchObject({ code: 1, stdout, stderr: '' })
})

it('does what the first screen of README.md shows, in a clone that is built', async () => {
  const shown = fencesOf(documentText('README.md')).find(({ text }) => text.includes('$ npx tangent'))!
  const [, command, ...lines] = shown.text.split('\n')
  const offline = { ...env, npm_config_offline: 'true', npm_config_cache: join(folder, 'cache') }
  const check = run('npx', command.split(' ').slice(2), { cwd: ROOT, env: offline })
  await expect(check).rejects.toMatchObject({ code: 1, stdout: `${lines.join('\n')}\n`, stderr: '' })
})

it('starts with one command, answers, and serves its documents and the playground', async () => {
  const port = await freePort()
  const service = spawn('npx', ['--no-install', 'tangent', '--port', `${port}`], { cwd: folder, env, detached: true })
  try {
    const url = `http://127.0.0.1:${port}`
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 60_000)
    const circle = { shape: { type: 'circle', radius: 1 } }
    const answer = await fetch(`${url}/v1/2d/distance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ a: circle, b: { ...circle, position: { x: 3, y: 0 } } }),
    })
    expect(await answer.json()).toMatchObject({ distance: 1 })
    const { info } = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } }
    expect(info.version).toBe(SERVICE_VERSION)
    for (const page of ['/docs', '/']) {
      const response = await fetch(url + page, { headers: { accept: 'text/html' } })
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/html'),
      ])
    }
    const scene = await fetch(`${url}/v1/2d/scenes`, { method: 'POST' })
    expect(scene.status, await scene.text()).toBe(201)
  } finally {
    process.kill(-service.pid!, 'SIGTERM')
    await once(service, 'exit')
  }
}, 120_000)
