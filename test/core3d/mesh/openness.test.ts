import { describe, expect, it } from 'vitest'
import type { Mesh } from '../../../src/core3d/mesh/mesh.ts'
import { openness } from '../../../src/core3d/mesh/openness.ts'
import { meshOfTriangles } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import { ball, terrain, torus } from '../../support/families/generated-meshes-3d.ts'

const length = ([x, y, z]: Triple) => Math.hypot(x, y, z)
const dot = ([a, b, c]: Triple, [x, y, z]: Triple) => a * x + b * y + c * z

/** By the solid angles of all triangles, in a grid of 4 · 4 · 4 points. */
function meanDistance({ vertices, triangles }: Mesh): number {
  const used = [...triangles].map((i): Triple => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]])
  const [low, high] = [Math.min, Math.max].map((of) => [0, 1, 2].map((k) => of(...used.map((corner) => corner[k]))))
  let sum = 0
  for (let i = 0; i < 64; i++) {
    const point = [0, 1, 2].map((k) => low[k] + ((Math.floor(i / 4 ** k) % 4) + 0.5) * ((high[k] - low[k]) / 4))
    let winding = 0
    for (let t = 0; t < used.length; t += 3) {
      const [a, b, c] = used.slice(t, t + 3).map((corner) => corner.map((x, k) => x - point[k]) as unknown as Triple)
      const volume =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
      const [p, q, r] = [length(a), length(b), length(c)]
      winding += Math.atan2(volume, p * q * r + dot(a, b) * r + dot(b, c) * p + dot(c, a) * q) / (2 * Math.PI)
    }
    sum += Math.abs(winding - Math.round(winding))
  }
  return sum / 64
}

describe('openness', () => {
  it('is null where the mesh is closed', () => {
    const { vertices = [], triangles = [] } = torus(12, 8)
    expect(openness(meshOfTriangles(vertices, triangles))).toBeNull()
  })

  it.each([
    ['a ball without a triangle', ball(12, 8), 1],
    ['a ball without a cap', ball(12, 8, 5), 40],
    ['half a ball', ball(12, 8, 1e-3), 84],
    ['a torus with a slit', torus(12, 8), 9],
    ['land', terrain(9), 0],
  ])('says how far the winding number is from a whole one: %s', (_, { vertices = [], triangles = [] }, missing) => {
    const mesh = meshOfTriangles(vertices, triangles.slice(missing))
    expect(openness(mesh)).toBeCloseTo(meanDistance(mesh), 12)
  })

  it('is the same in any unit and place', () => {
    const { vertices = [], triangles = [] } = ball(12, 8)
    const of = (move: (x: number) => number) =>
      openness(
        meshOfTriangles(
          vertices.map((v) => v.map(move) as unknown as Triple),
          triangles.slice(7),
        ),
      )
    const plain = of((x) => x)
    expect(of((x) => x * 2 ** 300)).toBe(plain)
    expect(of((x) => x * 2 ** -600)).toBe(plain)
    expect(of((x) => x + 1e6)).toBeCloseTo(plain ?? 0, 8)
  })
})
