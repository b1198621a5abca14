/**
 * Projects of LDtk: IntGrid layers as cells, entities as the rectangles that their pivots place.
 *
 * Source: the JSON format of LDtk 1.5 (https://ldtk.io/json); what versions before 1.0 did not write into levels comes from their
 * definitions. All worlds and all depths are taken; levels of the linear layouts stand
 * one after the other with the gap that the editor shows, others where they say. Levels in files of their own are sent along.
 * Frame: pixels of the world, y down.
 */

import { drawCells } from './cell-layer.ts'
import { type Drawing, draw, skip } from './drawing.ts'
import { asObject, countAt, type JsonObject, listAt, numberAt, objectsAt, parseJsonFile, textAt } from './json-file.ts'
import { fileNamed, ImportFault, NumberList, type SourceFile, type SourceFiles } from './source-files.ts'

/** Pixels between levels of a linear layout, as the editor shows them. */
const LINEAR_GAP = 48
/** Most cells of a side of a layer. */
const MOST_CELLS = 2 ** 16
/** Fields that layers have their cells in. */
const LONG_FIELDS = ['intGridCsv']
/** Most cells of a grid that lists those that are not empty, and of all such grids together. */
const MOST_LISTED = 2 ** 22
const MOST_ALL_LISTED = 2 ** 25

interface Level {
  name: string
  x: number
  y: number
  tags: string[]
  where: string
}

export function importLdtk(files: SourceFiles, isMerged: boolean, drawing: Drawing): void {
  const project = parseJsonFile(files.main, LONG_FIELDS)
  if (project.levels === undefined && project.worlds === undefined) {
    throw new ImportFault(
      'import-malformed',
      files.main.name,
      'It is no project of LDtk: it has neither levels nor worlds.',
    )
  }
  const definitions = project.defs == null ? {} : asObject(project.defs, '/defs')
  const values = valueNames(definitions)
  const sizes = entitySizes(definitions)
  const read = new Map<SourceFile, JsonObject>()
  let listedCount = 0
  const worlds = objectsAt(project, 'worlds', '')
  if (worlds.length === 0) importWorld(project, '', [])
  for (const [k, world] of worlds.entries()) {
    importWorld(world, `/worlds/${k}`, [`world:${textAt(world, 'identifier', `/worlds/${k}`, String(k))}`])
  }

  function importWorld(world: JsonObject, where: string, tags: string[]): void {
    const layout = textAt(world, 'worldLayout', where, 'Free')
    let along = 0
    for (const [k, level] of objectsAt(world, 'levels', where).entries()) {
      const place = `${where}/levels/${k}`
      const name = textAt(level, 'identifier', place, String(k))
      const depth = numberAt(level, 'worldDepth', place, 0)
      const at = {
        x: layout === 'LinearHorizontal' ? along : layout === 'LinearVertical' ? 0 : numberAt(level, 'worldX', place),
        y: layout === 'LinearVertical' ? along : layout === 'LinearHorizontal' ? 0 : numberAt(level, 'worldY', place),
      }
      along += numberAt(level, layout === 'LinearVertical' ? 'pxHei' : 'pxWid', place) + LINEAR_GAP
      const own = [`level:${name}`, ...(depth === 0 ? [] : [`depth:${depth}`]), ...tags]
      importLevel(levelData(files, level, place, read), { name, ...at, tags: own, where: place })
    }
  }

  function importLevel(data: JsonObject, level: Level): void {
    for (const [k, layer] of objectsAt(data, 'layerInstances', level.where).entries()) {
      importLayer(layer, level, `${level.where}/layerInstances/${k}`)
    }
  }

  function importLayer(layer: JsonObject, level: Level, where: string): void {
    const name = textAt(layer, '__identifier', where)
    const type = textAt(layer, '__type', where)
    const isHidden = layer.visible === false
    const origin = {
      x: level.x + numberAt(layer, '__pxTotalOffsetX', where, 0),
      y: level.y + numberAt(layer, '__pxTotalOffsetY', where, 0),
    }
    if (type === 'Entities') {
      for (const [k, entity] of objectsAt(layer, 'entityInstances', where).entries()) {
        importEntity(entity, k, `${where}/entityInstances/${k}`)
      }
    } else if (type === 'IntGrid') importCells()
    else
      skip(
        drawing,
        `level ${level.name}, layer ${name}`,
        `${type} layer`,
        'Tiles of LDtk have no collision shapes; its IntGrid layers have.',
      )

    function importCells(): void {
      const columns = countAt(layer, '__cWid', where, MOST_CELLS)
      const rows = countAt(layer, '__cHei', where, MOST_CELLS)
      const size = numberAt(layer, '__gridSize', where)
      const cells = cellsOf(columns * rows)
      if (cells.length !== columns * rows || !(size > 0)) {
        const message = `A grid of ${columns} × ${rows} cells of ${size} pixels does not have ${cells.length} values.`
        throw new ImportFault('import-malformed', `${where}/intGridCsv`, message)
      }
      const names = values.get(numberAt(layer, 'layerDefUid', where, -1))
      drawCells(
        drawing,
        {
          layer: name,
          prefix: `${level.name}.`,
          kind: 'cell',
          first: { column: 0, row: 0 },
          grid: {
            columns,
            rows,
            values:
              cells instanceof Uint32Array
                ? cells
                : Float64Array.from(cells as ArrayLike<unknown>, (value) =>
                    typeof value === 'number' && value > 0 ? value : 0,
                  ),
          },
          cellWidth: size,
          cellHeight: size,
          origin,
          isHidden,
          tagsOf: (value) => [`value:${names?.get(value) ?? value}`, ...level.tags],
          where: `level ${level.name}, layer ${name}`,
        },
        isMerged,
      )
    }

    /** The values of all cells. Before 0.8 only those that are not empty were listed. */
    function cellsOf(count: number): ArrayLike<unknown> {
      const given = layer.intGridCsv
      if (given instanceof NumberList) return given.values
      const cells = listAt(layer, 'intGridCsv', where)
      if (cells.length > 0 || layer.intGrid == null) return cells
      listedCount += count
      if (count <= MOST_LISTED && listedCount <= MOST_ALL_LISTED) return listedCells(layer, count, where)
      const message = `A grid whose cells are listed has at most ${MOST_LISTED} of them, and all of a file ${MOST_ALL_LISTED}.`
      throw new ImportFault('import-malformed', where, message)
    }

    function importEntity(entity: JsonObject, index: number, place: string): void {
      const type = textAt(entity, '__identifier', place)
      // Without an iid, before 1.0: by its place in the layer of its level.
      const iid = textAt(entity, 'iid', place, `${level.name}.${index}`)
      const defined = sizes.get(numberAt(entity, 'defUid', place, -1))
      const width = numberAt(entity, 'width', place, defined?.width)
      const height = numberAt(entity, 'height', place, defined?.height)
      const [px, py] = pairAt(entity, 'px', place)
      const [pivotX, pivotY] =
        entity.__pivot === undefined && defined !== undefined ? defined.pivot : pairAt(entity, '__pivot', place)
      const isFlat = !(width > 0 && height > 0)
      draw(drawing, {
        layer: name,
        key: iid,
        kind: 'entity',
        shape: isFlat ? { type: 'point' } : { type: 'box', width, height },
        position: {
          x: origin.x + px + (isFlat ? 0 : (0.5 - pivotX) * width),
          y: origin.y + py + (isFlat ? 0 : (0.5 - pivotY) * height),
        },
        isHidden,
        tags: [`class:${type}`, ...level.tags],
        data: fieldsOf(entity, place),
        where: `level ${level.name}, layer ${name}, entity ${type} ${iid}`,
      })
    }
  }
}

/** Of each layer by the uid of its definition, the names of its values. */
function valueNames(definitions: JsonObject): Map<number, Map<number, string>> {
  return new Map(
    objectsAt(definitions, 'layers', '/defs').map((layer, k) => {
      const where = `/defs/layers/${k}`
      // Before 0.8 values counted from the first one on.
      const names = objectsAt(layer, 'intGridValues', where).map((value, index): [number, unknown] => [
        numberAt(value, 'value', where, index + 1),
        value.identifier,
      ])
      const named = names.filter((entry): entry is [number, string] => typeof entry[1] === 'string' && entry[1] !== '')
      return [numberAt(layer, 'uid', where, -1), new Map(named)]
    }),
  )
}

interface EntitySize {
  width: number
  height: number
  pivot: [number, number]
}

/** Of each entity by the uid of its definition, what those in levels have that do not say otherwise. */
function entitySizes(definitions: JsonObject): Map<number, EntitySize> {
  return new Map(
    objectsAt(definitions, 'entities', '/defs').map((entity, k) => {
      const where = `/defs/entities/${k}`
      const pivot: [number, number] = [numberAt(entity, 'pivotX', where, 0), numberAt(entity, 'pivotY', where, 0)]
      const size = { width: numberAt(entity, 'width', where, 0), height: numberAt(entity, 'height', where, 0) }
      return [numberAt(entity, 'uid', where, -1), { ...size, pivot }]
    }),
  )
}

/** The values of the cells that a layer lists, counted from 0; all others are empty. */
function listedCells(layer: JsonObject, count: number, where: string): Float64Array {
  const all = new Float64Array(count)
  for (const [k, cell] of objectsAt(layer, 'intGrid', where).entries()) {
    const place = `${where}/intGrid/${k}`
    all[countAt(cell, 'coordId', place, count - 1)] = numberAt(cell, 'v', place) + 1
  }
  return all
}

/** The level itself, or the file that has it; `read`: those that were read before. */
function levelData(
  files: SourceFiles,
  level: JsonObject,
  where: string,
  read: Map<SourceFile, JsonObject>,
): JsonObject {
  if (level.layerInstances != null || level.externalRelPath == null) return level
  const file = fileNamed(files, textAt(level, 'externalRelPath', where), where, 'level')
  const data = read.get(file) ?? parseJsonFile(file, LONG_FIELDS)
  read.set(file, data)
  return data
}

function pairAt(object: JsonObject, field: string, where: string): [number, number] {
  const [x, y] = listAt(object, field, where)
  if (typeof x === 'number' && typeof y === 'number') return [x, y]
  throw new ImportFault('import-malformed', `${where}/${field}`, 'It must be a list of two numbers.')
}

/** The fields that people gave the entity, by name. */
function fieldsOf(entity: JsonObject, where: string): JsonObject {
  return Object.fromEntries(
    objectsAt(entity, 'fieldInstances', where).map((field) => [
      textAt(field, '__identifier', where),
      field.__value ?? null,
    ]),
  )
}
