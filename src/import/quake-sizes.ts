/**
 * How large point entities are: those of Quake by the sizes that its game code gives them, or of other games by a table that the caller sends.
 * Source: QuakeC of id1 (`setsize`). Frame: about the origin of the entity, z up.
 */

import type { Vec3 } from '../../schemas/vector.ts'
import { type Drawing3d, skip } from './drawing.ts'

export interface EntitySize {
  min: Vec3
  max: Vec3
}

/** A class, or the beginning of its name and a star, then the least and the greatest corner. */
const QUAKE_SIZES = [
  'info_player_*: -16 -16 -24 16 16 32',
  'testplayerstart: -16 -16 -24 16 16 32',
  'info_teleport_destination: -16 -16 -24 16 16 32',
  'item_artifact_*: -16 -16 -24 16 16 32',
  'item_key*: -16 -16 -24 16 16 32',
  'item_sigil: -16 -16 -24 16 16 32',
  'item_armor*: -16 -16 0 16 16 56',
  'weapon_*: -16 -16 0 16 16 56',
  'item_*: 0 0 0 32 32 56',
  'misc_explobox: 0 0 0 32 32 64',
  'misc_explobox2: 0 0 0 32 32 32',
  'monster_boss: -128 -128 -24 128 128 256',
  'monster_oldone: -160 -128 -24 160 128 256',
  'monster_demon1: -32 -32 -24 32 32 64',
  'monster_dog: -32 -32 -24 32 32 40',
  'monster_ogre*: -32 -32 -24 32 32 64',
  'monster_shalrath: -32 -32 -24 32 32 64',
  'monster_shambler: -32 -32 -24 32 32 64',
  'monster_fish: -16 -16 -24 16 16 24',
  'monster_*: -16 -16 -24 16 16 40',
]

export class EntitySizes {
  readonly #exact = new Map<string, EntitySize>()
  /** Beginnings of names; the first that fits says it. */
  readonly #beginnings: [string, EntitySize][] = []
  /** Rules of the caller's that no entity has met so far. */
  readonly #unmet = new Set<string>()

  /** `rules`: as above, which the schema has checked; when absent those of Quake. */
  constructor(rules?: readonly string[]) {
    for (const rule of rules ?? QUAKE_SIZES) {
      const colon = rule.lastIndexOf(':')
      const name = rule.slice(0, colon)
      const [ax, ay, az, bx, by, bz] = rule
        .slice(colon + 1)
        .trim()
        .split(/\s+/)
        .map(Number)
      const size = {
        min: { x: Math.min(ax, bx), y: Math.min(ay, by), z: Math.min(az, bz) },
        max: { x: Math.max(ax, bx), y: Math.max(ay, by), z: Math.max(az, bz) },
      }
      if (name.endsWith('*')) this.#beginnings.push([name.slice(0, -1), size])
      else this.#exact.set(name, size)
      if (rules !== undefined) this.#unmet.add(name)
    }
  }

  /** Null: it has none, and is a point. */
  sizeOf(className: string): EntitySize | null {
    const exact = this.#exact.get(className)
    if (exact !== undefined) {
      this.#unmet.delete(className)
      return exact
    }
    const found = this.#beginnings.find(([beginning]) => className.startsWith(beginning))
    if (found === undefined) return null
    this.#unmet.delete(`${found[0]}*`)
    return found[1]
  }

  /** Lists what was asked for and is not in the map. */
  listUnmet(drawing: Drawing3d): void {
    for (const name of this.#unmet)
      skip(drawing, `sizes=${name}`, 'parameter', 'The map has no point entity of this class.')
  }
}
