// What the page in space does not draw where the processor computes pixels: nothing that could be seen.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Shape3d } from '../../schemas/shapes3d.ts'
import {
  cross,
  inSpace,
  lengthOf,
  minus,
  NO_TURN,
  plus,
  times,
  turnBy,
  turnedBy,
  type Vec3,
} from '../../src/playground/sketch/vector.ts'
import { basisOf, type Camera, clipMatrix, FIRST_CAMERA, projectionOf } from '../../src/playground/space/camera.ts'
import { Culling } from '../../src/playground/space/culling.ts'
import { type Geometry, tessellated } from '../../src/playground/space/geometry.ts'
import { pick } from '../../src/playground/space/picking.ts'
import { SPACE_SHAPES } from '../../src/playground/space/space-gallery.ts'
import { unshrunk } from '../support/runs.ts'

const ORIGIN = { x: 0, y: 0, z: 0 }
const SOLID: Shape3d[] = [
  { type: 'box', size: { x: 1, y: 2, z: 3 } },
  { type: 'aabb', min: { x: -1, y: 0, z: 2 }, max: { x: 1, y: 1, z: 4 } },
  {
    type: 'hull',
    points: Array.from({ length: 14 }, (_, i) => ({ x: Math.sin(7 * i), y: Math.cos(5 * i), z: Math.sin(3 * i + 1) })),
  },
]
const shapes = fc.constantFrom(...SOLID, ...SPACE_SHAPES.map(({ shape }) => shape as Shape3d))
// whole numbers would have lines of sight go through edges, where nobody can tell which side they meet
const numbers = fc.noBias(fc.integer({ min: -60_000, max: 60_000 }).map((k) => k / 10_007 + 1e-5))
const places = fc.record({ x: numbers, y: numbers, z: numbers })
const cameras = fc
  .record({ target: places, yaw: numbers, pitch: numbers.map((value) => value / 4) })
  .map((seen): Camera => ({ ...FIRST_CAMERA, ...seen, width: 400, height: 300 }))
const turns = places.map((axis) => turnBy(times(axis, 1 / 3) as Vec3))

const corner = ({ positions }: Geometry, index: number): Vec3 => ({
  x: positions[3 * index]!,
  y: positions[3 * index + 1]!,
  z: positions[3 * index + 2]!,
})
const sightOf = (camera: Camera, mostEdges = Infinity) => ({
  eye: basisOf(camera).eye,
  clip: clipMatrix(camera, ORIGIN),
  mostEdges,
})

describe('what is not drawn', () => {
  it('lies behind what is drawn, or out of sight', () => {
    let hidden = 0
    const property = fc.property(shapes, places, turns, cameras, (shape, position, orientation, camera) => {
      const geometry = tessellated(shape, 5)
      const seen = new Culling([{ geometry, position, orientation, scale: 1 }]).seen(sightOf(camera))
      const body = { id: 'body', shape, position, orientation }
      const { eye } = basisOf(camera)
      const inWorld = (index: number) => inSpace(plus(position, turnedBy(orientation, corner(geometry, index))))
      const isOut = (points: Vec3[]) => {
        const screen = projectionOf(camera)
        return points.every((p) => {
          const at = screen.at(p)
          return at === null || at.x < 0 || at.y < 0 || at.x > 400 || at.y > 300
        })
      }
      const isBehind = (place: Vec3) => {
        const hit = pick([body], { origin: eye, direction: inSpace(minus(place, eye)) }, 5)
        return hit !== null && distance(hit.at, eye) < distance(place, eye) * (1 - 1e-9)
      }
      for (const [list, corners] of [
        ['triangles', 3],
        ['edges', 2],
      ] as const) {
        const drawn = new Set(groups([...seen[list]], corners).map(String))
        for (const group of groups(geometry[list], corners)) {
          if (drawn.has(String(group))) continue
          const points = group.map(inWorld)
          const center = times(
            points.reduce((p, q) => inSpace(plus(p, q))),
            1 / corners,
          ) as Vec3
          if (isOut(points) || isThin(points)) continue
          hidden++
          if (!isBehind(center)) return false
        }
      }
      return true
    })
    fc.assert(property, unshrunk(1000))
    expect(hidden).toBeGreaterThan(100)
  })

  it('is nothing of a body from within it, nor of sheets, of meshes with a hole, and of curved bodies', () => {
    const hole: Shape3d = {
      type: 'mesh',
      vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2],
    }
    const sheet: Shape3d = { type: 'triangle', a: ORIGIN, b: { x: 1, y: 0, z: 0 }, c: { x: 0, y: 1, z: 0 } }
    const cases: [Shape3d, Vec3][] = [
      [SOLID[0]!, ORIGIN],
      [hole, { x: 5, y: 5, z: 5 }],
      [sheet, { x: 0, y: 0, z: 9 }],
      [sheet, { x: 0, y: 0, z: -9 }],
      [
        { type: 'capsule', a: ORIGIN, b: { x: 0, y: 1, z: 0 }, radius: 1 },
        { x: 4, y: 0, z: 0 },
      ],
    ]
    for (const [shape, eye] of cases) {
      const geometry = tessellated(shape, 1)
      // all around is in sight
      const clip = new Float64Array([...Array(15).fill(0), 1])
      const placed = { geometry, position: ORIGIN, orientation: NO_TURN, scale: 1 }
      const seen = new Culling([placed]).seen({ eye, clip: new Float32Array(clip), mostEdges: Infinity })
      expect([...seen.triangles]).toEqual(geometry.triangles)
      expect([...seen.edges]).toEqual(geometry.edges)
    }
  })

  it('is, where edges are too many, those of the bodies that look smallest', () => {
    const geometry = tessellated(SOLID[0]!, 1)
    const bodies = Array.from({ length: 40 }, (_, i) => ({
      geometry,
      position: { x: 0, y: 0, z: -i * i },
      orientation: NO_TURN,
      scale: 1,
    }))
    const camera: Camera = { ...FIRST_CAMERA, yaw: 0, pitch: 0, width: 400, height: 300 }
    const { edges, triangles } = new Culling(bodies).seen(sightOf(camera, 12 * 20))
    const vertices = geometry.positions.length / 3
    const owners = [...new Set([...edges].map((index) => Math.floor(index / vertices)))]
    expect(owners.length).toBeGreaterThan(10)
    expect(owners.length).toBeLessThanOrEqual(20)
    expect(owners).toEqual(owners.map((_, i) => i))
    expect(new Set([...triangles].map((index) => Math.floor(index / vertices))).size).toBe(40)
  })
})

const groups = (list: readonly number[], size: number): number[][] =>
  Array.from({ length: list.length / size }, (_, i) => list.slice(i * size, (i + 1) * size))
const distance = (p: Vec3, q: Vec3): number => Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z)
/** Without an area, as triangles are at the tip of a cone. */
const isThin = ([p, q, r]: Vec3[]): boolean =>
  r !== undefined && lengthOf(cross(inSpace(minus(q!, p!)), inSpace(minus(r, p!)))) < 1e-9
