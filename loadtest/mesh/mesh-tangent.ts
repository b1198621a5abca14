// Tangent's own functions on a mesh, called as its queries call them.

import { type Mesh, prepareMesh } from '../../src/core3d/mesh/mesh.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet } from '../../src/core3d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { createBody, setPose } from '../../src/core3d/shape/body.ts'
import { setMesh } from '../../src/core3d/shape/composite.ts'
import { setAabb, setPoint } from '../../src/core3d/shape/shapes.ts'
import type { Asks, MeshQuestions } from './mesh-questions.ts'

export function buildTangent({ vertices, triangles }: MeshQuestions): Mesh {
  return prepareMesh({ vertices, triangles, solid: false }) as Mesh
}

/** Of tree and side tables, beside the arrays that the caller has. */
export function bytesOfTangent({ buffer, vertexCount, triangleCount }: Mesh): number {
  return (buffer.byteLength - 24 * vertexCount) / triangleCount - 12
}

export function askTangent({ asked }: MeshQuestions, mesh: Mesh): Asks {
  const body = createBody()
  setPose(body, { position: [0, 0, 0] })
  setMesh(body, mesh)
  const ray = createRay()
  const hit = createRayHit()
  const cast = (list: Float64Array) => (i: number) => {
    ray.ox = list[6 * i]!
    ray.oy = list[6 * i + 1]!
    ray.oz = list[6 * i + 2]!
    ray.dx = list[6 * i + 3]!
    ray.dy = list[6 * i + 4]!
    ray.dz = list[6 * i + 5]!
    return rayCast(ray, body, 'hit', hit) ? hit.distance : -1
  }
  const point = createBody()
  const apart = createDistance()
  const box = createBody()
  setPose(box, { position: [0, 0, 0] })
  const triple = (list: Float64Array, at: number): [number, number, number] => [list[at]!, list[at + 1]!, list[at + 2]!]
  return {
    through: cast(asked.through),
    axis: cast(asked.axis),
    inside: cast(asked.inside),
    miss: cast(asked.miss),
    nearest: (i) => {
      setPose(point, { position: triple(asked.nearest, 3 * i) })
      setPoint(point)
      distance(point, body, apart)
      return apart.distance
    },
    box: (i) => {
      setAabb(box, triple(asked.box, 6 * i), triple(asked.box, 6 * i + 3))
      return bodiesMeet(box, body) ? 1 : 0
    },
  }
}
