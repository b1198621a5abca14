// The process: reads the environment, listens, and on a signal finishes what it has before it ends.

import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { type Config, loadConfig } from './config.ts'
import { StoreError } from './scene/store.ts'

/** Time for requests under way to finish after a signal, in milliseconds. */
const GRACE_MS = 10_000

function readConfig(): Config {
  try {
    return loadConfig(process.env)
  } catch (error) {
    process.stderr.write(`Configuration: ${(error as Error).message}\n`)
    process.exit(1)
  }
}

const config = readConfig()
const app = await buildApp(config)

closeWithGrace({ delay: GRACE_MS, logger: app.logger }, async ({ err, signal }) => {
  if (err) app.logger.fatal({ err }, 'stopping after an error')
  else app.logger.info({ signal }, 'stopping')
  await app.close()
})

try {
  const address = await app.listen({ host: config.HOST, port: config.PORT })
  app.logger.info({ address }, 'listening')
  await app.scenes.recovered
} catch (error) {
  if (error instanceof StoreError) process.stderr.write(`Scenes: ${error.message}\n`)
  else app.logger.fatal({ err: error }, 'cannot start')
  process.exit(1)
}
