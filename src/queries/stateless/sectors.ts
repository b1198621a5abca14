// The query `sectors`: which cells of a grid bodies pass through, and which of their edges or triangles do.

import { MAX_SECTORS, type SectorBody } from '../../../schemas/queries/sectors.ts'
import { orderOfWhole } from '../../containers/sorting.ts'
import {
  cellAt,
  type LeafRole,
  type SectorGrid,
  type SectorShapes,
  TooManyPassages,
  visitSectors,
} from '../../core/sectors.ts'
import { featureIndex } from '../../core2d/feature.ts'
import { vertexInOutline } from '../../core2d/narrow-phase/holding.ts'
import type { Outline } from '../../core2d/outline/outline.ts'
import { measureOuterBox } from '../../core2d/queries/body-boxes.ts'
import { contains as contains2d } from '../../core2d/queries/containment.ts'
import { bodiesMeet as bodiesMeet2d, relate as relate2d } from '../../core2d/queries/overlap.ts'
import {
  COMPOSITE as COMPOSITE_2D,
  type Composite as Composite2d,
  type Body as CoreBody2d,
  createBody as createBody2d,
  isCored,
  RADIUS as RADIUS_2D,
  setBox as setBox2d,
  setCircle as setCircle2d,
  setPose as setPose2d,
  X,
  X_LOW,
} from '../../core2d/shape/body.ts'
import { leafBody } from '../../core2d/shape/composite.ts'
import { createPlacedPoint } from '../../core3d/mesh/exact-placed.ts'
import { sideOfMesh } from '../../core3d/mesh/in-mesh.ts'
import type { Mesh } from '../../core3d/mesh/mesh.ts'
import { bounds as bounds3d, createBounds as createBounds3d } from '../../core3d/queries/bounds.ts'
import { bodiesMeet as bodiesMeet3d, relate as relate3d } from '../../core3d/queries/overlap.ts'
import {
  COMPOSITE as COMPOSITE_3D,
  type Composite as Composite3d,
  type Body as CoreBody3d,
  createBody as createBody3d,
  POINTS,
  POSITION,
  RADIUS as RADIUS_3D,
  setPose as setPose3d,
  VERTICES,
} from '../../core3d/shape/body.ts'
import { partOfLeaf, setLeaf } from '../../core3d/shape/composite.ts'
import { setAabb, setPoint } from '../../core3d/shape/shapes.ts'
import { sumError } from '../../numeric/expansion.ts'
import {
  checkLength,
  type DecodeProblem,
  inRange,
  MAX_COORDINATE,
  problemAt,
  under,
} from '../../wire/decode-problem.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

interface Request<Wire> {
  bodies: readonly Wire[]
  grid: {
    origin: { x: number; y: number; z?: number }
    cellSize: number
    columns: number
    rows: number
    layers?: number
  }
}

interface Core<Body> extends SectorShapes<Body> {
  /** How the caller counts a leaf: an edge, a triangle, a child of a compound; −1 for a convex body. ~p is part p as a whole: −1 but for a child. */
  nameOf(body: Body, leaf: number): number
}

function query<K extends Kinds>({ createSlot, decodeBody, details, problems }: Geometry<K>, core: Core<K['body']>) {
  const slot = createSlot()
  return {
    tag: 'many' as const,
    summary: 'Which cells of a grid do bodies pass through?',
    description:
      'Lists, for each cell of a grid that anything passes, the bodies in it, and which of their edges or triangles pass through it: what bodies that move over a static map look their neighbours up in. Cells are closed: touching counts, exactly as overlap of the cell and the body has it. cover is full where the body holds the whole cell; in space, a cell that only several children of a compound hold together is part.',
    advice: `Ask for fewer cells at a time, or for shapes with fewer ${details}.`,
    problems: [...problems, 'too-many-bodies' as const, 'too-many-cells' as const],
    answer({ bodies, grid }: Request<K['wire']>, limits: QueryLimits) {
      const cells = gridOf(grid)
      const problem = checkLength('bodies', bodies, 'too-many-bodies', limits.maxBodies) ?? checkGrid(cells)
      if (problem !== null) return problem
      const passed = new PassedCells(cells, limits.maxPairs)
      for (let i = 0; i < bodies.length; i++) {
        const wrong = decodeBody(bodies[i], slot, limits)
        if (wrong !== null) return under(`/bodies/${i}`, wrong)
        try {
          passed.add(i, slot, core)
        } catch (error) {
          if (error instanceof TooManyPassages) return tooManyPassages(limits.maxPairs, i)
          throw error
        }
      }
      return { cells: passed.list() }
    },
  }
}

function gridOf({ origin, cellSize, columns, rows, layers }: Request<never>['grid']): SectorGrid {
  return layers === undefined
    ? { origin: [origin.x, origin.y], cellSize, counts: [columns, rows] }
    : { origin: [origin.x, origin.y, origin.z ?? 0], cellSize, counts: [columns, rows, layers] }
}

function checkGrid({ origin, cellSize, counts }: SectorGrid): DecodeProblem | null {
  const actual = counts.reduce((product, count) => product * count, 1)
  if (actual > MAX_SECTORS) {
    const detail = `grid must have at most ${MAX_SECTORS} cells, got ${counts.join(' · ')}.`
    return problemAt('/grid', 'too-many-cells', detail, { limit: MAX_SECTORS, actual })
  }
  for (const [k, count] of counts.entries()) {
    const end = origin[k] + count * cellSize
    if (inRange(origin[k]) && inRange(end)) continue
    const detail = `grid must not reach beyond ${MAX_COORDINATE} along ${'xyz'[k]}, reaches ${end}.`
    return problemAt('/grid', 'coordinate-out-of-range', detail)
  }
  return null
}

function tooManyPassages(limit: number, index: number): DecodeProblem {
  const detail = `The first ${index + 1} bodies pass through cells more than ${limit} times, counted for each edge or triangle.`
  return problemAt('/grid', 'too-many-cells', detail, { limit, actual: limit + 1 })
}

/** What passes through cells, as numbers: records only at the end, where they take most of the time. */
class PassedCells {
  readonly #grid: SectorGrid
  #left: number
  #count = 0
  /** Four numbers each: cell, body, flags (1 full, 2 convex), and where its names begin, which end where the next ones begin. */
  #found = new Int32Array(256)
  #nameCount = 0
  #names = new Int32Array(64)

  constructor(grid: SectorGrid, most: number) {
    this.#grid = grid
    this.#left = most
  }

  add<Body>(index: number, body: Body, core: Core<Body>): void {
    const hasNames = core.leafCount(body) > 1 || core.nameOf(body, 0) >= 0
    visitSectors(body, this.#grid, core, this.#left, (cell, isFull, leaves, from, to) => {
      const at = 4 * this.#count++
      if (at + 4 >= this.#found.length) this.#found = grown(this.#found)
      this.#found[at] = cell
      this.#found[at + 1] = index
      this.#found[at + 2] = (isFull ? 1 : 0) + (hasNames ? 0 : 2)
      this.#found[at + 3] = this.#nameCount
      this.#left--
      if (hasNames) this.#addNames(body, core, leaves, from, to)
    })
    if (this.#left < 0) throw new TooManyPassages()
  }

  /** Ascending, each once. */
  #addNames<Body>(body: Body, core: Core<Body>, leaves: Int32Array, from: number, to: number): void {
    const first = this.#nameCount
    for (let i = from; i < to; i++) {
      const name = core.nameOf(body, leaves[i])
      if (name < 0) continue
      if (this.#nameCount === this.#names.length) this.#names = grown(this.#names)
      this.#names[this.#nameCount++] = name
    }
    const names = this.#names.subarray(first, this.#nameCount)
    if (names.length > 1) names.sort()
    this.#nameCount = first
    for (const name of names) {
      if (this.#nameCount === first || this.#names[this.#nameCount - 1] !== name) this.#names[this.#nameCount++] = name
    }
  }

  /** Cells in order, and in each the bodies in theirs. */
  list(): unknown[][] {
    const isInSpace = this.#grid.counts.length > 2
    const found = this.#found
    const list: unknown[][] = []
    let last = -1
    let bodies: SectorBody[] = []
    for (const i of orderOfWhole(found, 0, this.#count, 4)) {
      const cell = found[4 * i]
      if (cell !== last) {
        bodies = []
        last = cell
        const [column, row, layer] = cellAt(this.#grid, cell)
        list.push(isInSpace ? [column, row, layer, bodies] : [column, row, bodies])
      }
      const from = found[4 * i + 3]
      const end = i + 1 < this.#count ? found[4 * i + 7] : this.#nameCount
      const flags = found[4 * i + 2]
      const parts: number[] = []
      for (let at = from; at < end; at++) parts.push(this.#names[at])
      const count = flags >= 2 ? 1 : parts.length
      bodies.push({ body: found[4 * i + 1], cover: flags % 2 === 1 ? 'full' : 'part', count, parts })
    }
    return list
  }
}

function grown(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length)
  more.set(numbers)
  return more
}

// The plane.

const leafSlot = createBody2d()
const cellSlot = createBody2d()
const pointSlot = createBody2d()

const IN_PLANE: Core<CoreBody2d> = {
  leafCount: ({ kind, composite }) => (kind === COMPOSITE_2D ? (composite as Composite2d).leafCount : 1),
  partCount: ({ kind, composite }) => (kind === COMPOSITE_2D ? (composite as Composite2d).partCount : 1),
  leaf: (body, leaf) => (body.kind === COMPOSITE_2D ? leafBody(body.composite as Composite2d, leaf, leafSlot) : body),
  role({ kind, composite }, leaf): LeafRole {
    if (kind !== COMPOSITE_2D) return 'solid'
    const { parts, leafPart } = composite as Composite2d
    const { outline } = parts[leafPart[leaf]]
    if (outline === null) return 'solid'
    return outline.solid ? 'rim' : 'thin'
  },
  partOf: ({ kind, composite }, leaf) => (kind === COMPOSITE_2D ? (composite as Composite2d).leafPart[leaf] : 0),
  setCorners(leaf, out) {
    const { numbers, vertices, count } = leaf
    out.count = isCored(leaf) && count === 2 && numbers[RADIUS_2D] === 0 ? 2 : 0
    out.size = 0
    out.areExact = true
    for (let k = 0; k < 2 && out.count > 0; k++) {
      const place = numbers[X + k]
      const low = numbers[X_LOW + k]
      for (let i = 0; i < 2; i++) {
        const own = numbers[vertices + 2 * i + k]
        const sum = place + own
        out.places[3 * i + k] = sum + low
        if (low !== 0 || sumError(place, own, sum) !== 0) out.areExact = false
        out.size = Math.max(out.size, Math.abs(place) + Math.abs(own) + Math.abs(low))
      }
    }
  },
  setOuterBox(body, box) {
    measureOuterBox(body, box, 0)
    // least and greatest z
    box[4] = box[3]
    box[3] = box[2]
    box[2] = 0
    box[5] = 0
  },
  boxBody(box) {
    setPose2d(cellSlot, 0, 0, 0)
    setBox2d(cellSlot, box[0], box[1], box[3], box[4], 0)
    return cellSlot
  },
  meets: bodiesMeet2d,
  relate: relate2d,
  pointBody(place) {
    setPose2d(pointSlot, place[0], place[1], 0)
    setCircle2d(pointSlot, 0)
    return pointSlot
  },
  holds({ composite }, part, point) {
    const { outline, body } = (composite as Composite2d).parts[part]
    return vertexInOutline(outline as Outline, body, point, 0) < 0
  },
  covers: contains2d,
  nameOf({ kind, composite }, leaf) {
    if (kind !== COMPOSITE_2D) return -1
    const { parts, leafPart, leafEdge } = composite as Composite2d
    const { path, outline } = parts[leaf < 0 ? ~leaf : leafPart[leaf]]
    if (leaf < 0 || path.length > 0) return path[0] ?? -1
    return featureIndex((outline as Outline).edgeNames[leafEdge[leaf]])
  },
}

// Space.

const leafSlot3d = createBody3d()
const cellSlot3d = createBody3d()
const pointSlot3d = createBody3d()
const found3d = createBounds3d()
const placed = createPlacedPoint()
const ORIGIN = { position: [0, 0, 0] } as const

const IN_SPACE: Core<CoreBody3d> = {
  leafCount: ({ kind, composite }) => (kind === COMPOSITE_3D ? (composite as Composite3d).leafCount : 1),
  partCount: ({ kind, composite }) => (kind === COMPOSITE_3D ? (composite as Composite3d).partCount : 1),
  leaf: (body, leaf) => (body.kind === COMPOSITE_3D ? setLeaf(body, leaf, leafSlot3d) : body),
  role({ kind, composite }, leaf): LeafRole {
    if (kind !== COMPOSITE_3D) return 'solid'
    const { mesh } = (composite as Composite3d).parts[partOfLeaf(composite as Composite3d, leaf)]
    if (mesh === null) return 'solid'
    return mesh.isSolid ? 'rim' : 'thin'
  },
  partOf: ({ kind, composite }, leaf) => (kind === COMPOSITE_3D ? partOfLeaf(composite as Composite3d, leaf) : 0),
  setCorners({ kind, count, numbers }, out) {
    out.count = kind === POINTS && count === 3 && numbers[RADIUS_3D] === 0 ? 3 : 0
    out.size = 0
    out.areExact = true
    for (let at = 0; at < 3 * out.count; at++) {
      const place = numbers[POSITION + (at % 3)]
      const own = numbers[VERTICES + at]
      out.places[at] = place + own
      if (sumError(place, own, out.places[at]) !== 0) out.areExact = false
      out.size = Math.max(out.size, Math.abs(place) + Math.abs(own))
    }
  },
  setOuterBox(body, box) {
    bounds3d(body, found3d)
    box.set(found3d.min)
    box.set(found3d.max, 3)
  },
  boxBody(box) {
    setPose3d(cellSlot3d, ORIGIN)
    setAabb(cellSlot3d, [box[0], box[1], box[2]], [box[3], box[4], box[5]])
    return cellSlot3d
  },
  meets: bodiesMeet3d,
  relate: relate3d,
  pointBody(place) {
    setPose3d(pointSlot3d, { position: [place[0], place[1], place[2]] })
    setPoint(pointSlot3d)
    return pointSlot3d
  },
  holds({ composite }, part, point) {
    const { mesh, placement } = (composite as Composite3d).parts[part]
    placed.sum.fill(0)
    for (let k = 0; k < 3; k++) placed.sum[k] = point.numbers[POSITION + k]
    return sideOfMesh(mesh as Mesh, placement, placed) > 0
  },
  covers: () => false,
  nameOf({ kind, composite }, leaf) {
    if (kind !== COMPOSITE_3D) return -1
    const { parts } = composite as Composite3d
    const { path, mesh, firstLeaf } = parts[leaf < 0 ? ~leaf : partOfLeaf(composite as Composite3d, leaf)]
    if (leaf < 0 || path.length > 0) return path[0] ?? -1
    const triangle = leaf - firstLeaf
    return mesh?.names?.[triangle] ?? triangle
  },
}

export const sectorsQuery: InBoth<'sectors'> = {
  '2d': query(PLANE, IN_PLANE),
  '3d': query(SPACE, IN_SPACE),
}
