/**
 * Scenes as files: written in slices while they are sent, no faster than they are taken.
 *
 * A file in the making keeps what the scene was when it began; whoever takes nothing of it for half a minute is given up
 * (`plugins/answer-room.ts`).
 */

import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FarSlices, FarTask } from '../containers/far-call.ts'
import { Sheet } from '../export/export-format.ts'
import { exportScene, FORMATS } from '../export/export-scene.ts'
import { farWork, PICTURE_POLICY, refuse, sendWorkProblem } from '../plugins/workers.ts'
import { type Far, SliceClock } from '../queries/ask/slices.ts'
import type { Scene } from '../scene/state/scene.ts'
import { onView } from '../scene/state/view.ts'
import { WorkFailed } from '../threads/far-work.ts'
import type { AskedExport } from '../wire/scenes/query-strings.ts'
import type { Stand } from '../wire/scenes/scene-document.ts'
import { isWanted } from './query-replies.ts'
import { tagVersion } from './scene-versions.ts'
import { sendPieces } from './send-pieces.ts'

const ADVICE = 'Export a part of the scene, by tag or by bounds.'
/** Characters after which a piece is sent. */
const PIECE_LENGTH = 2 ** 16
/** Exports of more than one piece at a time. */
const MOST_LONG = 16
/** How often a busy pool of workers is asked again, and after how long, in milliseconds. */
const MOST_TRIES = 100
const BETWEEN_TRIES_MS = 100

class TooManyExports extends Error {}

let longExports = 0

export async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  scene: Scene,
  asked: AskedExport,
): Promise<FastifyReply | undefined> {
  const { mediaType, extension } = FORMATS[asked.format]
  const { id, name, margin } = scene
  const sheet = new Sheet()
  let stand: Stand = scene
  const work = onView(scene, (view) => {
    stand = view
    return exportScene(view, { id, name, margin }, asked, sheet)
  })
  // opens the view
  work.next()
  tagVersion(reply, stand).type(mediaType)
  reply.header('content-disposition', `attachment; filename="${fileName(id)}.${extension}"`)
  if (asked.format === 'svg') reply.header('content-security-policy', PICTURE_POLICY)
  if (request.method === 'HEAD') {
    work.return()
    return reply.send(Readable.from([]))
  }
  try {
    return await sendPieces(reply, piecesOf(reply, work, sheet))
  } catch (error) {
    for (const name of ['etag', 'content-disposition', 'content-security-policy']) reply.removeHeader(name)
    return error instanceof TooManyExports ? refuse(reply) : sendWorkProblem(reply, error, ADVICE)
  }
}

/** Letters that no system minds in the name of a file. */
function fileName(sceneId: string): string {
  return sceneId.replaceAll(':', '_').replace(/^[.-]+/, '') || 'scene'
}

async function* piecesOf(
  reply: FastifyReply,
  work: FarSlices<void>,
  sheet: Sheet,
): AsyncGenerator<Buffer, void, undefined> {
  const clock = new SliceClock()
  const wanted = isWanted(reply)
  const { deadline } = reply.server.workers.options
  const far = patient(farWork(reply).do)
  let pieces = 0
  let isLong = false
  try {
    await clock.nextTurn()
    for (;;) {
      const { done, value } = work.next()
      if (value !== undefined) value.result = await far(value.task, performance.now() + deadline)
      if (done) break
      if (sheet.length >= PIECE_LENGTH) {
        if (!isLong && ++pieces > 1) {
          if (longExports >= MOST_LONG) throw new TooManyExports()
          longExports++
          isLong = true
        }
        yield Buffer.from(sheet.take())
      } else if (value === undefined && !clock.isOver) continue
      if (!wanted()) return
      await clock.nextTurn()
    }
    yield Buffer.from(sheet.take())
  } finally {
    if (isLong) longExports--
    work.return()
  }
}

/** A file that has begun is not refused because workers are busy: they are asked again. */
function patient(far: Far): Far {
  return async (task: FarTask, deadline: number) => {
    for (let tries = 1; ; tries++) {
      try {
        return await far(task, deadline)
      } catch (error) {
        if (!(error instanceof WorkFailed) || error.failure !== null || tries === MOST_TRIES) throw error
        await pause(BETWEEN_TRIES_MS)
      }
    }
  }
}
