import { expect, it } from 'vitest'
import { callFrom, missingTool } from './generated-clients.ts'

// the others take long to build: npm run test:clients
const quick = ['typescript-fetch']

for (const language of quick) {
  const missing = missingTool(language)
  if (missing !== undefined) console.warn(`the ${language} client is not tried: ${missing} is missing`)

  it.skipIf(missing !== undefined)(
    `a client that was generated and not edited calls the service: ${language}`,
    async () => expect(await callFrom(language)).toBe('ok'),
    120_000,
  )
}
