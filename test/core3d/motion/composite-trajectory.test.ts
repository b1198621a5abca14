// Trajectories among meshes and compounds: a room of triangles answers as a room of half-spaces, and seams are slid over.
import { describe, expect, it } from 'vitest'
import { trajectory } from '../../../src/core3d/motion/trajectory.ts'
import { type AnyBody, anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import { boxMesh } from '../../support/families/meshes-3d.ts'

const STILL = { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }

function fly(body: AnyBody, [vx, vy, vz]: Triple, obstacles: AnyBody[], duration: number, restitution = 1) {
  const all = obstacles.map((obstacle) => ({ body: anyBodyOf(obstacle), motion: STILL }))
  return trajectory(anyBodyOf(body), { ...STILL, vx, vy, vz }, all, duration, restitution, 64)
}

const room: AnyBody = { shape: boxMesh([-4, -4, -4], [4, 4, 4], false), position: [0, 0, 0] }
const sides: AnyBody[] = [0, 1, 2].flatMap((k) =>
  [1, -1].map((side): AnyBody => {
    const normal: Triple = [0, 0, 0]
    normal[k] = side
    return { shape: { type: 'halfspace', normal, offset: -4 }, position: [0, 0, 0] }
  }),
)

describe('a trajectory among composite bodies', () => {
  it('bounces in a room of triangles as in one of half-spaces', () => {
    const ball: AnyBody = { shape: { type: 'sphere', radius: 0.5 }, position: [0.25, 0.5, -1] }
    for (const velocity of [
      [3, 2, 1],
      [-1, 5, 2],
      [2, 2, 0],
    ] as Triple[]) {
      const inMesh = fly(ball, velocity, [room], 8.75)
      const inSides = fly(ball, velocity, sides, 8.75)
      expect(inMesh.status).toBe('completed')
      expect(inMesh.bounces.length).toBe(inSides.bounces.length)
      for (const [i, { time }] of inMesh.bounces.entries()) expect(time).toBeCloseTo(inSides.bounces[i].time, 9)
      for (const [k, x] of inMesh.position.entries()) expect(x).toBeCloseTo(inSides.position[k], 8)
    }
  })

  it('goes straight back from the corner of a room', () => {
    const ball: AnyBody = { shape: { type: 'sphere', radius: 0.5 }, position: [0, 0, 0] }
    const { position, status } = fly(ball, [1, 1, 1], [room], 7)
    expect(status).toBe('completed')
    for (const x of position) expect(x).toBeCloseTo(0, 9)
  })

  it('slides over the seams of a floor', () => {
    const floor: AnyBody = { shape: boxMesh([-10, -1, -10], [10, 0, 10]), position: [0, 0, 0] }
    const box: AnyBody = { shape: { type: 'box', size: [1, 1, 1] }, position: [-5, 1.5, 0.25] }
    const { bounces, position, velocity } = fly(box, [4, -1, 1], [floor], 2, 0)
    expect(bounces.length).toBe(1)
    expect(bounces[0].normal.map((x) => x + 0)).toEqual([0, 1, 0])
    expect(velocity.map((x) => x + 0)).toEqual([4, 0, 1])
    expect(position[0]).toBeCloseTo(3, 9)
    expect(position[1]).toBeCloseTo(0.5, 9)
  })
})
