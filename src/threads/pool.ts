// The pool of worker threads, and its admission control: requests wait in one queue, which is short while jobs take long.
//
// Method: a thread does one job at a time. A request that needs a thread opens an errand. While no thread is free, errands may wait: up to
// `MOST_WAITING` for `BURST_MS` after a thread was idle for as long (a burst), and otherwise only if the wait is about as long as the work
// (one request per thread, or `SHORT_WAIT_MS`). So an admitted request is answered about as fast as ever, and others are refused at once.
// A job that does not stop when it is cancelled, or takes too much memory, loses its thread, which is replaced. A thread that holds too
// much memory of earlier jobs hands back the next one and exits.

import { tracingChannel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { Piscina } from 'piscina'
import { OutOfBudget } from '../containers/budget.ts'
import type { FarTask } from '../containers/far-call.ts'
import type { KeptShape } from '../kept/kept-shape.ts'
import { DeadlineExceeded, TOO_COMPLEX } from '../queries/ask/slices.ts'
import { loadFor } from '../queries/ask/worker-tasks.ts'
import { watched } from '../watched.ts'
import { type DecodeProblem, problemOf } from '../wire/decode-problem.ts'
import {
  CONTROL_LENGTH,
  type Done,
  type HandedBack,
  type Job,
  LINES_DONE,
  lengthOf,
  memoryOf,
  ownBytes,
  STOP,
  type Task,
  type WatchedJob,
  watchedJob,
} from './job.ts'
import { JobRunner, type WorkLimits } from './job-runner.ts'

export interface PoolOptions {
  /** Threads. */
  readonly workers: number
  /** Heap of each, in bytes. */
  readonly memory: number
  /** Time for a request on a worker, waiting included, in milliseconds. */
  readonly deadline: number
  readonly limits: WorkLimits
  /** The kept shapes that a job may refer to, from the bytes that it is about. */
  readonly shapesFor?: (bytes: Uint8Array) => readonly KeptShape[] | Promise<readonly KeptShape[]>
  /** Small jobs are done on this thread while no other is ready: where nobody else waits, that is sooner than starting one. */
  readonly doesSmallWorkHere?: boolean
  /** Called with faults of the service. */
  readonly onFault: (stack: string) => void
}

/** Why work was cancelled. */
type Ending = 'deadline-exceeded' | 'gone' | 'closing'

const JOBS = tracingChannel<object, WatchedJob>('tangent:job')

const MOST_WAITING = 64
const BURST_MS = 100
const SHORT_WAIT_MS = 25
/** Share of the latest job in the mean time of a job. */
const LATEST_SHARE = 0.2
/** Time that a cancelled job has to stop by itself, in milliseconds. */
const GRACE_MS = 1000
/** Bytes of a job that is sooner done than a thread has started. */
const SMALL_LENGTH = 2 ** 20
/** Priority of the threads below the main thread, for machines with fewer cores than threads. */
const NICE = 5

/** Why there is no answer. */
export interface Failure {
  readonly is: Done['is']
  readonly ending: Ending | null
  readonly hasBegun: boolean
}

export function failureOf({ ending, hasBegun }: Errand, { is }: Done): Failure {
  return { is, ending, hasBegun }
}

interface Waiting {
  readonly errand: Errand
  readonly task: Omit<Task, 'id'>
  resolve(done: Done): void
}

export interface PoolFigures {
  busy: number
  waiting: number
  jobs: number
  /** Requests that were refused. */
  refused: number
  /** Threads that were ended and replaced. */
  ended: number
}

export class WorkerPool {
  readonly options: PoolOptions
  readonly figures: PoolFigures = { busy: 0, waiting: 0, jobs: 0, refused: 0, ended: 0 }
  #threads: Piscina | null = null
  #ready: Promise<unknown> | null = null
  #isReady = false
  #isStarting = false
  #isClosing = false
  /** Ids of threads that have loaded what they run, beside those of the start. */
  readonly #loaded = new Set<number>()
  #lastId = 0
  /** By the ids of tasks. */
  readonly #handedBack = new Map<number, Job>()
  /** In the order of their turn. */
  #line: Waiting[] = []
  /** Since when a thread is free; Infinity while none is. */
  #freeSince = -Infinity
  /** Until when a burst is taken. */
  #burstEnd = Infinity
  /** When the jobs under way have begun, in that order. */
  readonly #begun = new Set<number>()
  /** Mean time of a job, in milliseconds. */
  #meanTime = 0
  readonly #errands = new Set<Errand>()
  /** See `doesSmallWorkHere`. */
  #here: JobRunner | null = null

  constructor(options: PoolOptions) {
    this.options = options
  }

  /** Starts the threads now instead of at the first job; resolves when they are ready. */
  start(): Promise<unknown> {
    if (this.#ready === null) {
      const threads = createThreads(this.options)
      threads.on('error', (error: Error) => this.options.onFault(`${error.stack}`))
      threads.on('message', ({ id, job }: HandedBack) => this.#handedBack.set(id, job))
      this.#threads = threads
      threads.on('workerCreate', ({ id }: { id: number }) => this.#loaded.add(id))
      threads.on('workerDestroy', ({ id }: { id: number }) => this.#loaded.delete(id))
      this.#ready = Promise.all(Array.from({ length: this.options.workers }, () => threads.run(null)))
      this.#isStarting = true
      this.#ready.then(
        () => {
          this.#isReady = true
          this.#isStarting = false
        },
        (error) => {
          this.#isStarting = false
          // closed before they were ready: no fault
          if (!this.#isClosing) this.options.onFault(`${error.stack}`)
        },
      )
    }
    return this.#ready
  }

  /** Whether threads have been started that are not ready yet. */
  get isStarting(): boolean {
    return this.#isStarting
  }

  /** Whether a request would be admitted now. */
  get admits(): boolean {
    const { workers } = this.options
    if (this.figures.busy < workers) return true
    let waiting = 0
    for (const { errand } of this.#line) if (errand.isRequest && !errand.hasBegun) waiting++
    if (waiting >= MOST_WAITING) return false
    const now = performance.now()
    if (now < this.#burstEnd) return true
    const [longest = now] = this.#begun
    const time = Math.max(this.#meanTime, now - longest)
    return waiting < workers || waiting * time < SHORT_WAIT_MS * workers
  }

  /** Admits a request; null if it is refused. `time`: for all of its work, in milliseconds. */
  take(time = this.options.deadline): Errand | null {
    if (this.admits) return this.#open(time, true)
    this.figures.refused++
    return null
  }

  /** An errand for work that has begun already, and that is never refused. */
  open(time = this.options.deadline): Errand {
    return this.#open(time, false)
  }

  #open(time: number, isRequest: boolean): Errand {
    const errand = new Errand(this, time, isRequest)
    this.#errands.add(errand)
    return errand
  }

  /** Ends all work. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const errand of this.#errands) errand.end('closing')
    if (this.#threads === null) return
    // the engine aborts the process where a thread is ended while it imports
    if (this.#isStarting) await this.#ready?.catch(() => undefined)
    for (let loading = this.#loading(this.#threads); loading.length > 0; loading = this.#loading(this.#threads)) {
      const settled = loading.map((thread) => Promise.race([once(thread, 'message'), once(thread, 'exit')]))
      await Promise.allSettled(settled)
    }
    await this.#threads.destroy()
  }

  /** Threads that have taken the place of others and do not run yet. */
  #loading({ threads }: Piscina): Piscina['threads'] {
    return threads.filter(({ threadId }) => threadId >= 0 && !this.#loaded.has(threadId))
  }

  /** For errands. */
  async run(errand: Errand, job: Job): Promise<Done> {
    const work = (message: WatchedJob | null) => this.#runWithShapes(errand, job, message !== null)
    const done = await watched(JOBS, () => watchedJob(job), work)
    // here and not where it ends: what is logged belongs to the request of this job
    if ('faults' in done) for (const fault of done.faults) this.options.onFault(fault)
    if (done.is === 'fault') this.options.onFault(done.fault)
    return done
  }

  #runWithShapes(errand: Errand, job: Job, isTimed: boolean): Promise<Done> {
    const shapes = this.#shapesOf(job)
    if (!(shapes instanceof Promise)) return this.#run(errand, job, shapes, isTimed)
    return shapes.then(
      (read) => (errand.ending === null ? this.#run(errand, job, read, isTimed) : { is: 'stopped' }),
      () => ({ is: 'no-shapes' }),
    )
  }

  #shapesOf(job: Job): readonly KeptShape[] | Promise<readonly KeptShape[]> {
    const { bytes } = job.kind === 'far' ? (job.task as { bytes?: Uint8Array }) : job
    return bytes === undefined ? [] : (this.options.shapesFor?.(bytes) ?? [])
  }

  #run(errand: Errand, job: Job, shapes: readonly KeptShape[], isTimed: boolean): Promise<Done> {
    const control = new Int32Array(new SharedArrayBuffer(CONTROL_LENGTH * Int32Array.BYTES_PER_ELEMENT))
    return new Promise((resolve) => {
      const own = job.kind === 'far' ? job : { ...job, bytes: ownBytes(job.bytes) }
      this.#line.push({ errand, task: { job: own, control, shapes, isTimed }, resolve })
      this.#go()
    })
  }

  /** For errands: takes what has not begun out of the line. */
  leave(errand: Errand): void {
    const leaving = this.#line.filter((each) => each.errand === errand)
    if (leaving.length > 0) this.#line = this.#line.filter((each) => each.errand !== errand)
    for (const { resolve } of leaving) resolve({ is: 'stopped' })
    this.figures.waiting = this.#line.length
  }

  /** For errands. */
  closed(errand: Errand): void {
    this.#errands.delete(errand)
  }

  #go(): void {
    const { figures } = this
    while (figures.busy < this.options.workers) {
      const next = this.#line.shift()
      if (next === undefined) break
      void this.#do(next)
    }
    figures.waiting = this.#line.length
    const isFree = figures.busy < this.options.workers
    const wasFree = this.#freeSince < Infinity
    if (isFree === wasFree) return
    const now = performance.now()
    if (!isFree) this.#burstEnd = now - this.#freeSince < BURST_MS ? 0 : now + BURST_MS
    this.#freeSince = isFree ? now : Infinity
  }

  async #do({ errand, task, resolve }: Waiting): Promise<void> {
    this.figures.busy++
    this.figures.jobs++
    const isHere = !this.#isReady && this.options.doesSmallWorkHere === true && lengthOf(task.job) <= SMALL_LENGTH
    if (!this.#isReady && !isHere) {
      await this.start().catch(() => undefined)
      // that took none of the request's time
      errand.restart()
    }
    const begun = performance.now()
    this.#begun.add(begun)
    errand.began(task.control)
    const killer = new AbortController()
    errand.kills.add(killer)
    let done: Done
    try {
      if (errand.ending !== null) throw new Error(errand.ending)
      done = isHere ? await this.#runHere(task) : await this.#runOnThread(task, errand, killer.signal)
    } catch (error) {
      if (errand.hasBegun) this.figures.ended++
      done = this.#failure(error as Error & { code?: string }, errand)
    }
    errand.kills.delete(killer)
    errand.controls.delete(task.control)
    errand.linesDone = Atomics.load(task.control, LINES_DONE)
    this.#begun.delete(begun)
    this.figures.busy--
    const time = performance.now() - begun
    this.#meanTime += LATEST_SHARE * (time - this.#meanTime)
    resolve(done)
    this.#go()
  }

  /** Other work has its turn first. */
  async #runHere(task: Waiting['task']): Promise<Done> {
    await setImmediate()
    const { job } = task
    if (job.kind === 'far') await loadFor(job.task)
    this.#here ??= new JobRunner({ ...this.options.limits, maxLeft: Number.POSITIVE_INFINITY })
    const done = this.#here.run(task) as Done
    // bytes of an answer are those of the next one too
    return 'body' in done && typeof done.body !== 'string' ? { ...done, body: new Uint8Array(done.body) } : done
  }

  /** By whichever is free, and by another where that one hands it back. */
  async #runOnThread({ job, ...rest }: Waiting['task'], errand: Errand, signal: AbortSignal): Promise<Done> {
    for (let left: Job | undefined = job; ; ) {
      const id = this.#lastId++
      try {
        const task: Task = { ...rest, job: left, id }
        // the type that piscina derives is that of another overload of postMessage
        return (await (this.#threads as Piscina).run(task, { transferList: memoryOf(left) as never, signal })) as Done
      } catch (error) {
        left = this.#handedBack.get(id)
        if (left === undefined) throw error
        this.#handedBack.delete(id)
        if (errand.ending !== null) throw error
        this.figures.ended++
        // that another thread has to start takes none of the request's time
        errand.restart()
      }
    }
  }

  #failure(error: Error & { code?: string }, errand: Errand): Done {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return { is: 'out-of-memory' }
    if (errand.ending !== null) return { is: 'stopped' }
    return { is: 'fault', fault: `${error.stack}` }
  }
}

/** The jobs of one request, within one deadline. */
export class Errand {
  /** Why it was ended, if it was. */
  ending: Ending | null = null
  hasBegun = false
  /** False: part of a request that has been taken already. */
  readonly isRequest: boolean
  /** Lines of the latest job that were done when it ended. */
  linesDone = 0
  readonly controls = new Set<Int32Array>()
  readonly kills = new Set<AbortController>()
  readonly #pool: WorkerPool
  readonly #deadline: number
  #timer: NodeJS.Timeout

  constructor(pool: WorkerPool, deadline: number, isRequest: boolean) {
    this.isRequest = isRequest
    this.#pool = pool
    this.#deadline = deadline
    this.#timer = this.#startTimer()
  }

  /** The bytes of the job are given away where they have memory of their own. */
  run(job: Job): Promise<Done> {
    return this.ending === null ? this.#pool.run(this, job) : Promise.resolve({ is: 'stopped' })
  }

  /** The deadline counts from now on. */
  restart(): void {
    if (this.ending !== null) return
    clearTimeout(this.#timer)
    this.#timer = this.#startTimer()
  }

  /** Ends what is under way; it comes back as stopped. */
  end(ending: Ending): void {
    if (this.ending !== null) return
    this.ending = ending
    this.#pool.leave(this)
    for (const control of this.controls) Atomics.store(control, STOP, 1)
    if (this.kills.size === 0) return
    const kill = () => {
      for (const killer of this.kills) killer.abort()
    }
    setTimeout(kill, GRACE_MS).unref()
  }

  /** Must be called when nothing is to be done any more. */
  close(): void {
    clearTimeout(this.#timer)
    this.#pool.closed(this)
  }

  /** For the pool. */
  began(control: Int32Array): void {
    this.hasBegun = true
    this.controls.add(control)
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => this.end('deadline-exceeded'), this.#deadline).unref()
  }
}

function createThreads({ workers, memory, limits }: PoolOptions): Piscina {
  // the sources run as they are in development and in tests
  const inSource = import.meta.url.endsWith('.ts')
  return new Piscina({
    filename: new URL(inSource ? './worker.ts' : './worker.js', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    atomics: 'disabled',
    niceIncrement: NICE,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: memory / 2 ** 20 },
    workerData: limits,
    execArgv: inSource ? ['--import', 'tsx'] : [],
  })
}

// Problems of work that has failed.

const NO_SHAPES = 'The database with the kept shapes that the request refers to cannot be asked.'

/** `advice`: what to make smaller, as a sentence. */
export function describeFailure(
  { is, ending }: Pick<Failure, 'is' | 'ending'>,
  advice: string,
  { deadline, memory }: PoolOptions,
): DecodeProblem {
  // told to nobody, and no fault of the service in its figures
  if (ending === 'gone') return problemOf('malformed-request', 'The client has gone.')
  if (ending === 'closing') return problemOf('draining', 'The service is shutting down.')
  if (ending === 'deadline-exceeded') {
    return problemOf('deadline-exceeded', `The work was ended after ${deadline} ms. ${advice}`, { limit: deadline })
  }
  if (is === 'out-of-memory') {
    const detail = `The work needs more than ${memory / 2 ** 20} MiB of memory. ${advice}`
    return problemOf('out-of-memory', detail, { limit: memory })
  }
  if (is === 'no-shapes') return problemOf('store-unavailable', NO_SHAPES)
  if (is === 'too-complex') return problemOf('too-complex', TOO_COMPLEX)
  return problemOf('internal-error', 'The service failed to answer; this is no fault of the request.')
}

// The tasks that a scene query hands to workers, for one request.

/** Thrown when a worker failed for another reason than time or steps. */
export class WorkFailed extends Error {
  /** Null: the pool refused the task. */
  readonly failure: Failure | null

  constructor(failure: Failure | null) {
    super('a worker came to no result')
    this.failure = failure
  }
}

const GONE: Failure = { is: 'stopped', ending: 'gone', hasBegun: false }

export class FarWork {
  readonly #pool: WorkerPool
  #errand: Errand | null = null
  #isOver = false

  constructor(pool: WorkerPool) {
    this.#pool = pool
  }

  /** Does the task; `deadline` by `performance.now()`. Once a request has been taken, it is not refused any more. */
  readonly do = async (task: FarTask, deadline: number): Promise<unknown> => {
    if (this.#isOver) throw new WorkFailed(GONE)
    const time = Math.max(1, Math.min(this.#pool.options.deadline, deadline - performance.now()))
    const errand = this.#errand === null ? this.#pool.take(time) : this.#pool.open(time)
    if (errand === null) throw new WorkFailed(null)
    this.#errand = errand
    const done = await errand.run({ kind: 'far', task })
    errand.close()
    if (done.is === 'far') return done.result
    if (done.is === 'too-complex') throw new OutOfBudget()
    if (errand.ending === 'deadline-exceeded') throw errand.hasBegun ? new DeadlineExceeded() : new WorkFailed(null)
    throw new WorkFailed(failureOf(errand, done))
  }

  /** Ends what is under way, because nobody waits for it any more. */
  end(): void {
    this.#isOver = true
    this.#errand?.end('gone')
  }
}
