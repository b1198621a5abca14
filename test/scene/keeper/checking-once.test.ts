import { expect, it } from 'vitest'
import { checkingOnce } from '../../../src/scene/keeper/write-checks.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'

it('looks at a shape as it lies and turned, and after that at poses only', () => {
  const seen: string[] = []
  const check = checkingOnce((body) => {
    const { type } = body.shape as { type: string }
    seen.push(`${type} ${body.rotation ?? 0}`)
    if (type === 'aabb' && body.rotation) return { refused: 'turned' }
    return body.position !== undefined && body.position.x > 9 ? { refused: 'far' } : null
  })
  const body = (type: string, more: object) => ({ id: 'a', shape: { type }, ...more }) as unknown as SceneBody
  const region = body('region', {})
  for (const rotation of [0, 1, 2, 0, 3]) expect(check({ ...region, rotation }, 0, true)).toBeNull()
  expect(check({ ...region, rotation: 4, position: { x: 10, y: 0 } }, 0, true)).toEqual({ refused: 'far' })
  expect(seen).toEqual(['region 0', 'region 1', 'point 2', 'point 0', 'point 3', 'point 4'])
  // accepted as it lies, and not turned
  const box = body('aabb', {})
  expect(check(box, 0, true)).toBeNull()
  expect(check({ ...box, rotation: 1 }, 0, true)).toEqual({ refused: 'turned' })
  expect(check({ ...box, rotation: 1 }, 0, true)).toEqual({ refused: 'turned' })
})
