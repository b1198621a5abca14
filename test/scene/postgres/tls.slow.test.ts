// A server with a certificate: who checks it connects only where it is the right one.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TlsMode } from '../../../src/scene/postgres/connection.ts'
import { StoreUnavailable } from '../../../src/scene/store/store.ts'
import type { DatabaseServer } from '../../support/databases/database-server.ts'
import { startServer } from '../../support/databases/embedded-server.ts'
import { newSceneDatabase } from '../../support/databases/scene-databases.ts'
import { closeStores, openStore } from '../../support/databases/stores.ts'
import { begin, standOf } from '../../support/services/written-scenes.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('TLS is not tried: there is no openssl to make certificates with')

const folder = mkdtempSync(join(tmpdir(), 'tangent-tls-'))
const path = (name: string) => join(folder, name)
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })

/** An authority of its own. */
function makeAuthority(name: string): void {
  const named = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`]
  openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', ...named)
}

/** A certificate for `localhost`, and for nothing else. */
function makeCertificate(authority: string): void {
  const named = ['-subj', '/CN=database', '-keyout', 'server.key', '-out', 'server.csr']
  openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...named)
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost')
  const signed = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-extfile', 'names', '-out', 'server.pem')
}

describe.skipIf(!hasOpenssl)('a server with a certificate', () => {
  let server: DatabaseServer
  let database = ''
  beforeAll(async () => {
    makeAuthority('ours')
    makeAuthority('another')
    makeCertificate('ours')
    server = await startServer({
      settings: { ssl: 'on', ssl_cert_file: 'server.pem', ssl_key_file: 'server.key' },
      access: ['hostssl all secured all trust', 'hostnossl all secured all reject'],
      files: {
        'server.pem': readFileSync(path('server.pem'), 'utf8'),
        'server.key': readFileSync(path('server.key'), 'utf8'),
      },
    })
    database = await newSceneDatabase(server)
    await server.query('create role secured login superuser')
  })
  afterEach(() => closeStores())
  afterAll(async () => {
    await server?.dispose()
    rmSync(folder, { recursive: true })
  })

  const open = (host: string, tls: TlsMode, ca?: string) => {
    const url = `postgresql://secured@${host}:${server.port}/${database}`
    const connection = { url, tls, ...(ca !== undefined && { caFile: path(`${ca}.pem`) }) }
    return openStore('', { connection, openTimeoutMs: 0 })
  }

  it.each([
    ['localhost', 'verify-full', 'ours'],
    ['localhost', 'require', undefined],
    ['127.0.0.1', 'require', undefined],
    ['127.0.0.1', 'require', 'ours'],
  ] as const)('is spoken to in secret: %s, %s, authority %s', async (host, tls, ca) => {
    const store = await open(host, tls, ca)
    const id = `${host}-${tls}-${ca}`
    await begin(store, id, 'x')
    expect((await standOf(store, id)).version).toBe(1)
    const [{ plain }] = await server.query<{ plain: number }>(
      "select count(*)::int as plain from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'secured' and not ssl",
    )
    expect(plain).toBe(0)
  })

  it.each([
    ['127.0.0.1', 'verify-full', 'ours', 'TLS failed'],
    ['localhost', 'verify-full', 'another', 'TLS failed'],
    ['localhost', 'verify-full', undefined, 'TLS failed'],
    ['127.0.0.1', 'require', 'another', 'TLS failed'],
    ['localhost', 'off', undefined, '28000'],
  ] as const)('is not spoken to: %s, %s, authority %s', async (host, tls, ca, reason) => {
    const error = await open(host, tls, ca).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(String(error)).toMatch(reason === 'TLS failed' ? /TLS failed|CERT|ALTNAME|VERIFY/ : reason)
    expect(String(error)).not.toMatch(/secured|localhost|127\.0\.0\.1/)
  })

  const openAs = (host: string, parameters: string, ca?: string) =>
    openStore('', {
      connection: {
        url: `postgresql://secured@${host}:${server.port}/${database}?${parameters}`,
        ...(ca !== undefined && { caFile: path(`${ca}.pem`) }),
      },
      openTimeoutMs: 0,
    })

  it.each([
    ['127.0.0.1', 'sslmode=verify-ca', 'ours'],
    ['localhost', 'sslmode=verify-full', 'ours'],
    ['127.0.0.1', 'sslmode=require', undefined],
    ['127.0.0.1', `sslmode=verify-ca&sslrootcert=${encodeURIComponent(path('ours.pem'))}`, undefined],
  ] as const)('is spoken to as the address says: %s, %s, authority %s', async (host, parameters, ca) => {
    const store = await openAs(host, parameters, ca)
    expect(store.shared.status().isWritable).toBe(true)
  })

  it.each([
    ['127.0.0.1', 'sslmode=verify-ca', 'another', 'its certificate is not signed by an authority that is trusted'],
    ['127.0.0.1', 'sslmode=verify-full', 'ours', 'its certificate is for another host name'],
    ['localhost', 'sslmode=disable', 'ours', 'it does not let this user in from here'],
    ['127.0.0.1', 'sslmode=prefer', undefined, 'sslmode=prefer, which may or may not encrypt'],
    ['127.0.0.1', 'sslmode=allow', undefined, 'sslmode=allow, which may or may not encrypt'],
    ['127.0.0.1', 'sslmode=Require', undefined, 'an sslmode that is not known'],
    ['127.0.0.1', 'sslmode=require&sslcert=x.pem', undefined, 'sslcert, which this release does not take'],
  ] as const)('says why it is not: %s, %s, authority %s', async (host, parameters, ca, reason) => {
    await expect(openAs(host, parameters, ca)).rejects.toThrow(reason)
  })
})
