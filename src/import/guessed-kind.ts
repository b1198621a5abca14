// Guesses whether a file is of the plane or of space, its format there, and which way is down in it.

import { IMPORT_3D_FORMATS, IMPORT_FORMATS } from '../../schemas/scenes/import.ts'
import { guessedFormat, PLANE_MARKS, SPACE_MARKS } from './guessed-format.ts'
import { decodedText, type SourceFile } from './source-files.ts'

export interface FileKind {
  readonly dimension: 2 | 3
  /** A format of imports; null where only the service can tell. */
  readonly format: string | null
}

/** As it is said, or else as the content or the name of the file tell it; null where they do not. */
export function guessedKind(
  file: SourceFile,
  said: { readonly dimension?: 2 | 3 | undefined; readonly format?: string | undefined },
): FileKind | null {
  const formatOf = (formats: readonly string[], marks: typeof PLANE_MARKS | typeof SPACE_MARKS) => {
    const format = said.format ?? guessedFormat<string>(file, marks)
    return typeof format === 'string' && formats.includes(format) ? format : null
  }
  const plane = formatOf(IMPORT_FORMATS, PLANE_MARKS)
  const space = formatOf(IMPORT_3D_FORMATS, SPACE_MARKS)
  if (said.dimension !== undefined) return { dimension: said.dimension, format: said.dimension === 2 ? plane : space }
  if (plane !== null && (space === null || !hasDepth(file))) return { dimension: 2, format: plane }
  return space === null ? null : { dimension: 3, format: space }
}

/** Shapes that only one of the dimensions has. */
const OF_PLANE = /"type"\s*:\s*"(circle|polygon|ellipse|halfplane|chain|region)"/
const OF_SPACE = /"type"\s*:\s*"(sphere|triangle|hull|halfspace|cylinder|cone|ellipsoid|mesh|heightfield)"/

/** A scene of Godot has nodes of space, an exported scene third coordinates, or shapes at the origin that are of space alone. */
function hasDepth({ name, bytes }: SourceFile): boolean {
  const text = decodedText(name, bytes)
  if (/^\s*;?[^{]*\[gd_scene/.test(text)) return /type="\w+3D"/.test(text)
  return /"z"\s*:/.test(text) || (OF_SPACE.test(text) && !OF_PLANE.test(text))
}

const Y_DOWN: ReadonlySet<string> = new Set(['tiled', 'world', 'ldtk', 'svg', 'godot'])

/** Which way is down as a rule in levels of the kind, as they are imported. Undefined where nobody knows. */
export function usualDown(
  { dimension, format }: FileKind,
  { yUp = false, up }: { readonly yUp?: boolean; readonly up?: string | undefined },
): object | undefined {
  if (format === null || format === 'json') return undefined
  if (dimension === 2) return { x: 0, y: Y_DOWN.has(format) && !yUp ? 1 : -1 }
  const upwards = up ?? (format === 'map' || format === 'stl' ? 'z' : 'y')
  return upwards === 'z' ? { x: 0, y: 0, z: -1 } : { x: 0, y: -1, z: 0 }
}
