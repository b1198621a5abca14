// Reads the requests that documents print as curl commands, and the answers printed below them, so that tests can send and compare them.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

export const ROOT = resolve(import.meta.dirname, '../..')

/** All documents, by their path from the root. Pages are found by folder. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'clients'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `clients/${name}/README.md`),
]

/** The page about replicas: its requests are sent to some, see test/deploy/replicated.slow.test.ts. */
export const REPLICATED = 'docs/scaling.md'

export function documentText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

export interface Fence {
  readonly language: string
  readonly text: string
}

export interface PrintedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** File that the answer is written to. */
  readonly output: string | undefined
  /** The printed answer. */
  answer?: string
}

export function fencesOf(text: string): Fence[] {
  return [...text.matchAll(/^```(\S*)\n([\s\S]*?)\n?^```$/gm)].map(([, language, inside]) => ({
    language,
    text: inside,
  }))
}

/** In order. A JSON block is the answer to the request before it; throws if there is none. */
export function requestsOf(text: string): PrintedRequest[] {
  const requests: PrintedRequest[] = []
  const files = new Map<string, string>()
  for (const { language, text: inside } of fencesOf(text)) {
    if (language === 'sh') {
      for (const words of commandsOf(withoutFiles(inside, files))) {
        if (words[0] === 'curl') requests.push(readCurl(words.slice(1), files))
      }
    } else if (language === 'json') {
      const last = requests.at(-1)
      if (last === undefined || last.answer !== undefined) throw new Error(`this answer has no request: ${inside}`)
      last.answer = inside
    }
  }
  return requests
}

/** Removes files written with `cat > name <<'END'` from the script, and keeps their text. */
function withoutFiles(script: string, files: Map<string, string>): string {
  return script.replace(/^cat > (\S+) <<'(\w+)'\n([\s\S]*?)\n\2$/gm, (_, name: string, _end, lines: string) => {
    files.set(name, `${lines}\n`)
    return ''
  })
}

/** The words of each command, without quotes and comments. Supports the shell syntax that documents use. */
export function commandsOf(script: string): string[][] {
  const commands: string[][] = [[]]
  for (const [token, single, double, plain] of script.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"#]\S*)|#.*|\n/g)) {
    const word = single ?? double ?? plain
    if (token === '\n' || word === '&&') commands.push([])
    else if (word !== undefined) commands.at(-1)!.push(word)
  }
  return commands.filter((words) => words.length > 0)
}

function readCurl(words: readonly string[], files: ReadonlyMap<string, string>): PrintedRequest {
  const headers: Record<string, string> = {}
  let [method, url, body, output]: (string | undefined)[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (word === '-X') method = words[++i]
    else if (word === '-d') body = words[++i]
    else if (word === '-T') body = files.get(words[++i])
    else if (word === '>') output = words[++i]
    else if (word === '--retry') i++
    else if (word === '-H') {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(words[++i])!
      headers[name] = value
    } else if (word.startsWith('http://127.0.0.1:3000')) url = word.slice('http://127.0.0.1:3000'.length)
    else if (word !== '-s' && word !== '-sN') throw new Error(`curl ${words.join(' ')}: unknown argument ${word}`)
  }
  if (url === undefined) throw new Error(`curl ${words.join(' ')}: no URL`)
  method ??= body === undefined ? 'GET' : 'POST'
  return { method: method as PrintedRequest['method'], url, headers, body, output }
}

/** Number of attempts, and the pause between them in ms, if the service is overloaded: tests share the machine. */
const TRIES = 50
const PAUSE = 200

/** Sends the request. A 503 means that nothing was done, so it is repeated, as a client would. */
export async function ask(
  app: FastifyInstance,
  { method, url, headers, body }: PrintedRequest,
): Promise<LightMyRequestResponse> {
  for (let n = 1; ; n++) {
    const response = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
    if (response.statusCode !== 503 || n === TRIES) return response
    await setTimeout(PAUSE)
  }
}

/** Whether the printed answer is a problem. */
export function isRefusal({ answer = '' }: PrintedRequest): boolean {
  return /^\{\s*"type": ?"\/problems\//.test(answer)
}

/** The answer without values that differ each time. */
export function timeless(answer: string): string {
  return answer.trim().replace(/"requestId": ?"[^"]*"/g, '"requestId":"…"')
}
