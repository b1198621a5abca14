// What a job may take: what lives of it, and neither garbage nor what jobs before it have left.

import { describe, expect, it } from 'vitest'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { createBody } from '../../src/core2d/shape/body.ts'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import type { ImportTask } from '../../src/import/import-file.ts'
import { CONTROL_LENGTH, type Done, type Worn } from '../../src/threads/job.ts'
import { JobRunner } from '../../src/threads/job-runner.ts'
import { collectAll, usedMemory } from '../../src/threads/memory.ts'
import { decodeBody, SCHEMA_LIMITS } from '../../src/wire/body.ts'

const MEGABYTE = 2 ** 20
const config = loadConfig({})
const limits = { ...queryLimits(config), maxBatch: config.MAX_BATCH }

const importing = (file: object): ImportTask => ({
  kind: 'import',
  files: { main: { name: '', bytes: Buffer.from(JSON.stringify(file)) }, others: [] },
  options: { dimension: 2, format: 'geojson', source: 'a', merge: true, tolerance: 1, frame: PLAIN_FRAME },
  limits: SCHEMA_LIMITS,
  mostBodies: Infinity,
  mostPieces: Infinity,
})
const run = (runner: JobRunner, file: object): Done | Worn =>
  runner.run({ job: { kind: 'far', task: importing(file) }, control: new Int32Array(CONTROL_LENGTH) })

const triangles = Array.from({ length: 3000 }, (_, k) => {
  const [x, y] = [3 * (k % 60), 3 * Math.floor(k / 60)]
  return [
    [
      [x, y],
      [x + 2, y],
      [x + 1, y + 2],
      [x, y],
    ],
  ]
})
const SMALL = { type: 'Polygon', coordinates: triangles[0] }

/** Leaves so many bytes of garbage. */
function litter(bytes: number): void {
  for (let k = 0; k < bytes / MEGABYTE; k++) new Float64Array(MEGABYTE / 8).fill(k)
}

describe('a job', () => {
  it('is not refused for what others have left', () => {
    collectAll()
    const runner = new JobRunner({ ...limits, maxMemory: 32 * MEGABYTE })
    for (let k = 0; k < 4; k++) {
      litter(48 * MEGABYTE)
      expect(run(runner, SMALL).is).toBe('far')
    }
  })

  it('is not refused for a worker that holds much by itself', () => {
    const held = new Float64Array((64 * MEGABYTE) / 8).fill(1)
    const runner = new JobRunner({ ...limits, maxMemory: 32 * MEGABYTE })
    expect(run(runner, SMALL).is).toBe('far')
    expect(held[7]).toBe(1)
  })

  it('is handed back by a worker that holds too much of earlier ones, but not at once', () => {
    collectAll()
    const runner = new JobRunner({ ...limits, maxMemory: 64 * MEGABYTE })
    const held: Float64Array[] = []
    const hold = (megabytes: number) => held.push(new Float64Array((megabytes * MEGABYTE) / 8).fill(1))
    // what is there before the first job is its own
    hold(80)
    expect(run(runner, SMALL).is).toBe('far')
    hold(40)
    expect(run(runner, SMALL)).toMatchObject({ is: 'worn', job: { kind: 'far' } })
    held.length = 0
    expect(run(runner, SMALL).is).toBe('far')
  })

  it('is refused for what it takes itself', () => {
    const runner = new JobRunner({ ...limits, maxMemory: MEGABYTE / 2 })
    const features = Array.from({ length: 20_000 }, (_, id) => ({
      type: 'Feature',
      id,
      properties: null,
      geometry: SMALL,
    }))
    expect(run(runner, { type: 'FeatureCollection', features }).is).toBe('out-of-memory')
    // and those after it are not
    const roomy = new JobRunner({ ...limits, maxMemory: 64 * MEGABYTE })
    expect(run(roomy, SMALL).is).toBe('far')
  })

  it('of thousands of polygons takes memory by their corners', () => {
    const runner = new JobRunner({ ...limits, maxMemory: 32 * MEGABYTE })
    expect(run(runner, { type: 'MultiPolygon', coordinates: triangles }).is).toBe('far')
    const outer = [
      { x: 0, y: 0 },
      { x: 2, y: 0 },
      { x: 1, y: 2 },
    ]
    const children = triangles.map(() => ({ shape: { type: 'region', outer } as const }))
    const slot = createBody()
    collectAll()
    const before = usedMemory()
    expect(decodeBody({ shape: { type: 'compound', children } }, slot)).toBeNull()
    collectAll()
    expect(usedMemory() - before).toBeLessThan(3000 * 8192)
    expect(slot.composite?.partCount).toBe(3000)
  })
})
