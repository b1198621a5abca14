// Snap within a scene: while a body is dragged, where it would go; and the body there when it is let go of.

import type { Desk } from './desk.ts'
import type { Dragging } from './pointer.ts'
import { movement, rehearse } from './scene-session.ts'
import { call, latestCall, type Reply, serviceFeatures } from './service.ts'
import type { Mark } from './sketch/question.ts'
import { bodyOf, type Sketch, type SketchBody, withBody } from './sketch/sketch.ts'
import { askSnapping, type SnapReach, snappedBody, snappingMarks } from './sketch/snapping.ts'

interface Snapping {
  /** Whether bodies snap to others; to the grid alone otherwise. */
  isOn(): boolean
  settled(sketch: Sketch, id: string): Promise<Sketch>
}

/** `reach`: lengths, by what is seen. */
export function createSnapping(
  desk: Desk,
  dragging: Dragging,
  show: (marks: readonly Mark[]) => void,
  reach: () => SnapReach,
): Snapping {
  let canSnap = false
  const isOn = () => desk.sketch.scene !== null && canSnap

  const ask = (sketch: Sketch, body: SketchBody): Promise<Reply> => {
    const { path, body: queries } = askSnapping(sketch, body, reach())
    return call({ path, body: queries })
  }
  const look = latestCall(
    ({ sketch, body }: { sketch: Sketch; body: SketchBody }) => ask(sketch, body),
    ({ sketch, body }, reply) => {
      if (dragging.body === body.id) show(reply.ok ? snappingMarks(reply.value, sketch, body) : [])
    },
  )
  let seen: Sketch | null = null
  let scene: string | null = null
  desk.onChange(() => {
    const { sketch } = desk
    if (sketch.scene !== scene) {
      scene = sketch.scene
      if (scene !== null)
        void serviceFeatures().then((features) => {
          canSnap = features.has('snap') && features.has('place')
        })
    }
    if (sketch === seen) return
    seen = sketch
    const body = dragging.snap && isOn() ? bodyOf(sketch, dragging.body) : undefined
    if (body === undefined) show([])
    else look({ sketch, body })
  })
  return {
    isOn,
    async settled(sketch, id) {
      const body = bodyOf(sketch, id)
      if (body === undefined) return sketch
      const reply = await ask(sketch, body)
      const snapped = reply.ok ? snappedBody(reply.value, body) : null
      return snapped === null ? sketch : withBody(sketch, snapped)
    },
  }
}

// While you drag a body through a scene, a dry run finds the bodies that it would newly overlap there, and the page marks them.

export function followDrags(desk: Desk, dragged: () => string | null, alarm: (ids: Set<string>) => void): void {
  const ask = latestCall(
    ({ scene, body }: { scene: string; body: SketchBody }) => {
      return rehearse(scene, [movement(body)])
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
