// three-mesh-bvh, which keeps vertices in single precision, with trees by either of its strategies.

import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Matrix4, Ray, Vector3 } from 'three'
import { CENTER, type HitPointInfo, MeshBVH, SAH } from 'three-mesh-bvh'
import type { Asks, MeshQuestions } from './mesh-questions.ts'

export function buildThree({ vertices, triangles }: MeshQuestions, isSah: boolean): MeshBVH {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(vertices), 3))
  geometry.setIndex(new BufferAttribute(new Uint32Array(triangles), 1))
  return new MeshBVH(geometry, { strategy: isSah ? SAH : CENTER })
}

export function bytesOfThree(tree: MeshBVH, { triangles }: MeshQuestions): number {
  const { roots } = MeshBVH.serialize(tree, { cloneBuffers: false })
  return roots.reduce((sum, { byteLength }) => sum + byteLength, 0) / (triangles.length / 3)
}

export function askThree({ asked }: MeshQuestions, tree: MeshBVH): Asks {
  const ray = new Ray()
  const cast = (list: Float64Array) => (i: number) => {
    ray.origin.fromArray(list, 6 * i)
    ray.direction.fromArray(list, 6 * i + 3)
    return tree.raycastFirst(ray, DoubleSide)?.distance ?? -1
  }
  const point = new Vector3()
  const found = {} as HitPointInfo
  const box = new Box3()
  const identity = new Matrix4()
  return {
    through: cast(asked.through),
    axis: cast(asked.axis),
    inside: cast(asked.inside),
    miss: cast(asked.miss),
    nearest: (i) => {
      point.fromArray(asked.nearest, 3 * i)
      return tree.closestPointToPoint(point, found)?.distance ?? -1
    },
    box: (i) => {
      box.min.fromArray(asked.box, 6 * i)
      box.max.fromArray(asked.box, 6 * i + 3)
      return tree.intersectsBox(box, identity) ? 1 : 0
    },
  }
}
