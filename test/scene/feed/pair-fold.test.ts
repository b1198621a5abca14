// Which pairs begin and cease to meet with an entry of a log, and how many of them are sent one by one.

import { describe, expect, it } from 'vitest'
import { TOLD_PAIRS } from '../../../src/scene/feed/happening.ts'
import { PairFold } from '../../../src/scene/feed/pair-fold.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { finished } from '../../support/answers/finished.ts'
import { CREATE, sceneOf } from '../state/scene-model.ts'

/** What a lid over `under` small bodies changes when it is moved over `onto` others. */
function changesOf(under: number, onto: number) {
  const row = (name: string, count: number, y: number) =>
    Array.from({ length: count }, (_, k): SceneBody => {
      return { id: `${name}-${k}`, shape: { type: 'circle', radius: 0.25 }, position: { x: k, y } }
    })
  const width = 2 * Math.max(under, onto) + 2
  const lid: SceneBody = { id: 'lid', shape: { type: 'box', width, height: 1 }, position: { x: 0, y: 0 } }
  const scene = sceneOf([CREATE])
  const bodies = [...row('a', under, 0), ...row('b', onto, 9), lid]
  apply(scene, { version: 2, at: 0, operations: bodies.map((body) => ({ op: 'put' as const, body })) })
  const fold = new PairFold(scene)
  finished(fold.begin())
  const operations = [{ op: 'move' as const, id: 'lid', position: { x: 0, y: 9 } }]
  return finished(fold.advance({ version: 3, at: 0, operations }))
}

describe('changes of pairs', () => {
  it('are those that cease, then those that begin, each in order', () => {
    expect(changesOf(2, 1)?.map(({ a, b, meets }) => [a.id, b.id, meets])).toEqual([
      ['a-0', 'lid', false],
      ['a-1', 'lid', false],
      ['b-0', 'lid', true],
    ])
  })

  it('are too many to be sent when both kinds together are', () => {
    const half = TOLD_PAIRS / 2
    expect(changesOf(half, half)).toHaveLength(TOLD_PAIRS)
    expect(changesOf(half, half + 1)).toBe(null)
    expect(changesOf(half + 1, half)).toBe(null)
  })
})
