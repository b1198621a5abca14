// Pictures of scenes, drawn in slices beside other requests.

import type { FastifyReply } from 'fastify'
import { type RenderOptions, renderScene } from '../pictures/scenes/render-scene.ts'
import { PICTURE_POLICY } from '../plugins/workers.ts'
import { PICTURE_TYPE } from '../queries/answers/picture.ts'
import { compileFilter } from '../scene/state/filter.ts'
import type { Scene } from '../scene/state/scene.ts'
import { boundsOfScene } from '../scene/state/scene-bounds.ts'
import { onView } from '../scene/state/view.ts'
import type { AskedRender } from '../wire/scenes/scene-render.ts'
import { runInSlices } from './query-replies.ts'

const RENDER_ADVICE = 'Ask for a smaller part of the scene, or for its tree alone.'

export async function sendRendered(
  reply: FastifyReply,
  scene: Scene,
  { tag, ...asked }: AskedRender & Pick<RenderOptions, 'title'>,
): Promise<FastifyReply> {
  const work = onView(scene, (view) => {
    const accepts = compileFilter(view, tag === null ? undefined : { tags: { all: [tag] } })
    return renderScene(view, boundsOfScene(scene), { ...asked, accepts })
  })
  const done = await runInSlices(reply, RENDER_ADVICE, work)
  return done === null ? reply : sendPicture(reply, done.result)
}

export function sendPicture(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('content-security-policy', PICTURE_POLICY).type(`${PICTURE_TYPE}; charset=utf-8`).send(text)
}
