// Batches about a scene: work in slices on the main thread, with what takes long done by workers.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import { farWork, sendWorkProblem, workProblem } from '../plugins/workers.ts'
import type { Asker, Asking, Pausing } from '../queries/ask/ask.ts'
import type { SceneQuery } from '../queries/ask/scene-query.ts'
import { type Far, isSlices } from '../queries/ask/slices.ts'
import { LINE_ADVICE, LIST_ADVICE } from '../queries/ask/steps.ts'
import type { Scene } from '../scene/state/scene.ts'
import { type DecodeProblem, isProblem } from '../wire/problems/decode-problem.ts'
import { lookUpScene, staleness } from './scene-reads.ts'
import { sendPieces } from './send-pieces.ts'

/** How often asking a scene counts as using it, in milliseconds. */
const USE_MS = 250

/** A scene as it is each time that it is asked; where it is not in memory, it is sought while the question waits. */
export class PresentScene {
  readonly #app: FastifyInstance
  readonly #sceneId: string
  readonly #seek: FarTask = { kind: 'scene' }
  #usedAt = 0

  constructor(app: FastifyInstance, sceneId: string) {
    this.#app = app
    this.#sceneId = sceneId
  }

  ask(answer: (scene: Scene) => object | FarSlices<object>): object | FarSlices<object> {
    const stale = staleness(this.#app)
    if (stale !== null) return stale
    const scene = this.#app.scenes.keeper?.loaded(this.#sceneId) ?? null
    if (scene === null) return this.#sought(answer)
    const now = performance.now()
    if (now - this.#usedAt > USE_MS) {
      this.#usedAt = now
      void this.#lookUp()
    }
    return answer(scene)
  }

  /** Does what `ask` calls for, and by `far` what else is called for. */
  seeking(far: Far): Far {
    return (task, deadline) => (task === this.#seek ? this.#lookUp() : far(task, deadline))
  }

  *#sought(answer: (scene: Scene) => object | FarSlices<object>): FarSlices<object> {
    const found = yield* callFar<Scene | DecodeProblem>(this.#seek)
    if (isProblem(found)) return found
    const outcome = answer(found)
    return isSlices(outcome) ? yield* outcome : outcome
  }

  #lookUp(): Promise<Scene | DecodeProblem> {
    return lookUpScene(this.#app, this.#sceneId)
  }
}

/** Asks the queries of a batch; `answer`: of each of its lines. */
export function sceneAsker(
  reply: FastifyReply,
  batch: Asking<SceneQuery>,
  answer: Asker<SceneQuery>['answer'],
  seeking: (far: Far) => Far,
): Asker<SceneQuery> {
  const { server, request } = reply
  const onFault = (err: unknown) => server.logger.error({ err, reqId: request.id }, 'query failed')
  const pausing: Pausing = {
    time: server.workers.options.deadline,
    far: seeking(farWork(reply).do),
    problemOf: (error) => workProblem(error, LINE_ADVICE, server),
  }
  return batch.asker({ requestId: request.id, answer, onFault, pausing })
}

/** Sends what comes in pieces, or the problem that it ends with before the first. */
export async function sendWork(
  reply: FastifyReply,
  pieces: AsyncGenerator<Buffer, void, undefined>,
): Promise<FastifyReply | undefined> {
  try {
    return await sendPieces(reply, pieces)
  } catch (error) {
    return sendWorkProblem(reply, error, LIST_ADVICE)
  }
}
