/**
 * What the picture of a question about a scene takes in: all of the question and of the answer, with some of what is around them, and
 * of the bodies that these speak of as much as leaves the rest visible.
 *
 * Frame: counted from the picture's origin.
 */
import { addToBox, boxCentre, boxSize, type DrawnBox, isEmpty, joinBox } from '../marks/outline.ts'
import type { Picture } from '../marks/picture.ts'
import { viewBox } from '../svg/view-box.ts'

/** Bodies that are larger than this many times what is asked are shown in part, so much of its size around it. */
const LARGE = 1.3
const AROUND = 0.35
/** What is seen around all of it, of its size. */
const MARGIN = 0.12
/** Of the scene, around a place that has no size. */
const LONELY = 0.25

/** `met`: boxes of the bodies that the answer speaks of; `scene`: the box around the scene, null without any. */
export function sightOf(picture: Picture, met: readonly DrawnBox[], scene: DrawnBox | null): DrawnBox {
  const view = viewBox(picture)
  const size = boxSize(view)
  if (size === 0) {
    for (const box of met) joinBox(view, box)
  } else {
    const around = grown(view, AROUND * size)
    for (const box of met) {
      if (boxSize(box) <= LARGE * size) joinBox(view, box)
      else joinCommon(view, around, box)
    }
  }
  if (isEmpty(view))
    return scene === null ? { minX: -1, minY: -1, maxX: 1, maxY: 1 } : grown(scene, MARGIN * boxSize(scene))
  const own = boxSize(view)
  return grown(view, own > 0 ? MARGIN * own : LONELY * (scene === null ? 0 : boxSize(scene)) || lonely(view))
}

/** A place by itself has no size to go by but how far out it lies. */
function lonely(view: DrawnBox): number {
  const { x, y } = boxCentre(view)
  return Math.max(Math.abs(x), Math.abs(y)) || 1
}

function joinCommon(view: DrawnBox, p: DrawnBox, q: DrawnBox): void {
  const [minX, maxX] = [Math.max(p.minX, q.minX), Math.min(p.maxX, q.maxX)]
  const [minY, maxY] = [Math.max(p.minY, q.minY), Math.min(p.maxY, q.maxY)]
  if (minX > maxX || minY > maxY) return
  addToBox(view, minX, minY)
  addToBox(view, maxX, maxY)
}

function grown({ minX, minY, maxX, maxY }: DrawnBox, by: number): DrawnBox {
  return { minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by }
}
