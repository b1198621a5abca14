// Streams of an instance that does not know what others write are told so, and end when that takes too long.

import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { SceneFeeds } from '../../../src/scene/feed/scene-feeds.ts'
import { apply, createScene } from '../../../src/scene/state/scene.ts'
import { creation, prepare } from '../../support/services/kept-scenes.ts'

let feeds: SceneFeeds | null = null
afterEach(() => feeds?.close())

function listen(maxStalenessMs: number) {
  const state = { staleMs: 0 }
  const opened = new SceneFeeds({
    maxSubscribers: 9,
    maxMissed: 9,
    heartbeatMs: 1000,
    staleMs: () => state.staleMs,
    maxStalenessMs,
    finish: async () => null as never,
    past: () => null,
    onFault: (error) => {
      throw error
    },
  })
  feeds = opened
  const scene = createScene(prepare)
  apply(scene, { version: 1, at: 1, operations: [creation('s')] })
  const told: string[] = []
  let isOver = false
  const sink = {
    write: (bytes: string | Uint8Array) => {
      told.push(bytes.toString())
      return true
    },
    end: () => {
      isOver = true
    },
  }
  opened.subscribe(scene, sink, { pairs: null }, null)
  return { state, text: () => told.join(''), isOver: () => isOver, feeds: opened }
}

it('says that it is not known what others write, once, and when it is again', async () => {
  const { state, text, isOver } = listen(0)
  state.staleMs = 2400
  await expect.poll(text, { timeout: 3000 }).toContain('event: stale\ndata: {"version":1,"seconds":3}\n\n')
  state.staleMs = 999_000
  await delay(700)
  expect(text().match(/event: stale/g)).toHaveLength(1)
  state.staleMs = 0
  await expect.poll(text, { timeout: 3000 }).toContain('event: current\ndata: {"version":1}\n\n')
  expect(isOver()).toBe(false)
})

it('ends streams when that takes longer than it may', async () => {
  const { state, text, isOver, feeds: all } = listen(500)
  state.staleMs = 400
  await expect.poll(text, { timeout: 1000 }).toContain('event: stale')
  expect(isOver()).toBe(false)
  state.staleMs = 501
  await expect.poll(isOver, { timeout: 1000 }).toBe(true)
  expect(text()).toMatch(/event: dropped\ndata: \{"version":1,"reason":"stale"\}\n\n$/)
  expect([all.subscriberCount <= 1, all.droppedCount]).toEqual([true, 1])
})
