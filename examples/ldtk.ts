// Reads an LDtk project (https://ldtk.io/json, saved by LDtk 1.0 or later): the walls of every level, as axis-aligned
// boxes and as grids of cells, and its entities, as boxes. Frame: pixels from the level's top left corner, y down, as in
// the editor.

import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CellGrid } from './cell-outlines.ts'

export interface Box {
  min: { x: number; y: number }
  max: { x: number; y: number }
}

/** A rectangle of wall cells that hold the same IntGrid value. */
export interface Wall extends Box {
  identifier: string
  cellCount: number
}

export interface Entity extends Box {
  identifier: string
}

export interface Level {
  identifier: string
  walls: Wall[]
  /** The same walls whatever they are called, one grid for all layers whose cells lie on each other. */
  grids: CellGrid[]
  entities: Entity[]
}

/** Thrown with one readable line when the file is not what was expected. */
export class LdtkError extends Error {}

/**
 * What the numbers of an IntGrid mean is up to the game, so by default every cell with a value counts as a wall.
 * `wallNames` narrows that down to the values that it names by their own identifier or number, or by that of their
 * group or layer.
 */
export async function readLevels(path: string, wallNames: readonly string[] = []): Promise<Level[]> {
  const project = (await readJson(path)) as Project
  if (!Array.isArray(project.levels) || !Array.isArray(project.defs?.layers)) {
    throw new LdtkError(`${path} is not an LDtk project: it has no "levels" or no "defs.layers"`)
  }
  const wallNameOf = wallValues(project.defs.layers, wallNames)
  const levels = [...project.levels, ...(project.worlds ?? []).flatMap((world) => world.levels)]
  return Promise.all(
    levels.map(async (level) => {
      // With "Save levels separately" on, the project only names the file of each level.
      const layers =
        level.layerInstances === null && level.externalRelPath
          ? ((await readJson(resolve(dirname(path), level.externalRelPath))) as LevelJson).layerInstances
          : level.layerInstances
      return {
        identifier: level.identifier,
        walls: (layers ?? []).flatMap((layer) => layerWalls(layer, wallNameOf)),
        grids: wallGrids(layers ?? [], wallNameOf),
        entities: (layers ?? []).flatMap(layerEntities),
      }
    }),
  )
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new LdtkError(`cannot read ${path}: ${(error as Error).message}`)
  }
}

/** For each layer definition, which values are walls and what they are called. */
function wallValues(layers: LayerDefinition[], wallNames: readonly string[]) {
  const known = new Set<string>()
  const wallNameOf = new Map<number, Map<number, string>>()
  for (const layer of layers.filter(({ __type }) => __type === 'IntGrid')) {
    const walls = new Map<number, string>()
    for (const { value, identifier, groupUid } of layer.intGridValues) {
      const group = layer.intGridValuesGroups?.find(({ uid }) => uid === groupUid)?.identifier
      const names = [identifier ?? String(value), group, layer.identifier].filter((name) => typeof name === 'string')
      for (const name of names) known.add(name)
      if (wallNames.length === 0 || names.some((name) => wallNames.includes(name))) {
        walls.set(value, identifier ?? `${layer.identifier} ${value}`)
      }
    }
    wallNameOf.set(layer.uid, walls)
  }
  const unknown = wallNames.find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new LdtkError(`no IntGrid value, group or layer is called "${unknown}"; there are: ${[...known].join(', ')}`)
  }
  return wallNameOf
}

/** Merges the wall cells of a layer into rectangles: runs along a row, then equal runs of neighbouring rows. */
function layerWalls(layer: LayerInstance, wallNameOf: Map<number, Map<number, string>>): Wall[] {
  const names = wallNameOf.get(layer.layerDefUid)
  if (names === undefined) return []
  const { __cWid: columns, __cHei: rows, __gridSize: size, intGridCsv: cells } = layer
  const walls: Wall[] = []
  let above = new Map<string, Wall>()
  for (let row = 0; row < rows; row++) {
    const here = new Map<string, Wall>()
    for (let column = 0, end = 0; column < columns; column = end) {
      const value = cells[row * columns + column]!
      for (end = column + 1; end < columns && cells[row * columns + end] === value; ) end++
      const identifier = names.get(value)
      if (identifier === undefined) continue
      const run = `${column} ${end} ${value}`
      const wall = above.get(run) ?? {
        identifier,
        cellCount: 0,
        min: { x: layer.__pxTotalOffsetX + column * size, y: layer.__pxTotalOffsetY + row * size },
        max: { x: layer.__pxTotalOffsetX + end * size, y: 0 },
      }
      wall.max.y = layer.__pxTotalOffsetY + (row + 1) * size
      wall.cellCount += end - column
      if (!above.has(run)) walls.push(wall)
      here.set(run, wall)
    }
    above = here
  }
  return walls
}

function wallGrids(layers: LayerInstance[], wallNameOf: Map<number, Map<number, string>>): CellGrid[] {
  const grids = new Map<string, CellGrid>()
  for (const layer of layers) {
    const names = wallNameOf.get(layer.layerDefUid)
    if (names === undefined) continue
    const { __cWid: columns, __cHei: rows, __gridSize: size, __pxTotalOffsetX: x, __pxTotalOffsetY: y } = layer
    const place = `${columns} ${rows} ${size} ${x} ${y}`
    const grid = grids.get(place) ?? { columns, rows, size, x, y, cells: new Uint8Array(columns * rows) }
    grids.set(place, grid)
    for (const [cell, value] of layer.intGridCsv.entries()) if (names.has(value)) grid.cells[cell] = 1
  }
  return [...grids.values()]
}

/** `px` is where the entity's pivot stands; the pivot is given as a fraction of its size from the top left corner. */
function layerEntities(layer: LayerInstance): Entity[] {
  return layer.entityInstances.map(({ __identifier, __pivot: [pivotX, pivotY], px: [x, y], width, height }) => {
    const min = {
      x: layer.__pxTotalOffsetX + x - pivotX * width,
      y: layer.__pxTotalOffsetY + y - pivotY * height,
    }
    return { identifier: __identifier, min, max: { x: min.x + width, y: min.y + height } }
  })
}

// The fields of the format that matter here.

interface Project {
  defs: { layers: LayerDefinition[] }
  levels: LevelJson[]
  /** Filled instead of `levels` when the project has several worlds. */
  worlds?: { levels: LevelJson[] }[]
}

interface LayerDefinition {
  __type: string
  identifier: string
  uid: number
  intGridValues: { value: number; identifier: string | null; groupUid?: number }[]
  intGridValuesGroups?: { uid: number; identifier: string | null }[]
}

interface LevelJson {
  identifier: string
  layerInstances: LayerInstance[] | null
  externalRelPath: string | null
}

interface LayerInstance {
  layerDefUid: number
  __cWid: number
  __cHei: number
  __gridSize: number
  __pxTotalOffsetX: number
  __pxTotalOffsetY: number
  intGridCsv: number[]
  entityInstances: {
    __identifier: string
    __pivot: [number, number]
    px: [number, number]
    width: number
    height: number
  }[]
}
