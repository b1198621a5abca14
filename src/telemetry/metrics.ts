// Metrics: the time of requests as the conventions of OpenTelemetry have it, and all else that `/metrics` has, under the same names.

import { subscribe } from 'node:diagnostics_channel'
import type { Attributes, BatchObservableResult, Observable } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { api } from './api.ts'

/** Upper bounds of the buckets, in seconds: those of the conventions, and some below. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** See `measureRequests`. */
const REQUESTS = 'http_request_duration_seconds'

/** Once the SDK has started; before, it measures nothing. */
const meterOf = () => api.metrics.getMeter(SERVICE_NAME, SERVICE_VERSION)

export function measureRequests(fastify: FastifyInstance): void {
  const duration = meterOf().createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: BOUNDS },
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions
    duration.record(reply.elapsedTime / 1000, {
      'http.request.method': request.method,
      'http.response.status_code': reply.statusCode,
      ...(url !== undefined && { 'http.route': url }),
    })
    done()
  })
}

/** Registers what the registry of the service has, once it is there. */
export function passOnMetrics(): void {
  subscribe('tangent:metrics', (registry) => observe(registry as Registry))
}

function observe(registry: Registry): void {
  const meter = meterOf()
  const observables = new Map<string, Observable>()
  for (const { name, help, type } of registry.getMetricsAsArray() as unknown as Described[]) {
    if (name === REQUESTS) continue
    if (isDistribution(type)) {
      // whose buckets cannot be observed
      for (const part of [`${name}_sum`, `${name}_count`]) {
        observables.set(part, meter.createObservableCounter(part, { description: help }))
      }
    } else if (type === 'counter') observables.set(name, meter.createObservableCounter(name, { description: help }))
    else observables.set(name, meter.createObservableGauge(name, { description: help }))
  }
  const report = async (result: BatchObservableResult) => {
    for (const metric of await registry.getMetricsAsJSON()) {
      for (const { name, value, labels } of samplesOf(metric)) {
        const observable = observables.get(name)
        if (observable !== undefined) result.observe(observable, value, labels)
      }
    }
  }
  meter.addBatchObservableCallback(report, [...observables.values()])
}

interface Described {
  readonly name: string
  readonly help: string
  readonly type: string
}

function isDistribution(type: string): boolean {
  return type === 'histogram' || type === 'summary'
}

function samplesOf(metric: MetricObjectWithValues<MetricValueWithName<string>>) {
  return metric.values.map(({ value, labels, metricName }) => ({
    name: metricName ?? metric.name,
    value,
    labels: labels as Attributes,
  }))
}
