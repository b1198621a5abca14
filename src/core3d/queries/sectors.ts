/** Which cells of a grid bodies in space pass through: what `core/sectors.ts` asks about them. */

import type { LeafRole, SectorShapes } from '../../core/sectors.ts'
import { sumError } from '../../numeric/expansion.ts'
import { createPlacedPoint } from '../mesh/exact-placed.ts'
import { sideOfMesh } from '../mesh/in-mesh.ts'
import type { Mesh } from '../mesh/mesh.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  createBody,
  POINTS,
  POSITION,
  RADIUS,
  setPose,
  VERTICES,
} from '../shape/body.ts'
import { partOfLeaf, setLeaf } from '../shape/composite.ts'
import { setAabb, setPoint } from '../shape/shapes.ts'
import { bounds, createBounds } from './bounds.ts'
import { partsHold } from './composite-containment.ts'
import { bodiesMeet, relate } from './overlap.ts'

const leafSlot = createBody()
const cellSlot = createBody()
const pointSlot = createBody()
const found = createBounds()
const placed = createPlacedPoint()
const ORIGIN = { position: [0, 0, 0] } as const

export const SPACE_SECTORS: Readonly<SectorShapes<Body>> = {
  leafCount: ({ kind, composite }) => (kind === COMPOSITE ? (composite as Composite).leafCount : 1),
  partCount: ({ kind, composite }) => (kind === COMPOSITE ? (composite as Composite).partCount : 1),
  leaf: (body, leaf) => (body.kind === COMPOSITE ? setLeaf(body, leaf, leafSlot) : body),
  role({ kind, composite }, leaf): LeafRole {
    if (kind !== COMPOSITE) return 'solid'
    const { mesh } = (composite as Composite).parts[partOfLeaf(composite as Composite, leaf)]
    if (mesh === null) return 'solid'
    return mesh.isSolid ? 'rim' : 'thin'
  },
  partOf: ({ kind, composite }, leaf) => (kind === COMPOSITE ? partOfLeaf(composite as Composite, leaf) : 0),
  setCorners({ kind, count, numbers }, out) {
    out.count = kind === POINTS && count === 3 && numbers[RADIUS] === 0 ? 3 : 0
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
    bounds(body, found)
    box.set(found.min)
    box.set(found.max, 3)
  },
  boxBody(box) {
    setPose(cellSlot, ORIGIN)
    setAabb(cellSlot, [box[0], box[1], box[2]], [box[3], box[4], box[5]])
    return cellSlot
  },
  meets: bodiesMeet,
  relate: relate,
  pointBody(place) {
    setPose(pointSlot, { position: [place[0], place[1], place[2]] })
    setPoint(pointSlot)
    return pointSlot
  },
  holds({ composite }, part, point) {
    const { mesh, placement } = (composite as Composite).parts[part]
    placed.sum.fill(0)
    for (let k = 0; k < 3; k++) placed.sum[k] = point.numbers[POSITION + k]
    return sideOfMesh(mesh as Mesh, placement, placed) > 0
  },
  covers: partsHold,
  nameOf({ kind, composite }, leaf) {
    if (kind !== COMPOSITE) return -1
    const { parts } = composite as Composite
    const { path, mesh, firstLeaf } = parts[leaf < 0 ? ~leaf : partOfLeaf(composite as Composite, leaf)]
    if (leaf < 0 || path.length > 0) return path[0] ?? -1
    const triangle = leaf - firstLeaf
    return mesh?.names?.[triangle] ?? triangle
  },
}
