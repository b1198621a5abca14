// An import that says how far it is: lines of NDJSON, of which the last is the report or the problem.

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { SceneImportResponse } from '../../schemas/scenes/import.ts'
import { countsOf, type ImportProgress } from '../import/reading/import-progress.ts'
import { LINES, LIST } from '../plugins/batch-media.ts'
import { jsonPieces } from '../queries/ask/long-answer.ts'
import { problemExtras } from '../wire/problems/decode-problem.ts'
import { problemDetails } from '../wire/problems/problems.ts'
import { isWanted } from './query-replies.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 100

/** Asked for by name: others, who take anything, get the report alone. */
export function wantsLines(request: FastifyRequest): boolean {
  if (request.headers.accept?.toLowerCase().includes(LINES) !== true) return false
  return new Negotiator(request).mediaType([LIST, LINES]) === LINES
}

/** `work`: comes to the report, or to something else once the reply that it is given has been told the problem. */
export function sendImportLines(
  reply: FastifyReply,
  progress: ImportProgress,
  work: (reply: FastifyReply) => Promise<unknown>,
): FastifyReply {
  return reply.type(LINES).send(Readable.from(importLines(reply, progress, work)))
}

async function* importLines(
  reply: FastifyReply,
  progress: ImportProgress,
  work: (reply: FastifyReply) => Promise<unknown>,
): AsyncGenerator<Buffer, void, undefined> {
  const finished = outcomeOf(reply, work)
  let last = ''
  for (let outcome: object | null = null; outcome === null; ) {
    const now = lineOf({ progress: countsOf(progress) })
    if (now !== last) yield Buffer.from(now)
    last = now
    outcome = await withinLook(finished)
    if (outcome === null) continue
    // the list of what was skipped may be long
    yield* jsonPieces(outcome, isWanted(reply))
    yield Buffer.from('\n')
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** Null when it takes longer than until the next look. */
async function withinLook(finished: Promise<object>): Promise<object | null> {
  let timer: NodeJS.Timeout | undefined
  const look = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, LOOK_MS, null)
  })
  const outcome = await Promise.race([finished, look])
  clearTimeout(timer)
  return outcome
}

/** The report or the problem. Never rejects. */
async function outcomeOf(
  reply: FastifyReply,
  work: (reply: FastifyReply) => Promise<unknown>,
): Promise<SceneImportResponse | object> {
  const { id, method, url, server } = reply.request
  let problem: object | null = null
  // The head of the answer has gone: of what replies are told only problems are still of use.
  const told = Object.create(reply, {
    problem: {
      value: (...[code, detail, extras]: Parameters<FastifyReply['problem']>) => {
        problem = problemDetails(code, detail, id, extras)
      },
    },
    geometryProblem: {
      value: (found: Parameters<FastifyReply['geometryProblem']>[0]) => {
        problem = problemDetails(found.code, found.detail, id, problemExtras(found))
      },
    },
    header: { value: () => told },
    hijack: { value: () => told },
    // awaited, a reply would wait for its own end
    // biome-ignore lint/suspicious/noThenProperty: there is to be none
    then: { value: undefined },
  }) as FastifyReply
  try {
    const report = await work(told)
    if (problem !== null) return problem
    // nobody waits for it any more
    return report === told ? {} : (report as SceneImportResponse)
  } catch (error) {
    server.logger.error({ err: error, reqId: id, method, url }, 'request failed')
    return problemDetails('internal-error', 'The service failed to answer; this is no fault of the request.', id)
  }
}
