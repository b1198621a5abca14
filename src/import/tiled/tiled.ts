/**
 * Maps of Tiled, TMX or TMJ: objects, tile objects and tiles by their collision shapes, where Tiled shows them.
 *
 * Tilesets and templates lie in the map or are sent along. Layers lie in groups, whose offsets add up; hidden ones are taken. Tiles that
 * are solid all over are cells of a grid, which may be joined. Images and texts have no shape.
 * Source: the TMX and JSON formats of Tiled 1.12 (https://doc.mapeditor.org). Frame: pixels as the map is shown, y down.
 */

import { after, apply, translation, turn } from '../drawing/affine.ts'
import { type Drawing, draw, skip } from '../drawing/drawing.ts'
import { ImportFault } from '../reading/import-fault.ts'
import { asObject, type JsonObject, listAt, numberAt, objectsAt, textAt } from '../reading/json-fields.ts'
import { parseJsonFile } from '../reading/json-file.ts'
import { baseName, fileNamed, isSent, type SourceFiles } from '../reading/source-files.ts'
import { isXmlFile, parseXmlFile } from '../reading/xml.ts'
import { mapOfXml, templateOfXml } from './map-of-xml.ts'
import { anchorOf, objectShape } from './object-shape.ts'
import { projectionOf } from './projection.ts'
import { classOf, propertiesOf } from './properties.ts'
import { shownOffset, shownTile, tileShape } from './shown-tile.ts'
import { SolidCells } from './solid-cells.ts'
import { importTiles, type TileLayer, type TileRun } from './tile-layer.ts'
import { type PlacedTile, readTileset, readTilesets, tileById } from './tileset.ts'

/** How deep groups may lie in groups. */
const MOST_GROUPS = 64
/** Of a template: every object has them, and a body takes fewer as its data. */
const MOST_PROPERTIES = 1024
/** Fields that layers have their cells in. */
const LONG_FIELDS = ['data']

interface Import extends TileRun {
  files: SourceFiles
  templates: Map<string, JsonObject>
}

/** What a layer has from the groups around it. */
interface Around {
  x: number
  y: number
  isHidden: boolean
  depth: number
}

export function importTiled(
  files: SourceFiles,
  { merge: isMerged, solid = [] }: { merge: boolean; solid?: readonly string[] },
  drawing: Drawing,
): void {
  const map = readMap(files)
  const run: Import = {
    files,
    drawing,
    isMerged,
    projection: projectionOf(map),
    isHexagonal: map.orientation === 'hexagonal',
    isInfinite: map.infinite === true,
    solid: new SolidCells(solid),
    tilesets: readTilesets(files, map),
    templates: new Map(),
    cellCount: 0,
  }
  importLayers(run, map, { x: 0, y: 0, isHidden: false, depth: 0 }, '')
  run.solid.listUnmet(drawing)
}

function readMap({ main }: SourceFiles): JsonObject {
  if (isXmlFile(main)) {
    const root = parseXmlFile(main)
    if (root.name === 'map') return mapOfXml(root)
    throw new ImportFault('import-malformed', main.name, `It must be a map of Tiled, got <${root.name}>.`)
  }
  const map = parseJsonFile(main, LONG_FIELDS)
  if (map.layers !== undefined) return map
  if (map.maps !== undefined) {
    const message =
      'It is a world of Tiled, which only names maps: import each by itself, moved by offsetX and offsetY.'
    throw new ImportFault('import-malformed', main.name, message)
  }
  throw new ImportFault('import-malformed', main.name, 'It is no map of Tiled: it has no layers.')
}

function importLayers(run: Import, holder: JsonObject, around: Around, where: string): void {
  for (const [k, layer] of objectsAt(holder, 'layers', where).entries()) {
    importLayer(run, layer, around, `${where}/layers/${k}`)
  }
}

function importLayer(run: Import, layer: JsonObject, around: Around, where: string): void {
  const name = textAt(layer, 'name', where, '')
  const type = textAt(layer, 'type', where)
  const x = around.x + numberAt(layer, 'offsetx', where, 0)
  const y = around.y + numberAt(layer, 'offsety', where, 0)
  const isHidden = around.isHidden || layer.visible === false
  if (type === 'group') {
    if (around.depth === MOST_GROUPS) {
      throw new ImportFault('import-malformed', where, `Groups lie in groups more than ${MOST_GROUPS} deep.`)
    }
    importLayers(run, layer, { x, y, isHidden, depth: around.depth + 1 }, where)
    return
  }
  const placed: TileLayer = { name, origin: { x, y }, isHidden, where: `layer ${name}` }
  if (type === 'objectgroup') {
    for (const [k, object] of objectsAt(layer, 'objects', where).entries()) {
      importObject(run, object, k, placed, `${where}/objects/${k}`)
    }
  } else if (type === 'tilelayer') importTiles(run, layer, placed, where)
  else if (type === 'imagelayer') skip(run.drawing, placed.where, 'image layer', 'Images have no shape.')
  else throw new ImportFault('import-malformed', `${where}/type`, `Layers of Tiled are not ${JSON.stringify(type)}.`)
}

/** `index` in its layer: old maps have no ids. */
function importObject(run: Import, given: JsonObject, index: number, layer: TileLayer, place: string): void {
  const { drawing, projection } = run
  const id = String(numberAt(given, 'id', place, index))
  const object = withTemplate(run, given, place)
  if (object === null) {
    const why = `It is made from the template ${JSON.stringify(given.template)}, which was not sent.`
    skip(drawing, `${layer.where}, object ${id}`, 'object', why)
    return
  }
  const name = textAt(object, 'name', place, '')
  const points = listAt(object, object.polygon === undefined ? 'polyline' : 'polygon', place)
  const where = `${layer.where}, object ${id}${name === '' ? '' : ` ${name}`}`
  if (points.length > drawing.mostVertices) {
    skip(drawing, where, 'object', `It has ${points.length} points; a shape has at most ${drawing.mostVertices}.`)
    return
  }
  const placed = object.gid === undefined ? null : tileById(run.tilesets, numberAt(object, 'gid', place), where)
  const shown = after(translation(layer.origin.x, layer.origin.y), projection.objects)
  const body = placed === null ? objectShape(object, shown, place) : tileObject(run, object, placed, layer, place)
  if (typeof body === 'string') {
    skip(drawing, where, object.text === undefined ? 'object' : 'text', body)
    return
  }
  const className = classOf(object, place) || (placed?.tile.className ?? '')
  draw(drawing, {
    layer: layer.name,
    key: id,
    kind: 'object',
    ...body,
    isHidden: layer.isHidden || object.visible === false,
    tags: [...(className === '' ? [] : [`class:${className}`]), ...(name === '' ? [] : [`name:${name}`])],
    data: propertiesOf(object, place),
    where,
  })
}

/** A tile where an object is: its collision shapes, or its rectangle. */
function tileObject(run: Import, object: JsonObject, placed: PlacedTile, { origin }: TileLayer, where: string) {
  const { projection, isHexagonal } = run
  const { tileset, tile } = placed
  const width = numberAt(object, 'width', where, tile.width)
  const height = numberAt(object, 'height', where, tile.height)
  if (!(width > 0 && height > 0 && tile.width > 0 && tile.height > 0)) return 'A tile without a size has no shape.'
  const size = { width, height }
  const at = apply(projection.objects, { x: numberAt(object, 'x', where, 0), y: numberAt(object, 'y', where, 0) })
  const corner = anchorOf(tileset.alignment || projection.alignment, width, height)
  const standing = after(
    translation(origin.x + at.x, origin.y + at.y),
    after(turn(numberAt(object, 'rotation', where, 0)), translation(corner.x, corner.y)),
  )
  const foot = after(standing, translation(0, height))
  const offset = shownOffset(placed, size)
  return (
    tileShape(placed, after(foot, shownTile(placed, size, isHexagonal))) ??
    objectShape(size, after(standing, translation(offset.x, offset.y)), where)
  )
}

/** The object, with what it does not say taken from its template; null where that is missing: the rest of the map is there without. */
function withTemplate(run: Import, object: JsonObject, where: string): JsonObject | null {
  if (object.template === undefined) return object
  const path = textAt(object, 'template', where)
  const name = baseName(path)
  let template = run.templates.get(name)
  if (template === undefined) {
    if (!isSent(run.files, path)) return null
    template = readTemplate(run, path, where)
    run.templates.set(name, template)
  }
  const properties = { ...propertiesOf(template, path), ...propertiesOf(object, where) }
  const className = classOf(object, where) || classOf(template, path)
  return { ...template, ...object, properties, class: className }
}

function readTemplate(run: Import, path: string, where: string): JsonObject {
  const file = fileNamed(run.files, path, where, 'template')
  const template = isXmlFile(file) ? templateOfXml(parseXmlFile(file)) : parseJsonFile(file, [])
  const object = asObject(template.object, `${file.name}/object`)
  const properties = propertiesOf(object, file.name)
  if (Object.keys(properties).length > MOST_PROPERTIES) {
    throw new ImportFault('import-malformed', file.name, `Templates have at most ${MOST_PROPERTIES} properties.`)
  }
  const plain = { ...object, properties }
  if (object.gid === undefined || template.tileset === undefined) return plain
  const entry = asObject(template.tileset, `${file.name}/tileset`)
  const gid = numberAt(object, 'gid', file.name)
  const first = numberAt(entry, 'firstgid', file.name)
  return { ...plain, gid: gid - first + firstOf(run, entry, file.name) }
}

/** The first id of a tileset that a template names, which the map may not have. */
function firstOf(run: Import, entry: JsonObject, where: string): number {
  const source = baseName(textAt(entry, 'source', where))
  const known = run.tilesets.find((tileset) => baseName(tileset.source) === source)
  if (known !== undefined) return known.first
  const last = run.tilesets.at(-1)
  const first = last === undefined ? 1 : last.first + 2 ** 20
  run.tilesets.push(readTileset(run.files, { ...entry, firstgid: first }, where))
  return first
}
