import { expect, it } from 'vitest'
import { nearestName } from '../../src/wire/nearest-name.ts'

const known = ['radius', 'maxDistance', 'rx', 'ry', 'a']

it.each([
  ['raduis', 'radius'],
  ['Radius', 'radius'],
  ['radiu', 'radius'],
  ['maxDistnace', 'maxDistance'],
  ['max_distance', 'maxDistance'],
  ['rz', 'rx'],
  ['colour', undefined],
  ['', undefined],
  ['b', undefined],
  ['A', 'a'],
  ['maxDist', 'maxDistance'],
  ['m', 'maxDistance'],
  ['r', 'rx'],
  ['x'.repeat(1_000_000), undefined],
])('takes %.20s for %s', (name, expected) => {
  expect(nearestName(name, known)).toBe(expected)
})

it('knows nothing when there is nothing to know', () => {
  expect(nearestName('radius', [])).toBeUndefined()
})

it.each([
  ['rect', ['circle', 'box', 'aabb'], 'box'],
  ['sphere', ['circle', 'box'], 'circle'],
  ['circle', ['sphere', 'box'], 'sphere'],
  ['tri_mesh', ['hull', 'box'], 'hull'],
  ['tmx', ['tiled', 'ldtk'], 'tiled'],
  ['constructor', ['tiled', 'ldtk'], undefined],
  ['w', ['width', 'height'], 'width'],
  ['angVel', ['velocity', 'angularVelocity'], 'angularVelocity'],
])('takes %s of %j for %s', (name, names, expected) => {
  expect(nearestName(name, names)).toBe(expected)
})
