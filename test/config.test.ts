import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments, warnings } from '../src/command/settings.ts'
import { arrivingLimit, loadConfig, trustedProxies } from '../src/config.ts'

describe('loadConfig', () => {
  it('has defaults for everything', () => {
    expect(loadConfig({})).toEqual({
      HOST: '0.0.0.0',
      PORT: 3000,
      TLS_CERT_FILE: '',
      TLS_KEY_FILE: '',
      LOG_LEVEL: 'info',
      LOG_REQUESTS: false,
      SLOW_REQUEST_MS: 1000,
      BODY_LIMIT: 16_777_216,
      MAX_VERTICES: 100_000,
      MAX_PARTS: 10_000,
      MAX_TARGETS: 10_000,
      MAX_IMPACTS: 10_000_000,
      MAX_BODIES: 100_000,
      MAX_PAIRS: 1_000_000,
      MAX_CELLS: 1_000_000,
      MAX_BATCH: 100_000,
      SCENE_STORE: 'file',
      DATA_DIR: './data',
      DATABASE_URL: '',
      DATABASE_URL_FILE: '',
      DATABASE_TLS: '',
      DATABASE_CA_FILE: '',
      DATABASE_LISTEN_URL: '',
      DATABASE_CONNECT_TIMEOUT_MS: 5000,
      DATABASE_COMMIT_TIMEOUT_MS: 5000,
      WRITE_DEADLINE_MS: 8000,
      DATABASE_LANES: 1,
      DATABASE_POOLER: false,
      DATABASE_MIGRATE: false,
      SCENE_POLL_MS: 1000,
      SCENE_MEMORY_MB: 1024,
      SHAPE_BODY_LIMIT: 67_108_864,
      SHAPE_MAX_VERTICES: 2_000_000,
      SHAPE_MEMORY_MB: 512,
      SHAPE_DISK_MB: 4096,
      SHAPE_MAX_COUNT: 10_000,
      LOG_RETENTION: 3600,
      MAX_STALENESS_MS: 0,
      SCENE_TTL: 0,
      MAX_SCENES: 10_000,
      MAX_SUBSCRIBERS: 2000,
      MAX_MISSED_WRITES: 100_000,
      EVENT_HEARTBEAT_MS: 15_000,
      MAX_SCENE_BODIES: 1_000_000,
      MAX_OPERATIONS: 100_000,
      MAX_RESULTS: 100_000,
      OPERATIONS_BODY_LIMIT: 67_108_864,
      MAX_ARRIVING_BYTES: 0,
      MAX_UNREAD_BYTES: 67_108_864,
      REQUEST_TIMEOUT_MS: 30_000,
      WORKERS: 0,
      WORKER_MEMORY_MB: 512,
      QUERY_DEADLINE_MS: 10_000,
      DRAIN_MS: 10_000,
      DRAIN_DELAY_MS: 0,
      CORS_ORIGIN: [],
      API_TOKENS: [],
      API_TOKENS_FILE: '',
      READ_TOKENS: [],
      READ_TOKENS_FILE: '',
      RATE_LIMIT: 0,
      TRUST_PROXY: '',
    })
  })

  it('takes every number from its least to its greatest value', () => {
    const bounds: Record<string, [least: number, greatest: number]> = {
      PORT: [0, 65_535],
      SLOW_REQUEST_MS: [0, Infinity],
      BODY_LIMIT: [1, 1_073_741_824],
      MAX_VERTICES: [3, 1_000_000],
      MAX_PARTS: [1, 100_000],
      MAX_TARGETS: [1, 10_000],
      MAX_IMPACTS: [1, 2_147_483_647],
      MAX_BODIES: [1, 1_000_000],
      MAX_PAIRS: [1, 16_777_216],
      MAX_CELLS: [1, 16_777_216],
      MAX_BATCH: [1, 1_000_000],
      DATABASE_CONNECT_TIMEOUT_MS: [100, 600_000],
      DATABASE_COMMIT_TIMEOUT_MS: [100, 600_000],
      WRITE_DEADLINE_MS: [100, 600_000],
      DATABASE_LANES: [1, 16],
      SCENE_POLL_MS: [10, 60_000],
      SCENE_MEMORY_MB: [16, 1_048_576],
      SHAPE_BODY_LIMIT: [1, 1_073_741_824],
      SHAPE_MAX_VERTICES: [3, 10_000_000],
      SHAPE_MEMORY_MB: [1, 1_048_576],
      SHAPE_DISK_MB: [1, 16_777_216],
      SHAPE_MAX_COUNT: [1, 1_000_000],
      LOG_RETENTION: [1, 31_536_000],
      MAX_STALENESS_MS: [0, 2_147_483_647],
      SCENE_TTL: [0, 315_360_000],
      MAX_SCENES: [1, 1_000_000],
      MAX_SCENE_BODIES: [1, 16_777_216],
      MAX_OPERATIONS: [1, 1_000_000],
      MAX_RESULTS: [1, 1_000_000],
      MAX_SUBSCRIBERS: [0, 65_536],
      MAX_MISSED_WRITES: [0, 2_147_483_647],
      EVENT_HEARTBEAT_MS: [100, 2_147_483_647],
      OPERATIONS_BODY_LIMIT: [1, 536_870_912],
      MAX_ARRIVING_BYTES: [0, 1_099_511_627_776],
      MAX_UNREAD_BYTES: [1_048_576, 1_099_511_627_776],
      REQUEST_TIMEOUT_MS: [0, 2_147_483_647],
      WORKERS: [0, 1024],
      WORKER_MEMORY_MB: [64, 1_048_576],
      QUERY_DEADLINE_MS: [1, 2_147_483_647],
      DRAIN_MS: [0, 2_147_483_647],
      DRAIN_DELAY_MS: [0, 2_147_483_647],
      RATE_LIMIT: [0, Infinity],
    }
    const numbers = Object.entries(loadConfig({})).filter(([, value]) => typeof value === 'number')
    expect(Object.keys(bounds).sort()).toEqual(numbers.map(([name]) => name).sort())
    const ends = Object.entries(bounds).map(([name, [least, greatest]]) => ({ name, least, greatest }))
    const bounded = ends.filter(({ greatest }) => greatest < Infinity)
    const env = (values: [string, number][]) => Object.fromEntries(values.map(([name, value]) => [name, String(value)]))
    const refusals = (values: [string, number][], bound: (name: string) => string) =>
      values.map(([name, value]) => `${name} must be ${bound(name)}, got "${value}"`).join('; ')

    const smallest = ends.map(({ name, least }): [string, number] => [name, least])
    const largest = bounded.map(({ name, greatest }): [string, number] => [name, greatest])
    expect(loadConfig(env(smallest))).toMatchObject(Object.fromEntries(smallest))
    expect(loadConfig(env(largest))).toMatchObject(Object.fromEntries(largest))
    const below = smallest.map(([name, value]): [string, number] => [name, value - 1])
    const above = largest.map(([name, value]): [string, number] => [name, value + 1])
    expect(() => loadConfig(env(below))).toThrow(new Error(refusals(below, (name) => `>= ${bounds[name][0]}`)))
    expect(() => loadConfig(env(above))).toThrow(new Error(refusals(above, (name) => `<= ${bounds[name][1]}`)))
  })

  it('reads what is set, and nothing else', () => {
    const env = { HOST: '::1', PORT: '0', LOG_REQUESTS: 'true', API_TOKENS: 'a,b', PATH: '/bin', HOME: '/' }
    const config = loadConfig(env)
    expect(config).toMatchObject({ HOST: '::1', PORT: 0, LOG_REQUESTS: true, API_TOKENS: ['a', 'b'] })
    expect(config).not.toHaveProperty('PATH')
  })

  it('bounds bodies that arrive by what is set, but never below one of the largest', () => {
    const limit = (env: Record<string, string>) => arrivingLimit(loadConfig({ SHAPE_BODY_LIMIT: '2000', ...env }))
    expect(arrivingLimit(loadConfig({}))).toBe(2 ** 27)
    expect(limit({ BODY_LIMIT: '1000', OPERATIONS_BODY_LIMIT: '5000' })).toBe(10_000)
    expect(limit({ BODY_LIMIT: '1000', OPERATIONS_BODY_LIMIT: '500' })).toBe(8000)
    expect(limit({ MAX_ARRIVING_BYTES: '300000000' })).toBe(300_000_000)
    expect(limit({ MAX_ARRIVING_BYTES: '5', BODY_LIMIT: '1000', OPERATIONS_BODY_LIMIT: '3000' })).toBe(3000)
    expect(limit({ BODY_LIMIT: '10', OPERATIONS_BODY_LIMIT: '10' })).toBe(2000)
  })

  it('reads tokens from a file, and never takes none for no tokens wanted', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tangent-tokens-')), 'tokens')
    writeFileSync(file, 'one\ntwo \n\n')
    expect(loadConfig({ READ_TOKENS_FILE: file }).READ_TOKENS).toEqual(['one', 'two'])
    expect(loadConfig({ API_TOKENS_FILE: file }).API_TOKENS).toEqual(['one', 'two'])
    expect(() => loadConfig({ API_TOKENS_FILE: file, API_TOKENS: 'x' })).toThrow(
      'API_TOKENS and API_TOKENS_FILE must not both be given',
    )
    writeFileSync(file, '\n')
    expect(() => loadConfig({ API_TOKENS_FILE: file })).toThrow('API_TOKENS_FILE holds no token')
    expect(() => loadConfig({ API_TOKENS: ' , ' })).toThrow('API_TOKENS holds no token')
    expect(() => loadConfig({ READ_TOKENS_FILE: `${file}s` })).toThrow(/^READ_TOKENS_FILE cannot be read: ENOENT/)
  })

  it('takes an empty variable as absent', () => {
    expect(loadConfig({ PORT: '', HOST: ' ', CORS_ORIGIN: '', RATE_LIMIT: '' })).toEqual(loadConfig({}))
  })

  it.each([
    [{ PORT: 'http' }, 'PORT must be integer, got "http"'],
    [{ PORT: '70000' }, 'PORT must be <= 65535, got "70000"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, got "loud"'],
    [{ LOG_REQUESTS: 'yes' }, 'LOG_REQUESTS must be boolean, got "yes"'],
    [{ SLOW_REQUEST_MS: '-1' }, 'SLOW_REQUEST_MS must be >= 0, got "-1"'],
    [{ BODY_LIMIT: '0' }, 'BODY_LIMIT must be >= 1, got "0"'],
    [{ MAX_VERTICES: '2000000' }, 'MAX_VERTICES must be <= 1000000, got "2000000"'],
    [{ MAX_PARTS: '0' }, 'MAX_PARTS must be >= 1, got "0"'],
    [{ MAX_TARGETS: '1.5' }, 'MAX_TARGETS must be integer, got "1.5"'],
    [{ SCENE_STORE: 'disk' }, 'SCENE_STORE must be one of file, lmdb, memory, postgres, got "disk"'],
    [{ DATABASE_TLS: 'on' }, 'DATABASE_TLS must be one of verify-full, verify-ca, require, off, got "on"'],
    [
      { SCENE_STORE: 'postgres', DATABASE_URL: 'postgres://h/d', MAX_STALENESS_MS: '99' },
      'MAX_STALENESS_MS must be 0, or 100 at least, got 99',
    ],
    [{ DATABASE_LANES: '0' }, 'DATABASE_LANES must be >= 1, got "0"'],
    [{ SCENE_MEMORY_MB: '1' }, 'SCENE_MEMORY_MB must be >= 16, got "1"'],
    [{ PORT: 'x', RATE_LIMIT: 'y' }, 'PORT must be integer, got "x"; RATE_LIMIT must be integer, got "y"'],
  ])('says in one line what is wrong: %j', (env, message) => {
    expect(() => loadConfig(env)).toThrow(new Error(message))
  })

  const address = 'postgresql://tangent:s3cret@db.example:5432/scenes'
  it.each([
    [{}, 'DATABASE_URL or DATABASE_URL_FILE must say where the database is: SCENE_STORE is postgres'],
    [
      { DATABASE_URL: address, DATABASE_URL_FILE: '/run/secrets/url' },
      'DATABASE_URL and DATABASE_URL_FILE must not both be given',
    ],
    [
      { DATABASE_URL: address.replace('postgresql', 'mysql') },
      'DATABASE_URL must be an address such as postgresql://user:password@host:5432/name',
    ],
    [{ DATABASE_URL: address, DATABASE_LISTEN_URL: `${address}:5` }, null],
    [
      { DATABASE_URL: address, DATABASE_LISTEN_URL: 's3cret' },
      'DATABASE_LISTEN_URL must be an address such as postgresql://user:password@host:5432/name',
    ],
    [
      { DATABASE_URL: address, DATABASE_TLS: 'off', DATABASE_CA_FILE: '/ca.pem' },
      'DATABASE_CA_FILE is of no use where DATABASE_TLS is off',
    ],
    [{ DATABASE_URL: address }, null],
    [{ DATABASE_URL_FILE: '/run/secrets/url', DATABASE_TLS: 'require', DATABASE_CA_FILE: '/ca.pem' }, null],
  ])('says how a database is to be named, and never a password: %j', (env, message) => {
    const load = () => loadConfig({ SCENE_STORE: 'postgres', ...env })
    if (message === null) expect(load()).toMatchObject(env)
    else expect(load).toThrow(new Error(message))
  })

  it('asks nothing about a database that is not used, and knows another name of files', () => {
    const both = { DATABASE_URL: address, DATABASE_URL_FILE: '/run/secrets/url' }
    expect(loadConfig({ SCENE_STORE: 'lmdb', ...both })).toMatchObject({ SCENE_STORE: 'file', ...both })
  })
})

describe('flags', () => {
  it('are the variables in small letters', () => {
    const args = ['--port', '4000', '--host=::1', '--log-requests', '--database-pooler', 'false', '--max-bodies=5']
    const values = { PORT: '4000', HOST: '::1', LOG_REQUESTS: 'true', DATABASE_POOLER: 'false', MAX_BODIES: '5' }
    expect(readArguments(args)).toEqual({ is: 'settings', values })
    expect(readArguments([])).toEqual({ is: 'settings', values: {} })
  })

  it.each(['--help', '-h', '--version', '-v'])('ask for text: %s', (flag) => {
    expect(readArguments(['--port', '1', flag])).toEqual({ is: /h/.test(flag) ? 'help' : 'version' })
  })

  it.each([
    [['--prot', '1'], '--prot is not a flag; did you mean --port?; see --help'],
    [['--colour'], '--colour is not a flag; see --help'],
    [['-x'], '-x is not a flag; see --help'],
    [['--port'], '--port needs a value; see --help'],
    [['4000'], '"4000" is not a flag; see --help'],
  ])('are refused in one line: %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(new Error(message))
  })

  it('have variables, of which names that are almost right are told', () => {
    const env = { API_TOKEN: 'x', MAX_BODYS: '1', LOGLEVEL: 'info', HOSTNAME: 'a', HOME: '/', PATH: '', PORT: '1' }
    expect(warnings(env)).toEqual([
      'API_TOKEN is not a setting; did you mean API_TOKENS?',
      'MAX_BODYS is not a setting; did you mean MAX_BODIES?',
      'LOGLEVEL is not a setting; did you mean LOG_LEVEL?',
    ])
    expect(warnings({ ...process.env, SSL_CERT_FILE: '/etc/ssl/cert.pem', SSL_CERT_DIR: '/etc/ssl/certs' })).toEqual([])
  })
})

describe('TRUST_PROXY', () => {
  it.each([
    ['', false],
    ['false', false],
    ['0', false],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['loopback,uniquelocal', ['loopback', 'uniquelocal']],
  ])('takes a number of proxies, or addresses: %j', (text, trusted) => {
    expect(trustedProxies(loadConfig({ TRUST_PROXY: text }))).toEqual(trusted)
  })

  it.each(['true', 'yes', '-1', '1.5', '10.0.0.0/33', '10.0.0', 'http://proxy', '10.0.0.1,', '0.0.0.0/0'])(
    'refuses %j, and says what it takes',
    (text) => {
      expect(() => loadConfig({ TRUST_PROXY: text })).toThrow(/^TRUST_PROXY must be a number of proxies, or/)
    },
  )
})
