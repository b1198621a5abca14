// The listener speaks HTTPS, and takes a new certificate while connections are open.

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('TLS is not tried: there is no openssl to make certificates with')

const folder = mkdtempSync(join(tmpdir(), 'tangent-https-'))
const TLS_CERT_FILE = join(folder, 'cert.pem')
const TLS_KEY_FILE = join(folder, 'key.pem')
afterAll(() => rmSync(folder, { recursive: true }))

function makeCertificate(name: string): void {
  const named = ['-subj', `/CN=${name}`, '-keyout', TLS_KEY_FILE, '-out', TLS_CERT_FILE]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...named], { stdio: 'ignore' })
}

describe.skipIf(!hasOpenssl)('HTTPS', () => {
  let app: FastifyInstance
  let port = 0
  beforeAll(async () => {
    makeCertificate('first')
    const settings = { SCENE_STORE: 'memory', LOG_LEVEL: 'silent', TLS_CERT_FILE, TLS_KEY_FILE }
    app = await buildApp(loadConfig(settings))
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    expect(address).toMatch(/^https:/)
    port = Number(new URL(address).port)
  })
  afterAll(() => app?.close())

  /** The status, the name in the certificate, and the port that the connection came from. */
  function ask(agent: Agent, body: object): Promise<{ status: number; name: string; from: number }> {
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        path: '/v1/2d/overlap',
        method: 'POST',
        agent,
        rejectUnauthorized: false,
      }
      const sent = request({ ...options, headers: { 'content-type': 'application/json' } }, (response) => {
        const socket = response.socket as TLSSocket
        const { CN } = socket.getPeerCertificate().subject
        const from = socket.localPort as number
        response.resume().on('end', () => resolve({ status: response.statusCode as number, name: String(CN), from }))
      })
      sent.on('error', reject).end(JSON.stringify(body))
    })
  }
  const disc = { shape: { type: 'circle', radius: 1 } }

  it('answers, keeps its connections, and takes a renewed certificate for new ones', async () => {
    const kept = new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 })
    const fresh = () => new Agent({ maxCachedSessions: 0 })
    const before = await ask(kept, { a: disc, b: disc })
    expect(before).toMatchObject({ status: 200, name: 'first' })
    writeFileSync(TLS_CERT_FILE, 'half')
    expect((await ask(fresh(), { a: disc, b: disc })).name).toBe('first')
    makeCertificate('second')
    await vi.waitFor(async () => expect((await ask(fresh(), { a: disc, b: disc })).name).toBe('second'), {
      timeout: 15_000,
      interval: 200,
    })
    const after = await ask(kept, { a: disc, b: disc })
    expect(after).toMatchObject({ status: 200, from: before.from })
    kept.destroy()
  }, 20_000)

  it('refuses what is no request, as over HTTP', async () => {
    const agent = new Agent({ maxCachedSessions: 0 })
    expect((await ask(agent, {})).status).toBe(400)
  })
})

it.skipIf(!hasOpenssl)('ends although clients that have connected say nothing', async () => {
  makeCertificate('third')
  const settings = { SCENE_STORE: 'memory', LOG_LEVEL: 'silent', TLS_CERT_FILE, TLS_KEY_FILE }
  const app = await buildApp(loadConfig(settings))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const shaken = connectSecurely({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(shaken, 'secureConnect')
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  const closed = [shaken, silent].map((socket) =>
    once(
      socket.on('error', () => undefined),
      'close',
    ),
  )
  await app.close()
  await Promise.all(closed)
})

describe('settings', () => {
  const settings = { SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }
  it.each([
    [{ TLS_CERT_FILE: '/nowhere/cert.pem', TLS_KEY_FILE: '/nowhere/key.pem' }, /TLS_CERT_FILE cannot be read/],
    [{ TLS_CERT_FILE: '/nowhere/cert.pem' }, /go together/],
    [{ TLS_CERT_FILE: import.meta.filename, TLS_KEY_FILE: import.meta.filename }, /no pair/],
  ])('refuses %o', async (files, message) => {
    await expect(buildApp(loadConfig({ ...settings, ...files }))).rejects.toThrow(message)
  })
})
