// Fields that others add to lines of the log, such as the ids of a trace.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

/** The fields of the line of a request. */
async function lineOfRequest(): Promise<Record<string, unknown>> {
  const lines: string[] = []
  const config = loadConfig({ SCENE_STORE: 'memory', LOG_REQUESTS: 'true' })
  const app = await buildApp(config, { write: (line) => lines.push(line) })
  await app.inject('/version')
  await app.close()
  return JSON.parse(lines.find((line) => line.includes('"url":"/version"'))!)
}

it('adds what listeners fill in to each line, and nothing where there are none', async () => {
  const fill = (fields: unknown) => Object.assign(fields as object, { trace_id: 'abc' })
  subscribe('tangent:log-line', fill)
  try {
    expect(await lineOfRequest()).toMatchObject({ trace_id: 'abc', msg: 'request', status: 200 })
  } finally {
    unsubscribe('tangent:log-line', fill)
  }
  expect(await lineOfRequest()).not.toHaveProperty('trace_id')
})
