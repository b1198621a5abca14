// Scenes over HTTP without a socket: the whole app with scenes in memory, or where `env` says, its
// answers held against the document.

import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { checkDocumented } from '../answers/documented.ts'
import { toJson } from '../answers/json.ts'

export interface SceneAnswer {
  status: number
  headers: Record<string, string | undefined>
  text: string
  /** What the text says, null without one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into every kind of answer
  body: any
}

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'

export type SceneClient = Awaited<ReturnType<typeof startScenes>>

export async function startScenes(env: Record<string, string> = {}, dimension: '2d' | '3d' = '2d') {
  const app = await buildApp(
    loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000', ...env }),
  )
  await app.ready()
  await app.scenes.recovered

  /** `path`: below the scenes of the dimension. A body that is text or bytes is sent as it is; others keep their −0. */
  async function send(
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<SceneAnswer> {
    const url = `/v1/${dimension}/scenes${path}`
    const response = await app.inject({
      method,
      url,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : toJson(body) }),
    })
    const { statusCode: status, body: text } = response
    const parsed = text === '' ? null : JSON.parse(text)
    if (text !== '') checkDocumented(method, url, status, String(response.headers['content-type'] ?? ''), parsed)
    return { status, headers: response.headers as Record<string, string | undefined>, text, body: parsed }
  }

  /** A new scene with these bodies; its id. */
  async function createScene(bodies: readonly object[] = [], settings: object = {}): Promise<string> {
    const { status, body, text } = await send('POST', '', settings)
    if (status !== 201) throw new Error(text)
    if (bodies.length > 0) await put(body.id, bodies)
    return body.id
  }

  /** Puts bodies in one write; its version. */
  async function put(sceneId: string, bodies: readonly object[]): Promise<number> {
    const operations = bodies.map((body) => ({ op: 'put', body }))
    const answer = await send('POST', `/${sceneId}/operations`, { operations })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.version
  }

  return { app, send, createScene, put, close: () => app.close() as unknown as Promise<void> }
}
