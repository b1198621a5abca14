// Contact of composite bodies: translations that part, points that lie between the surfaces, meshes of hulls against the hulls.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movedBody } from '../../../src/core3d/narrow-phase/composite-exit.ts'
import { type Contact, contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { contactPoints } from '../../../src/core3d/queries/contact-points.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import type { Body } from '../../../src/core3d/shape/body.ts'
import { type AnyBody, anyBodyOf } from '../../support/composite-bodies-3d.ts'
import { bodyOf, type Triple } from '../../support/convex-cases-3d.ts'
import { everyBody, triples } from '../../support/families/convex-bodies.ts'
import { allBodies, boxMesh, compositeBodies, hullMesh, pitMesh, shuffled } from '../../support/families/meshes-3d.ts'
import { unshrunk } from '../../support/runs.ts'

function touched(a: Body, b: Body): Contact {
  const out = createContact()
  contact(a, b, out)
  return out
}

const gapOf = (a: Body, b: Body): number => {
  const out = createDistance()
  distance(a, b, out)
  return out.distance
}

describe('the contact of composite bodies in space', () => {
  it('parts what overlaps, and tells of what is apart as the distance does', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, (one, other) => {
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const relation = relate(a, b)
        const found = touched(a, b)
        expect(found.touching).toBe(relation <= 0)
        expect(found.exact).toBe(relation >= 0)
        if (relation > 0) expect(found.separation).toBe(gapOf(a, b))
        if (relation === 0) expect(found.separation + 0).toBe(0)
        if (found.hasNormal) expect(Math.hypot(found.nx, found.ny, found.nz)).toBeCloseTo(1, 12)
        if (relation >= 0 || !found.hasNormal) return
        expect(found.separation).toBeLessThan(0)
        const moved = movedBody(b, [found.tx, found.ty, found.tz])
        expect(relate(a, moved)).toBeGreaterThanOrEqual(0)
        expect(gapOf(a, moved)).toBeLessThanOrEqual(1e-9)
      }),
      unshrunk(300),
    )
  })

  it('has points between the surfaces, one as deep as the whole, and none deeper', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, (one, other) => {
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const found = touched(a, b)
        const points = contactPoints(a, b, found, 0.5, 8)
        expect(points.length).toBeLessThanOrEqual(8)
        for (const { separation } of points) {
          expect(separation).toBeGreaterThanOrEqual(found.separation - 1e-9)
          expect(separation).toBeLessThanOrEqual(0.5)
        }
        if (found.hasNormal && found.separation <= 0.5) expect(points[0].separation).toBeCloseTo(found.separation, 5)
      }),
      unshrunk(300),
    )
  })

  it('is no shallower than that of the hull whose mesh it is, and as deep where a face decides', () => {
    fc.assert(
      fc.property(fc.array(triples, { minLength: 4, maxLength: 8 }), everyBody, triples, (points, other, position) => {
        const mesh = hullMesh(points)
        if (mesh === null) return
        const b = bodyOf(other)
        const hull = touched(bodyOf({ shape: { type: 'hull', points }, position }), b)
        const solid = touched(anyBodyOf({ shape: mesh, position }), b)
        expect(solid.touching).toBe(hull.touching)
        expect(solid.separation).toBeLessThanOrEqual(hull.separation + 1e-11)
      }),
      unshrunk(600),
    )
  })

  it('takes a ball that lies in a solid out through the nearest face', () => {
    fc.assert(
      fc.property(fc.array(triples, { minLength: 4, maxLength: 8 }), triples, (points, place) => {
        const mesh = hullMesh(points)
        if (mesh === null) return
        const position = place.map((x) => x / 8) as Triple
        const ball = bodyOf({ shape: { type: 'sphere', radius: 2 ** -6 }, position })
        const hull = touched(bodyOf({ shape: { type: 'hull', points }, position: [0, 0, 0] }), ball)
        const solid = touched(anyBodyOf({ shape: mesh, position: [0, 0, 0] }), ball)
        if (hull.separation < -0.04) expect(solid.separation).toBeCloseTo(hull.separation, 9)
      }),
      unshrunk(300),
    )
  })

  it('answers alike whatever the order of the triangles', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, fc.nat(100), (one, other, salt) => {
        const there = touched(anyBodyOf(one), anyBodyOf(other))
        const again = touched(anyBodyOf(shuffled(one, salt)), anyBodyOf(shuffled(other, salt + 1)))
        expect(Object.values(again)).toEqual(Object.values(there))
      }),
      unshrunk(300),
    )
  })

  it('answers alike even where more leaves meet than are asked for their normals', () => {
    // Their boxes are all the same, so any tree keeps them in the order in which they came.
    const vertices: Triple[] = [
      [0, 0, 0],
      [1, 1, 1],
    ]
    const triangles = Array.from({ length: 66 }, (_, i): Triple => {
      const share = i / 66
      return [0, 1, vertices.push([share, share * share, 1 - share]) - 1]
    })
    const sheaf: AnyBody = { shape: { type: 'mesh', vertices, triangles }, position: [0, 0, 0] }
    const turned: AnyBody = { ...sheaf, position: [1, 0, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }
    const found = [0, 5].map((salt) =>
      Object.values(touched(anyBodyOf(shuffled(sheaf, salt)), anyBodyOf(shuffled(turned, salt + 1)))),
    )
    expect(found[0][1]).toBeLessThan(-0.7)
    expect(found[1]).toEqual(found[0])
  })

  const floor: AnyBody = { shape: boxMesh([-10, -1, -10], [10, 0, 10]), position: [0, 0, 0] }
  const box = (y: number): AnyBody => ({ shape: { type: 'box', size: [2, 2, 2] }, position: [0, y, 0] })

  it('stands a box on the four corners of its face, over the seam of two triangles', () => {
    for (const y of [1, 0.875]) {
      const [a, b] = [anyBodyOf(floor), anyBodyOf(box(y))]
      const found = touched(a, b)
      expect([found.nx, found.ny, found.nz]).toEqual([0, 1, 0])
      expect(found.separation + 0).toBe(y - 1)
      const points = contactPoints(a, b, found, 0, 4)
      expect(points.map(({ x, z }) => `${x} ${z}`).sort()).toEqual(['-1 -1', '-1 1', '1 -1', '1 1'])
      expect(points.every(({ separation }) => separation === y - 1 || separation + 0 === y - 1)).toBe(true)
    }
  })

  it('takes a ball out of the wall of a pit, and not through it', () => {
    const pit = anyBodyOf({ shape: pitMesh(), position: [0, 0, 0] })
    const found = touched(pit, anyBodyOf({ shape: { type: 'sphere', radius: 1 }, position: [1.5, 0, 0] }))
    expect(found.separation).toBeCloseTo(-0.5, 12)
    expect(found.nx).toBeCloseTo(-1, 12)
  })
})
