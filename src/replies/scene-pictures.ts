// Pictures of scenes and of what is asked about them, drawn in slices beside other requests.

import type { FastifyReply } from 'fastify'
import type { SceneQueryOp } from '../../schemas/scenes/exchanges.ts'
import type { FarSlices } from '../containers/far-call.ts'
import { drawDocument } from '../pictures/draw-picture.ts'
import { drawSceneQuery, type SceneQueryPicture } from '../pictures/scenes/draw-scene-query.ts'
import { renderScene } from '../pictures/scenes/render-scene.ts'
import { type Block, drawStack, MOST_STACKED, noticeBlock, panelBlock, restBlock } from '../pictures/stack.ts'
import { PICTURE_POLICY, sendWorkProblem } from '../plugins/workers.ts'
import type { Asker } from '../queries/ask/ask.ts'
import { textPieces } from '../queries/ask/long-answer.ts'
import type { SceneQuery, SceneQueryLimits } from '../queries/ask/scene-query.ts'
import { DeadlineExceeded, finishSlices, LIST_ADVICE } from '../queries/ask/slices.ts'
import { PICTURE_TYPE } from '../queries/stateless/picture.ts'
import { compileFilter } from '../scene/state/filter.ts'
import type { Scene } from '../scene/state/scene.ts'
import { boundsOfScene, closeView, onView, openView, type View } from '../scene/state/view.ts'
import { type DecodeProblem, isProblem, problemOf } from '../wire/decode-problem.ts'
import type { AskedPicture, AskedRender } from '../wire/query-strings.ts'
import type { CurrentVersion } from '../wire/scene-document.ts'
import { describeViolation } from '../wire/schema-violation.ts'
import { isWanted, RoomClock, runInSlices, sendPieces } from './query-replies.ts'
import { tagVersion } from './scene-reads.ts'

const RENDER_ADVICE = 'Ask for a smaller part of the scene, or for its tree alone.'

export async function sendRendered(
  reply: FastifyReply,
  scene: Scene,
  sceneId: string,
  { tag, ...asked }: AskedRender,
): Promise<FastifyReply> {
  const work = onView(scene, (view) => {
    // it may have waited for room
    tagVersion(reply, view)
    const title = `Scene ${sceneId}, version ${view.version}`
    const accepts = compileFilter(view, tag === null ? undefined : { tags: { all: [tag] } })
    return renderScene(view, boundsOfScene(scene), { ...asked, title, accepts })
  })
  const done = await runInSlices(reply, RENDER_ADVICE, work)
  return done === null ? reply : sendPicture(reply, done.result)
}

function sendPicture(reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.header('content-security-policy', PICTURE_POLICY).type(`${PICTURE_TYPE}; charset=utf-8`)
  return sendPieces(reply, textPieces(text, isWanted(reply)))
}

/** A query of a scene, and the options of its picture. */
export interface AskedQuestion {
  readonly query: SceneQuery
  readonly request: object
  readonly limits: SceneQueryLimits
  readonly picture: AskedPicture
}

/** The answer to a query as a picture, or its problem. */
export async function sendQuestion(
  reply: FastifyReply,
  scene: Scene,
  sceneId: string,
  asked: AskedQuestion,
): Promise<FastifyReply> {
  const { query, picture } = asked
  let title = ''
  const work = onView(scene, (view) => {
    tagVersion(reply, view)
    title = titleOf(query.op, sceneId, view)
    return drawQuestion(view, boundsOfScene(scene), asked, { prefix: '', pictures: 1 })
  })
  const done = await runInSlices(reply, query.advice, work)
  if (done === null) return reply
  const { result } = done
  if (isProblem(result)) {
    reply.geometryProblem(result)
    return reply
  }
  const { elements, description, height } = result
  return sendPicture(reply, drawDocument(elements, { title, description, height, width: picture.width }))
}

function titleOf(what: string, sceneId: string, { version }: CurrentVersion): string {
  return `${what} in scene ${sceneId}, version ${version}`
}

function* drawQuestion(
  view: View,
  /** Of the bodies that have bounds; null without any. */
  sceneBox: Float64Array | null,
  { query, request, limits, picture }: AskedQuestion,
  place: Pick<SceneQueryPicture, 'prefix' | 'pictures'>,
): FarSlices<Block | DecodeProblem> {
  const answer = yield* query.answer(view, request, limits)
  if (isProblem(answer)) return answer
  const asked = { op: query.op as SceneQueryOp, request, answer }
  const { panel, backdrop, description } = yield* drawSceneQuery(view, sceneBox, asked, { ...picture, ...place })
  return panelBlock(panel, backdrop, description)
}

/** The answers to a batch as pictures one below the other, all of one version; of a query that has none the problem. */
export async function sendQuestions(
  reply: FastifyReply,
  scene: Scene,
  sceneId: string,
  { asker, queries, limits, picture }: AskedQuestions,
): Promise<FastifyReply> {
  const title = titleOf('batch', sceneId, scene)
  const view = openView(scene)
  const sceneBox = boundsOfScene(scene)
  const pausing = asker.pausing as NonNullable<Asker['pausing']>
  const clock = new RoomClock(reply, performance.now() + pausing.time)
  const blocks: Block[] = []
  const pictures = Math.min(queries.length, MOST_STACKED)
  try {
    for (const [k, value] of queries.slice(0, MOST_STACKED).entries()) {
      const error = asker.check(value)
      if (error !== null) {
        const { detail, code = 'schema-violation' } = describeViolation(error, 'The query')
        blocks.push(problemBlock(k, 'query', problemOf(code, detail)))
        continue
      }
      const { query } = asker.queries.get((value as { op: string }).op) as { query: SceneQuery }
      const asked = { query, request: value as object, limits, picture }
      const work = drawQuestion(view, sceneBox, asked, { prefix: `${k + 1}. ${query.op}: `, pictures })
      const drawn = await finishSlices(work, isWanted(reply), clock, clock.outside(pausing.far)).catch(
        (fault: unknown) => {
          const problem = fault instanceof DeadlineExceeded ? null : pausing.problemOf(fault)
          if (problem === null) throw fault
          return problem
        },
      )
      if (drawn === null) return reply.hijack()
      blocks.push(isProblem(drawn) ? problemBlock(k, query.op, drawn) : drawn)
    }
  } catch (error) {
    sendWorkProblem(reply, error, LIST_ADVICE)
    return reply
  } finally {
    closeView(scene, view)
  }
  const rest = restBlock(queries.length)
  if (rest !== null) blocks.push(rest)
  return sendPicture(reply, drawStack(blocks, title, picture.width))
}

export interface AskedQuestions {
  readonly asker: Asker<SceneQuery>
  readonly queries: readonly unknown[]
  readonly limits: SceneQueryLimits
  readonly picture: AskedPicture
}

function problemBlock(index: number, op: string, { code, detail }: DecodeProblem): Block {
  return noticeBlock(`${index + 1}. ${op}: ${code}`, detail)
}
