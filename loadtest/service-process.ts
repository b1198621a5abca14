// The service in a process of its own, compiled, as `npm start` runs it, with its default configuration.

import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'
import { becomesReady, endsWithThis, freePort } from '../examples/scene-service.ts'

/** Benches run compiled as well. */
export const COMPILED = resolve(import.meta.dirname, '..')

/** Ends with this process, if nobody ends it before. */
export async function startService(
  settings: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), SCENE_STORE: 'memory', ...settings }
  const child = fork(resolve(COMPILED, 'src/server.js'), { env, execArgv: [], stdio: 'ignore' })
  endsWithThis(child)
  const url = `http://127.0.0.1:${port}`
  await becomesReady(url, child)
  return { url, child }
}
