import { expect, it } from 'vitest'
import { drawLabels } from '../../src/pictures/draw-labels.ts'
import { addBody, createPictureAt } from '../../src/pictures/picture.ts'

const frame = { span: 20, width: 640, height: 480, centre: { x: 0, y: 0 }, yDown: false }

/** Font sizes in a picture of so many named points. */
function sizesOf(count: number, nameSize?: number): Set<string> {
  const picture = createPictureAt({ x: 0, y: 0 })
  for (let i = 0; i < count; i++) {
    const position = { x: (i % 20) - 9.5, y: Math.floor(i / 20) - 5 }
    addBody(picture, { shape: { type: 'point' }, position }, 'a', { name: `n${i}` })
  }
  if (nameSize !== undefined) picture.nameSize = nameSize
  const text = drawLabels(picture, frame).join('')
  const sizes = [...text.matchAll(/font-size="([^"]*)"/g)].map(([, size]) => size)
  expect(sizes).toHaveLength(count > 200 && nameSize === undefined ? 0 : count)
  return new Set(sizes)
}

it.each([
  [1, '25'],
  [12, '25'],
  [13, '19'],
  [40, '19'],
  [41, '15'],
  [200, '15'],
])('%d names have one size: %s', (count, size) => {
  expect(sizesOf(count)).toEqual(new Set([size]))
})

it('names are left out where there are more than 200, unless they have a size of their own', () => {
  expect(sizesOf(201)).toEqual(new Set())
  expect(sizesOf(201, 9)).toEqual(new Set(['9']))
})
