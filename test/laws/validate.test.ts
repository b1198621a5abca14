// Validation says what decoding does: a shape is valid exactly where queries take it, and what they refuse it for is among
// the findings, with the same code and at the same place.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FINDING_KINDS, type ValidateResponse } from '../../schemas/queries/validate.ts'
import { type Body2d, MAX_POLYGON_VERTICES, type Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { createBody } from '../../src/core2d/shape/body.ts'
import { decodeBody } from '../../src/wire/body.ts'
import { inspectShape } from '../../src/wire/findings.ts'
import { source, wildAnyBody } from '../fuzz/wild-values.ts'
import { vec2 } from '../support/families/arbitraries.ts'
import { runCount, runs, unshrunk } from '../support/runs.ts'

const LIMITS = { maxVertices: 900, maxParts: 500 }
const slot = createBody()

const inspect = (shape: Shape2d): ValidateResponse => inspectShape({ shape }, LIMITS)

/** What the schema lets through. */
function fits(shape: Shape2d): boolean {
  if (shape.type === 'compound') return shape.children.every((child) => fits(child.shape))
  return shape.type !== 'polygon' || shape.vertices.length <= MAX_POLYGON_VERTICES
}

/** Whether the shape is valid. */
function expectAgreement(shape: Shape2d): boolean {
  const problem = decodeBody({ shape }, slot, LIMITS)
  const { valid, findings, truncated } = inspect(shape)
  expect(valid).toBe(problem === null)
  expect(valid).toBe(findings.every(({ outcome }) => outcome === 'accepted'))
  for (const { outcome, code } of findings) expect(code !== undefined).toBe(outcome === 'refused')
  if (problem === null) return true
  if (truncated) return false
  const same = findings.filter(({ code }) => code === problem.code)
  for (const { pointer } of problem.places) {
    const parent = `#${pointer.slice(0, pointer.lastIndexOf('/'))}`
    const here = same.filter(({ pointers: [first] }) => first.startsWith(parent))
    // A polygon that winds twice has no vertex at which it turns the wrong way; the decoder names where it winds on.
    const windsTwice = parent.endsWith('/vertices') && here.every(({ kind }) => kind !== 'reflex' && kind !== 'spike')
    if (windsTwice) expect(here.map(({ kind }) => kind).join()).toMatch(/self-intersection|edges-overlap/)
    else expect(same.flatMap(({ pointers }) => pointers)).toContain(`#${pointer}`)
  }
  return false
}

const integer = fc.integer({ min: 0, max: 3 })
const gridPoint = fc.record({ x: integer, y: integer })

/** Near misses of everything: out of range, inverted, zero, repeated, collinear, crossing. */
const oddShape: fc.Arbitrary<Shape2d> = fc
  .tuple(
    fc.constantFrom('aabb', 'halfplane', 'polygon', 'region', 'holes', 'chain', 'capsule', 'box'),
    fc.array(gridPoint, { minLength: 3, maxLength: 7 }),
    fc.array(gridPoint, { minLength: 3, maxLength: 5 }),
    fc.constantFrom(1, 1, 1, 1, 1e100, 1e101, 5e-324),
  )
  .map(([type, points, others, factor]): Shape2d => {
    const scaled = (given: Vec2[]): Vec2[] => given.map(({ x, y }, i) => ({ x: i === 0 ? x * factor : x, y }))
    const vertices = scaled(points)
    const [a, b, { x, y }] = vertices
    switch (type) {
      case 'aabb':
        return { type, min: a, max: b }
      case 'halfplane':
        return { type, normal: a, offset: b.x }
      case 'capsule':
        return { type, a, b, radius: x }
      case 'box':
        return { type, width: a.x, height: b.x, radius: y }
      case 'region':
        return { type, outer: vertices }
      case 'holes':
        return { type: 'region', outer: vertices, holes: [scaled(others)] }
      default:
        return { type: type as 'polygon', vertices }
    }
  })

const oddBody: fc.Arbitrary<Body2d> = fc.record(
  { shape: oddShape, position: source.chain(vec2), rotation: fc.constantFrom(0, 0, 1, -1, 1e101) },
  { requiredKeys: ['shape'] },
)

const oddCompound: fc.Arbitrary<Shape2d> = fc.array(oddBody, { minLength: 1, maxLength: 4 }).chain((children) => {
  const inner: Shape2d = { type: 'compound', children }
  return fc.record({ rotation: fc.constantFrom(0, 0, 1), children: fc.array(oddBody, { maxLength: 2 }) }).map(
    ({ rotation, children: others }): Shape2d => ({
      type: 'compound',
      children: [{ shape: inner, rotation }, ...others],
    }),
  )
})

describe('a shape is valid exactly where queries take it', () => {
  it.each<[string, fc.Arbitrary<Shape2d>, number]>([
    ['odd ones', oddShape, 20_000],
    ['compounds of odd ones', oddCompound, 5000],
  ])('%s', (_, shapes, count) => {
    let valid = 0
    fc.assert(
      fc.property(shapes, (shape) => {
        if (expectAgreement(shape)) valid++
      }),
      runs(count),
    )
    expect(valid).toBeGreaterThan(runCount(count / 50))
    expect(valid).toBeLessThan(runCount(count) - runCount(count / 50))
  })

  it('wild ones', () => {
    let valid = 0
    const shapes = wildAnyBody.map((body) => (body as Body2d).shape).filter(fits)
    fc.assert(
      fc.property(shapes, (shape) => {
        if (expectAgreement(shape)) valid++
      }),
      unshrunk(5000),
    )
    expect(valid).toBeGreaterThan(runCount(2000))
    expect(valid).toBeLessThan(runCount(4950))
  })
})

describe('findings', () => {
  it('are in the order of the vertices, and among these of the kinds', () => {
    const place = (pointer: string): number[] => {
      const [, ring = '', ...indices] = pointer.slice('#/shape/'.length - 1).split('/')
      return [['outer', 'holes'].indexOf(ring), ...indices.map(Number)]
    }
    const compare = (p: number[], q: number[]): number => {
      for (let i = 0; i < Math.max(p.length, q.length); i++) {
        if (p[i] !== q[i]) return (p[i] ?? -1) - (q[i] ?? -1)
      }
      return 0
    }
    fc.assert(
      fc.property(
        oddShape.filter(({ type }) => type === 'region'),
        (shape) => {
          const { findings } = inspect(shape)
          for (let i = 1; i < findings.length; i++) {
            const order = compare(place(findings[i - 1].pointers[0]), place(findings[i].pointers[0]))
            expect(order).toBeLessThanOrEqual(0)
            if (order < 0) continue
            const [before, after] = [findings[i - 1], findings[i]].map(({ kind }) => FINDING_KINDS.indexOf(kind))
            expect(before).toBeLessThanOrEqual(after)
          }
        },
      ),
      runs(3000),
    )
  })

  it('point to something in the request', () => {
    fc.assert(
      fc.property(fc.oneof(oddShape, oddCompound), (shape) => {
        for (const { pointers } of inspect(shape).findings) {
          for (const pointer of pointers) {
            let value: unknown = { shape }
            for (const token of pointer.slice(2).split('/')) value = (value as Record<string, unknown>)[token]
            expect(value, pointer).toBeDefined()
          }
        }
      }),
      runs(3000),
    )
  })

  it('do not depend on the winding of a ring, but for that finding and the numbers', () => {
    const reversed = (ring: Vec2[]): Vec2[] => [ring[0], ...ring.slice(1).reverse()]
    const summary = ({ findings }: ValidateResponse): string[] =>
      findings
        .filter(({ kind }) => kind !== 'winding')
        .map(({ kind, points }) => `${kind} ${points.map(({ x, y }) => `${x + 0} ${y + 0}`)}`)
        .sort()
    fc.assert(
      fc.property(fc.array(gridPoint, { minLength: 3, maxLength: 8 }), (outer) => {
        const way = inspect({ type: 'region', outer })
        const back = inspect({ type: 'region', outer: reversed(outer) })
        expect(summary(back)).toEqual(summary(way))
        const runs = [way, back].filter(({ findings }) => findings.some(({ kind }) => kind === 'winding'))
        const isSimple = way.findings.every(({ kind }) => !/spike|self|overlap|degenerate/.test(kind))
        expect(runs.length).toBe(isSimple ? 1 : 0)
      }),
      runs(3000),
    )
  })
})
