// Boxes that hold a box together: against unit cells, flat ones, and gaps of one unit in the last place.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains } from '../../../src/core3d/queries/containment.ts'
import { type AnyBody, anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

interface Span {
  min: Triple
  size: Triple
}

const coordinate = fc.integer({ min: 0, max: 3 })
const length = fc.integer({ min: 1, max: 3 })
const spans = fc.record({
  min: fc.tuple(coordinate, coordinate, coordinate),
  size: fc.tuple(length, length, length),
})

/** As a centred box that stands somewhere. */
function boxAt({ min, size }: Span, scale = 1): AnyBody {
  const position = min.map((x, k) => (x + size[k] / 2) * scale) as Triple
  return { shape: { type: 'box', size: size.map((x) => x * scale) as Triple }, position }
}

function compoundOf(children: readonly AnyBody[], position: Triple = [0, 0, 0]): AnyBody {
  return { shape: { type: 'compound', children: [...children] }, position }
}

function holdsCell({ min, size }: Span, cell: Triple): boolean {
  return cell.every((x, k) => x >= min[k] && x < min[k] + size[k])
}

function cellsOf({ min, size }: Span): Triple[] {
  const cells: Triple[] = []
  for (let x = 0; x < size[0]; x++) {
    for (let y = 0; y < size[1]; y++) for (let z = 0; z < size[2]; z++) cells.push([min[0] + x, min[1] + y, min[2] + z])
  }
  return cells
}

describe('a compound of boxes', () => {
  it('contains a box whose every cell one of them has', () => {
    const seen = { held: 0, open: 0 }
    fc.assert(
      fc.property(fc.array(spans, { minLength: 1, maxLength: 12 }), spans, (tiles, guest) => {
        const holder = anyBodyOf(compoundOf(tiles.map((tile) => boxAt(tile))))
        const isHeld = cellsOf(guest).every((cell) => tiles.some((tile) => holdsCell(tile, cell)))
        seen[isHeld ? 'held' : 'open']++
        expect(contains(holder, anyBodyOf(boxAt(guest)))).toBe(isHeld)
      }),
      runs(3000),
    )
    expect(Math.min(seen.held, seen.open)).toBeGreaterThan(10)
  })

  const tile = (x: number): AnyBody => ({ shape: { type: 'box', size: [1, 1, 1] }, position: [x, 0, 0] })
  const bar: AnyBody = { shape: { type: 'box', size: [1.5, 1, 1] }, position: [0.5, 0, 0] }

  it('contains across a seam, and not across a gap of one unit in the last place', () => {
    expect(contains(anyBodyOf(compoundOf([tile(0), tile(1)])), anyBodyOf(bar))).toBe(true)
    expect(contains(anyBodyOf(compoundOf([tile(0), tile(1 + 2 ** -52)])), anyBodyOf(bar))).toBe(false)
    expect(contains(anyBodyOf(compoundOf([tile(0), tile(1 - 2 ** -53)])), anyBodyOf(bar))).toBe(true)
    const far: Triple = [1e9, -1e9, 1e9]
    expect(
      contains(anyBodyOf(compoundOf([tile(0), tile(1)], far)), anyBodyOf({ ...bar, position: [1e9 + 0.5, -1e9, 1e9] })),
    ).toBe(true)
  })

  it('contains what is flat where boxes meet, and a compound of such boxes', () => {
    const plate: AnyBody = { shape: { type: 'box', size: [0, 1, 1] }, position: [0.5, 0, 0] }
    const holder = anyBodyOf(compoundOf([tile(0), tile(1)]))
    expect(contains(holder, anyBodyOf(plate))).toBe(true)
    expect(contains(holder, anyBodyOf(compoundOf([bar, plate])))).toBe(true)
    expect(contains(holder, anyBodyOf(compoundOf([bar, tile(1.25)])))).toBe(false)
  })
})
