// Runs the work of requests in cohorts, within a share of the main thread, or on workers, and sends the answers of workers.

import { availableParallelism } from 'node:os'
import { deserialize } from 'node:v8'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { PictureOptions } from '../../schemas/picture.ts'
import { type Config, queryLimits } from '../config.ts'
import { OutOfBudget, withinOrNull } from '../containers/budget.ts'
import { findContents } from '../kept/scene-contents.ts'
import type { Dimension, Query } from '../queries/ask/query.ts'
import type { DocumentTask, ReadDocument, SentList } from '../queries/ask/read-document.ts'
import type { Sent } from '../queries/ask/sent.ts'
import { BUSY_MAIN_STEPS, DeadlineExceeded, type Far, MAIN_STEPS, SLICE_MS, SliceClock } from '../queries/ask/slices.ts'
import { catalogues } from '../queries/stateless/all.ts'
import { Answerer, answerQuery, type Surroundings } from '../queries/stateless/answerer.ts'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'
import type { Done, QueryJob } from '../threads/job.ts'
import {
  describeFailure,
  type Errand,
  type Failure,
  FarWork,
  failureOf,
  WorkerPool,
  WorkFailed,
} from '../threads/pool.ts'
import { type DecodeProblem, isProblem, problemOf } from '../wire/decode-problem.ts'
import { type ContentTextTask, isContentsTask } from '../wire/scene-references.ts'
import { isShapesTask } from '../wire/shape-source.ts'
import { giveShapes, UnreadShape } from '../wire/unread-shape.ts'
import { punish } from './connections.ts'
import { declaredLength, problemError } from './json-body.ts'

declare module 'fastify' {
  interface FastifyInstance {
    workers: WorkerPool
    /** Answer stateless queries on the main thread. */
    answerers: Readonly<Record<Dimension, Answerer>>
    /** Has a worker read and check the body of a request, or some items of its list; rejects with the problem to answer. */
    readFar(request: FastifyRequest, document: SentDocument): Promise<unknown>
  }
}

/** For a picture that a browser opens as a document: it loads and runs nothing. */
export const PICTURE_POLICY = "default-src 'none'; sandbox"

const OVERLOADED = 'All workers are busy, and as many requests wait as can be answered soon.'

export const workers = fp(async (app, config: Config & { doesSmallWorkHere: boolean }) => {
  const memory = config.WORKER_MEMORY_MB * 2 ** 20
  const limits = { ...queryLimits(config), maxBatch: config.MAX_BATCH }
  const { shapes } = app
  const pool = new WorkerPool({
    workers: config.WORKERS || Math.max(1, availableParallelism() - 1),
    memory,
    deadline: config.QUERY_DEADLINE_MS,
    limits: { ...limits, maxMemory: memory },
    shapesFor: (bytes) => shapes.shapesFor(bytes),
    doesSmallWorkHere: config.doesSmallWorkHere,
    onFault: (stack) => app.logger.error({ stack }, 'a worker failed'),
  })
  const around: Surroundings = {
    answer: answerQuery,
    onProgress: () => undefined,
    onFault: (err) => app.logger.error({ err }, 'query failed'),
  }
  app.decorate('workers', pool)
  app.decorate('answerers', {
    '2d': new Answerer(catalogues['2d'], { ...limits, shapes }, around),
    '3d': new Answerer(catalogues['3d'], { ...limits, shapes }, around),
  })
  app.decorate('readFar', readFar)
  app.addHook('onListen', async () => {
    void pool.start()
  })
  app.addHook('onClose', () => pool.close())
})

/** Returns the result of the work, or null if it takes more than `steps`: its share of the main thread unless you say otherwise. */
export function withinShare<Value>(
  { workers }: FastifyInstance,
  work: () => Value,
  steps = workers.admits ? MAIN_STEPS : BUSY_MAIN_STEPS,
): Value | null {
  return withinOrNull(steps, work)
}

/** A document for a worker to read, see `DocumentTask`. */
type SentDocument = Omit<DocumentTask, 'kind'>

async function readFar({ server, raw }: FastifyRequest, document: SentDocument): Promise<unknown> {
  const work = new FarWork(server.workers)
  const gone = () => work.end()
  const { socket } = raw
  socket?.once('close', gone)
  try {
    const task: DocumentTask = { kind: 'document', ...document }
    const read = (await work.do(task, performance.now() + server.workers.options.deadline)) as
      | ReadDocument
      | DecodeProblem
    if (isProblem(read)) throw problemError(read)
    const { value, shapes, lists } = read
    await giveLists(value, lists)
    const bytes = Buffer.from(document.bytes.buffer, document.bytes.byteOffset, document.bytes.length)
    const unread = shapes.map(({ start, end }) => new UnreadShape(bytes.subarray(start, end)))
    giveShapes(Array.isArray(value) ? value : [value], unread)
    return value
  } catch (error) {
    const problem = workProblem(error, 'Send a smaller body.', server)
    throw problem === null ? error : problemError(problem)
  } finally {
    socket?.off('close', gone)
  }
}

/** Fills the lists of the document with the items that were sent apart, with pauses. */
async function giveLists(document: unknown, lists: readonly SentList[]): Promise<void> {
  const clock = new SliceClock()
  for (const { name, parts } of lists) {
    const list = (document as Record<string, unknown[]>)[name]
    for (const part of parts) {
      list.push(...(deserialize(part) as unknown[]))
      if (clock.isOver) await clock.nextTurn()
    }
  }
}

/** Has a worker answer a query from the bytes of its body. */
export async function answerByWorker(
  reply: FastifyReply,
  query: Pick<Query, 'dimension' | 'op' | 'advice'>,
  bytes: Buffer,
  picture: PictureOptions | null,
): Promise<FastifyReply> {
  const errand = takeErrand(reply)
  if (errand === null) return reply
  const done = await runQuery(errand, reply, query, bytes, { picture })
  return done.is === 'sent' ? send(reply, done) : sendFailure(reply, query.advice, failureOf(errand, done))
}

/** Has the worker of an errand answer a query, and closes the errand. */
export async function runQuery(
  errand: Errand,
  { request }: FastifyReply,
  { dimension, op }: Pick<Query, 'dimension' | 'op'>,
  bytes: Buffer,
  asked: Pick<QueryJob, 'picture' | 'progress'>,
): Promise<Done> {
  const done = await errand.run({ kind: 'query', dimension, op, bytes, requestId: request.id, ...asked })
  errand.close()
  return done
}

/** Returns an errand that ends when the client goes away; or answers with a problem and returns null. */
export function takeErrand(reply: FastifyReply): Errand | null {
  const errand = reply.server.workers.take()
  if (errand === null) refuse(reply)
  else if (reply.raw.destroyed) errand.end('gone')
  else reply.raw.once('close', () => errand.end('gone'))
  return errand
}

export function refuse(reply: FastifyReply): undefined {
  const { body, raw } = reply.request
  punish(raw.socket, Buffer.isBuffer(body) ? body.length : declaredLength(reply.request) || 0)
  reply.header('retry-after', '1')
  return reply.problem('overloaded', OVERLOADED)
}

export function send(reply: FastifyReply, { status, type, body }: Sent): FastifyReply {
  if (type.startsWith(PICTURE_TYPE)) reply.header('content-security-policy', PICTURE_POLICY)
  return reply
    .code(status)
    .type(type)
    .send(typeof body === 'string' ? body : asBuffer(body))
}

/** Answers with the problem that a failure is. `advice`: a sentence about what to make smaller. */
export function sendFailure(reply: FastifyReply, advice: string, failure: Failure): FastifyReply {
  if (failure.ending === 'gone') return reply.hijack()
  sendProblem(reply, failureProblem(failure, advice, reply.server))
  return reply
}

/** The problem that a failure is: the service is overloaded where the work had not even begun when its time was over. */
export function failureProblem(failure: Failure, advice: string, { workers }: FastifyInstance): DecodeProblem {
  if (failure.ending === 'deadline-exceeded' && !failure.hasBegun) return problemOf('overloaded', OVERLOADED)
  return describeFailure(failure, advice, workers.options)
}

function sendProblem(reply: FastifyReply, problem: DecodeProblem): undefined {
  if (problem.code === 'overloaded') refuse(reply)
  else reply.geometryProblem(problem)
}

const NO_SHAPES: Failure = { is: 'no-shapes', ending: null, hasBegun: false }

/** Lets workers do parts of the work of a request. */
export function farWork({ server, raw }: FastifyReply): Far {
  let begun: FarWork | null = null
  const far: Far = (task, deadline) => {
    const unasked = () => Promise.reject(new WorkFailed(NO_SHAPES))
    if (isShapesTask(task)) return server.shapes.borrow(task.ids).catch(unasked)
    if (isContentsTask(task)) {
      const textOf = (id: string) => {
        const text: ContentTextTask = { kind: 'content-text', id, bytes: Buffer.from(id) }
        return far(text, deadline) as Promise<string | null>
      }
      return findContents(task, server.shapes, textOf).catch((error) =>
        error instanceof WorkFailed ? Promise.reject(error) : unasked(),
      )
    }
    if (begun === null) {
      const work = new FarWork(server.workers)
      if (raw.destroyed) work.end()
      else raw.once('close', () => work.end())
      begun = work
    }
    return begun.do(task, deadline)
  }
  return far
}

/** The problem for an error of work in slices, or null if it is a fault of the service. */
export function workProblem(error: unknown, advice: string, { workers }: FastifyInstance): DecodeProblem | null {
  const failed = (failure: Pick<Failure, 'is' | 'ending'>) => describeFailure(failure, advice, workers.options)
  if (error instanceof DeadlineExceeded) return failed({ is: 'stopped', ending: 'deadline-exceeded' })
  if (error instanceof OutOfBudget) return failed({ is: 'too-complex', ending: null })
  if (!(error instanceof WorkFailed)) return null
  return error.failure === null ? problemOf('overloaded', OVERLOADED) : failed(error.failure)
}

/** Answers with the problem for an error of work in slices; throws errors that are faults of the service. */
export function sendWorkProblem(reply: FastifyReply, error: unknown, advice: string): undefined {
  const problem = workProblem(error, advice, reply.server)
  if (problem === null) throw error
  return sendProblem(reply, problem)
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

// Cohorts: requests that arrive together are first all read, then answered in the order of arrival.
// Answering each request as soon as it is read alternates between reading, computing and sending, with cold caches each time: with 32
// connections, short queries then take about twice as long. No request waits longer, because only reading comes in between.

type GoOn = () => void

let arrived: GoOn[] = []

/** The `preHandler` of routes whose work is short. */
export function inCohort(_request: FastifyRequest, _reply: FastifyReply, done: GoOn): void {
  // the event loop reads all sockets that are ready before it runs immediates
  if (arrived.push(done) === 1) setImmediate(answerAll)
}

/** Answers the cohort. Requests that do not fit into one slice come first in the next one; the event loop runs in between. */
function answerAll(): void {
  const cohort = arrived
  arrived = []
  const end = performance.now() + SLICE_MS
  for (let n = 0; n < cohort.length; n++) {
    cohort[n]()
    if (performance.now() < end || n + 1 === cohort.length) continue
    const rest = cohort.slice(n + 1)
    if (arrived.length === 0) setImmediate(answerAll)
    arrived = rest.concat(arrived)
    return
  }
}
