import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { type Body, COMPOSITE, copyConvex, createBody, LOCAL, packNumbers, X } from '../../../src/core2d/shape/body.ts'
import { decodeBody } from '../../../src/wire/body.ts'
import { lawPairs, type Pair } from '../../support/families/pair-families.ts'
import { runs } from '../../support/runs.ts'

const slot = createBody()
const copy = createBody()

function prepared(wire: Body2d, body = createBody()): Body {
  expect(decodeBody(wire, body)).toBeNull()
  return body
}

/** What a convex body is, wherever its numbers and names lie. */
function contentOf({ kind, count, numbers, normals, offsets, vertices, vertexFeatures, edgeFeatures }: Body): unknown {
  const edges = count > 1 ? count : 0
  return {
    kind,
    count,
    head: count > 0 ? numbers.slice(0, LOCAL) : numbers.slice(0, 8),
    local: numbers.slice(LOCAL, LOCAL + 2 * count),
    normals: numbers.slice(normals, normals + 2 * edges),
    offsets: numbers.slice(offsets, offsets + edges),
    vertices: numbers.slice(vertices, vertices + 2 * count),
    vertexFeatures: [...vertexFeatures.subarray(0, count)],
    edgeFeatures: [...edgeFeatures.subarray(0, edges)],
  }
}

it('a slot holds what a new body holds, whatever was in it before', () => {
  fc.assert(
    fc.property(lawPairs(), ({ a, b }: Pair) => {
      for (const wire of [a, b, a]) {
        const body = prepared(wire)
        prepared(wire, slot)
        if (body.kind !== COMPOSITE) expect(contentOf(slot)).toEqual(contentOf(body))
      }
    }),
    runs(1000),
  )
})

it('a copy is the body, and stays as it is when that changes', () => {
  fc.assert(
    fc.property(lawPairs(), ({ a, b }: Pair) => {
      const body = prepared(a)
      if (body.kind === COMPOSITE) return
      copyConvex(body, copy)
      const content = contentOf(body)
      expect(contentOf(copy)).toEqual(content)
      prepared(b, body)
      expect(contentOf(copy)).toEqual(content)
    }),
    runs(1000),
  )
})

it('a clockwise polygon names its own vertices, and no other body is renamed', () => {
  const clockwise: Body2d = {
    shape: {
      type: 'polygon',
      vertices: [
        { x: 0, y: 0 },
        { x: 0, y: 2 },
        { x: 2, y: 0 },
      ],
    },
  }
  const before = prepared({ shape: { type: 'box', width: 2, height: 2 } })
  const names = contentOf(before)
  const reversed = prepared(clockwise)
  expect(reversed.ownsNames).toBe(true)
  expect(contentOf(before)).toEqual(names)
  expect(contentOf(prepared({ shape: { type: 'box', width: 2, height: 2 } }, reversed))).toEqual(names)
})

it('packs the numbers of a body from another thread, and of its parts', () => {
  const children: Body2d[] = [
    { shape: { type: 'circle', radius: 1 }, position: { x: 3, y: 0 } },
    { shape: { type: 'point' } },
  ]
  const body = structuredClone(prepared({ shape: { type: 'compound', children } as Body2d['shape'] }))
  packNumbers(body)
  expect(body.composite?.parts.map((part) => part.body.numbers[X])).toEqual([3, 0])
})
