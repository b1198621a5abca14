// The boxes of the scene's tree as the service has them, asked for again whenever somebody has written.

import type { Desk } from '../desk.ts'
import { byId, setText } from '../page-elements.ts'
import { scenePath } from '../scene-session.ts'
import { call, latestCall, type Reply } from '../service.ts'
import type { Box } from '../sketch/free-place.ts'
import type { Geometry } from './geometry.ts'

export interface TreeBox extends Box {
  /** 0 of the root. */
  depth: number
}

/** As many as can be told apart, and drawn quickly: those nearest to the root. */
const MOST_BOXES = 2000
/** Until others have written what they write. */
const PAUSE_MS = 80

/** `show`: gets the boxes that are to be drawn, none where none are. */
export function followTree(desk: Desk, show: (boxes: readonly TreeBox[]) => void): void {
  const isWanted = (scene: string | null) => scene !== null && desk.settings.tree && desk.sketch.scene === scene
  const look = latestCall(
    (scene: string) => call({ path: `${scenePath(scene)}/tree?limit=${MOST_BOXES}` }),
    (scene, reply) => {
      if (!isWanted(scene) || !reply.ok) return
      show(reply.value.boxes)
      setText(byId('tree-count'), countText(reply))
    },
  )
  let seen: readonly unknown[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  desk.onChange(() => {
    const { sketch, settings, news } = desk
    const now = [sketch.scene, settings.tree, news]
    if (now.every((value, i) => value === seen[i])) return
    const isSameScene = sketch.scene === seen[0]
    seen = now
    clearTimeout(timer)
    if (!isSameScene || !isWanted(sketch.scene)) {
      show([])
      setText(byId('tree-count'), '')
    }
    if (isWanted(sketch.scene)) timer = setTimeout(() => look(sketch.scene as string), PAUSE_MS)
  })
}

function countText({ value: { boxes, boxCount } }: Reply): string {
  const deepest = boxes.at(-1)?.depth ?? 0
  return boxes.length < boxCount
    ? `${boxes.length} of ${boxCount} boxes, to depth ${deepest}`
    : `${boxCount} boxes, to depth ${deepest}`
}

/** Of corners, by the bits of their numbers. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [1, 2, 4].flatMap((bit) => ((i & bit) === 0 ? [i, i | bit] : [])))

/** The edges of boxes, relative to `base`: all of one colour are one body without sides. */
export function wireGeometry(boxes: readonly Box[], base: { x: number; y: number; z: number }): Geometry {
  const positions = boxes.flatMap(({ min, max }) =>
    Array.from({ length: 8 }, (_, i) => [
      (i & 1 ? max.x : min.x) - base.x,
      (i & 2 ? max.y : min.y) - base.y,
      ((i & 4 ? max.z : min.z) ?? 0) - base.z,
    ]).flat(),
  )
  const edges = boxes.flatMap((_, k) => EDGES.map((corner) => 8 * k + corner))
  return { positions, normals: positions.map(() => 0), triangles: [], edges, points: [] }
}
