// Spans of what the service does for a request beyond its handler: jobs of worker threads, entries that scenes append to their store, and
// statements of the database. Each is a child of the span that is active where it begins; what is done for nobody has none.

import { tracingChannel } from 'node:diagnostics_channel'
import type { Attributes, Link, Span, SpanKind } from '@opentelemetry/api'
import type { WatchedAppend } from '../scene/keeper/watched-append.ts'
import type { WatchedStatement } from '../scene/postgres/connection.ts'
import type { WatchedJob } from '../threads/job.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { api } from './api.ts'

const { context, trace } = api
/** Once the SDK has started: another instance of the API than the SDK has would go on with a tracer of before, which does nothing. */
const tracerOf = () => trace.getTracer(SERVICE_NAME, SERVICE_VERSION)

/** Characters of a statement that are sent with its span. */
const TEXT_LENGTH = 1000
/** Others for whom a commit is made that its span is linked with. */
const MOST_LINKS = 64

export function traceWork(): void {
  traceChannel<WatchedJob>('tangent:job', {
    describe: ({ name, byteLength, requestId = '' }) => ({
      name,
      attributes: { 'tangent.job.bytes': byteLength, 'tangent.request_id': requestId },
    }),
    end: endJob,
  })
  traceChannel<WatchedAppend>('tangent:append', {
    describe: ({ scene, byteLength }) => ({
      name: 'append',
      attributes: { 'tangent.scene.id': scene, 'tangent.entry.bytes': byteLength },
    }),
  })
  traceChannel<WatchedStatement>('tangent:statement', {
    describe: (statement) => ({
      name: statement.name ?? firstWord(statement.text),
      kind: api.SpanKind.CLIENT,
      attributes: statementAttributes(statement),
      links: linksTo(statement),
    }),
    begin: comment,
  })
}

/** How the messages of a channel become spans. */
interface Tracing<Message> {
  readonly describe: (message: Message) => {
    readonly name: string
    readonly kind?: SpanKind
    readonly attributes: Attributes
    readonly links?: Link[]
  }
  readonly begin?: (span: Span, message: Message) => void
  readonly end?: (begun: Begun, message: Message) => void
}

interface Begun {
  readonly span: Span
  /** When it began: in ms since 1970, and by `clock`. */
  readonly since: number
  readonly at: number
}

function traceChannel<Message extends object>(name: string, { describe, begin, end }: Tracing<Message>): void {
  const underWay = new WeakMap<Message, Begun>()
  const start = (message: Message) => {
    const active = context.active()
    if (!isSampled(trace.getSpan(active))) return
    const since = Date.now()
    const { name, ...options } = describe(message)
    const span = tracerOf().startSpan(name, { ...options, startTime: since }, active)
    underWay.set(message, { span, since, at: clock() })
    begin?.(span, message)
  }
  const asyncEnd = (message: Message) => {
    const begun = underWay.get(message)
    if (begun === undefined) return
    const { error } = message as { error?: unknown }
    if (error !== undefined) fail(begun.span, (error as Error).message)
    end?.(begun, message)
    begun.span.end(timeOf(begun, clock()))
  }
  tracingChannel<object, Message>(name).subscribe({ start, asyncEnd } as never)
}

function isSampled(span: Span | undefined): boolean {
  return span !== undefined && (span.spanContext().traceFlags & api.TraceFlags.SAMPLED) !== 0
}

/** In ms, the same in all threads. */
function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function timeOf({ since, at }: Begun, time: number): number {
  return since + time - at
}

function fail(span: Span, message: string): void {
  span.setStatus({ code: api.SpanStatusCode.ERROR, message })
}

/** What comes of a job that was not cut short. */
const ANSWERED: ReadonlySet<string> = new Set(['sent', 'items', 'lines', 'far'])

/** A child says when the thread did it: it has waited before, and its bytes were on their way. */
function endJob(begun: Begun, { result }: WatchedJob): void {
  if (result === undefined) return
  begun.span.setAttribute('tangent.job.outcome', result.is)
  if (!ANSWERED.has(result.is)) fail(begun.span, result.is)
  if (result.ran === undefined) return
  const { thread, from, to } = result.ran
  const within = trace.setSpan(context.active(), begun.span)
  const attributes = { 'thread.id': thread }
  tracerOf()
    .startSpan('worker', { startTime: timeOf(begun, from), attributes }, within)
    .end(timeOf(begun, to))
}

function firstWord(text: string): string {
  return /\w+/.exec(text)?.[0] ?? 'statement'
}

function statementAttributes(statement: WatchedStatement): Attributes {
  const { text, host, port, database = '', processId } = statement
  return {
    'db.system.name': 'postgresql',
    'db.namespace': database,
    'db.query.text': text.slice(0, TEXT_LENGTH),
    'server.address': host,
    'server.port': port,
    'tangent.database.pid': processId,
  }
}

/** As sqlcommenter has it. A prepared statement gets none unless that is wanted: it would be parsed and planned each time. */
function comment(span: Span, statement: WatchedStatement): void {
  if (statement.name !== undefined && process.env.TANGENT_SQL_COMMENTS !== 'all') return
  const { traceId, spanId } = span.spanContext()
  statement.comment = `traceparent='00-${traceId}-${spanId}-01'`
}

/** The requests that share a commit, beside that of which its span is a child. */
function linksTo({ callers }: WatchedStatement): Link[] {
  const spans = callers.slice(1, 1 + MOST_LINKS).map((caller) => caller(() => trace.getActiveSpan()))
  return spans.flatMap((span) => (span === undefined ? [] : { context: span.spanContext() }))
}
