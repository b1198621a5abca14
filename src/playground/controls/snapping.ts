// Snap within a scene: while a body is dragged, where it would go; and the body there when it is let go of.

import { gridStep } from '../drawing/view.ts'
import type { Mark } from '../questions/mark.ts'
import { askSnapping, snappedBody, snappingMarks } from '../questions/snapping.ts'
import { serviceFeatures } from '../service/features.ts'
import { latestCall } from '../service/latest-call.ts'
import { call, type Reply } from '../service/service.ts'
import { bodyOf, type Sketch, type SketchBody, withBody } from '../sketch/sketch.ts'
import type { Desk } from './desk.ts'
import type { Dragging } from './pointer.ts'

/** Pixels. */
const SNAP_REACH = 18
const PLACE_REACH = 400

export interface Snapping {
  /** Whether bodies snap to others; to the grid alone otherwise. */
  isOn(): boolean
  settled(sketch: Sketch, id: string): Promise<Sketch>
}

export function createSnapping(desk: Desk, dragging: Dragging, show: (marks: readonly Mark[]) => void): Snapping {
  let canSnap = false
  const isOn = () => desk.sketch.scene !== null && canSnap

  const ask = (sketch: Sketch, body: SketchBody): Promise<Reply> => {
    const { view } = desk
    const reach = { snap: SNAP_REACH / view.scale, place: PLACE_REACH / view.scale, grid: gridStep(view) }
    const { path, body: queries } = askSnapping(sketch, body, reach)
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
