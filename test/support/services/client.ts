/** The whole app without a socket: what production composes, asked through `app.inject`, its answers held against the document. */
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import type { Dimension } from '../../../src/queries/ask/query.ts'
import { checkDocumented } from '../answers/documented.ts'
import { toJson } from '../answers/json.ts'

export interface Answer {
  status: number
  type: string
  text: string
  body: unknown
}

export interface Client {
  /** POST /v1/2d/<query>, or the same in space, with a JSON body that keeps −0. */
  post(query: string, request: unknown): Promise<Answer>
  /** POST with any text and content type. */
  postText(query: string, text: string, contentType?: string): Promise<Answer>
  close(): Promise<void>
}

export async function startClient(env: Record<string, string> = {}, dimension: Dimension = '2d'): Promise<Client> {
  const app = await buildApp(
    // machines that run tests may be busy
    loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000', ...env }),
  )
  await app.ready()
  const postText = async (query: string, text: string, contentType = 'application/json'): Promise<Answer> => {
    const url = `/v1/${dimension}/${query}`
    const response = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': contentType },
      payload: text,
    })
    const type = String(response.headers['content-type'] ?? '')
    const body = JSON.parse(response.body)
    checkDocumented('POST', url, response.statusCode, type, body)
    return { status: response.statusCode, type, text: response.body, body }
  }
  return {
    postText,
    post: (query, request) => postText(query, toJson(request)),
    close: async () => {
      await app.close()
    },
  }
}
