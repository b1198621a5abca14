/**
 * What is derived from a body's core points once they are written: local copies, middle and reach.
 * Frame: local numbers count from the anchor.
 */

import { ANCHOR, type Body, CENTER, LENGTHS, POINTS, RADIUS, REACH, VERTICES } from './body.ts'

/** Derives everything else from the core points of `body`. */
export function finishPoints(body: Body, radius: number): void {
  const { numbers, count } = body
  body.kind = POINTS
  body.isBox = false
  body.hull = null
  body.surface = null
  numbers[RADIUS] = radius
  clearLengths(body)
  const { local } = body
  for (let k = 0; k < 3; k++) numbers[ANCHOR + k] = numbers[VERTICES + k]
  let x = 0
  let y = 0
  let z = 0
  for (let i = 0; i < 3 * count; i += 3) {
    numbers[local + i] = numbers[VERTICES + i] - numbers[ANCHOR]
    numbers[local + i + 1] = numbers[VERTICES + i + 1] - numbers[ANCHOR + 1]
    numbers[local + i + 2] = numbers[VERTICES + i + 2] - numbers[ANCHOR + 2]
    x += numbers[local + i] / count
    y += numbers[local + i + 1] / count
    z += numbers[local + i + 2] / count
  }
  numbers[CENTER] = x
  numbers[CENTER + 1] = y
  numbers[CENTER + 2] = z
  let reach = 0
  for (let i = 0; i < 3 * count; i += 3) {
    const far =
      Math.abs(numbers[local + i] - x) + Math.abs(numbers[local + i + 1] - y) + Math.abs(numbers[local + i + 2] - z)
    if (far > reach) reach = far
  }
  numbers[REACH] = reach + radius
}

/** Slots are used again: what other kinds have left would tell equal bodies apart. */
export function clearLengths({ numbers }: Body): void {
  for (let i = LENGTHS; i < ANCHOR; i++) numbers[i] = 0
}

/** The middle of a body without core points, which is counted from its position. */
export function setCenter({ numbers }: Body, x: number, y: number, z: number): void {
  for (let k = 0; k < 3; k++) numbers[ANCHOR + k] = 0
  numbers[CENTER] = x
  numbers[CENTER + 1] = y
  numbers[CENTER + 2] = z
}
