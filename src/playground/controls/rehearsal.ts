// What a body that is dragged through a scene would newly overlap where it is now: asked by a dry run, and marked.

import { latestCall } from '../service/latest-call.ts'
import { rehearse } from '../service/scene-session.ts'
import { bodyOf, positionOf, type Sketch, type SketchBody } from '../sketch/sketch.ts'
import type { Desk } from './desk.ts'

export function followDrags(desk: Desk, dragged: () => string | null, alarm: (ids: Set<string>) => void): void {
  const ask = latestCall(
    ({ scene, body }: { scene: string; body: SketchBody }) => {
      const { id, rotation = 0 } = body
      return rehearse(scene, [{ op: 'move', id, position: positionOf(body), rotation }])
    },
    (_, reply) => {
      const changes: { newOverlaps: string[] }[] = reply.value?.changes ?? []
      alarm(new Set(dragged() === null ? [] : changes.flatMap(({ newOverlaps }) => newOverlaps)))
    },
  )
  let seen: Sketch | null = null
  desk.onChange(() => {
    const { sketch } = desk
    if (sketch === seen || sketch.scene === null) return
    seen = sketch
    const body = bodyOf(sketch, dragged())
    if (body === undefined) alarm(new Set())
    else ask({ scene: sketch.scene, body })
  })
}
