/**
 * The axis-aligned box of everything that a moving body covers, rounded outward.
 *
 * Method: that of the body as it stands (`outer-box.ts`) where it does not move, else its tight bounds, widened by what the sines of
 * its turns may be off.
 * Frame: world.
 */

import type { Body } from '../shape/body.ts'
import type { Motion } from '../shape/motion.ts'
import { SWEPT_SLACK_RATIO } from '../tolerances.ts'
import { type Bounds, bounds, createBounds } from './bounds.ts'
import { measureOuterBox } from './outer-box.ts'

const box = new Float64Array(4)

/** Of the time from 0 to `duration`; infinite where the body has no bounds. */
export function sweptBox(body: Body, motion: Motion, duration: number): Bounds {
  const out = createBounds()
  if (duration === 0 || (motion.vx === 0 && motion.vy === 0 && motion.spin === 0)) {
    measureOuterBox(body, box, 0)
    out.minX = box[0]
    out.minY = box[1]
    out.maxX = box[2]
    out.maxY = box[3]
    return out
  }
  bounds(body, motion, duration, out)
  const { minX, minY, maxX, maxY } = out
  const size =
    Math.abs(body.x) +
    Math.abs(body.y) +
    Math.max(Math.abs(minX), Math.abs(maxX)) +
    Math.max(Math.abs(minY), Math.abs(maxY))
  // An infinite side says nothing about the others.
  const pad = SWEPT_SLACK_RATIO * (size < Infinity ? size : finiteSize(body, out))
  out.minX = minX - pad
  out.minY = minY - pad
  out.maxX = maxX + pad
  out.maxY = maxY + pad
  return out
}

function finiteSize({ x, y }: Body, { minX, minY, maxX, maxY }: Bounds): number {
  let size = Math.abs(x) + Math.abs(y)
  for (const side of [minX, minY, maxX, maxY]) if (Math.abs(side) < Infinity) size += Math.abs(side)
  return size
}
