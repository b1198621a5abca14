// Meshes: their block of memory, their tree, whether they are closed, how their edges bend, and height fields.

import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import { isOpenEdge, type Mesh, meshOf, prepareMesh, TREE_ORIGIN, TREE_SCALE } from '../../../src/core3d/mesh/mesh.ts'
import {
  CONVEX_EDGE,
  checkMesh,
  edgeClass,
  FLAT_EDGE,
  FREE_EDGE,
  REFLEX_EDGE,
} from '../../../src/core3d/mesh/mesh-check.ts'
import {
  MESH_DEPTH_COUNT,
  NODE_SIZE,
  RECORD_SIZE,
  RECORD_STEP,
  singleBelow,
  TREE_ERROR,
  triangleOf,
} from '../../../src/core3d/mesh/mesh-tree.ts'
import { RECORD_ERROR_STEPS } from '../../../src/core3d/tolerances.ts'
import {
  described,
  insideOut,
  lattice,
  lehmer,
  sharedMesh,
  type Triangles,
  tetrahedron,
  together,
  torus,
} from '../../support/families/meshes.ts'

function meshFrom(source: Triangles, solid = false): Mesh {
  const made = prepareMesh({ ...source, solid })
  if (isOpenEdge(made)) throw new RangeError(JSON.stringify(made))
  return made
}

const classesOf = ({ vertices, triangles }: Triangles) => {
  const { edges } = checkMesh(Float64Array.from(vertices), Uint32Array.from(triangles))
  const counts = [0, 0, 0, 0]
  for (let t = 0; t < edges.length; t++) for (let e = 0; e < 3; e++) counts[edgeClass(edges, t, e)]++
  return counts
}

/** The first fault of the tree; null where there is none. */
function faultOf({
  nodes,
  links,
  records,
  header,
  vertices,
  triangles,
  nodeCount,
  triangleCount,
}: Mesh): string | null {
  const seen = new Set<number>()
  const scale = header[TREE_SCALE]
  const waiting = [{ node: 0, depth: 1 }]
  let visited = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    visited++
    if (depth > MESH_DEPTH_COUNT) return `node ${node} is ${depth} deep`
    const at = NODE_SIZE * node
    const [first, count] = [links[at + 6], links[at + 7]]
    if (count === 0) {
      if (first <= node || first + 1 >= nodeCount) return `node ${node} has children ${first}`
      for (const child of [first, first + 1]) {
        for (let k = 0; k < 3; k++) {
          const c = NODE_SIZE * child + k
          if (nodes[c] < nodes[at + k] || nodes[c + 3] > nodes[at + 3 + k]) return `node ${child} sticks out`
        }
        waiting.push({ node: child, depth: depth + 1 })
      }
      continue
    }
    if (count > 7 || (count < 4 && triangleCount >= 4)) return `leaf ${node} has ${count} triangles`
    for (let r = first; r < first + count; r++) {
      const triangle = triangleOf(records, r)
      seen.add(triangle)
      for (let c = 0; c < 3; c++) {
        const vertex = triangles[3 * triangle + c]
        for (let k = 0; k < 3; k++) {
          const place = (vertices[3 * vertex + k] - header[TREE_ORIGIN + k]) * scale
          const step = (nodes[at + 3 + k] - nodes[at + k]) * RECORD_STEP
          const corner = nodes[at + k] + step * records[RECORD_SIZE * r + 3 * c + k]
          if (!(Math.abs(place - corner) <= RECORD_ERROR_STEPS * step + TREE_ERROR)) return `corner ${c} of record ${r}`
          if (place < nodes[at + k] - TREE_ERROR || place > nodes[at + 3 + k] + TREE_ERROR) return `leaf ${node}: box`
        }
      }
    }
  }
  if (visited !== nodeCount) return `${visited} nodes of ${nodeCount}`
  return seen.size === triangleCount ? null : `${seen.size} triangles of ${triangleCount}`
}

describe('the block', () => {
  it('is read again as it was made, also from shared memory', () => {
    const groups = [3, -1, 7, 7]
    for (const isShared of [false, true]) {
      const made = prepareMesh({ ...tetrahedron, solid: true, groups }, isShared)
      if (isOpenEdge(made)) throw new RangeError('open')
      const read = meshOf(structuredClone(made.buffer))
      expect(read).toEqual({ ...made, buffer: read?.buffer })
      expect([...(read?.groups ?? [])]).toEqual(groups)
    }
  })

  it('is refused when it is cut short or of another layout', () => {
    const { buffer } = meshFrom(torus(5, 5))
    expect(meshOf(buffer.slice(0, buffer.byteLength - 1))).toBeNull()
    expect(meshOf(buffer.slice(0, 8))).toBeNull()
    const other = buffer.slice(0)
    new Float64Array(other, 0, 1)[0] = 77
    expect(meshOf(other)).toBeNull()
  })

  it('takes at most 40 bytes a triangle beside the numbers of the caller', () => {
    const { buffer, vertices, triangles, triangleCount } = meshFrom(torus(100, 100))
    expect((buffer.byteLength - 8 * vertices.length - 4 * triangles.length) / triangleCount).toBeLessThan(40)
  })
})

const COUNT = 20_000

const hostile: Record<string, () => Triangles> = {
  'one triangle': () => ({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] }),
  'one point': () => ({ vertices: [5, 6, 7], triangles: [0, 0, 0] }),
  'equal triangles': () => ({
    vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0],
    triangles: Array.from({ length: 3 * COUNT }, (_, i) => i % 3),
  }),
  'triangles of one point': () => ({ vertices: [1, 2, 3], triangles: Array.from({ length: 3 * COUNT }, () => 0) }),
  'a fan': () => ({
    vertices: Array.from({ length: 3 * COUNT + 6 }, (_, i) =>
      i < 3 || i % 3 === 2 ? 0 : i % 3 === 0 ? Math.cos(i) : Math.sin(i - 1),
    ),
    triangles: Array.from({ length: COUNT }, (_, i) => [0, i + 1, i + 2 > COUNT ? 1 : i + 2]).flat(),
  }),
  'sizes from 1e-300 to 1e100': () => {
    const random = lehmer(5)
    return {
      vertices: Array.from({ length: 9 * COUNT }, () => (random() < 0.5 ? -1 : 1) * 10 ** (400 * random() - 300)),
      triangles: Array.from({ length: 3 * COUNT }, (_, i) => i),
    }
  },
  'nested triangles, each half as large': () => ({
    vertices: Array.from({ length: 900 }, (_, t) => [-1, -1, 0, 1, -1, 0, 0, 1, 0].map((x) => x * 2 ** -t)).flat(),
    triangles: Array.from({ length: 2700 }, (_, i) => i),
  }),
  'triangles of no area in a line': () => ({
    vertices: Array.from({ length: 9 * COUNT }, (_, i) => Math.floor(i / 9) + Math.floor((i % 9) / 3) / 4),
    triangles: Array.from({ length: 3 * COUNT }, (_, i) => i),
  }),
  'tiny and far away': () => {
    const { vertices, triangles } = torus(30, 30)
    return { vertices: vertices.map((x, i) => 1e9 + (i % 3) * 1e8 + x), triangles }
  },
  'below the normal doubles': () => {
    const { vertices, triangles } = torus(10, 10)
    return { vertices: vertices.map((x) => x * 1e-315), triangles }
  },
}

describe('the tree', () => {
  it.each(Object.keys(hostile))('is sound, and made in bounded steps: %s', (name) => {
    const source = hostile[name]()
    const { result, steps } = countSteps(() => meshFrom(source))
    expect(faultOf(result)).toBeNull()
    expect(steps).toBeLessThan(100 + 40 * result.triangleCount)
  })

  it.each(['spot', 'fandisk'] as const)('is sound: %s', (name) => {
    const source = sharedMesh(name)
    if (source === null) return
    expect(faultOf(meshFrom(source, true))).toBeNull()
  })

  it('rounds down to single precision', () => {
    const random = lehmer(1)
    for (let i = 0; i < 1000; i++) {
      const value = (random() - 0.5) * 2 ** (-160 * random())
      const below = singleBelow(value)
      expect(Math.fround(below)).toBe(below)
      expect(below).toBeLessThanOrEqual(value)
    }
    expect(singleBelow(-5e-324)).toBeLessThan(0)
    expect(singleBelow(0)).toBe(0)
    expect(singleBelow(0.5)).toBe(0.5)
  })
})

describe('closed', () => {
  const open = (source: Triangles) => checkMesh(Float64Array.from(source.vertices), Uint32Array.from(source.triangles))

  it('is what encloses something, however it is written', () => {
    const random = lehmer(3)
    for (const source of [tetrahedron, torus(7, 5), lattice([[0, 0, 0]]), sharedMesh('spot') ?? tetrahedron]) {
      for (const same of [source, described(source, random)]) {
        expect(open(same)).toMatchObject({ open: null, isInward: false })
        expect(open(insideOut(same))).toMatchObject({ open: null, isInward: true })
      }
    }
  })

  it('names an open edge, the first in the order of the caller', () => {
    const { vertices, triangles } = tetrahedron
    expect(open({ vertices, triangles: triangles.slice(0, 9) }).open).toEqual({ triangle: 0, from: 2, to: 1 })
    // two triangles wound the other way
    const turned = [...triangles.slice(0, 6), 0, 2, 3, ...triangles.slice(9)]
    expect(open({ vertices, triangles: turned }).open).toEqual({ triangle: 0, from: 0, to: 2 })
    expect(prepareMesh({ vertices, triangles: turned, solid: true })).toEqual({ triangle: 0, from: 0, to: 2 })
    expect(isOpenEdge(prepareMesh({ vertices, triangles: turned, solid: false }))).toBe(false)
  })

  it('takes edges of four triangles, triangles of no area, 0 and −0 as one', () => {
    expect(
      open(
        lattice([
          [0, 0, 0],
          [1, 1, 0],
        ]),
      ).open,
    ).toBeNull()
    const { vertices, triangles } = described(tetrahedron, lehmer(9))
    const signed = vertices.map((x, i) => (x === 0 && i % 2 === 0 ? -0 : x))
    expect(open({ vertices: signed, triangles: [...triangles, 0, 0, 1, 3, 3, 3] }).open).toBeNull()
  })

  it('has a cavity where a smaller surface is wound the other way', () => {
    const cavity = insideOut({
      vertices: tetrahedron.vertices.map((x) => x / 4 + 0.25),
      triangles: tetrahedron.triangles,
    })
    expect(open(together(tetrahedron, cavity))).toMatchObject({ open: null, isInward: false })
    expect(open(insideOut(together(tetrahedron, cavity)))).toMatchObject({ open: null, isInward: true })
  })
})

describe('edges', () => {
  it('are flat within a face, ridges at the corners of a box, valleys where two boxes meet', () => {
    // 12 ridges and 6 diagonals, twice each
    expect(classesOf(lattice([[0, 0, 0]]))).toEqual([0, 12, 0, 24])
    const corner = lattice([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ])
    const counts = classesOf(corner)
    expect(counts[REFLEX_EDGE]).toBe(2)
    expect(counts[FREE_EDGE]).toBe(0)
    expect(classesOf(insideOut(corner))).toEqual(counts)
  })

  it('are free at borders, between more than two triangles and beside one of no area', () => {
    expect(classesOf({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] })).toEqual([3, 0, 0, 0])
    expect(
      classesOf(
        lattice([
          [0, 0, 0],
          [1, 1, 0],
        ]),
      )[FREE_EDGE],
    ).toBe(4)
    expect(
      classesOf({ vertices: [0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 1, 0], triangles: [0, 1, 2, 1, 3, 2] })[FREE_EDGE],
    ).toBe(6)
  })

  it('tell a fold from a plane, and a triangle wound the other way from the side it is seen from', () => {
    const vertices = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0.5, 2, 0, 0, -1, 1]
    expect(classesOf({ vertices, triangles: [0, 1, 2, 1, 0, 3] })[FLAT_EDGE]).toBe(2)
    expect(classesOf({ vertices, triangles: [0, 1, 2, 1, 0, 4] })[CONVEX_EDGE]).toBe(2)
    expect(classesOf({ vertices, triangles: [0, 1, 2, 1, 0, 5] })[REFLEX_EDGE]).toBe(2)
    const turned = classesOf({ vertices, triangles: [0, 1, 2, 0, 1, 5] })
    expect([turned[REFLEX_EDGE], turned[CONVEX_EDGE]]).toEqual([1, 1])
  })

  it('are found at vertices of many triangles, whichever their numbers', () => {
    const count = 100
    const around = Array.from({ length: count }, (_, i) => [
      Math.cos((2 * Math.PI * i) / count),
      Math.sin((2 * Math.PI * i) / count),
      0,
    ])
    // around the upper tip first, then the lower one
    const cones = Array.from({ length: count }, (_, i) => [
      [0, i, (i + 1) % count],
      [1, (i + 1) % count, i],
    ]).flat()
    const numbered = (tips: number, rim: number): Triangles => {
      const points = rim > tips ? [[0, 0, 1], [0, 0, -1], ...around] : [...around, [0, 0, 1], [0, 0, -1]]
      return { vertices: points.flat(), triangles: cones.flatMap(([tip, a, b]) => [tips + tip, rim + a, rim + b]) }
    }
    for (const source of [numbered(0, 2), numbered(count, 0)]) {
      expect(classesOf(source)).toEqual([0, 0, 0, 6 * count])
      expect(classesOf({ ...source, triangles: source.triangles.slice(3) })).toEqual([3, 0, 0, 6 * count - 6])
    }
  })

  it('are found as exactly in the last digit', () => {
    const bend = (z: number) =>
      classesOf({ vertices: [0, 0, 0, 0.1, 0.3, 0, 1, 0, 0, -1, 0, z], triangles: [1, 0, 2, 0, 1, 3] })
    expect(bend(0)[FLAT_EDGE]).toBe(2)
    expect(bend(5e-324)[FLAT_EDGE]).toBe(0)
    expect(bend(5e-324)).not.toEqual(bend(-5e-324))
  })
})
