// Reads the triangles of an STL file, binary or text.
//
// Source: 3D Systems, "StereoLithography Interface Specification", 1989. Binary: 80 bytes, the number of facets in 32 bits, and for each a
// normal, three corners (single floats) and two bytes. Text: `solid`, and for each facet three lines that begin with `vertex`. A file is
// binary where its length is what its number of facets makes: binary ones that begin with `solid` are about. Normals are left
// out: the order of corners tells which side is outside. Corners at the same place are one.
// Cost: one look at each byte.

import { spend } from '../../containers/budget.ts'
import { MeshBuilder, type MeshData, type MeshLimits, malformed, weld } from './mesh-data.ts'

const HEADER_LENGTH = 84
const FACET_LENGTH = 50
/** Steps for a facet. */
const FACET_STEPS = 4
const LONG_WORD = 64
const NEWLINE = 10
/** Bytes of a name that are read. */
const MOST_NAME = 512

/** `onSolid`: of text, called with the name behind each `solid`, and how many triangles are before it. */
export function readStl(
  bytes: Buffer,
  limits: MeshLimits,
  onSolid?: (name: string, triangles: number) => void,
): MeshData {
  // corners are told apart before they are made one: three a facet
  const unwelded = { ...limits, maxVertices: 3 * limits.maxTriangles }
  return weld(isBinary(bytes) ? readBinary(bytes, unwelded) : readText(bytes, unwelded, onSolid))
}

/** Whether its length is what its number of facets makes. */
export function isBinaryStl(bytes: Buffer): boolean {
  return bytes.length >= HEADER_LENGTH && bytes.length === HEADER_LENGTH + FACET_LENGTH * bytes.readUInt32LE(80)
}

function isBinary(bytes: Buffer): boolean {
  if (bytes.length < HEADER_LENGTH) return false
  return isBinaryStl(bytes) || !/^\s*solid/i.test(bytes.toString('latin1', 0, LONG_WORD))
}

function readBinary(bytes: Buffer, limits: MeshLimits): MeshData {
  const count = bytes.readUInt32LE(80)
  const actual = Math.floor((bytes.length - HEADER_LENGTH) / FACET_LENGTH)
  if (count > actual) throw malformed('byte 80', `The file says that it has ${count} facets, but ends after ${actual}.`)
  const mesh = new MeshBuilder(limits)
  for (let f = 0; f < count; f++) {
    spend(FACET_STEPS)
    for (let k = 0; k < 3; k++) {
      const at = HEADER_LENGTH + FACET_LENGTH * f + 12 * (k + 1)
      addCorner(mesh, bytes.readFloatLE(at), bytes.readFloatLE(at + 4), bytes.readFloatLE(at + 8), `facet ${f}`)
    }
    mesh.addTriangle(3 * f, 3 * f + 1, 3 * f + 2, 0)
  }
  return mesh.finish()
}

function addCorner(mesh: MeshBuilder, x: number, y: number, z: number, where: string): void {
  if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)) mesh.addVertex(x, y, z)
  else throw malformed(where, 'The coordinates of a corner must be finite numbers.')
}

/** By words: of each facet three times `vertex` and three numbers, until `endfacet`. */
function readText(
  bytes: Buffer,
  limits: MeshLimits,
  onSolid: (name: string, triangles: number) => void = () => undefined,
): MeshData {
  const mesh = new MeshBuilder(limits)
  const words = wordsIn(bytes)
  let corners = 0
  for (let word = words.next(); word !== null; word = words.next()) {
    switch (word.toLowerCase()) {
      case 'solid':
        onSolid(words.restOfLine(), mesh.triangleCount)
        break
      case 'vertex': {
        const [x, y, z] = [words.next(), words.next(), words.next()]
        addCorner(mesh, numberOf(x), numberOf(y), numberOf(z), `facet ${mesh.triangleCount}`)
        corners++
        break
      }
      case 'endfacet': {
        const where = `facet ${mesh.triangleCount}`
        if (corners !== 3) throw malformed(where, `A facet has three corners, and this one has ${corners}.`)
        const { vertexCount: end } = mesh
        mesh.addTriangle(end - 3, end - 2, end - 1, 0)
        corners = 0
      }
    }
  }
  if (corners > 0) throw malformed(`facet ${mesh.triangleCount}`, 'The file ends within a facet.')
  if (mesh.triangleCount === 0) throw malformed('', 'This is no STL file: it has no facet.')
  return mesh.finish()
}

function numberOf(word: string | null): number {
  return word === null ? Number.NaN : Number(word)
}

const SPACE = 32

/** Words between blanks; of long ones the beginning. Null at the end. */
function wordsIn(bytes: Buffer): { next(): string | null; restOfLine(): string } {
  let at = 0
  return {
    restOfLine() {
      const end = bytes.indexOf(NEWLINE, at)
      const start = at
      at = end < 0 ? bytes.length : end
      return bytes.toString('utf8', start, Math.min(at, start + MOST_NAME)).trim()
    },
    next() {
      while (at < bytes.length && bytes[at] <= SPACE) at++
      if (at === bytes.length) return null
      const start = at
      while (at < bytes.length && bytes[at] > SPACE) at++
      spend(1 + (at - start) / LONG_WORD)
      return bytes.toString('latin1', start, Math.min(at, start + LONG_WORD))
    },
  }
}
