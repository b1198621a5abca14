// Linear times of impact of composite bodies: against all pairs of leaves, seams that are slid over, and meshes of hulls.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { bodiesMeet } from '../../../src/core3d/queries/overlap.ts'
import type { Body } from '../../../src/core3d/shape/body.ts'
import type { Motion } from '../../../src/core3d/shape/motion.ts'
import { type AnyBody, anyBodyOf, leavesOf } from '../../support/composite-bodies-3d.ts'
import { bodyOf, type Triple } from '../../support/convex-cases-3d.ts'
import { everyBody, triples } from '../../support/families/convex-bodies.ts'
import { allBodies, boxMesh, compositeBodies, hullMesh, shuffled } from '../../support/families/meshes-3d.ts'
import { unshrunk } from '../../support/runs.ts'

const STILL: Motion = { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }
const moving = ([vx, vy, vz]: Triple): Motion => ({ ...STILL, vx, vy, vz })

function impact(a: Body, b: Body, velocity: Triple, ignoreSeparating = false, duration = 4): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(a, STILL, b, moving(velocity), duration, ignoreSeparating, 'contact', out)
  return out
}

describe('the time of impact of composite bodies in space', () => {
  it('is the earliest of those of all leaves', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, triples, (one, other, velocity) => {
        const [a, b] = [anyBodyOf(one), anyBodyOf(other)]
        const found = impact(a, b, velocity)
        expect(found.startedOverlapping).toBe(bodiesMeet(a, b))
        if (found.startedOverlapping) {
          expect(found.hit).toBe(true)
          expect(found.time).toBe(0)
          return
        }
        let time = Infinity
        for (const p of leavesOf(a)) {
          for (const q of leavesOf(b)) {
            const { hit, time: own } = impact(p, q, velocity)
            if (hit) time = Math.min(time, own)
          }
        }
        expect(found.hit).toBe(time < Infinity)
        if (found.hit) expect(found.time).toBe(time)
      }),
      unshrunk(600),
    )
  })

  it('is the other way round when swapped, and alike whatever the order of triangles and children', () => {
    fc.assert(
      fc.property(compositeBodies, allBodies, triples, fc.nat(100), (one, other, velocity, salt) => {
        const there = impact(anyBodyOf(one), anyBodyOf(other), velocity)
        const again = impact(anyBodyOf(shuffled(one, salt)), anyBodyOf(shuffled(other, salt + 1)), velocity)
        const plain = ({ leafA: _a, leafB: _b, ...rest }: TimeOfImpact) => rest
        expect(plain(again)).toEqual(plain(there))
        const back = createTimeOfImpact()
        timeOfImpact(anyBodyOf(other), moving(velocity), anyBodyOf(one), STILL, 4, false, 'contact', back)
        expect(back.time).toBe(there.time)
        // Bodies that overlap are parted by moving the one or the other, which rounds differently.
        for (const key of ['x', 'y', 'z'] as const) expect(back[`a${key}`]).toBeCloseTo(there[`b${key}`], 10)
      }),
      unshrunk(600),
    )
  })

  it('names an edge alike, whichever of its triangles comes first', () => {
    const vertices: Triple[] = [
      [1, 2, 4],
      [-2, 3, 0],
      [2, -1, 4],
    ]
    const rod: AnyBody = { shape: { type: 'segment', a: [-1, -3, -1], b: [4, 0, 2] }, position: [5, 1, -4] }
    const edgeOf = (triangles: Triple[]): readonly number[] => {
      const mesh: AnyBody = { shape: { type: 'mesh', vertices, triangles, solid: false }, position: [-3, -3, -1] }
      const { hit, featureA } = impact(anyBodyOf(mesh), anyBodyOf(rod), [-4, 0, 3])
      expect(hit).toBe(true)
      return featureA
    }
    // Of no area: it names the edge from its other end.
    const needle: Triple = [1, 1, 2]
    const triangle: Triple = [0, 1, 2]
    expect(edgeOf([triangle, needle])).toEqual([1, 2])
    expect(edgeOf([needle, triangle])).toEqual([1, 2])
  })

  it('names a corner alike at the start, whichever of its triangles comes first', () => {
    const vertices: Triple[] = [
      [0, 3, 4],
      [-3, 2, -4],
      [-3, -1, 0],
    ]
    const flat: Triple[] = [
      [-4, -4, 0],
      [4, -4, 0],
      [0, 5, 1],
    ]
    const other: AnyBody = { shape: { type: 'mesh', vertices: flat, triangles: [[0, 1, 2]] }, position: [0, 0, -2] }
    const cornerOf = (triangles: Triple[]): readonly number[] => {
      const orientation: AnyBody['orientation'] = [0, 0, Math.SQRT1_2, Math.SQRT1_2]
      const mesh: AnyBody = { shape: { type: 'mesh', vertices, triangles }, position: [0, 0, 0], orientation }
      const { startedOverlapping, featureA } = impact(anyBodyOf(mesh), anyBodyOf(other), [1, 0, 0])
      expect(startedOverlapping).toBe(true)
      expect(featureA).toContain(0)
      return featureA
    }
    // Of no area: the corner is no more than an end of it.
    const needle: Triple = [0, 1, 1]
    const triangle: Triple = [0, 1, 2]
    expect(cornerOf([needle, triangle])).toEqual(cornerOf([triangle, needle]))
  })

  it('is that of the hull whose mesh it is', () => {
    const hulls = fc.array(triples, { minLength: 4, maxLength: 8 })
    fc.assert(
      fc.property(hulls, everyBody, triples, triples, (points, other, position, velocity) => {
        const mesh = hullMesh(points)
        if (mesh === null) return
        const b = bodyOf(other)
        const hull = impact(bodyOf({ shape: { type: 'hull', points }, position }), b, velocity)
        const solid = impact(anyBodyOf({ shape: mesh, position }), b, velocity)
        expect(solid.hit).toBe(hull.hit)
        expect(solid.time).toBeCloseTo(hull.time, 10)
      }),
      unshrunk(600),
    )
  })

  it('tells when they part, as of the convex bodies that single parts are', () => {
    fc.assert(
      fc.property(everyBody, everyBody, triples, (one, other, velocity) => {
        if (one.shape.type === 'halfspace' || other.shape.type === 'halfspace') return
        const motion = moving(velocity)
        const [convex, compound] = [createTimeOfImpact(), createTimeOfImpact()]
        timeOfImpact(bodyOf(one), STILL, bodyOf(other), motion, 4, false, 'exit', convex)
        const single = anyBodyOf({ shape: { type: 'compound', children: [one] }, position: [0, 0, 0] })
        timeOfImpact(single, STILL, bodyOf(other), motion, 4, false, 'exit', compound)
        expect(compound.time).toBe(convex.time)
        // What only slides along, or is grazed, parts when rounding says so.
        const middle = (convex.time + convex.exitTime) / 2
        const isDeep = convex.hasExit && sinks(one, other, velocity, middle)
        if (isDeep) expect(compound.hasExit).toBe(true)
        if (isDeep) expect(compound.exitTime).toBeCloseTo(convex.exitTime, 7)
      }),
      unshrunk(600),
    )
  })

  function sinks(one: AnyBody, other: AnyBody, velocity: Triple, time: number): boolean {
    const position = other.position.map((x, k) => x + velocity[k] * time) as Triple
    const found = createContact()
    contact(anyBodyOf(one), anyBodyOf({ ...other, position }), found)
    return found.separation < -1e-3
  }

  const floor: AnyBody = { shape: boxMesh([-10, -1, -10], [10, 0, 10]), position: [0, 0, 0] }
  const box = (x: number, y: number): AnyBody => ({ shape: { type: 'box', size: [2, 2, 2] }, position: [x, y, 0.25] })

  it('lets a box slide over the seams of a floor, and has it hit a step', () => {
    const tiles: AnyBody = {
      shape: {
        type: 'compound',
        children: [floor, { ...floor, position: [20, 0, 0] }, { ...floor, position: [40, 1, 0] }],
      },
      position: [0, 0, 0],
    }
    const slide = (velocity: Triple, duration: number) =>
      impact(anyBodyOf(tiles), anyBodyOf(box(-5, 1)), velocity, true, duration)
    expect(slide([10, 0, 0], 3).hit).toBe(false)
    expect(slide([10, 0, 3], 2).hit).toBe(false)
    expect(slide([10, 1, 0], 2).hit).toBe(false)
    const step = slide([10, 0, 0], 10)
    expect(step.hit).toBe(true)
    expect(step.time).toBeCloseTo(3.4, 12)
    expect([step.nx, step.ny, step.nz].map((x) => Math.round(x * 1e9) / 1e9 + 0)).toEqual([-1, 0, 0])
    expect(slide([10, -0.5, 0], 2).time).toBe(0)
  })

  it('has what falls on a seam hit a face', () => {
    const down = impact(anyBodyOf(floor), anyBodyOf(box(0, 3)), [1, -1, 0])
    expect([down.nx, down.ny, down.nz]).toEqual([0, 1, 0])
    expect(down.time).toBe(2)
    const ball = anyBodyOf({ shape: { type: 'sphere', radius: 0.5 }, position: [0, 2.5, 0] })
    const met = impact(anyBodyOf(floor), ball, [0, -1, 0])
    expect([met.nx, met.ny, met.nz]).toEqual([0, 1, 0])
    expect(met.time).toBe(2)
  })

  it('stops a bullet at a wall of no thickness', () => {
    const wall: AnyBody = {
      shape: {
        type: 'mesh',
        vertices: [
          [0, -1, -1],
          [0, 1, -1],
          [0, 1, 1],
          [0, -1, 1],
        ],
        triangles: [
          [0, 1, 2],
          [0, 2, 3],
        ],
      },
      position: [0, 0, 0],
    }
    const bullet = anyBodyOf({ shape: { type: 'point' }, position: [-1024, 0, 0] })
    const found = impact(anyBodyOf(wall), bullet, [2 ** 20, 0, 0], false, 1)
    expect(found.hit).toBe(true)
    expect(found.time).toBe(2 ** -10)
  })
})
