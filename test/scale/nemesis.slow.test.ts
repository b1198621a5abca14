// Four replicas over one database, twelve clients, and many faults: what was acknowledged is there exactly once, and everybody
// tells the same.

import { expect, it } from 'vitest'
import { runCount } from '../support/runs.ts'
import { torture } from './torture.ts'

const FAULT_COUNT = runCount(180)
const SEED = Number(process.env.TANGENT_TORTURE_SEED ?? 17)

it('loses nothing, doubles nothing and tells nothing wrong, whatever is killed or cut off', async () => {
  const { findings, writes, ...report } = await torture({ seed: SEED, faultCount: FAULT_COUNT, holdMs: 200 })
  expect(findings, JSON.stringify({ writes, ...report })).toEqual([])
  // that nothing is lost says nothing where nothing was written
  expect(writes.acknowledged).toBeGreaterThan(FAULT_COUNT / 2)
  expect(report.reads).toBeGreaterThan(FAULT_COUNT / 3)
  expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBe(FAULT_COUNT)
})
