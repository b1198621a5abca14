/** A point of a body as a body of its own, to be asked about. */

import { type Body, createBody, POSITION, reservePoints, VERTICES } from '../shape/body.ts'
import { finishPoints } from '../shape/core-points.ts'
import { setPose } from '../shape/pose.ts'

export function createProbe(): Body {
  const probe = createBody()
  setPose(probe, { position: [0, 0, 0] })
  return probe
}

/** The point x, y, z from the position of the body. */
export function setProbe(probe: Body, { numbers }: Body, x: number, y: number, z: number): void {
  reservePoints(probe, 1)
  for (let k = 0; k < 3; k++) probe.numbers[POSITION + k] = numbers[POSITION + k]
  putPoint(probe, x, y, z)
}

/** The point x, y, z of the world. */
export function setProbeAt(probe: Body, x: number, y: number, z: number): void {
  reservePoints(probe, 1)
  probe.numbers[POSITION] = x
  probe.numbers[POSITION + 1] = y
  probe.numbers[POSITION + 2] = z
  putPoint(probe, 0, 0, 0)
}

function putPoint(probe: Body, x: number, y: number, z: number): void {
  probe.numbers[VERTICES] = x
  probe.numbers[VERTICES + 1] = y
  probe.numbers[VERTICES + 2] = z
  finishPoints(probe, 0)
}
