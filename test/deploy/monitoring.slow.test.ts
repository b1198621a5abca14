// What monitors the service speaks of metrics that it has, under names that Prometheus' own rules take; where Debian's prometheus is
// installed, it reads them from a running service and evaluates every alert and panel.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { buildApp } from '../../src/app.ts'
import { Config, loadConfig } from '../../src/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const ALERTS = join(ROOT, 'deploy/alerts.yaml')

interface Alert {
  alert: string
  expr: string
}
const alerts = (parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
)
const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const expressions: [string, string][] = [
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }): [string, string] => [title, expr])),
]

let app: FastifyInstance
let metrics = ''
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1' }))
  await app.ready()
  metrics = (await app.inject('/metrics')).body
})
afterAll(() => app?.close())

it.each(expressions)('%s asks for metrics that there are', (_, expr) => {
  const names = new Set([...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const asked = [...expr.matchAll(/\b(?:tangent|http|process|nodejs)_\w+/g)].map(([name]) => name)
  expect([...asked, 'up'].length).toBeGreaterThan(0)
  for (const name of asked) expect(names, name).toContain(name.replace(/_(bucket|count)$/, ''))
})

it('lists every setting in .env.example, with its default', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8')
  for (const [name, { default: usual, description }] of Object.entries(Config.properties)) {
    expect(text).toContain(`# ${description}\n# ${name}=${usual ?? ''}\n`)
  }
  expect(text.match(/^# [A-Z_]+=/gm)).toHaveLength(Object.keys(Config.properties).length)
})

const hasPrometheus = spawnSync('promtool', ['--version']).status === 0
if (!hasPrometheus) console.warn('Alerts are not evaluated: there is no promtool')

describe.skipIf(!hasPrometheus)('promtool', () => {
  it('takes the names of the metrics, and the alerts', () => {
    execFileSync('promtool', ['check', 'metrics'], { input: metrics, stdio: ['pipe', 'pipe', 'inherit'] })
    execFileSync('promtool', ['check', 'rules', ALERTS], { stdio: ['ignore', 'pipe', 'inherit'] })
  })
})

describe.skipIf(spawnSync('prometheus', ['--version']).status !== 0)('prometheus', () => {
  it('evaluates every alert and panel on a running service, and fires none', async () => {
    const target = new URL(await app.listen({ host: '127.0.0.1', port: 0 })).host
    const folder = mkdtempSync(join(tmpdir(), 'tangent-prometheus-'))
    const jobs = `scrape_configs: [{ job_name: tangent, static_configs: [{ targets: ["${target}"] }] }]`
    const config = join(folder, 'prometheus.yml')
    writeFileSync(
      config,
      `global: { scrape_interval: 1s, evaluation_interval: 1s }\nrule_files: [${JSON.stringify(ALERTS)}]\n${jobs}\n`,
    )
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/api/v1`
    const flags = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const prometheus = spawn('prometheus', flags, { stdio: 'ignore' })
    const ask = async (query: string) => {
      const response = await fetch(`${url}/query?query=${encodeURIComponent(query)}`)
      return (await response.json()) as { status: string; error?: string; data: { result: object[] } }
    }
    try {
      await vi.waitFor(async () => expect((await ask('up{job="tangent"} == 1')).data.result).toHaveLength(1), {
        timeout: 30_000,
        interval: 500,
      })
      for (const [name, expr] of expressions) {
        const filled = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
        expect(await ask(filled), name).toMatchObject({ status: 'success' })
      }
      const fired = (await (await fetch(`${url}/alerts`)).json()) as { data: { alerts: object[] } }
      expect(fired.data.alerts).toEqual([])
    } finally {
      prometheus.kill()
      await new Promise((resolve) => prometheus.once('exit', resolve))
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
