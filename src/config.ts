// The configuration: environment variables only, checked once at boot. A variable that is empty
// counts as absent. Limits are published at /v1/limits.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type Static, Type } from '@sinclair/typebox'
import { Ajv, type KeywordDefinition } from 'ajv'
import { MAX_BATCH_QUERIES } from '../schemas/queries/batch.ts'
import { MAX_PAIRED_BODIES } from '../schemas/queries/pairs.ts'
import { MAX_TARGETS } from '../schemas/queries/ray-cast.ts'
import { MAX_RESULTS } from '../schemas/scenes/probe.ts'
import { MAX_TTL } from '../schemas/scenes/scene.ts'
import { MAX_SCENE_OPERATIONS } from '../schemas/scenes/write.ts'
import {
  MAX_COMPOUND_PARTS,
  MAX_OUTLINE_VERTICES,
  MAX_POLYGON_VERTICES,
  MIN_POLYGON_VERTICES,
} from '../schemas/shapes2d.ts'
import { MAX_MESH_VERTICES } from '../schemas/shapes3d.ts'

const list = (description: string) =>
  Type.Unsafe<string[]>({ type: 'string', separator: ',', default: '', description })

export const Config = Type.Object({
  HOST: Type.String({
    default: '0.0.0.0',
    description:
      'Address to listen on. The default is all interfaces, as a container needs; 127.0.0.1 is this machine only.',
  }),
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 takes a free one.',
  }),
  TLS_CERT_FILE: Type.String({
    default: '',
    description:
      'File with the certificate (PEM), followed by those of its issuers, to listen with HTTPS; with TLS_KEY_FILE. Both are read again when they change. HTTP when empty.',
  }),
  TLS_KEY_FILE: Type.String({ default: '', description: 'File with the private key (PEM) of that certificate.' }),
  LOG_LEVEL: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'Minimum log level.',
  }),
  LOG_REQUESTS: Type.Boolean({
    default: false,
    description: 'Logs every request; halves the throughput.',
  }),
  SLOW_REQUEST_MS: Type.Integer({
    default: 1000,
    minimum: 0,
    description: 'Requests that take longer are logged as warnings; 0 for none.',
  }),
  BODY_LIMIT: Type.Integer({
    default: 16 * 1024 * 1024,
    minimum: 1,
    maximum: 2 ** 30,
    description: 'Maximum request body, in bytes.',
  }),
  MAX_VERTICES: Type.Integer({
    default: 100_000,
    minimum: MIN_POLYGON_VERTICES,
    maximum: MAX_OUTLINE_VERTICES,
    description: `Maximum vertices of one shape; a polygon has at most ${MAX_POLYGON_VERTICES}.`,
  }),
  MAX_PARTS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: MAX_COMPOUND_PARTS,
    description: 'Maximum shapes in one compound, at all depths.',
  }),
  MAX_TARGETS: Type.Integer({
    default: MAX_TARGETS,
    minimum: 1,
    maximum: MAX_TARGETS,
    description: 'Maximum targets of one cast, and obstacles of one trajectory.',
  }),
  MAX_IMPACTS: Type.Integer({
    default: 10_000_000,
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description: 'Maximum bounces times obstacles of one trajectory.',
  }),
  MAX_BODIES: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: MAX_PAIRED_BODIES,
    description: 'Maximum bodies of one query for pairs, and of each side of a table.',
  }),
  MAX_PAIRS: Type.Integer({
    default: 1_000_000,
    minimum: 1,
    maximum: 2 ** 24,
    description: 'Maximum nearby pairs of bodies that one query tests; the answer tells you if there were more.',
  }),
  MAX_CELLS: Type.Integer({
    default: 1_000_000,
    minimum: 1,
    maximum: 2 ** 24,
    description:
      'Maximum cells of one table; cells of concave bodies and of bodies with many vertices count several times.',
  }),
  MAX_BATCH: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: MAX_BATCH_QUERIES,
    description: 'Maximum queries of one batch, and rays of one cast in a scene; a stream of lines has no limit.',
  }),
  SCENE_STORE: Type.Unsafe<'file' | 'memory' | 'postgres'>({
    type: 'string',
    enum: ['file', 'lmdb', 'memory', 'postgres'],
    default: 'file',
    description:
      'Where scenes are stored: file, in DATA_DIR (lmdb is an old name of it); memory, until the process ends; postgres, in a database that any number of replicas share.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    description: 'Data directory, owned by one process. It is created if needed.',
  }),
  DATABASE_URL: Type.String({
    default: '',
    description: 'Address of the database, as postgresql://user:password@host:5432/name. It is never logged.',
  }),
  DATABASE_URL_FILE: Type.String({
    default: '',
    description:
      'File with that address, instead of DATABASE_URL. It is read for each new connection, so you can change the password.',
  }),
  DATABASE_TLS: Type.Unsafe<'' | 'verify-full' | 'verify-ca' | 'require' | 'off'>({
    type: 'string',
    enum: ['', 'verify-full', 'verify-ca', 'require', 'off'],
    default: '',
    description:
      'Encryption of database connections: verify-full checks authority and host name; verify-ca checks the authority; require checks nothing; off. When empty: sslmode of the address, else off on this machine and verify-full elsewhere.',
  }),
  DATABASE_CA_FILE: Type.String({
    default: '',
    description: 'File with the certificates (PEM) to trust for the database, instead of the system’s.',
  }),
  DATABASE_LISTEN_URL: Type.String({
    default: '',
    description:
      'Address for notifications, if DATABASE_URL leads to a pooler, which delivers none. It is never logged.',
  }),
  DATABASE_CONNECT_TIMEOUT_MS: Type.Integer({
    default: 5000,
    minimum: 100,
    maximum: 600_000,
    description: 'Time to connect to the database: four round trips, seven with TLS.',
  }),
  DATABASE_COMMIT_TIMEOUT_MS: Type.Integer({
    default: 5000,
    minimum: 100,
    maximum: 600_000,
    description:
      'Time for the database to answer a commit. After that the outcome is unknown until the log is read. Make it longer than the database waits for its standbys.',
  }),
  WRITE_DEADLINE_MS: Type.Integer({
    default: 8000,
    minimum: 100,
    maximum: 600_000,
    description:
      'Time that a write to a scene in the database may wait without progress. A write is refused at once if the writes before it will take longer.',
  }),
  DATABASE_LANES: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 16,
    description: 'Connections that write to the database.',
  }),
  DATABASE_POOLER: Type.Boolean({
    default: false,
    description: 'DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer.',
  }),
  DATABASE_MIGRATE: Type.Boolean({
    default: false,
    description: 'Migrates the schema of the database to this release at the start.',
  }),
  SCENE_POLL_MS: Type.Integer({
    default: 1000,
    minimum: 10,
    maximum: 60_000,
    description:
      'Interval at which a replica polls for writes of others, besides notifications; at most 100 without notifications.',
  }),
  SCENE_MEMORY_MB: Type.Integer({
    default: 1024,
    minimum: 16,
    maximum: 2 ** 20,
    description:
      'Memory for scenes of the database, in MiB. The least recently used are released, and read again on demand.',
  }),
  SHAPE_BODY_LIMIT: Type.Integer({
    default: 64 * 1024 * 1024,
    minimum: 1,
    maximum: 2 ** 30,
    description: 'Maximum request body with a shape to keep, in bytes.',
  }),
  SHAPE_MAX_VERTICES: Type.Integer({
    default: 2_000_000,
    minimum: 3,
    maximum: MAX_MESH_VERTICES,
    description: 'Maximum vertices of a kept mesh or height field; it may have twice as many triangles.',
  }),
  SHAPE_MEMORY_MB: Type.Integer({
    default: 512,
    minimum: 1,
    maximum: 2 ** 20,
    description:
      'Memory for kept shapes, in MiB. Beyond it the least recently used are released, and read again on demand; with SCENE_STORE=memory they are gone.',
  }),
  SHAPE_DISK_MB: Type.Integer({
    default: 4096,
    minimum: 1,
    maximum: 2 ** 24,
    description:
      'Room for kept shapes in DATA_DIR or the database, in MiB. Beyond it the least recently used are deleted.',
  }),
  SHAPE_MAX_COUNT: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Maximum kept shapes. Beyond it the least recently used are deleted.',
  }),
  LOG_RETENTION: Type.Integer({
    default: 3600,
    minimum: 1,
    maximum: 31_536_000,
    description:
      'Seconds for which the database keeps deleted scenes, and writes that a snapshot includes, for followers.',
  }),
  MAX_STALENESS_MS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description:
      'Maximum time without knowing the writes of others, for reads of scenes in memory and for events; then 503, and streams end. 0: no maximum. Otherwise at least 100, and longer than a round trip to the database.',
  }),
  SCENE_TTL: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: MAX_TTL,
    description: 'Seconds without use after which a scene is dropped, if it has no ttl of its own; 0 for never.',
  }),
  MAX_SCENES: Type.Integer({ default: 10_000, minimum: 1, maximum: 1_000_000, description: 'Maximum scenes.' }),
  MAX_SCENE_BODIES: Type.Integer({
    default: 1_000_000,
    minimum: 1,
    maximum: 2 ** 24,
    description: 'Maximum bodies of one scene.',
  }),
  MAX_OPERATIONS: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: MAX_SCENE_OPERATIONS,
    description: 'Maximum operations of one write to a scene.',
  }),
  MAX_RESULTS: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: MAX_RESULTS,
    description: 'Maximum results of one scene query; the answer tells you if there were more.',
  }),
  MAX_SUBSCRIBERS: Type.Integer({
    default: 2000,
    minimum: 0,
    maximum: 65_536,
    description: 'Maximum open event streams, of all scenes.',
  }),
  MAX_MISSED_WRITES: Type.Integer({
    default: 100_000,
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: 'Maximum writes that a resumed event stream catches up on; beyond that it sends reset.',
  }),
  EVENT_HEARTBEAT_MS: Type.Integer({
    default: 15_000,
    minimum: 100,
    maximum: 2 ** 31 - 1,
    description: 'Interval of heartbeats on an event stream.',
  }),
  OPERATIONS_BODY_LIMIT: Type.Integer({
    default: 64 * 1024 * 1024,
    minimum: 1,
    maximum: 2 ** 29,
    description: 'Maximum request body of operations on a scene, and of imports, in bytes.',
  }),
  MAX_ARRIVING_BYTES: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 2 ** 40,
    description:
      'Maximum bytes of request bodies that arrive or are worked on, over all connections. 0: eight times BODY_LIMIT or twice OPERATIONS_BODY_LIMIT, whichever is more. One body of maximum size always fits.',
  }),
  MAX_UNREAD_BYTES: Type.Integer({
    default: 64 * 1024 * 1024,
    minimum: 2 ** 20,
    maximum: 2 ** 40,
    description:
      'Maximum bytes of answers that clients have not read yet, over all connections; never more than an eighth of the heap.',
  }),
  REQUEST_TIMEOUT_MS: Type.Integer({
    default: 30_000,
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: 'Time for a request to arrive completely; 0 for no limit.',
  }),
  WORKERS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1024,
    description:
      'Worker threads, for what takes longer than two milliseconds. 0: one less than there are cores, at least one.',
  }),
  WORKER_MEMORY_MB: Type.Integer({
    default: 512,
    minimum: 64,
    maximum: 2 ** 20,
    description: 'Maximum memory for one request, in MiB. A worker that takes more is replaced.',
  }),
  QUERY_DEADLINE_MS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description:
      'Time for the work of one request, including the wait for a worker; for a stream of lines, of each line.',
  }),
  DRAIN_MS: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: 'Time for open requests to finish after a signal; then they are cut off.',
  }),
  DRAIN_DELAY_MS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description:
      'Time between a signal and closing the listener, while /readyz returns 503, so that load balancers notice.',
  }),
  CORS_ORIGIN: list('Origins that browsers may call from, separated by commas; * for any. Off when empty.'),
  API_TOKENS: list(
    'Bearer tokens with all rights, separated by commas. No token is required if neither these nor READ_TOKENS are set.',
  ),
  API_TOKENS_FILE: Type.String({
    default: '',
    description: 'File with these tokens, one per line, instead of API_TOKENS.',
  }),
  READ_TOKENS: list('Bearer tokens that may query and read scenes, but not write, separated by commas.'),
  READ_TOKENS_FILE: Type.String({
    default: '',
    description: 'File with these tokens, one per line, instead of READ_TOKENS.',
  }),
  RATE_LIMIT: Type.Integer({ default: 0, minimum: 0, description: 'Requests per minute and client; 0 for no limit.' }),
  TRUST_PROXY: Type.String({
    default: '',
    description:
      'Proxies whose X-Forwarded-For is trusted: their number, or their addresses and networks, separated by commas, such as 10.0.0.0/8 or loopback. None when empty.',
  }),
})
export type Config = Static<typeof Config>

/** Limits on the size of a query and the time that it takes, under the names that /v1/limits uses. */
export function queryLimits(config: Config) {
  return {
    maxVertices: config.MAX_VERTICES,
    maxParts: config.MAX_PARTS,
    maxTargets: config.MAX_TARGETS,
    maxImpacts: config.MAX_IMPACTS,
    maxBodies: config.MAX_BODIES,
    maxPairs: config.MAX_PAIRS,
    maxCells: config.MAX_CELLS,
  }
}

/** Limits of scenes, under the names that /v1/limits uses. */
export function sceneLimits(config: Config) {
  return {
    maxScenes: config.MAX_SCENES,
    maxSceneBodies: config.MAX_SCENE_BODIES,
    maxOperations: config.MAX_OPERATIONS,
    operationsBodyLimit: config.OPERATIONS_BODY_LIMIT,
    maxResults: config.MAX_RESULTS,
    maxSubscribers: config.MAX_SUBSCRIBERS,
    maxMissedWrites: config.MAX_MISSED_WRITES,
    eventHeartbeatMs: config.EVENT_HEARTBEAT_MS,
  }
}

/** Limits of kept shapes, under the names that /v1/limits uses. */
export function shapeLimits(config: Config) {
  return { shapeBodyLimit: config.SHAPE_BODY_LIMIT, shapeMaxVertices: config.SHAPE_MAX_VERTICES }
}

/** Bodies of the largest size, or lists of operations, for which there is room while they arrive. */
const ARRIVING_BODIES = 8
const ARRIVING_LISTS = 2

/** Bytes of request bodies that are held over all connections, at most. */
export function arrivingLimit(config: Config): number {
  const { MAX_ARRIVING_BYTES, BODY_LIMIT, OPERATIONS_BODY_LIMIT, SHAPE_BODY_LIMIT } = config
  if (MAX_ARRIVING_BYTES > 0) return Math.max(MAX_ARRIVING_BYTES, BODY_LIMIT, OPERATIONS_BODY_LIMIT, SHAPE_BODY_LIMIT)
  return Math.max(ARRIVING_BODIES * BODY_LIMIT, ARRIVING_LISTS * OPERATIONS_BODY_LIMIT, SHAPE_BODY_LIMIT)
}

/** Where the database is, and how it is spoken to. */
export function databaseConnection(config: Config) {
  const { DATABASE_URL, DATABASE_URL_FILE, DATABASE_TLS, DATABASE_CA_FILE } = config
  return {
    ...(DATABASE_URL_FILE === '' ? { url: DATABASE_URL } : { urlFile: DATABASE_URL_FILE }),
    ...(DATABASE_TLS !== '' && { tls: DATABASE_TLS }),
    ...(DATABASE_CA_FILE !== '' && { caFile: DATABASE_CA_FILE }),
    connectTimeoutMs: config.DATABASE_CONNECT_TIMEOUT_MS,
  }
}

/** Limits of queries of scenes. */
export function sceneQueryLimits(config: Config) {
  return { ...queryLimits(config), maxRays: config.MAX_BATCH, maxResults: config.MAX_RESULTS }
}

/** Names of networks that a proxy may be in. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Whose X-Forwarded-For is believed: the last of so many hops, addresses, or nobody. Throws where the setting is none of these. */
export function trustedProxies({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): number | string[] | false {
  const text = TRUST_PROXY.trim()
  if (text === '' || text === '0' || text === 'false') return false
  if (text === 'true') {
    throw new Error(
      'TRUST_PROXY must be a number of proxies, or their addresses, got "true": that would believe the leftmost address in X-Forwarded-For, which any client can send',
    )
  }
  if (/^\d{1,3}$/.test(text)) return Number(text)
  const addresses = text.split(',').map((address) => address.trim())
  for (const address of addresses) {
    if (isNetwork(address)) continue
    throw new Error(
      `TRUST_PROXY must be a number of proxies, or addresses such as 10.0.0.0/8, got ${JSON.stringify(address)}`,
    )
  }
  return addresses
}

function isNetwork(text: string): boolean {
  const [address, bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return NETWORKS.includes(text)
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** Makes a list of a text. */
const SEPARATOR: KeywordDefinition = {
  keyword: 'separator',
  type: 'string',
  modifying: true,
  valid: true,
  errors: false,
  compile: (separator: string) => (text: string, context) => {
    const { parentData, parentDataProperty } = context as {
      parentData: Record<string, unknown>
      parentDataProperty: string
    }
    parentData[parentDataProperty] = text === '' ? [] : text.split(separator)
    return true
  },
}

const OPTIONS = {
  allErrors: true,
  removeAdditional: true,
  useDefaults: true,
  coerceTypes: true,
  allowUnionTypes: true,
  keywords: [SEPARATOR],
}

interface ConfigViolation {
  instancePath: string
  message: string
  params: { allowedValues?: string[] }
}

/** Throws an error with a message of one readable line when a variable is wrong. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const data = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  try {
    const config = checked(data)
    // another name of it
    if ((config.SCENE_STORE as string) === 'lmdb') config.SCENE_STORE = 'file'
    checkDatabase(config)
    trustedProxies(config)
    config.API_TOKENS = tokensOf('API_TOKENS', config.API_TOKENS, config.API_TOKENS_FILE)
    config.READ_TOKENS = tokensOf('READ_TOKENS', config.READ_TOKENS, config.READ_TOKENS_FILE)
    return config
  } catch (error) {
    const violations = (error as { errors?: ConfigViolation[] }).errors
    if (violations === undefined) throw error
    throw new Error(violations.map((violation) => describe(violation, env)).join('; '), { cause: error })
  }
}

/** The settings of a service inside another program, whose author sets them: nothing is checked, which takes a tenth of a second. */
export function insideConfig(settings: Partial<Config>): Config {
  const usual = Object.entries(Config.properties).map(([name, { separator, default: value }]) => [
    name,
    separator === undefined ? value : [],
  ])
  return { ...Object.fromEntries(usual), ...settings }
}

/** The settings with their defaults, as numbers, booleans and lists; throws an error with `errors`. Variables of others are left out. */
function checked(data: Record<string, unknown>): Config {
  // the schema is our own, and tests hold it against its own schema
  const ajv = new Ajv({ ...OPTIONS, meta: false, validateSchema: false })
  const schema = { ...Config, additionalProperties: false }
  if (!ajv.validate(schema, data)) throw Object.assign(new Error(ajv.errorsText()), { errors: ajv.errors })
  return data as Config
}

function describe({ instancePath, message, params }: ConfigViolation, env: Record<string, unknown>): string {
  const name = instancePath.slice(1)
  const allowed = params.allowedValues?.filter((value) => value !== '').join(', ')
  return `${name} ${allowed === undefined ? message : `must be one of ${allowed}`}, got ${JSON.stringify(env[name])}`
}

/** Throws where a setting is there and holds no token: the service would be open to all. */
function tokensOf(name: string, given: readonly string[], file: string): string[] {
  if (given.length > 0 && file !== '') throw new Error(`${name} and ${name}_FILE must not both be given`)
  const texts = file === '' ? given : readTokens(name, file)
  const tokens = texts.map((text) => text.trim()).filter((text) => text !== '')
  if (tokens.length === 0 && (given.length > 0 || file !== '')) {
    throw new Error(`${file === '' ? name : `${name}_FILE`} holds no token`)
  }
  return tokens
}

function readTokens(name: string, file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/[\n,]/)
  } catch (error) {
    throw new Error(`${name}_FILE cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Times below are shorter than it takes to ask a database. */
const LEAST_STALENESS_MS = 100

/** Faults in the combination of variables. Addresses hold passwords, so messages leave them out. */
function checkDatabase(config: Config): void {
  const { SCENE_STORE, DATABASE_URL, DATABASE_URL_FILE, DATABASE_LISTEN_URL, DATABASE_TLS, DATABASE_CA_FILE } = config
  if (SCENE_STORE !== 'postgres') return
  if (config.MAX_STALENESS_MS > 0 && config.MAX_STALENESS_MS < LEAST_STALENESS_MS) {
    throw new Error(`MAX_STALENESS_MS must be 0, or ${LEAST_STALENESS_MS} at least, got ${config.MAX_STALENESS_MS}`)
  }
  if (DATABASE_URL === '' && DATABASE_URL_FILE === '') {
    throw new Error('DATABASE_URL or DATABASE_URL_FILE must say where the database is: SCENE_STORE is postgres')
  }
  if (DATABASE_URL !== '' && DATABASE_URL_FILE !== '') {
    throw new Error('DATABASE_URL and DATABASE_URL_FILE must not both be given')
  }
  for (const [name, url] of Object.entries({ DATABASE_URL, DATABASE_LISTEN_URL })) {
    if (url !== '' && !(/^postgres(ql)?:[/][/]/.test(url) && URL.canParse(url))) {
      throw new Error(`${name} must be an address such as postgresql://user:password@host:5432/name`)
    }
  }
  if (DATABASE_TLS === 'off' && DATABASE_CA_FILE !== '') {
    throw new Error('DATABASE_CA_FILE is of no use where DATABASE_TLS is off')
  }
}
