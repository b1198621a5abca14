/**
 * Maps of Quake and of what came after it: brushes as convex hulls, curved patches as meshes, point entities as boxes.
 *
 * A brush is what lies behind all of its planes; its corners come exactly from these. Bodies have the class and the keys of their entity;
 * those of `worldspawn`, which are about the whole map, are left out. What TrenchBroom says about layers and groups become tags.
 * Frame: that of the file, z up; lengths in Quake's units.
 */

import type { MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { type Enclosed, enclosed, type WallFace } from '../core3d/shape/halfspace-intersection.ts'
import { type Drawing3d, draw, noteRepaired, skip } from './drawing.ts'
import { patchMesh } from './quake-patch.ts'
import { EntitySizes } from './quake-sizes.ts'
import { type MapBrush, type MapEntity, type MapPatch, readMap } from './quake-text.ts'
import type { SourceFiles } from './source-files.ts'

const WORLD = 'worldspawn'
/** Entities around others, which have no shape and no place. */
const LAYER = '_tb_layer'
const GROUP = '_tb_group'
/** Layer of what is in none. */
const NO_LAYER = 'default'
/** How deep groups may lie in groups. */
const MOST_GROUPS = 64
/** Steps that the exact planes of one brush may take: those of real maps take some thousands. */
const MOST_BRUSH_STEPS = 2 ** 24
/** Largest coordinate that is taken. */
const MOST_COORDINATE = 1e100

export interface QuakeOptions {
  /** How far curves may lie from the triangles that stand for them. */
  tolerance: number
  /** `<class>:<minX> <minY> <minZ> <maxX> <maxY> <maxZ>`; when absent those of Quake's own entities. */
  sizes?: readonly string[]
}

export function importQuake({ main }: SourceFiles, { tolerance, sizes }: QuakeOptions, drawing: Drawing3d): void {
  const entities = [...readMap(main)]
  const table = new EntitySizes(sizes)
  const places = new Outline(entities)
  entities.forEach((entity, number) => {
    const placed = places.placeOf(entity, number)
    if (entity.brushes.length + entity.patches.length + entity.others.length === 0) drawPoint(drawing, placed, table)
    for (const brush of entity.brushes) drawBrush(drawing, placed, brush)
    for (const patch of entity.patches) drawPatch(drawing, placed, patch, tolerance)
    for (const { name, index } of entity.others) {
      skip(drawing, `${placed.where}, part ${index}`, name.slice(0, 40), 'It is neither a brush nor a curved patch.')
    }
  })
  table.listUnmet(drawing)
}

/** An entity, and what all of its bodies have in common. */
interface PlacedEntity {
  number: number
  className: string
  layer: string
  isHidden: boolean
  tags: string[]
  data: Record<string, unknown>
  /** Null: it has none. */
  origin: Vec3 | null
  where: string
}

/** The layers and groups of a map, as TrenchBroom writes them: entities with ids, which others name. */
class Outline {
  readonly #layers = new Map<string, MapEntity>()
  readonly #groups = new Map<string, MapEntity>()

  constructor(entities: readonly MapEntity[]) {
    for (const entity of entities) {
      const kind = entity.keys.get('_tb_type')
      const id = entity.keys.get('_tb_id')
      if (id === undefined) continue
      if (kind === LAYER) this.#layers.set(id, entity)
      if (kind === GROUP) this.#groups.set(id, entity)
    }
  }

  placeOf(entity: MapEntity, number: number): PlacedEntity {
    const { keys } = entity
    const className = keys.get('classname') ?? ''
    const name = keys.get('targetname') ?? ''
    const groups = this.#groupsOf(entity)
    const layer = this.#layerOf([...groups, entity])
    const layerName = layer?.keys.get('_tb_name') ?? NO_LAYER
    const isWorld = className === WORLD
    const own = [...keys].filter(([key]) => !(isWorld || key === 'classname' || key.startsWith('_tb_')))
    return {
      number,
      className,
      layer: layerName,
      isHidden: [layer, ...groups].some((around) => around?.keys.get('_tb_layer_hidden') === '1'),
      tags: [
        ...(className === '' ? [] : [`class:${className}`]),
        ...(name === '' ? [] : [`name:${name}`]),
        ...groups.map((group) => `group:${group.keys.get('_tb_name') ?? group.keys.get('_tb_id')}`),
        ...(layer?.keys.get('_tb_layer_omit_from_export') === '1' ? ['omit-from-export'] : []),
      ],
      data: Object.fromEntries(own),
      origin: originOf(keys),
      where: `entity ${number}${className === '' ? '' : ` ${className}`}`,
    }
  }

  /** The groups that the entity is, or lies in, the outermost first. */
  #groupsOf(entity: MapEntity): MapEntity[] {
    const groups: MapEntity[] = entity.keys.get('_tb_type') === GROUP ? [entity] : []
    for (let id = parentOf(entity); id !== undefined && groups.length < MOST_GROUPS; ) {
      const group = this.#groups.get(id)
      // a group may name itself
      if (group === undefined || groups.includes(group)) break
      groups.unshift(group)
      id = parentOf(group)
    }
    return groups
  }

  #layerOf(around: readonly MapEntity[]): MapEntity | undefined {
    for (const entity of around) {
      if (entity.keys.get('_tb_type') === LAYER) return entity
      const layer = this.#layers.get(entity.keys.get('_tb_layer') ?? parentOf(entity) ?? '')
      if (layer !== undefined) return layer
    }
    return undefined
  }
}

/** Of the group around it; older files name layers so, too. */
function parentOf({ keys }: MapEntity): string | undefined {
  return keys.get('_tb_group') ?? keys.get('_tb_parent')
}

function originOf(keys: ReadonlyMap<string, string>): Vec3 | null {
  const words = (keys.get('origin') ?? '').trim().split(/\s+/, 4)
  const [x, y, z] = words.map((word) =>
    /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word) ? Number(word) : Number.NaN,
  )
  return words.length === 3 && [x, y, z].every(isCoordinate) ? { x: x + 0, y: y + 0, z: z + 0 } : null
}

function isCoordinate(value: number): boolean {
  return Math.abs(value) <= MOST_COORDINATE
}

function drawPoint(drawing: Drawing3d, placed: PlacedEntity, table: EntitySizes): void {
  const { className, origin, data, where } = placed
  if (className === WORLD) skip(drawing, where, 'entity', 'It has no brushes.')
  else if (data.origin === undefined && placed.tags.some((tag) => tag.startsWith('group:'))) {
    skip(drawing, where, 'group', 'It has no brushes of its own.')
  } else if (origin === null) {
    skip(
      drawing,
      where,
      'entity',
      data.origin === undefined ? 'It has no brush and no origin.' : 'Its origin is not three coordinates.',
    )
  } else {
    const size = table.sizeOf(className)
    if (size === null)
      drawPart(drawing, placed, '', { kind: 'entity', body: { shape: { type: 'point' }, position: origin } })
    else {
      const { min, max } = size
      const shape: Shape3d = { type: 'box', size: { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z } }
      const position = {
        x: origin.x + (min.x + max.x) / 2,
        y: origin.y + (min.y + max.y) / 2,
        z: origin.z + (min.z + max.z) / 2,
      }
      drawPart(drawing, placed, '', { kind: 'entity', body: { shape, position } })
    }
  }
}

function drawBrush(drawing: Drawing3d, placed: PlacedEntity, brush: MapBrush): void {
  const { index, texture } = brush
  const where = `${placed.where}, brush ${index}`
  const isWhole = brush.walls.every((wall) => wall.every(isCoordinate))
  const solid = isWhole ? solidOf(brush.walls) : 'A number of its planes is beyond 1e100.'
  if (typeof solid === 'string') {
    skip(drawing, where, 'brush', solid)
    return
  }
  for (const [kind, why] of IDLE_FACES) {
    const count = solid.faces.filter((face) => face === kind).length
    const faces = count === 1 ? 'One face has' : `${count} faces have`
    if (count > 0) noteRepaired(drawing, where, 'brush', `${faces} ${why} It is taken without.`)
  }
  const points = Array.from({ length: solid.vertices.length / 3 }, (_, k) => {
    const [x, y, z] = solid.vertices.slice(3 * k, 3 * k + 3)
    return { x, y, z }
  })
  // planes of four numbers count from the origin of their entity
  const isMoved = brush.walls.some((wall) => wall.length === 4) && placed.origin !== null
  drawPart(drawing, placed, `.${index}`, {
    kind: 'brush',
    body: { shape: { type: 'hull', points }, ...(isMoved && placed.origin && { position: placed.origin }) },
    texture,
  })
}

/** Faces that a brush is taken without, and what is said of them. */
const IDLE_FACES: readonly (readonly [WallFace, string])[] = [
  ['no-plane', 'no plane: the points lie in a line.'],
  ['idle', 'no part of its surface: the others cut it off.'],
]

type Solid = Extract<Enclosed, { kind: 'solid' }>

const REASONS: Readonly<Record<Exclude<Enclosed['kind'], 'solid'>, string>> = {
  empty: 'Nothing lies behind all of its planes.',
  flat: 'What lies behind all of its planes has no volume.',
  unbounded: 'Its planes do not enclose it, or only far away.',
  costly: 'Its planes take more exact arithmetic than is spent on a brush.',
}

/** A sentence where it is none. */
function solidOf(walls: readonly number[][]): Solid | string {
  const found = enclosed(walls, MOST_BRUSH_STEPS)
  return found.kind === 'solid' ? found : REASONS[found.kind]
}

function drawPatch(drawing: Drawing3d, placed: PlacedEntity, patch: MapPatch, tolerance: number): void {
  const where = `${placed.where}, patch ${patch.index}`
  const mesh = patch.points.every(isCoordinate)
    ? patchMesh(patch, tolerance, drawing.mostVertices)
    : 'A control point is beyond 1e100.'
  if (typeof mesh === 'string') skip(drawing, where, 'patch', mesh)
  else drawPart(drawing, placed, `.${patch.index}`, { kind: 'patch', body: { shape: mesh }, texture: patch.texture })
}

interface Part {
  kind: 'brush' | 'patch' | 'entity'
  body: MovingBody3d
  texture?: string | null
}

/** `key`: behind the number of the entity. */
function drawPart(drawing: Drawing3d, placed: PlacedEntity, key: string, { kind, body, texture }: Part): void {
  const { number, layer, isHidden, tags, data, where, className } = placed
  draw(drawing, {
    layer,
    key: `${number}${key}`,
    kind,
    ...body,
    isHidden,
    tags: [...tags, ...(texture ? [`texture:${texture}`] : [])],
    data,
    where: key === '' ? where : `${where}, ${kind} ${key.slice(1)}`,
    ...(className.startsWith('trigger_') && { sensor: true }),
  })
}
