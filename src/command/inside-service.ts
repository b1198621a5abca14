// The service inside the process of a command: the app itself, asked without a port. It loads and starts no more than commands need.

import { appAsService } from '../agents/asked-service.ts'
import { ASKED_ROUTES } from '../all-routes.ts'
import { buildApp } from '../app.ts'
import { type Config, insideConfig } from '../config.ts'
import type { Service } from './service.ts'

/** What is asked at a terminal may be as large as it is, and may take its time: whoever waits can end it. */
const SETTINGS: Partial<Config> = {
  SCENE_STORE: 'memory',
  BODY_LIMIT: 2 ** 29,
  OPERATIONS_BODY_LIMIT: 2 ** 29,
  MAX_VERTICES: 1_000_000,
  MAX_PARTS: 100_000,
  MAX_BODIES: 1_000_000,
  MAX_OPERATIONS: 1_000_000,
  MAX_RESULTS: 1_000_000,
  SHAPE_MAX_VERTICES: 10_000_000,
  WORKER_MEMORY_MB: 4096,
  QUERY_DEADLINE_MS: 2 ** 31 - 1,
  LOG_LEVEL: 'silent',
}

/** `env`: with LOG_LEVEL, the service logs to standard error. `settings`: other than those of commands. */
export async function insideService(
  { LOG_LEVEL }: Readonly<Record<string, string | undefined>>,
  settings: Partial<Config> = {},
): Promise<Service> {
  const level = LOG_LEVEL === undefined ? {} : { LOG_LEVEL: LOG_LEVEL as Config['LOG_LEVEL'] }
  const within = { routes: ASKED_ROUTES, doesSmallWorkHere: true }
  const app = await buildApp(insideConfig({ ...SETTINGS, ...settings, ...level }), process.stderr, within)
  await app.ready()
  return { ...appAsService(app), close: () => app.close() }
}
