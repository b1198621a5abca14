/**
 * Cells that are solid because whoever imports the map says so, as games that are built on Tiled do: all tiles of a layer, or those with
 * a property. They fill their cells, however large their tiles are drawn. Tiles with collision shapes of their own keep those.
 */

import { type Drawing, skip } from '../drawing/drawing.ts'
import type { JsonObject } from '../reading/json-fields.ts'
import { propertiesOf } from './properties.ts'
import type { Tile } from './tileset.ts'

const LAYER = 'layer:'
const PROPERTY = 'property:'

export class SolidCells {
  readonly #layers = new Set<string>()
  readonly #properties = new Set<string>()
  /** What has made no cell solid so far. */
  readonly #unmet: Set<string>

  /** `rules`: `layer:<name>` and `property:<name>`. */
  constructor(rules: readonly string[]) {
    for (const rule of rules) {
      if (rule.startsWith(LAYER)) this.#layers.add(rule.slice(LAYER.length))
      else this.#properties.add(rule.slice(PROPERTY.length))
    }
    this.#unmet = new Set(rules)
  }

  /** Whether all tiles of a layer are solid: it is named, or has a property that is. */
  isLayer(name: string, layer: JsonObject, where: string): boolean {
    const isNamed = this.#layers.has(name)
    if (isNamed) this.#unmet.delete(LAYER + name)
    return this.#isMarked(layer, where) || isNamed
  }

  isTile({ given, where }: Tile): boolean {
    return this.#isMarked(given, where)
  }

  /** Lists what was asked for and is not in the map. */
  listUnmet(drawing: Drawing): void {
    for (const rule of this.#unmet) {
      const why = rule.startsWith(LAYER)
        ? 'The map has no tile layer of this name with tiles in it.'
        : 'No tile that the map uses, and no tile layer, has this property with a value that means yes.'
      skip(drawing, `solid=${rule}`, 'parameter', why)
    }
  }

  /** Whether a property that is asked for says yes; all that do are met. */
  #isMarked(holder: JsonObject, where: string): boolean {
    if (this.#properties.size === 0) return false
    const properties = propertiesOf(holder, where)
    const met = [...this.#properties].filter((name) => Object.hasOwn(properties, name) && isYes(properties[name]))
    for (const name of met) this.#unmet.delete(PROPERTY + name)
    return met.length > 0
  }
}

/** Of all that a property may be, what says no: false, 0, nothing, and the words for it. */
function isYes(value: unknown): boolean {
  return typeof value === 'string' ? !/^\s*(?:false|no|off|0*)\s*$/i.test(value) : Boolean(value)
}
