import { describe, expect, it } from 'vitest'
import { loadConfig } from '../src/config.ts'

describe('loadConfig', () => {
  it('has defaults for everything', () => {
    expect(loadConfig({})).toEqual({
      HOST: '0.0.0.0',
      PORT: 3000,
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
      SCENE_TTL: 0,
      MAX_SCENES: 10_000,
      MAX_SUBSCRIBERS: 2000,
      MAX_MISSED_WRITES: 100_000,
      EVENT_HEARTBEAT_MS: 15_000,
      MAX_SCENE_BODIES: 1_000_000,
      MAX_OPERATIONS: 100_000,
      MAX_RESULTS: 100_000,
      OPERATIONS_BODY_LIMIT: 67_108_864,
      REQUEST_TIMEOUT_MS: 30_000,
      WORKERS: 0,
      WORKER_MEMORY_MB: 512,
      QUERY_DEADLINE_MS: 10_000,
      DRAIN_MS: 10_000,
      DRAIN_DELAY_MS: 0,
      CORS_ORIGIN: [],
      API_TOKENS: [],
      RATE_LIMIT: 0,
      TRUST_PROXY: false,
    })
  })

  it('reads what is set, and nothing else', () => {
    const env = { HOST: '::1', PORT: '0', LOG_REQUESTS: 'true', API_TOKENS: 'a,b', PATH: '/bin', HOME: '/' }
    const config = loadConfig(env)
    expect(config).toMatchObject({ HOST: '::1', PORT: 0, LOG_REQUESTS: true, API_TOKENS: ['a', 'b'] })
    expect(config).not.toHaveProperty('PATH')
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
    [{ SCENE_STORE: 'disk' }, 'SCENE_STORE must be one of file, memory, got "disk"'],
    [{ SCENE_STORE: 'lmdb' }, 'SCENE_STORE must be one of file, memory, got "lmdb": it is file now'],
    [{ PORT: 'x', RATE_LIMIT: 'y' }, 'PORT must be integer, got "x"; RATE_LIMIT must be integer, got "y"'],
  ])('says in one line what is wrong: %j', (env, message) => {
    expect(() => loadConfig(env)).toThrow(new Error(message))
  })
})
