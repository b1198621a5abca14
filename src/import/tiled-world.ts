/**
 * Worlds of Tiled: maps in files of their own, and where in the world each of them lies.
 *
 * Source: the world format of Tiled 1.12 (https://doc.mapeditor.org/en/stable/manual/worlds/). A world lists maps, or has patterns that
 * the names of its maps match, with two numbers in each name from which its place follows. Frame: pixels of the world, y down.
 */

import { type JsonObject, numberAt, objectsAt, textAt } from './json-file.ts'
import { baseName, fileNamed, ImportFault, type SourceFile, type SourceFiles } from './source-files.ts'

/** Where a map lies in the world. */
export interface PlacedMap {
  file: SourceFile
  /** Of the file, without its ending. */
  name: string
  x: number
  y: number
}

/** Of a world. */
const MOST_MAPS = 4096
const MOST_PATTERNS = 64
/** Letters of a pattern, and of a name that is held against it. */
const MOST_LETTERS = 128

/** Maps that the world lists, then files sent along that its patterns match, by their names. */
export function mapsOfWorld(files: SourceFiles, world: JsonObject): PlacedMap[] {
  const listed = objectsAt(world, 'maps', '')
  if (listed.length > MOST_MAPS) {
    throw new ImportFault('import-malformed', '/maps', `There are ${listed.length}; at most ${MOST_MAPS} are read.`)
  }
  const maps = listed.map((map, k) => {
    const where = `/maps/${k}`
    const file = fileNamed(files, textAt(map, 'fileName', where), where, 'map')
    return placedMap(file, numberAt(map, 'x', where, 0), numberAt(map, 'y', where, 0))
  })
  return [...maps, ...matchingMaps(files, world, new Set(maps.map(({ file }) => file)))]
}

function placedMap(file: SourceFile, x: number, y: number): PlacedMap {
  return { file, name: baseName(file.name).replace(/\.[^.]*$/, ''), x, y }
}

function matchingMaps({ others }: SourceFiles, world: JsonObject, listed: ReadonlySet<SourceFile>): PlacedMap[] {
  const patterns = objectsAt(world, 'patterns', '')
  if (patterns.length > MOST_PATTERNS) {
    const message = `There are ${patterns.length}; at most ${MOST_PATTERNS} are read.`
    throw new ImportFault('import-malformed', '/patterns', message)
  }
  const rules = patterns.map((pattern, k) => ruleOf(pattern, `/patterns/${k}`))
  const maps = others
    .filter((file) => !listed.has(file) && file.name.length <= MOST_LETTERS)
    .flatMap((file) => placeByName(rules, file) ?? [])
  return maps.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST_MAPS)
}

interface Rule {
  matches: RegExp
  place(first: number, second: number): { x: number; y: number }
}

function ruleOf(pattern: JsonObject, where: string): Rule {
  const text = textAt(pattern, 'regexp', where)
  const [stepX, stepY] = [numberAt(pattern, 'multiplierX', where, 1), numberAt(pattern, 'multiplierY', where, 1)]
  const [offsetX, offsetY] = [numberAt(pattern, 'offsetX', where, 0), numberAt(pattern, 'offsetY', where, 0)]
  return {
    matches: expressionOf(text, `${where}/regexp`),
    place: (first, second) => ({ x: offsetX + first * stepX, y: offsetY + second * stepY }),
  }
}

/** What repeats in what repeats takes time without end: patterns of worlds have groups for their two numbers alone. */
const REPEATED_GROUP = /\)[*+?{]/
const MOST_REPEATS = 8

function expressionOf(text: string, where: string): RegExp {
  const repeats = text.match(/[*+?{]/g)?.length ?? 0
  if (text.length <= MOST_LETTERS && repeats <= MOST_REPEATS && !REPEATED_GROUP.test(text)) {
    try {
      return new RegExp(`^(?:${text})$`)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  const message = `It must be a regular expression of at most ${MOST_LETTERS} letters, with at most ${MOST_REPEATS} repeats and none of a group.`
  throw new ImportFault('import-malformed', where, message)
}

/** Null where no pattern matches the name of the file with two numbers in it. */
function placeByName(rules: readonly Rule[], file: SourceFile): PlacedMap | null {
  for (const { matches, place } of rules) {
    const [, first, second] = matches.exec(baseName(file.name)) ?? []
    if (!(isWhole(first) && isWhole(second))) continue
    const { x, y } = place(Number(first), Number(second))
    return placedMap(file, x, y)
  }
  return null
}

function isWhole(text: string | undefined): text is string {
  return text !== undefined && /^[+-]?\d{1,15}$/.test(text)
}
