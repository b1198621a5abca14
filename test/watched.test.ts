// Work that is watched by a channel, and work that nobody watches.

import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { afterEach, expect, it } from 'vitest'
import { currentCaller, watched } from '../src/watched.ts'

interface Message {
  readonly name: string
  comment?: string
}

const channel = tracingChannel<object, Message>('test:watched')
const told: unknown[][] = []
const watcher = Object.fromEntries(
  ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((event) => [
    event,
    (message: Message) => {
      told.push([event, { ...message }])
      if (event === 'start') message.comment = 'seen'
    },
  ]),
)
afterEach(() => {
  channel.unsubscribe(watcher as never)
  told.length = 0
})

it('makes no message where nobody watches', async () => {
  const unwanted = () => {
    throw new Error('a message')
  }
  expect(await watched(channel, unwanted, async (message) => message)).toBeNull()
})

it('tells of the start and the end, and gives the work what the watcher has added', async () => {
  channel.subscribe(watcher as never)
  const work = async (message: Message | null) => message?.comment
  expect(await watched(channel, () => ({ name: 'a' }), work)).toBe('seen')
  const done = { name: 'a', comment: 'seen', result: 'seen' }
  expect(told[0]).toEqual(['start', { name: 'a' }])
  expect(told.at(-1)).toEqual(['asyncEnd', done])
})

it('tells of what fails, and rejects with it', async () => {
  channel.subscribe(watcher as never)
  const error = new Error('no')
  await expect(
    watched(
      channel,
      () => ({ name: 'a' }),
      () => Promise.reject(error),
    ),
  ).rejects.toBe(error)
  expect(told.at(-1)).toEqual(['asyncEnd', { name: 'a', comment: 'seen', error }])
})

it('does work for whoever has asked for it', () => {
  const storage = new AsyncLocalStorage<string>()
  const caller = storage.run('first', currentCaller)
  const seen = storage.run('second', () => [storage.getStore(), caller(() => storage.getStore())])
  expect(seen).toEqual(['second', 'first'])
})
