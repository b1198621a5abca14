/**
 * Maps, tilesets and templates of Tiled in XML, as Tiled writes the same in JSON: what imports them reads one of the two.
 * Source: the TMX and JSON formats of Tiled 1.12 (https://doc.mapeditor.org).
 */

import type { JsonObject } from '../reading/json-fields.ts'
import type { LongText } from '../reading/set-aside.ts'
import type { XmlElement } from '../reading/xml.ts'

/** Attributes that are numbers; those that say yes or no are 0 or 1. */
const NUMBERS =
  /^(id|gid|x|y|width|height|tilewidth|tileheight|firstgid|rotation|offsetx|offsety|hexsidelength|skewx|skewy|columns|tilecount|startx|starty|imagewidth|imageheight)$/
const FLAGS = /^(visible|infinite)$/

const LAYERS: Readonly<Record<string, string>> = {
  layer: 'tilelayer',
  objectgroup: 'objectgroup',
  imagelayer: 'imagelayer',
  group: 'group',
}

function attributesOf({ attributes }: XmlElement): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      NUMBERS.test(name) ? numberOr(value) : FLAGS.test(name) ? value !== '0' && value !== 'false' : value,
    ]),
  )
}

/** What is no number stays what it is, to be named where it is refused. */
function numberOr(value: string): number | string {
  const number = Number(value)
  return value.trim() === '' || Number.isNaN(number) ? value : number
}

function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name)
}

export function mapOfXml(element: XmlElement): JsonObject {
  return {
    ...attributesOf(element),
    ...propertiesOf(element),
    layers: layersOf(element),
    tilesets: childrenOf(element, 'tileset').map(tilesetOfXml),
  }
}

export function templateOfXml(element: XmlElement): JsonObject {
  const [tileset] = childrenOf(element, 'tileset')
  const [object] = childrenOf(element, 'object')
  return {
    ...(tileset !== undefined && { tileset: attributesOf(tileset) }),
    ...(object !== undefined && { object: objectOf(object) }),
  }
}

export function tilesetOfXml(element: XmlElement): JsonObject {
  const [offset] = childrenOf(element, 'tileoffset')
  const [grid] = childrenOf(element, 'grid')
  return {
    ...attributesOf(element),
    ...(offset !== undefined && { tileoffset: attributesOf(offset) }),
    ...(grid !== undefined && { grid: attributesOf(grid) }),
    tiles: childrenOf(element, 'tile').map(tileOf),
  }
}

function tileOf(element: XmlElement): JsonObject {
  const [image] = childrenOf(element, 'image')
  const [objects] = childrenOf(element, 'objectgroup')
  return {
    // The size of its own part of an image comes before that of the image.
    ...(image?.attributes.width !== undefined && { imagewidth: Number(image.attributes.width) }),
    ...(image?.attributes.height !== undefined && { imageheight: Number(image.attributes.height) }),
    ...attributesOf(element),
    ...propertiesOf(element),
    ...(objects !== undefined && { objectgroup: layerOf(objects) }),
  }
}

function layersOf(element: XmlElement): JsonObject[] {
  return element.children.filter(({ name }) => name in LAYERS).map(layerOf)
}

function layerOf(element: XmlElement): JsonObject {
  const [data] = childrenOf(element, 'data')
  return {
    ...attributesOf(element),
    ...propertiesOf(element),
    type: LAYERS[element.name],
    ...(element.name === 'group' && { layers: layersOf(element) }),
    ...(element.name === 'objectgroup' && { objects: childrenOf(element, 'object').map(objectOf) }),
    ...(data !== undefined && dataOf(data)),
  }
}

function dataOf(element: XmlElement): JsonObject {
  const { encoding, compression } = element.attributes
  const chunks = childrenOf(element, 'chunk')
  return {
    ...(encoding !== undefined && { encoding }),
    ...(compression !== undefined && { compression }),
    ...(chunks.length > 0
      ? { chunks: chunks.map((chunk) => ({ ...attributesOf(chunk), data: cellsOf(chunk, encoding) })) }
      : { data: cellsOf(element, encoding) }),
  }
}

function cellsOf(element: XmlElement, encoding: string | undefined): number[] | string | LongText {
  if (encoding !== undefined) return element.long ?? element.text
  return childrenOf(element, 'tile').map(({ attributes }) => Number(attributes.gid ?? 0))
}

function objectOf(element: XmlElement): JsonObject {
  const object: JsonObject = { ...attributesOf(element), ...propertiesOf(element) }
  for (const { name, attributes } of element.children) {
    if (name === 'ellipse' || name === 'point' || name === 'capsule') object[name] = true
    else if (name === 'polygon' || name === 'polyline') object[name] = pointsOf(attributes.points ?? '')
    else if (name === 'text') object.text = {}
  }
  return object
}

function pointsOf(text: string): JsonObject[] {
  const points: JsonObject[] = []
  for (const [pair] of text.matchAll(/\S+/g)) {
    const [x, y] = pair.split(',', 2).map(numberOr)
    points.push({ x, y })
  }
  return points
}

function propertiesOf(element: XmlElement): { properties?: JsonObject[] } {
  const [properties] = childrenOf(element, 'properties')
  if (properties === undefined) return {}
  return {
    properties: childrenOf(properties, 'property').map((property) => {
      const { name = '', type = 'string' } = property.attributes
      return { name, type, value: typedValue(property, type) }
    }),
  }
}

/** Of a property, or of an item of a list. */
function typedValue(element: XmlElement, type: string): unknown {
  const { value = element.text } = element.attributes
  switch (type) {
    case 'class':
      return classValue(element)
    case 'list':
      return childrenOf(element, 'item').map((item) => {
        const { type: own = 'string' } = item.attributes
        return { type: own, value: typedValue(item, own) }
      })
    case 'bool':
      return value === 'true'
    case 'int':
    case 'float':
    case 'object':
      return numberOr(value)
    default:
      return value
  }
}

function classValue(element: XmlElement): JsonObject {
  const { properties = [] } = propertiesOf(element)
  return Object.fromEntries(properties.map(({ name, value }) => [name, value]))
}
