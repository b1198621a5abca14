/**
 * Tile maps of Godot: cells by the collision polygons of their tile set, as far as that is text.
 *
 * Source: the classes `TileMapLayer`, `TileMap`, `TileSet` and `TileSetAtlasSource` of Godot 4 (https://docs.godotengine.org), and how its
 * `TileSet::map_to_local` places cells. Polygons count from the middle of a tile; turned over, a tile is exchanged over its diagonal first.
 * Frame: that of the scene, y down. Cost O(cells).
 */

import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { type Affine, after, mappedPoints, translation } from './affine.ts'
import { drawCells } from './cell-layer.ts'
import { closedShape, compoundOf } from './closed-shape.ts'
import { collisionTags, drawPlaced, type GodotRun, type NodePlace } from './godot.ts'
import {
  type GodotNode,
  type GodotResource,
  NodeFault,
  numberOf,
  numbersOf,
  planePoints,
  planeVector,
  valuesOf,
} from './godot-scene.ts'
import { GodotCall } from './godot-text.ts'

/** Cells of the box around those of a map that fill theirs. */
const MOST_GRID = 2 ** 25
/** Bytes of a cell, and of what comes before all of them. */
const CELL_BYTES = 12
const HEAD_BYTES = 2
/** Of an alternative's number: bits that say how the tile is turned over. */
const FLIP_X = 1 << 12
const FLIP_Y = 1 << 13
const TRANSPOSED = 1 << 14
/** Physics layers of a tile set, and polygons of a tile, that are looked for. */
const MOST_PHYSICS_LAYERS = 32
const MOST_POLYGONS = 256

interface Cell {
  x: number
  y: number
  source: number
  atlas: string
  alternative: number
}

export function drawTileMap(
  node: GodotNode,
  map: Affine,
  run: GodotRun<MovingBody2d>,
  place: NodePlace,
): string | true | null {
  if (node.type !== 'TileMapLayer' && node.type !== 'TileMap') return null
  const layers = node.type === 'TileMapLayer' ? [cellsOfLayer(node)] : cellsOfMap(node)
  const count = layers.reduce((sum, cells) => sum + cells.length, 0)
  if (count === 0) return 'It has no cells.'
  const property = node.properties.get('tile_set')
  const set = property === undefined ? null : run.files.resource(property)
  if (set === null) return 'It has no tile set.'
  if (typeof set === 'string') return set
  const tiles = new TileShapes(set, run)
  const own = { ...place, tags: [...place.tags, `class:${node.type}`, `name:${node.name}`] }
  layers.forEach((cells, k) => {
    drawLayer(cells, tiles, map, run, layers.length === 1 ? own : { ...own, path: `${own.path}/${k}` })
  })
  if (tiles.isBare) return `None of its ${count} tiles has a collision polygon.`
  return true
}

/** Since Godot 4.3: packed bytes, as numbers or as a text. */
function cellsOfLayer(node: GodotNode): Cell[] {
  const value = node.properties.get('tile_map_data')?.value
  const isText = value instanceof GodotCall && typeof value.given[0] === 'string'
  const bytes = isText
    ? Buffer.from(String(value.given[0]), 'base64')
    : Buffer.from(numbersOf(valuesOf(node), 'tile_map_data', /^PackedByteArray$/) ?? [])
  if (bytes.length > 0 && (bytes.length - HEAD_BYTES) % CELL_BYTES !== 0)
    throw new NodeFault('Its cells end in the middle of one.')
  const cells: Cell[] = []
  for (let at = HEAD_BYTES; at < bytes.length; at += CELL_BYTES) {
    cells.push({
      x: bytes.readInt16LE(at),
      y: bytes.readInt16LE(at + 2),
      source: bytes.readUInt16LE(at + 4),
      atlas: `${bytes.readUInt16LE(at + 6)}:${bytes.readUInt16LE(at + 8)}`,
      alternative: bytes.readUInt16LE(at + 10),
    })
  }
  return cells
}

/** Before: three numbers a cell, in layers of one node. */
function cellsOfMap(node: GodotNode): Cell[][] {
  const values = valuesOf(node)
  const layers = [...values.keys()].filter((name) => /^layer_\d+\/tile_data$/.test(name))
  if (layers.length > 0 && numberOf(values, 'format', 1) < 2) throw new NodeFault('Its cells are those of Godot 3.')
  return layers.map((name) => {
    const numbers = Int32Array.from(numbersOf(values, name, /^PackedInt32Array$/) ?? [])
    if (numbers.length % 3 !== 0) throw new NodeFault('Its cells end in the middle of one.')
    return Array.from({ length: numbers.length / 3 }, (_, k) => {
      const [place, tile, rest] = numbers.subarray(3 * k, 3 * k + 3)
      const atlas = `${tile >>> 16}:${rest & 0xffff}`
      return { x: (place << 16) >> 16, y: place >> 16, source: tile & 0xffff, atlas, alternative: rest >>> 16 }
    })
  })
}

interface TileShape {
  polygons: Vec2[][]
  tags: string[]
  /** Its one polygon fills its cell. */
  isFull: boolean
}

/** The tiles of a set, and where cells lie. */
class TileShapes {
  readonly size: Vec2
  readonly isSquare: boolean
  /** No tile that was asked for has a polygon. */
  isBare = true
  readonly #set: GodotResource
  readonly #run: GodotRun<MovingBody2d>
  readonly #layout: number
  readonly #isVertical: boolean
  readonly #shape: number
  readonly #tiles = new Map<string, TileShape | null>()

  constructor(set: GodotResource, run: GodotRun<MovingBody2d>) {
    const { properties } = set
    this.#set = set
    this.#run = run
    this.size = planeVector(properties, 'tile_size') ?? { x: 16, y: 16 }
    if (!(this.size.x > 0 && this.size.y > 0)) throw new NodeFault('Its tiles have no size.')
    this.#shape = numberOf(properties, 'tile_shape', 0)
    this.#layout = numberOf(properties, 'tile_layout', 0)
    this.#isVertical = numberOf(properties, 'tile_offset_axis', 0) === 1
    this.isSquare = this.#shape === 0
  }

  /** Null: it has no polygon. */
  shapeOf({ source, atlas, alternative }: Cell): TileShape | null {
    const key = `${source} ${atlas} ${alternative}`
    const known = this.#tiles.get(key)
    if (known !== undefined) return known
    const shape = this.#read(source, atlas, alternative)
    if (shape !== null) this.isBare = false
    this.#tiles.set(key, shape)
    return shape
  }

  #read(source: number, atlas: string, alternative: number): TileShape | null {
    const { properties, file } = this.#set
    const value = properties.get(`sources/${source}`)
    const found = value === undefined ? null : this.#run.files.resource({ value, file })
    if (found === null || typeof found === 'string') return null
    const polygons: Vec2[][] = []
    const tags = new Set<string>()
    for (let layer = 0; layer < MOST_PHYSICS_LAYERS; layer++) {
      for (let k = 0; k < MOST_POLYGONS; k++) {
        const name = `${atlas}/${alternative & 0xfff}/physics_layer_${layer}/polygon_${k}`
        const points = planePoints(found.properties, `${name}/points`)
        if (points.length < 3) break
        polygons.push(points.map((point) => turnedOver(point, alternative)))
        for (const tag of collisionTags(properties, `physics_layer_${layer}/`)) tags.add(tag)
        if (found.properties.get(`${name}/one_way`) === true) tags.add('one-way')
      }
    }
    if (polygons.length === 0) return null
    return {
      polygons,
      tags: [...tags],
      isFull: this.isSquare && polygons.length === 1 && isBox(polygons[0], this.size),
    }
  }

  /** The middle of a cell. */
  middleOf({ x, y }: Cell): Vec2 {
    const { x: width, y: height } = this.size
    if (this.isSquare) return { x: (x + 0.5) * width, y: (y + 0.5) * height }
    // with rows shifted; with columns shifted x and y are exchanged, and so are some layouts
    const at = this.#isVertical ? staggered(y, x, EXCHANGED[this.#layout] ?? 0) : staggered(x, y, this.#layout)
    const overlap = this.#shape === 1 ? 0.5 : this.#shape === 3 ? 0.75 : 1
    const [across, down] = this.#isVertical ? [at.y * overlap, at.x] : [at.x, at.y * overlap]
    return { x: (across + 0.5) * width, y: (down + 0.5) * height }
  }
}

/** The layouts: stacked, stacked offset, stairs right, stairs down, diamond right, diamond down. */
function staggered(x: number, y: number, layout: number): Vec2 {
  const isOdd = y % 2 !== 0
  switch (layout) {
    case 1:
      return { x: x + (isOdd ? 0 : 0.5), y }
    case 2:
      return { x: x + y / 2, y }
    case 3:
      return { x: x / 2, y: 2 * y + x }
    case 4:
      return { x: (x + y) / 2, y: y - x }
    case 5:
      return { x: (x - y) / 2, y: y + x }
    default:
      return { x: x + (isOdd ? 0.5 : 0), y }
  }
}

const EXCHANGED = [0, 1, 3, 2, 5, 4]

function turnedOver({ x, y }: Vec2, alternative: number): Vec2 {
  const [across, down] = alternative & TRANSPOSED ? [y, x] : [x, y]
  return { x: (alternative & FLIP_X ? -across : across) + 0, y: (alternative & FLIP_Y ? -down : down) + 0 }
}

/** Whether it is the box about the middle of this size. */
function isBox(points: readonly Vec2[], { x, y }: Vec2): boolean {
  const isCorner = (point: Vec2) => Math.abs(point.x) === x / 2 && Math.abs(point.y) === y / 2
  const isAlong = (point: Vec2, k: number) =>
    (point.x === points[(k + 1) % 4].x) !== (point.y === points[(k + 1) % 4].y)
  return points.length === 4 && points.every(isCorner) && points.every(isAlong)
}

function drawLayer(
  cells: readonly Cell[],
  tiles: TileShapes,
  map: Affine,
  run: GodotRun<MovingBody2d>,
  place: NodePlace,
): void {
  const isStraight = map.a > 0 && map.d > 0 && map.b === 0 && map.c === 0
  const full: { cell: Cell; tags: string[] }[] = []
  for (const cell of cells) {
    const shape = tiles.shapeOf(cell)
    if (shape === null) continue
    if (shape.isFull && isStraight) full.push({ cell, tags: shape.tags })
    else drawTile(cell, shape, tiles, map, run, place)
  }
  if (full.length > 0) drawGrid(full, tiles.size, map, run, place)
}

function drawTile(
  cell: Cell,
  { polygons, tags }: TileShape,
  tiles: TileShapes,
  map: Affine,
  { drawing }: GodotRun<MovingBody2d>,
  place: NodePlace,
): void {
  const middle = tiles.middleOf(cell)
  const at = after(map, translation(middle.x, middle.y))
  const parts = polygons.map((points): Body2d => ({ shape: closedShape(mappedPoints(at, points)) }))
  const name = `${cell.x}.${cell.y}`
  const own = {
    ...place,
    path: `${place.path}/${name}`,
    tags: [...place.tags, ...tags],
    where: `${place.where}, cell ${cell.x}, ${cell.y}`,
  }
  drawPlaced(drawing, own, { ...compoundOf(parts), position: { x: at.e, y: at.f } })
}

/** Cells that their tiles fill. */
function drawGrid(
  full: readonly { cell: Cell; tags: string[] }[],
  size: Vec2,
  map: Affine,
  { drawing, isMerged }: GodotRun<MovingBody2d>,
  { layer, path, isHidden, tags, where }: NodePlace,
): void {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { cell } of full) {
    left = Math.min(left, cell.x)
    top = Math.min(top, cell.y)
    right = Math.max(right, cell.x)
    bottom = Math.max(bottom, cell.y)
  }
  const [columns, rows] = [right - left + 1, bottom - top + 1]
  if (columns * rows > MOST_GRID) throw new NodeFault(`Its cells lie farther apart than ${MOST_GRID} cells reach.`)
  const values = new Uint32Array(columns * rows)
  const kinds: string[] = []
  for (const { cell, tags: own } of full) {
    const kind = JSON.stringify(own)
    if (!kinds.includes(kind)) kinds.push(kind)
    values[(cell.y - top) * columns + cell.x - left] = kinds.indexOf(kind) + 1
  }
  drawCells(
    drawing,
    {
      layer,
      prefix: `${path}/`,
      kind: 'tile',
      grid: { columns, rows, values },
      first: { column: left, row: top },
      cellWidth: map.a * size.x,
      cellHeight: map.d * size.y,
      origin: { x: map.e, y: map.f },
      isHidden,
      tagsOf: (value) => [...tags, ...(JSON.parse(kinds[value - 1]) as string[])],
      where,
    },
    isMerged,
  )
}
