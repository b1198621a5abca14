/** Where the database is, and how it is spoken to. An address has a password in it: it is never part of a message. */

import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { StoreFailed, StoreUnavailable } from '../store/store.ts'

/** As libpq has them; `verify-ca`: to whom an authority has certified, whatever the name. */
export type TlsMode = 'verify-full' | 'verify-ca' | 'require' | 'off'

export interface ConnectionSettings {
  /** `postgresql://user:password@host:port/database`. */
  readonly url?: string
  /** A file with such an address, read again at each connect. */
  readonly urlFile?: string
  /** Default: what the address says (`sslmode`), else off where the server is on this machine, and `verify-full` elsewhere. */
  readonly tls?: TlsMode
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  /** Most time that it takes to connect. Default: 5,000. */
  readonly connectTimeoutMs?: number
}

export const CONNECT_TIMEOUT_MS = 5000

const DEFAULT_PORT = 5432
const TLS_BY_SSLMODE: ReadonlyMap<string, TlsMode> = new Map([
  ['disable', 'off'],
  ['require', 'require'],
  ['verify-ca', 'verify-ca'],
  ['verify-full', 'verify-full'],
])

/** How to connect now. Rejects with `StoreFailed` when that is not said as it must be, or `StoreUnavailable` when a file cannot be read. */
export async function clientConfig(settings: ConnectionSettings): Promise<ClientConfig> {
  const address = parsedAddress(settings.url ?? (await contents(settings.urlFile, 'address of the database')).trim())
  const host = address.searchParams.get('host') ?? (decodeURIComponent(address.hostname) || 'localhost')
  const options = address.searchParams.get('options')
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.searchParams.get('port') ?? (address.port || DEFAULT_PORT)),
    user: decodeURIComponent(address.username) || 'tangent',
    password: decodeURIComponent(address.password),
    database: decodeURIComponent(address.pathname.slice(1)) || 'tangent',
    ssl: await tlsOptions(tlsMode(settings, address, host), settings.caFile ?? rootOf(address)),
    ...(options !== null && { options }),
  }
}

function parsedAddress(text: string): URL {
  let address: URL
  try {
    address = new URL(text)
    decodeURIComponent(address.username + address.password + address.pathname)
  } catch {
    throw new StoreFailed('The address of the database is not a URL such as postgresql://user:password@host:5432/name')
  }
  if (address.protocol !== 'postgresql:' && address.protocol !== 'postgres:') {
    throw new StoreFailed('The address of the database does not begin with postgresql://')
  }
  return address
}

function tlsMode({ tls }: ConnectionSettings, address: URL, host: string): TlsMode {
  if (tls !== undefined) return tls
  const said = address.searchParams.get('sslmode')
  if (said === null) return isHere(host) ? 'off' : 'verify-full'
  const mode = TLS_BY_SSLMODE.get(said)
  if (mode !== undefined) return mode
  const choice = 'say disable, require, verify-ca or verify-full'
  // what they mean leaves it to whoever answers whether anything is encrypted
  if (said === 'prefer' || said === 'allow') {
    throw new StoreFailed(`The address of the database has sslmode=${said}, which may or may not encrypt: ${choice}`)
  }
  throw new StoreFailed(`The address of the database has an sslmode that is not known: ${choice}`)
}

/** What of TLS an address says that is not heeded here. */
const UNHEEDED = ['sslcert', 'sslkey', 'sslcrl', 'sslcrldir', 'sslpassword', 'sslnegotiation', 'ssl']

/** The file with certificates that the address names. */
function rootOf(address: URL): string | undefined {
  for (const name of UNHEEDED) {
    if (address.searchParams.has(name)) {
      throw new StoreFailed(`The address of the database has ${name}, which this release does not take`)
    }
  }
  const root = address.searchParams.get('sslrootcert')
  return root === null || root === 'system' ? undefined : root
}

/** Whether what is sent to the host stays on this machine. */
function isHere(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost' || host === '::1' || host === '[::1]') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

async function tlsOptions(mode: TlsMode, caFile: string | undefined): Promise<false | ConnectionOptions> {
  if (mode === 'off') return false
  const ca = caFile === undefined ? undefined : await contents(caFile, 'certificates of the database')
  if (mode === 'verify-full') return { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  if (mode === 'verify-ca') {
    return { rejectUnauthorized: true, ...(ca !== undefined && { ca }), checkServerIdentity: () => undefined }
  }
  // as libpq has it: who names certificates wants them to be asked for, if not whose they are
  return ca === undefined
    ? { rejectUnauthorized: false }
    : { rejectUnauthorized: true, ca, checkServerIdentity: () => undefined }
}

async function contents(path: string | undefined, what: string): Promise<string> {
  if (path === undefined) throw new StoreFailed(`The ${what} is not given`)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StoreUnavailable(`The file with the ${what} cannot be read: ${code}`, code)
  }
}
