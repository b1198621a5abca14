// What large requests leave behind is collected when nothing is asked.

import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { idleMemory } from '../../src/plugins/idle-memory.ts'
import { collect } from '../../src/threads/collect.ts'

const app = fastify()
afterAll(() => app.close())

it('gives back what has grown, once there is nothing else to do', async () => {
  // so that what is there at the start lives
  collect()
  app.decorate('workers', { figures: { busy: 0 } } as never)
  await app.register(idleMemory)
  let held: Buffer[] = Array.from({ length: 64 }, () => Buffer.alloc(2 ** 20))
  // the service is looked at while they are there
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const before = process.memoryUsage().arrayBuffers
  held = held.slice(0, 1)
  const given = () => before - process.memoryUsage().arrayBuffers
  for (let tries = 0; tries < 60 && given() < 60 * 2 ** 20; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(held.length).toBe(1)
  expect(given()).toBeGreaterThan(60 * 2 ** 20)
})
