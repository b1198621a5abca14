// Runs jobs on a worker. Each time the granted steps are used up, the runner checks whether the job is cancelled and whether it has
// taken too much memory.

import { OutOfBudget, within } from '../containers/budget.ts'
import { noting } from '../containers/progress.ts'
import { OpenShapes } from '../kept/kept-shape.ts'
import type { Dimension } from '../queries/ask/query.ts'
import { MOST_STEPS, TOO_COMPLEX } from '../queries/ask/slices.ts'
import { doFarTask, forgetPrepared, ownMemory } from '../queries/ask/worker-tasks.ts'
import { catalogues } from '../queries/stateless/all.ts'
import { Answerer, type AnswererLimits, answerQuery, type Surroundings } from '../queries/stateless/answerer.ts'
import { problemOf } from '../wire/decode-problem.ts'
import { BEGUN, CONTROL_LENGTH, type Done, type Job, LINES_DONE, STOP, type Task, type Worn } from './job.ts'
import { collectAll, usedMemory } from './memory.ts'

export interface WorkLimits extends AnswererLimits {
  /** Most bytes of memory, of any kind, that one job may take. */
  readonly maxMemory: number
  /** Most bytes that a worker may hold after its jobs; one that holds more, for whatever reason, is replaced. */
  readonly maxLeft?: number
}

/** Steps between two looks at the control. */
const RENEWAL_STEPS = 2 ** 18

/** Share of a job's memory that earlier jobs may have left when it begins, as garbage or kept. */
const LEFT_RATIO = 0.25
/** Least bytes that earlier jobs may leave alive: validators and the like, which are compiled at first use. */
const LEAST_LEFT = 64 * 2 ** 20
/** Share of it that may live after a collection: what is between is taken before the next one, so that a job does not only collect. */
const LIVING_RATIO = 0.875

/** Milliseconds after which finished lines are returned. */
const LINES_MS = 100

class Stopped extends OutOfBudget {}
class OutOfMemory extends OutOfBudget {}

/** Does jobs, one at a time. */
export class JobRunner {
  readonly #answerers: { readonly [D in Dimension]: Answerer }
  readonly #maxMemory: number
  readonly #maxLeft: number
  /** Bytes of the worker itself. */
  readonly #own: number
  #hasRun = false
  /** Bytes when the job began, and those that lived when garbage was collected last, of the worker itself at first. */
  #before = 0
  #living: number
  #control: Int32Array = new Int32Array(CONTROL_LENGTH)
  #faults: string[] = []
  readonly #shapes = new OpenShapes()

  constructor(limits: WorkLimits) {
    this.#maxMemory = limits.maxMemory
    this.#maxLeft = limits.maxLeft ?? Math.max(LEFT_RATIO * limits.maxMemory, LEAST_LEFT)
    const around: Surroundings = {
      answer: (...asked) => this.#answer(...asked),
      onProgress: (lines) => {
        Atomics.store(this.#control, LINES_DONE, lines)
        this.#checkStop()
      },
      onFault: (fault) => this.#faults.push(stackOf(fault)),
    }
    const asked = { ...limits, shapes: this.#shapes }
    this.#answerers = {
      '2d': new Answerer(catalogues['2d'], asked, around),
      '3d': new Answerer(catalogues['3d'], asked, around),
    }
    this.#own = usedMemory()
    this.#living = this.#own
  }

  /** Never throws. A worker that is worn has not begun, and must not be asked again. */
  run({ job, control, shapes = [] }: Omit<Task, 'id'>): Done | Worn {
    this.#shapes.lend(shapes)
    if (!this.#makeRoom()) return { is: 'worn', job }
    this.#hasRun = true
    this.#control = control
    this.#faults = []
    Atomics.store(control, BEGUN, 1)
    try {
      return this.#do(job)
    } catch (error) {
      if (error instanceof Stopped) return { is: 'stopped' }
      if (error instanceof OutOfMemory) return { is: 'out-of-memory' }
      if (error instanceof OutOfBudget) return { is: 'too-complex' }
      return { is: 'fault', fault: stackOf(error) }
    } finally {
      forgetText()
    }
  }

  /** Lets go of what was prepared for jobs to come. */
  forget(): void {
    forgetPrepared()
    this.#shapes.forget()
  }

  #do(job: Job): Done {
    if (job.kind === 'far') {
      const result = this.#within(() => doFarTask(job.task, this.#shapes))
      return { is: 'far', result, given: ownMemory(job.task, result) }
    }
    const { requestId } = job
    // cloning has made it an array
    const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length)
    const answerer = this.#answerers[job.dimension]
    switch (job.kind) {
      case 'query':
        return {
          is: 'sent',
          ...noting(job.progress, () => answerer.answerQuery(job.op, bytes, requestId, job.picture)),
          faults: this.#faults,
        }
      case 'list':
        return { is: 'sent', ...answerer.answerList(bytes, requestId, job.picture), faults: this.#faults }
      case 'items': {
        const results = answerer.answerItems(bytes, requestId)
        return results === null ? { is: 'unreadable' } : { is: 'items', ...results, faults: this.#faults }
      }
      case 'lines':
        return { is: 'lines', ...answerer.answerLines(bytes, requestId, LINES_MS), faults: this.#faults }
    }
  }

  /** Answers within as many steps as one query may take; a problem if it takes more. */
  #answer(...asked: Parameters<typeof answerQuery>): object {
    try {
      return this.#within(() => answerQuery(...asked))
    } catch (error) {
      if (!(error instanceof OutOfBudget) || error instanceof Stopped || error instanceof OutOfMemory) throw error
      return problemOf('too-complex', TOO_COMPLEX)
    }
  }

  /** Does the work within as many steps as one query may take. */
  #within<Value>(work: () => Value): Value {
    let left = MOST_STEPS
    const renew = () => {
      this.#checkStop()
      this.#checkMemory()
      const granted = Math.min(RENEWAL_STEPS, left)
      left -= granted
      return granted
    }
    return within(0, work, renew)
  }

  #checkStop(): void {
    if (Atomics.load(this.#control, STOP) !== 0) throw new Stopped()
  }

  /**
   * Makes sure that a job is not blamed for the memory of earlier ones: collects garbage if there is much of it, and then drops caches
   * if there is still more than a job should find. False if too much is left even so.
   */
  #makeRoom(): boolean {
    const left = Math.min(LEFT_RATIO * this.#maxMemory, this.#maxLeft)
    if (usedMemory() > this.#living + left) {
      collectAll()
      if (usedMemory() > this.#living + left) {
        this.forget()
        collectAll()
      }
      this.#living = usedMemory()
      if (this.#hasRun && this.#living > this.#own + this.#maxLeft) return false
    }
    this.#before = usedMemory()
    return true
  }

  /** Memory that the job has released does not count once it is collected; garbage is collected only when the limit is exceeded. */
  #checkMemory(): void {
    if (this.#taken() <= this.#maxMemory) return
    collectAll()
    if (this.#taken() > LIVING_RATIO * this.#maxMemory) throw new OutOfMemory()
  }

  #taken(): number {
    return usedMemory() - this.#before
  }
}

/** The engine keeps the text of the last search until the next one. */
function forgetText(): void {
  ;/^/.test('')
}

function stackOf(error: unknown): string {
  return error instanceof Error ? `${error.stack}` : String(error)
}
