import { expect, it } from 'vitest'
import { nearestName } from '../../../src/wire/problems/nearest-name.ts'

const known = ['radius', 'maxDistance', 'rx', 'ry', 'a']

it.each([
  ['raduis', 'radius'],
  ['Radius', 'radius'],
  ['radiu', 'radius'],
  ['maxDistnace', 'maxDistance'],
  ['max_distance', 'maxDistance'],
  ['rz', 'rx'],
  ['colour', undefined],
  ['', 'a'],
  ['x'.repeat(1_000_000), undefined],
])('takes %.20s for %s', (name, expected) => {
  expect(nearestName(name, known)).toBe(expected)
})

it('knows nothing when there is nothing to know', () => {
  expect(nearestName('radius', [])).toBeUndefined()
})
