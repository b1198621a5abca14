// A client of the service: questions in, answers out, a few under way at once.

/** Enough to keep the service busy, few enough to stay polite. */
const CONCURRENT_REQUESTS = 16

/** Thrown with one readable line when the service does not answer, or with a problem. */
export class ServiceError extends Error {}

export interface Service {
  ask<Question, Answer>(query: string, question: Question): Promise<Answer>
  requestCount(): number
}

export function connect(url: string): Service {
  let requestCount = 0
  let free = CONCURRENT_REQUESTS
  const waiting: (() => void)[] = []
  return {
    async ask<Question, Answer>(query: string, question: Question): Promise<Answer> {
      if (free > 0) free--
      else await new Promise<void>((resume) => waiting.push(resume))
      try {
        requestCount++
        const response = await post(`${url}/v1/2d/${query}`, JSON.stringify(question))
        const text = await response.text()
        if (!response.ok) throw new ServiceError(`${query} was answered with status ${response.status}: ${text}`)
        return JSON.parse(text)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
    requestCount: () => requestCount,
  }
}

async function post(url: string, text: string): Promise<Response> {
  try {
    return await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
  } catch {
    const { origin } = new URL(url)
    throw new ServiceError(
      `Nothing answers at ${origin}: start the service with "npm start", or name another with --url.`,
    )
  }
}
