// Reads the triangles of a Wavefront OBJ file.
//
// Source: Wavefront, "Advanced Visualizer manual", appendix B1 (the OBJ file format). Of it: `v`, `f` with indices from the front or from the
// end, in any of the forms v, v/vt, v//vn, v/vt/vn; a face with more than three corners becomes a fan about its first one. `usemtl` begins a
// group: the numbers of materials, in the order in which they first come. Everything else (normals, texture coordinates, names, curves,
// lines) says nothing about triangles and is left out. A backslash at the end of a line continues it.
// Cost: one look at each byte; numbers are the engine's.

import { spend } from '../../containers/budget.ts'
import { MeshBuilder, type MeshData, type MeshLimits, malformed } from './mesh-data.ts'

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const BACKSLASH = 92
const LETTER_F = 102
const LETTER_V = 118
const LETTER_G = 103
const LETTER_O = 111

/** Longest line that is read, in bytes; a face of so many has some thousand corners. */
const MOST_LINE = 2 ** 16
/** A line costs a step for so many bytes. */
const BYTES_PER_STEP = 32
/** A name that may be a new one costs more. */
const MATERIAL_STEPS = 32

/** What a file says besides triangles, line by line. */
export interface ObjVisitor {
  /** `o` or `g`, with the names behind it: of the triangles from here on, of which so many are before it. */
  section(word: 'o' | 'g', names: string, triangles: number): void
  /** Another statement with an extent, such as `l`. */
  other(word: string): void
}

/** Statements that make elements, but no triangles. */
const OTHERS: ReadonlySet<string> = new Set(['p', 'l', 'curv', 'curv2', 'surf'])

export function readObj(bytes: Buffer, limits: MeshLimits, visitor?: ObjVisitor): MeshData {
  const mesh = new MeshBuilder(limits)
  const materials = new Map<string, number>()
  let group = 0
  let line = 0
  for (let start = 0; start < bytes.length; ) {
    let end = bytes.indexOf(NEWLINE, start)
    if (end < 0) end = bytes.length
    line++
    const first = line
    while (bytes[lastOf(bytes, start, end)] === BACKSLASH && end < bytes.length) {
      const next = bytes.indexOf(NEWLINE, end + 1)
      end = next < 0 ? bytes.length : next
      line++
      if (end - start > MOST_LINE) break
    }
    spend(1 + (end - start) / BYTES_PER_STEP)
    let at = start
    while (at < end && bytes[at] <= SPACE) at++
    const letter = bytes[at]
    const isShort = bytes[at + 1] <= SPACE
    if (isShort && (letter === LETTER_V || letter === LETTER_F)) {
      if (end - start > MOST_LINE) throw malformed(`line ${first}`, `A line may have at most ${MOST_LINE} bytes.`)
      const words = wordsOf(bytes, at + 1, end)
      if (letter === LETTER_V) addVertex(mesh, words, first)
      else addFace(mesh, words, group, first)
    } else if (isShort && (letter === LETTER_O || letter === LETTER_G)) {
      const names = bytes.toString('utf8', at + 1, Math.min(end, at + MOST_LINE)).trim()
      visitor?.section(letter === LETTER_O ? 'o' : 'g', names, mesh.triangleCount)
    } else if (bytes.toString('latin1', at, Math.min(end, at + 7)) === 'usemtl ') {
      spend(MATERIAL_STEPS)
      const name = bytes.toString('utf8', at + 7, Math.min(end, at + MOST_LINE)).trim()
      group = materials.get(name) ?? materials.size
      materials.set(name, group)
    } else if (visitor !== undefined) {
      const word = /^[a-z]\w*(?=\s|$)/.exec(bytes.toString('latin1', at, Math.min(end, at + 8)))?.[0] ?? ''
      if (OTHERS.has(word)) visitor.other(word)
    }
    start = end + 1
  }
  return mesh.finish()
}

/** Index of the last byte of the line that is no carriage return. */
function lastOf(bytes: Buffer, start: number, end: number): number {
  const last = end - 1
  return last > start && bytes[last] === RETURN ? last - 1 : last
}

function wordsOf(bytes: Buffer, start: number, end: number): string[] {
  const words = bytes
    .toString('latin1', start, end)
    .trim()
    .split(/[\s\\]+/)
  return words[0] === '' ? [] : words
}

function addVertex(mesh: MeshBuilder, words: readonly string[], line: number): void {
  if (words.length < 3) throw malformed(`line ${line}`, `A vertex needs three coordinates, got ${words.length}.`)
  const [x, y, z] = [Number(words[0]), Number(words[1]), Number(words[2])]
  if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) {
    const shown = words.slice(0, 3).join(' ').slice(0, 80)
    throw malformed(`line ${line}`, `The coordinates of a vertex must be finite numbers, got ${JSON.stringify(shown)}.`)
  }
  mesh.addVertex(x, y, z)
}

function addFace(mesh: MeshBuilder, words: readonly string[], group: number, line: number): void {
  if (words.length < 3) throw malformed(`line ${line}`, `A face needs three corners, got ${words.length}.`)
  const first = vertexOf(mesh, words[0], line)
  let previous = vertexOf(mesh, words[1], line)
  for (let k = 2; k < words.length; k++) {
    const next = vertexOf(mesh, words[k], line)
    mesh.addTriangle(first, previous, next, group)
    previous = next
  }
}

/** Counts from 0. */
function vertexOf({ vertexCount }: MeshBuilder, word: string, line: number): number {
  const slash = word.indexOf('/')
  const text = slash < 0 ? word : word.slice(0, slash)
  const given = /^-?\d+$/.test(text) ? Number(text) : 0
  const index = given < 0 ? vertexCount + given : given - 1
  if (index >= 0 && index < vertexCount) return index
  const known = vertexCount === 0 ? 'there are none yet' : `there are ${vertexCount} so far, from 1`
  throw malformed(`line ${line}`, `A face names the vertex ${JSON.stringify(text.slice(0, 40))}, but ${known}.`)
}
