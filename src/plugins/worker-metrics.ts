// How busy the workers are, in numbers.

import { Counter, Gauge, type Registry } from 'prom-client'
import type { PoolFigures, WorkerPool } from '../threads/pool.ts'

export function measureWorkers({ figures }: WorkerPool, registry: Registry): void {
  const gauge = (name: string, help: string, field: keyof PoolFigures) => {
    const collect = function (this: Gauge) {
      this.set(figures[field])
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  const counter = (name: string, help: string, field: keyof PoolFigures) => {
    const collect = function (this: Counter) {
      this.reset()
      this.inc(figures[field])
    }
    registry.registerMetric(new Counter({ name, help, registers: [], collect }))
  }
  gauge('tangent_workers_busy', 'Worker threads at work.', 'busy')
  gauge('tangent_workers_waiting', 'Jobs that wait for a worker thread.', 'waiting')
  counter('tangent_worker_jobs_total', 'Jobs that worker threads have begun.', 'jobs')
  counter('tangent_workers_ended_total', 'Worker threads that were ended and replaced.', 'ended')
  counter('tangent_requests_refused_total', 'Requests refused because all workers were busy.', 'refused')
}
