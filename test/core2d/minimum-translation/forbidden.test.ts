import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forbids } from '../../../src/core2d/minimum-translation/c-obstacle.ts'
import { isBoxCovered, setCover } from '../../../src/core2d/minimum-translation/cover.ts'
import { causeAt, FREE, mayForbid, setSpare } from '../../../src/core2d/minimum-translation/forbidden.ts'
import { createPathPoint } from '../../../src/core2d/minimum-translation/paths.ts'
import { asCompound, concaveShape, convexShape, type PiecedShape } from '../../oracle/translation-shapes.ts'
import { clippedArea } from '../../support/families/clipped-area.ts'
import { searchOf } from '../../support/families/search-pairs.ts'
import { runs } from '../../support/runs.ts'

const between = (min: number, max: number) =>
  fc.noBias(fc.integer({ min: 0, max: 2 ** 20 })).map((part) => min + (part / 2 ** 20) * (max - min))
const shape = fc.oneof(concaveShape(false), concaveShape(true), concaveShape(true).map(asCompound), convexShape(false))
const translation = fc.record({ x: between(-6, 6), y: between(-6, 6) })

/** The area that two bodies have in common once the second one is moved. */
function commonArea(a: PiecedShape, b: PiecedShape, x: number, y: number): number {
  let sum = 0
  for (const piece of a.pieces) {
    for (const other of b.pieces) {
      sum += Math.max(
        0,
        clippedArea(
          piece,
          other.map((point) => ({ x: point.x + x, y: point.y + y })),
        ),
      )
    }
  }
  return sum
}

describe('what forbids a translation', () => {
  it('is something wherever the bodies would have an area in common, and nowhere else', () => {
    let free = 0
    fc.assert(
      fc.property(shape, shape, fc.array(translation, { minLength: 20, maxLength: 20 }), (a, b, moves) => {
        const { search, swapped } = searchOf({ shape: a.shape }, { shape: b.shape })
        const point = createPathPoint()
        const judged = moves.map(({ x, y }) => {
          Object.assign(point, swapped ? { x: -x, y: -y } : { x, y })
          return causeAt(search, point) !== FREE
        })
        const overlapping = moves.map(({ x, y }) => commonArea(a, b, x, y) > 1e-9)
        expect(judged).toEqual(overlapping)
        free += judged.filter((isForbidden) => !isForbidden).length
      }),
      runs(400),
    )
    expect(free).toBeGreaterThan(50)
  })

  it('is known sooner, and not otherwise, by a cover, which learns', () => {
    let covered = 0
    fc.assert(
      fc.property(shape, shape, fc.array(translation, { minLength: 40, maxLength: 40 }), (a, b, moves) => {
        const { search, swapped } = searchOf({ shape: a.shape }, { shape: b.shape })
        setCover(search.cover, search.a, search.b, 9, search.tolerance)
        expect(search.cover.active).toBe(true)
        const point = createPathPoint()
        // near each other: what forbids one is asked about the next
        const all = moves.flatMap(({ x, y }) => [0, 0.01, -0.02].map((step) => ({ x: x + step, y: y - step })))
        for (const { x, y } of all) {
          Object.assign(point, swapped ? { x: -x, y: -y } : { x, y })
          const isForbidden = causeAt(search, point) !== FREE
          expect(isForbidden).toBe(commonArea(a, b, x, y) > 1e-9)
          // it lies within what forbade it
          if (isBoxCovered(search.cover, point.x - 0.05, point.y - 0.05, point.x + 0.05, point.y + 0.05)) {
            covered++
            for (const [dx, dy] of [
              [0.05, 0.05],
              [-0.05, 0.05],
              [-0.05, -0.05],
              [0.05, -0.05],
            ]) {
              expect(commonArea(a, b, x + dx, y + dy)).toBeGreaterThan(0)
            }
          }
        }
      }),
      runs(200),
    )
    expect(covered).toBeGreaterThan(50)
  })

  it('is never overlooked by the quick look, at one place or anywhere in a square', () => {
    const place = fc.oneof(between(-4, 4), fc.integer({ min: -4, max: 4 }))
    fc.assert(
      fc.property(shape, shape, place, place, fc.oneof(fc.constant(0), between(0, 1)), (a, b, x, y, half) => {
        const { search } = searchOf({ shape: a.shape }, { shape: b.shape })
        for (let i = 0; i < search.a.view.leafCount; i++) {
          for (let j = 0; j < search.b.view.leafCount; j++) {
            if (mayForbid(search, i, j, x, y, half)) continue
            setSpare(search, i, j)
            for (const dx of [-half, 0, half]) {
              for (const dy of [-half, 0, half]) {
                const isForbidden = forbids(search.spare, x + dx, y + dy, 1, 0, search.tolerance)
                if (isForbidden) expect.fail(`leaves ${i} and ${j} forbid (${x + dx}, ${y + dy})`)
              }
            }
          }
        }
      }),
      runs(600),
    )
  })
})
