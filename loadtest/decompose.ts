// Convex pieces that cover solid meshes, beside those of V-HACD (vhacd-js): how many pieces add how much volume, and how long that takes.
// V-HACD fits hulls to voxels, which need not cover the mesh; it is asked for more and more pieces until it adds as little. It reports and
// asserts nothing.
//
//   npm run bench:decompose -- mesh.obj …

import { readFileSync } from 'node:fs'
import { ConvexMeshDecomposition } from 'vhacd-js/lib/vhacd.js'
import { DEFAULT_ADDED_VOLUME, DEFAULT_PIECES_3D } from '../schemas/queries/decompose.ts'
import { decompose } from '../src/core3d/decompose/decompose.ts'
import { isOpenEdge, prepareMesh } from '../src/core3d/mesh/mesh.ts'
import { readObj } from '../src/import/meshes/obj.ts'

/** Pieces that V-HACD is asked for. */
const COUNTS = [4, 8, 16, 32, 64, 128]

interface Surface {
  positions: Float64Array
  indices: Uint32Array
}

function volumeOf({ positions: p, indices }: Surface): number {
  let sum = 0
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t]!, 3 * indices[t + 1]!, 3 * indices[t + 2]!]
    sum += p[a]! * (p[b + 1]! * p[c + 2]! - p[b + 2]! * p[c + 1]!)
    sum += p[a + 1]! * (p[b + 2]! * p[c]! - p[b]! * p[c + 2]!)
    sum += p[a + 2]! * (p[b]! * p[c + 1]! - p[b + 1]! * p[c]!)
  }
  return sum / 6
}

function timed<Result>(work: () => Result): { result: Result; ms: number } {
  const begun = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(begun)
  return { result, ms: (user + system) / 1000 }
}

const row = (name: string, pieces: number, added: number, ms: number): string =>
  `${name.padEnd(10)} ${`${pieces}`.padStart(4)} pieces add ${(100 * added).toFixed(2)} % in ${ms.toFixed(0)} ms of processor time`

const peer = await ConvexMeshDecomposition.create()
for (const path of process.argv.slice(2)) {
  const { vertices, triangles } = readObj(readFileSync(path), { maxVertices: 1e7, maxTriangles: 1e7 })
  const mesh = prepareMesh({ vertices, triangles, solid: true })
  if (isOpenEdge(mesh)) throw new Error(`${path} is not closed`)
  console.log(`${path}: ${triangles.length / 3} triangles`)
  const method = {
    kind: 'approximate',
    mostPieces: DEFAULT_PIECES_3D,
    mostAdded: DEFAULT_ADDED_VOLUME,
    kinds: [],
  } as const
  const own = timed(() => decompose(mesh, method))
  if ('reflexEdges' in own.result) continue
  const share = own.result.addedVolume / own.result.volume
  console.log(row('tangent', own.result.pieces.length, share, own.ms))
  for (const maxHulls of COUNTS) {
    const surface = { positions: vertices, indices: triangles }
    const { result, ms } = timed(() => peer.computeConvexHulls(surface, { maxHulls, minVolumePercentError: 0.1 }))
    const added = result.reduce((sum, hull) => sum + Math.abs(volumeOf(hull)), 0) / Math.abs(volumeOf(surface)) - 1
    console.log(row('vhacd-js', result.length, added, ms))
    if (added <= share) break
  }
}
