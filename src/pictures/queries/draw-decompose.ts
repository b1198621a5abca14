// A region taken apart: its pieces, neighbours in different tints.

import type { DecomposeRequest, DecomposeResponse } from '../../../schemas/queries/decompose.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { addBody, addKey, counted, createPicture, type Picture, quantity } from '../marks/picture.ts'

const TINTS = ['piece-0', 'piece-1', 'piece-2', 'piece-3', 'piece-4', 'piece-5'] as const

export function drawDecompose({ region }: DecomposeRequest, { pieces, area, error }: DecomposeResponse): Picture {
  const picture = createPicture([{ shape: region }])
  const tints = tintsOf(pieces)
  pieces.forEach((vertices, i) => {
    addBody(picture, { shape: { type: 'polygon', vertices } }, TINTS[tints[i]], { name: `${i}` })
  })
  addBody(picture, { shape: region }, 'outline')
  picture.heading = `The region of area ${quantity(area)} has ${counted(pieces.length, 'convex piece')}.`
  if (error > 0) picture.details.push(`The pieces cover ${quantity(error)} more than the region.`)
  addKey(picture, 'outline', 'region')
  return picture
}

/** For each piece the first tint that no earlier piece at one of its corners has; the rarest when all are taken. */
function tintsOf(pieces: readonly (readonly Vec2[])[]): number[] {
  const takenAt = new Map<string, number[]>()
  const uses = TINTS.map(() => 0)
  return pieces.map((vertices) => {
    const taken = new Set<number>()
    const corners = vertices.map(({ x, y }) => `${x} ${y}`)
    for (const corner of corners) for (const tint of takenAt.get(corner) ?? []) taken.add(tint)
    let tint = TINTS.findIndex((_, i) => !taken.has(i))
    if (tint === -1) tint = uses.indexOf(Math.min(...uses))
    uses[tint]++
    for (const corner of corners) takenAt.set(corner, [...(takenAt.get(corner) ?? []), tint].slice(-TINTS.length))
    return tint
  })
}
