// Who takes telemetry: a receiver of OTLP over HTTP in JSON, which keeps what it is sent.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string }
}

interface Batch {
  resource: { attributes: Attribute[] }
  scopeSpans?: { spans: ReceivedSpan[] }[]
  scopeMetrics?: { metrics: ReceivedMetric[] }[]
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into every kind of metric
export type ReceivedMetric = { name: string; [part: string]: any }

export type OtlpReceiver = Awaited<ReturnType<typeof startReceiver>>

export async function startReceiver() {
  const received = {
    spans: [] as ReceivedSpan[],
    /** As they were sent last. */
    metrics: new Map<string, ReceivedMetric>(),
    resource: {} as Record<string, unknown>,
    requestCount: 0,
  }
  const server = createServer(async (request, response) => {
    received.requestCount++
    const { resourceSpans = [], resourceMetrics = [] } = (await jsonOf(request)) as Record<string, Batch[]>
    for (const { resource, scopeSpans = [], scopeMetrics = [] } of [...resourceSpans, ...resourceMetrics]) {
      received.resource = valuesOf(resource.attributes)
      for (const { spans } of scopeSpans) received.spans.push(...spans)
      for (const { metrics } of scopeMetrics) for (const metric of metrics) received.metrics.set(metric.name, metric)
    }
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    /** What a service is told of it, and to send soon. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_METRIC_EXPORT_TIMEOUT: '200',
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString())
}

export function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
