// Rapier's mesh (Rust compiled to WebAssembly, single precision), by the calls that lie below its wrappers.

import RAPIER from '@dimforge/rapier3d-compat'
import type { Asks, MeshQuestions } from './mesh-questions.ts'

type RawShape = ReturnType<RAPIER.Shape['intoRaw']>

export async function buildRapier({ vertices, triangles }: MeshQuestions): Promise<RawShape> {
  await RAPIER.init()
  return new RAPIER.TriMesh(new Float32Array(vertices), triangles).intoRaw()
}

export function askRapier({ asked, size }: MeshQuestions, shape: RawShape): Asks {
  const origin = RAPIER.VectorOps.intoRaw({ x: 0, y: 0, z: 0 })
  const still = RAPIER.RotationOps.intoRaw({ x: 0, y: 0, z: 0, w: 1 })
  const from = RAPIER.VectorOps.intoRaw({ x: 0, y: 0, z: 0 })
  const way = RAPIER.VectorOps.intoRaw({ x: 0, y: 0, z: 0 })
  const set = (vector: typeof from, list: Float64Array, at: number) => {
    vector.x = list[at]!
    vector.y = list[at + 1]!
    vector.z = list[at + 2]!
  }
  const cast = (list: Float64Array) => (i: number) => {
    set(from, list, 6 * i)
    set(way, list, 6 * i + 3)
    const hit = shape.castRayAndGetNormal(origin, still, from, way, 100 * size, true)
    if (hit === undefined) return -1
    const distance = hit.time_of_impact()
    hit.free()
    return distance
  }
  const nearest = new Float32Array(3)
  const cuboids = Array.from({ length: asked.box.length / 6 }, (_, i) => {
    const half = (asked.box[6 * i + 3]! - asked.box[6 * i]!) / 2
    return new RAPIER.Cuboid(half, half, half).intoRaw()
  })
  const middle = Array.from({ length: 3 * cuboids.length }, (_, i) => {
    const at = 6 * Math.floor(i / 3) + (i % 3)
    return (asked.box[at]! + asked.box[at + 3]!) / 2
  })
  const middles = Float64Array.from(middle)
  return {
    through: cast(asked.through),
    axis: cast(asked.axis),
    inside: cast(asked.inside),
    miss: cast(asked.miss),
    nearest: (i) => {
      set(from, asked.nearest, 3 * i)
      const found = shape.projectPoint(origin, still, from, true)
      found.point(nearest)
      found.free()
      return Math.hypot(nearest[0]! - from.x, nearest[1]! - from.y, nearest[2]! - from.z)
    },
    box: (i) => {
      set(from, middles, 3 * i)
      return shape.intersectsShape(origin, still, cuboids[i]!, from, still) ? 1 : 0
    },
  }
}
