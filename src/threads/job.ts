// The messages between the main thread and workers: bytes, both ways.

import type { PictureOptions } from '../../schemas/picture.ts'
import type { FarTask } from '../containers/far-call.ts'
import type { Progress } from '../containers/progress.ts'
import type { KeptShape } from '../kept/kept-shape.ts'
import type { Dimension } from '../queries/ask/query.ts'
import type { ItemResults, Lines } from '../queries/stateless/answerer.ts'

/** One query as it arrived, the list of a batch, some of its items, some lines, or a task of a scene query. */
export type Job = BytesJob | { readonly kind: 'far'; readonly task: FarTask }

export type BytesJob =
  | QueryJob
  | ({ readonly kind: 'list'; readonly picture: PictureOptions | null } & Bytes)
  | ({ readonly kind: 'items' } & Bytes)
  | ({ readonly kind: 'lines' } & Bytes)

export interface QueryJob extends Bytes {
  readonly kind: 'query'
  readonly op: string
  readonly picture: PictureOptions | null
  /** Where to note how far it is. */
  readonly progress?: Progress
}

interface Bytes {
  /** Of the queries. */
  readonly dimension: Dimension
  readonly bytes: Uint8Array
  /** The id of the request, which its problems carry. */
  readonly requestId: string
}

/** A job and what its worker shares with the main thread. */
export interface Task {
  readonly job: Job
  /** See below. */
  readonly control: Int32Array
  /** The kept shapes that it may refer to; none when absent. */
  readonly shapes?: readonly KeptShape[] | undefined
  /** Of the job, to hand it back by. */
  readonly id: number
  /** Whether the worker says when it did it. */
  readonly isTimed?: boolean | undefined
}

/** When a thread did a job: in ms by `process.hrtime`, which is the same clock in all threads. */
export interface Ran {
  readonly thread: number
  readonly from: number
  readonly to: number
}

/** What the channel `tangent:job` says of a job: from when it gets into the line until it is done. */
export interface WatchedJob {
  /** Such as `query 2d/contact`. */
  readonly name: string
  readonly requestId: string | undefined
  readonly byteLength: number
  readonly result?: Done
}

export function watchedJob(job: Job): WatchedJob {
  const byteLength = lengthOf(job)
  if (job.kind === 'far') return { name: `task ${job.task.kind}`, requestId: undefined, byteLength }
  const { kind, dimension, requestId } = job
  return { name: `${kind} ${dimension}${kind === 'query' ? `/${job.op}` : ''}`, requestId, byteLength }
}

/** Bytes of the job itself; those of the files of an import are all in it. */
export function lengthOf(job: Job): number {
  if (job.kind !== 'far') return job.bytes.length
  const { given = [], bytes } = job.task as FarTask & { bytes?: Uint8Array }
  return given.reduce((sum, { byteLength }) => sum + byteLength, bytes?.length ?? 0)
}

/** The answer of a worker that holds too much memory of earlier jobs: its replacement does the job. */
export interface Worn {
  readonly is: 'worn'
  readonly job: Job
}

/** A job that a worn worker hands back. */
export interface HandedBack {
  readonly id: number
  readonly job: Job
}

/** The buffers that are transferred with the job. */
export function memoryOf(job: Job): ArrayBuffer[] {
  return job.kind === 'far' ? [...(job.task.given ?? [])] : [job.bytes.buffer as ArrayBuffer]
}

/** Indices of a control. Not 0: the job is cancelled. */
export const STOP = 0
/** 1 as soon as the work has begun. */
export const BEGUN = 1
/** Lines that are done. */
export const LINES_DONE = 2
export const CONTROL_LENGTH = 3

/** The outcome of a job. `ran`: of one that is timed, where a thread has come to its end. */
export type Done = Outcome & { ran?: Ran }

type Outcome =
  | {
      readonly is: 'sent'
      readonly status: number
      readonly type: string
      readonly body: string | Uint8Array
      readonly faults: Faults
    }
  /** Results of so many items, without brackets around them. */
  | ({ readonly is: 'items' } & ItemResults & { readonly faults: Faults })
  /** Results of the first lines, up to byte `end`. */
  | ({ readonly is: 'lines' } & Lines & { readonly faults: Faults })
  /** The items are no JSON. */
  | { readonly is: 'unreadable' }
  /** `given`: memory of the result that nobody else needs. */
  | { readonly is: 'far'; readonly result: unknown; readonly given: readonly ArrayBuffer[] }
  /** It takes more steps than any job may. */
  | { readonly is: 'too-complex' }
  | { readonly is: 'fault'; readonly fault: string }
  /** The kept shapes that it may refer to could not be read. */
  | { readonly is: 'no-shapes' }
  /** It needs more memory than a worker has. */
  | { readonly is: 'out-of-memory' }
  /** It was cancelled. */
  | { readonly is: 'stopped' }

/** Stacks of what went wrong in the service. */
type Faults = readonly string[]

/** The bytes in a buffer of their own, which can be transferred. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer) {
    return bytes as Uint8Array<ArrayBuffer>
  }
  return new Uint8Array(bytes)
}
