// Counts and latencies of requests by route and status, as a Prometheus histogram. Observing a
// request is a few additions; labels and text are made only when the metrics are read, since the
// client library's own histogram hashes the labels of every observation.

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export const REQUEST_METRIC = 'http_request_duration_seconds'

interface Series {
  sum: number
  /** One for each bucket alone, the last for what is above all bounds. */
  counts: number[]
}

export interface RouteMetrics {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, Series>
}

export interface RequestMetrics {
  readonly routes: RouteMetrics[]
}

interface Sample {
  metricName: string
  value: number
  labels: Record<string, string | number>
}

export function createRequestMetrics(): RequestMetrics {
  return { routes: [] }
}

export function routeMetrics(metrics: RequestMetrics, method: string, route: string): RouteMetrics {
  const created: RouteMetrics = { method, route, byStatus: new Map() }
  metrics.routes.push(created)
  return created
}

export function observeRequest(route: RouteMetrics, status: number, seconds: number): void {
  let series = route.byStatus.get(status)
  if (series === undefined) {
    series = { sum: 0, counts: new Array(BOUNDS.length + 1).fill(0) }
    route.byStatus.set(status, series)
  }
  let bucket = 0
  while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) bucket++
  series.counts[bucket]++
  series.sum += seconds
}

/** The form in which the client library's registry asks a metric for its values. */
export function requestHistogram(metrics: RequestMetrics) {
  const name = REQUEST_METRIC
  const help = 'Time from the arrival of a request to the end of its answer, in seconds.'
  const type = 'histogram'
  return { name, help, type, get: async () => ({ name, help, type, values: samples(metrics) }) }
}

function samples(metrics: RequestMetrics): Sample[] {
  const out: Sample[] = []
  for (const { method, route, byStatus } of metrics.routes) {
    for (const [status, { sum, counts }] of byStatus) {
      const labels = { method, route, status }
      let total = 0
      counts.forEach((count, i) => {
        total += count
        const le = i < BOUNDS.length ? BOUNDS[i] : '+Inf'
        out.push({ metricName: `${REQUEST_METRIC}_bucket`, value: total, labels: { le, ...labels } })
      })
      out.push({ metricName: `${REQUEST_METRIC}_sum`, value: sum, labels })
      out.push({ metricName: `${REQUEST_METRIC}_count`, value: total, labels })
    }
  }
  return out
}
