import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const pkg = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

it('GET /version says what package.json says', async () => {
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  const { name, version } = pkg
  expect((await app.inject('/version')).json()).toEqual({ name, version, api: 'v1', node: process.versions.node })
  await app.close()
})

it('GET /v1/limits publishes the limits as configured', async () => {
  const env = {
    BODY_LIMIT: '5000',
    MAX_VERTICES: '8',
    MAX_PARTS: '7',
    MAX_TARGETS: '9',
    MAX_IMPACTS: '6',
    MAX_BODIES: '5',
    MAX_PAIRS: '4',
    MAX_CELLS: '7',
    MAX_BATCH: '3',
    MAX_SCENES: '12',
    MAX_SCENE_BODIES: '13',
    MAX_OPERATIONS: '14',
    OPERATIONS_BODY_LIMIT: '1500',
    SHAPE_BODY_LIMIT: '1600',
    SHAPE_MAX_VERTICES: '15',
    MAX_RESULTS: '16',
    MAX_SUBSCRIBERS: '17',
    MAX_MISSED_WRITES: '18',
    EVENT_HEARTBEAT_MS: '190',
    MAX_ARRIVING_BYTES: '6000',
    MAX_UNREAD_BYTES: '2000000',
    REQUEST_TIMEOUT_MS: '700',
    RATE_LIMIT: '60',
  }
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', ...env }))
  expect((await app.inject('/v1/limits')).json()).toEqual({
    bodyLimit: 5000,
    maxVertices: 8,
    maxParts: 7,
    maxTargets: 9,
    maxImpacts: 6,
    maxBodies: 5,
    maxPairs: 4,
    maxCells: 7,
    maxBatch: 3,
    maxScenes: 12,
    maxSceneBodies: 13,
    maxOperations: 14,
    operationsBodyLimit: 1500,
    maxResults: 16,
    maxSubscribers: 17,
    maxMissedWrites: 18,
    eventHeartbeatMs: 190,
    shapeBodyLimit: 1600,
    shapeMaxVertices: 15,
    maxMagnitude: 1e100,
    maxArrivingBytes: 6000,
    maxUnreadBytes: 2_000_000,
    requestTimeoutMs: 700,
    queryDeadlineMs: 10_000,
    rateLimit: 60,
  })
  await app.close()
})
