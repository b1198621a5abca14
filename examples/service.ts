// A client of the service: questions in, answers out, a few under way at once.

/** Enough to keep the service busy, few enough to stay polite. */
const CONCURRENT_REQUESTS = 16

/** Thrown with one readable line when the service does not answer, or with a problem. */
export class ServiceError extends Error {}

export interface Service {
  /** The path is what follows /v1/2d/, or /v1/3d/. */
  ask<Question, Answer>(path: string, question: Question): Promise<Answer>
  /** The same for a question that is JSON already. */
  askText<Answer>(path: string, question: string): Promise<Answer>
  remove(path: string): Promise<void>
  requestCount(): number
}

export function connect(url: string, dimension: '2d' | '3d' = '2d'): Service {
  let requestCount = 0
  let free = CONCURRENT_REQUESTS
  const waiting: (() => void)[] = []
  const exchange = async (method: 'POST' | 'DELETE', path: string, body: string | null): Promise<string> => {
    if (free > 0) free--
    else await new Promise<void>((resume) => waiting.push(resume))
    try {
      requestCount++
      const response = await send(`${url}/v1/${dimension}/${path}`, method, body)
      const text = await response.text()
      if (!response.ok) throw new ServiceError(`${path} was answered with status ${response.status}: ${text}`)
      return text
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
  return {
    async ask<Question, Answer>(path: string, question: Question): Promise<Answer> {
      return JSON.parse(await exchange('POST', path, JSON.stringify(question)))
    },
    async askText<Answer>(path: string, question: string): Promise<Answer> {
      return JSON.parse(await exchange('POST', path, question))
    },
    async remove(path) {
      await exchange('DELETE', path, null)
    },
    requestCount: () => requestCount,
  }
}

async function send(url: string, method: string, body: string | null): Promise<Response> {
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' }
  try {
    return await fetch(url, { method, headers, body })
  } catch {
    const { origin } = new URL(url)
    throw new ServiceError(
      `Nothing answers at ${origin}: start the service with "npm start", or name another with --url.`,
    )
  }
}

/** The list in parts of so many items, as services take no more in one request. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
