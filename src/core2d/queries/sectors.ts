/** Which cells of a grid bodies of the plane pass through: what `core/sectors.ts` asks about them. */

import type { LeafRole, SectorShapes } from '../../core/sectors.ts'
import { sumError } from '../../numeric/expansion.ts'
import { featureIndex } from '../feature.ts'
import { vertexInOutline } from '../narrow-phase/holding.ts'
import type { Outline } from '../outline/outline.ts'
import {
  type Body,
  COMPOSITE,
  type Composite,
  createBody,
  isCored,
  RADIUS,
  setBox,
  setCircle,
  setPose,
  X,
  X_LOW,
} from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { measureOuterBox } from './body-boxes.ts'
import { contains } from './containment.ts'
import { bodiesMeet, relate } from './overlap.ts'

const leafSlot = createBody()
const cellSlot = createBody()
const pointSlot = createBody()

export const PLANE_SECTORS: Readonly<SectorShapes<Body>> = {
  leafCount: ({ kind, composite }) => (kind === COMPOSITE ? (composite as Composite).leafCount : 1),
  partCount: ({ kind, composite }) => (kind === COMPOSITE ? (composite as Composite).partCount : 1),
  leaf: (body, leaf) => (body.kind === COMPOSITE ? leafBody(body.composite as Composite, leaf, leafSlot) : body),
  role({ kind, composite }, leaf): LeafRole {
    if (kind !== COMPOSITE) return 'solid'
    const { parts, leafPart } = composite as Composite
    const { outline } = parts[leafPart[leaf]]
    if (outline === null) return 'solid'
    return outline.solid ? 'rim' : 'thin'
  },
  partOf: ({ kind, composite }, leaf) => (kind === COMPOSITE ? (composite as Composite).leafPart[leaf] : 0),
  setCorners(leaf, out) {
    const { numbers, vertices, count } = leaf
    out.count = isCored(leaf) && count === 2 && numbers[RADIUS] === 0 ? 2 : 0
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
    setPose(cellSlot, 0, 0, 0)
    setBox(cellSlot, box[0], box[1], box[3], box[4], 0)
    return cellSlot
  },
  meets: bodiesMeet,
  relate: relate,
  pointBody(place) {
    setPose(pointSlot, place[0], place[1], 0)
    setCircle(pointSlot, 0)
    return pointSlot
  },
  holds({ composite }, part, point) {
    const { outline, body } = (composite as Composite).parts[part]
    return vertexInOutline(outline as Outline, body, point, 0) < 0
  },
  covers: contains,
  nameOf({ kind, composite }, leaf) {
    if (kind !== COMPOSITE) return -1
    const { parts, leafPart, leafEdge } = composite as Composite
    const { path, outline } = parts[leaf < 0 ? ~leaf : leafPart[leaf]]
    if (leaf < 0 || path.length > 0) return path[0] ?? -1
    return featureIndex((outline as Outline).edgeNames[leafEdge[leaf]])
  },
}
