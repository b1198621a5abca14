// OpenTelemetry for those who want it, loaded before the service: `node --import ./dist/src/telemetry.js dist/src/server.js`. Its
// packages are no dependencies: whoever wants it installs them.

import { isMainThread } from 'node:worker_threads'

const PACKAGES = ['@opentelemetry/api', '@opentelemetry/sdk-node', '@fastify/otel']
const IS_MISSING = /^(ERR_)?MODULE_NOT_FOUND$/

const isDisabled = process.env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true'
// what threads do is told of by the main thread
if (isMainThread && !isDisabled) await start()

async function start(): Promise<void> {
  try {
    const { startTelemetry } = await import('./telemetry/start.ts')
    startTelemetry()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!IS_MISSING.test(code)) throw error
    const missing = PACKAGES.find((name) => message.includes(name)) ?? 'a package'
    process.stderr.write(`Telemetry: ${missing} is not installed; run npm install ${PACKAGES.join(' ')}\n`)
    process.exit(1)
  }
}
