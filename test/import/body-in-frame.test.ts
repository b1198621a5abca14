// Files in another frame than their own: everything that has a length is scaled.

import { expect, it } from 'vitest'
import { PLAIN_FRAME, placeInFrame } from '../../src/import/body-in-frame.ts'
import { bodiesOf, imported } from './imported.ts'

const text =
  '<svg xmlns="http://www.w3.org/2000/svg"><rect id="a" x="1" y="2" width="6" height="4" rx="1"/><circle id="b" cx="3" cy="5" r="2"/></svg>'

it('takes round corners along with the sides', () => {
  const frame = { yUp: true, scale: 2, offsetX: 10, offsetY: 0 }
  const [box, circle] = bodiesOf(imported({ 'a.svg': text }, { format: 'svg', frame }))
  expect(box).toMatchObject({ shape: { type: 'box', width: 8, height: 4, radius: 2 }, position: { x: 18, y: -8 } })
  expect(circle).toMatchObject({ shape: { type: 'circle', radius: 4 }, position: { x: 16, y: -10 } })
})

it('says nothing of the origin and of no angle', () => {
  const shape = { type: 'point' } as const
  expect(placeInFrame(PLAIN_FRAME, { shape, position: { x: 0, y: -0 }, rotation: -0 })).toEqual({ shape })
  const moved = placeInFrame(
    { ...PLAIN_FRAME, yUp: true, offsetX: -1 },
    { shape, position: { x: 1, y: 0 }, rotation: 2 },
  )
  expect(moved).toEqual({ shape, rotation: -2 })
})
