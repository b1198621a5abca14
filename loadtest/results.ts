// Results are kept as one JSON file for each kind of machine: loadtest/results/<label>.json, where the label is made
// of the processor, the number of cores and the Node version, and of nothing that names a particular computer.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { resolve } from 'node:path'
import type { ArrivalsRun } from './overload-arrivals.ts'
import type { BesideRun } from './overload-beside.ts'
import type { UnreadRun } from './overload-unread.ts'

export interface BatchOfWorkers {
  bodies: 'convex' | 'stars'
  requestBytes: number
  /** The median of the rounds, for one batch. */
  oneWorkerMs: number
  twoWorkersMs: number
  /** How many times as fast two are: the median of the rounds' own ratios. */
  ratio: number
}

export interface BuildRow {
  route: string
  requestsPerSecond: number
  otherRequestsPerSecond: number
  /** Of the median latencies in milliseconds. */
  p50Ms: number
  otherP50Ms: number
  /** This build to the other, requests per second: the median of the rounds' own ratios. */
  ratio: number
}

/** The benches run compiled, from dist/, but their results belong to the sources: npm starts scripts at the root. */
export const RESULTS_FOLDER = resolve(process.cwd(), 'loadtest/results')

export interface Machine {
  processor: string
  cores: number
  memoryGiB: number
  node: string
}

export interface KernelRow {
  kernel: string
  /** Median time of one operation in nanoseconds, by library; absent where a library has no such operation. */
  nanoseconds: Record<string, number>
}

export interface BroadPhaseRow {
  boxes: number
  operation: string
  /** Median time for one box, query or move in nanoseconds, by library; absent where a library has no such operation. */
  nanoseconds: Record<string, number>
}

export interface MeshRow {
  model: string
  triangles: number
  question: string
  /** Least nanoseconds of the processor by library; of memory bytes. */
  nanoseconds: Record<string, number>
}

/** At meshes over HTTP, from the first byte sent to the last one received. */
export interface MeshService {
  /** Until 871,414 triangles have been kept: as text, prepared. */
  keepMilliseconds: number
  /** In batches of 1,000 rays at them: the median, and the least. */
  batchMicrosecondsPerRay: number
  leastBatchMicrosecondsPerRay: number
  /** A ray at 1,000 triangles that come with it. */
  coldMilliseconds: number
}

export interface RouteRow {
  route: string
  requestBytes: number
  responseBytes: number
  service: Load
  echo: Load
  /** Requests per second of the service, divided by those of the bare echo: the median of the rounds' own ratios. */
  ratio: number
}

export interface Load {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
}

export interface BatchRow {
  op: string
  requestBytes: number
  responseBytes: number
  milliseconds: number
  /** JSON.parse of the request and JSON.stringify of the answer, in the same process. */
  jsonMilliseconds: number
  /** The median of the rounds' own ratios. */
  ratio: number
}

/** Many rays against a scene in one request, from the first byte sent to the last one received. */
export interface SceneBatchRow {
  /** `batch`: a query for each; `rays`: one query. */
  form: string
  requestBytes: number
  responseBytes: number
  /** The median of the rounds, and the least. */
  microsecondsPerRay: number
  leastMicrosecondsPerRay: number
}

/** Writes over HTTP, from the first byte sent to the answer; growth of memory counts from the empty service. */
export interface SceneWrites {
  date: string
  bodies: number
  /** In so many calls of `operations`. */
  calls: number
  loadSeconds: number
  rssGrowthMiB: number
  /** Killed at once and restarted, and a while after: the snapshot has been written. */
  restartFromLogSeconds: number
  settledRssGrowthMiB: number
  restartFromSnapshotSeconds: number
  recoveredRssGrowthMiB: number
  /** Single bodies put a second, by one connection and by `writers`. */
  writers: number
  oneWriter: number
  manyWriters: number
  /** The median of the rounds' own ratios. */
  ratio: number
}

/** The pairs of a scene, asked again and again. */
export interface ScenePairsRow {
  scene: 'sparse' | 'dense'
  /** Of the bodies, between two questions. */
  share: number
  movers: 'same' | 'others'
  step: 'within' | 'beyond'
  pairs: number
  /** The median of the rounds, of an answer by each method, and of the writes before it. */
  milliseconds: Record<string, number>
}

export interface StreamRun {
  queries: number
  seconds: number
  /** The most memory that the process of the service ever held. */
  peakRssMiB: number
  /** Of the answers of /livez meanwhile: how many, and the slowest. */
  probes: number
  slowestProbeMs: number
}

/** One heavy request, and how the service fared meanwhile. */
export interface HoldRow {
  name: string
  requestBytes: number
  /** 0 without an answer. */
  status: number
  /** Of a problem. */
  code: string | null
  /** To the last byte of the answer; of several the longest. */
  milliseconds: number
  responseBytes: number
  /** The longest time that /livez had no answer. */
  silenceMs: number
  rssMiB: number
  /** Empty when all was well. */
  faults: string[]
}

/** One imported file, and how the service fared meanwhile. */
export interface ImportRow {
  name: string
  requestBytes: number
  /** 0 without an answer. */
  status: number
  /** Of a problem. */
  code: string | null
  bodies: number | null
  /** From the first byte sent to the last one received. */
  milliseconds: number
  /** The most memory that the process held, over what it held when nothing had been asked. */
  peakMiB: number
  livezWorstMs: number
  livezP99Ms: number
  /** Empty when all was well. */
  faults: string[]
}

export interface Results {
  machine: Machine
  kernels?: { date: string; pairs: number; rounds: number; rows: KernelRow[] }
  /** All kinds and kernels of a library in one process, with so many distinct pairs for each row. */
  mixedKernels?: { date: string; pairs: number; rounds: number; rows: KernelRow[] }
  /** In space, all kinds and kernels of a library in one process. */
  kernels3d?: { date: string; pairs: number; rounds: number; rows: KernelRow[] }
  meshes?: { date: string; rounds: number; rows: MeshRow[]; service?: MeshService }
  batch?: { date: string; queries: number; rounds: number; rows: BatchRow[] }
  /** The same in space. */
  start?: { date: string; rounds: number; readyMs: number; cpuMs: number; readyMiB: number; idleMiB: number }
  batch3d?: { date: string; queries: number; rounds: number; rows: BatchRow[] }
  stream?: StreamRun & { date: string }
  broadPhase?: { date: string; rounds: number; rows: BroadPhaseRow[] }
  scenes?: {
    date: string
    bodies: number
    connections: number
    roundSeconds: number
    rounds: number
    rows: RouteRow[]
    batches: SceneBatchRow[]
  }
  sceneWrites?: SceneWrites
  scenePairs?: { date: string; bodies: number; limit: number; rounds: number; rows: ScenePairsRow[] }
  hold?: { date: string; idleRssMiB: number; settledRssMiB: number; rows: HoldRow[] }
  imports?: { date: string; store: string; honest: ImportRow[]; hostile: ImportRow[] }
  overload?: { date: string; beside: BesideRun; arrivals: ArrivalsRun; unread: UnreadRun }
  workers?: { date: string; queries: number; rounds: number; batches: BatchOfWorkers[]; builds?: BuildRow[] }
  http?: { date: string; connections: number; roundSeconds: number; rounds: number; rows: RouteRow[] }
}

export const machine: Machine = {
  processor: (cpus()[0]?.model ?? 'unknown')
    .replace(/\((R|TM)\)/gi, '')
    .replace(/\s+/g, ' ')
    .trim(),
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
}

const label = `${machine.processor} ${machine.cores} cores node ${machine.node.split('.')[0]}`
  .toLowerCase()
  .replace(/[^a-z0-9.]+/g, '-')

/** Replaces one section of this machine's file and leaves the other as it is. Returns the path. */
export function saveResults(section: Omit<Results, 'machine'>): string {
  mkdirSync(RESULTS_FOLDER, { recursive: true })
  const path = resolve(RESULTS_FOLDER, `${label}.json`)
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const results: Results = { ...before, machine, ...section }
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`)
  return path
}

export const today = () => new Date().toISOString().slice(0, 10)

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
