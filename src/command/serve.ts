// The service as a process: reads its flags and the environment, listens, and on a signal finishes what it has before it ends.

import closeWithGrace from 'close-with-grace'
import { buildApp } from '../app.ts'
import { announce, drain } from '../plugins/lifecycle.ts'
import { readCertificate } from '../plugins/tls.ts'
import { StoreError } from '../scene/store/store.ts'
import { readConfig } from './settings.ts'

/** `args`: its flags. `atSignals`: called when signals are taken care of here. */
export async function serve(args: readonly string[], atSignals: () => void): Promise<void> {
  const config = readConfig(args)
  try {
    readCertificate(config)
  } catch (error) {
    process.stderr.write(`Configuration: ${(error as Error).message}\n`)
    process.exit(1)
  }
  const app = await buildApp(config)

  closeWithGrace({ delay: false, logger: app.logger }, async ({ err, signal }) => {
    if (err) app.logger.fatal({ err }, 'stopping after an error')
    else app.logger.info({ signal }, 'stopping')
    if (!(await drain(app, config))) process.exit(1)
  })
  atSignals()

  try {
    const address = await app.listen({ host: config.HOST, port: config.PORT })
    announce(app, address)
    await app.scenes.recovered
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof StoreError) process.stderr.write(`Scenes: ${error.message}\n`)
    else if (code === 'EADDRINUSE') process.stderr.write(`Port ${config.PORT} of ${config.HOST} is in use.\n`)
    else app.logger.fatal({ err: error }, 'cannot start')
    process.exit(1)
  }
}
