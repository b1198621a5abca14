// OBJ and STL as bodies: objects, groups and solids, and what of a file has no triangles.

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import { guessedFormat, SPACE_MARKS } from '../../src/import/guessed-format.ts'
import type { Import3dOptions } from '../../src/import/import-file.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { importFile } from '../support/imported-file.ts'

function imported(format: 'obj' | 'stl', content: string | Uint8Array, asked: Partial<Import3dOptions> = {}) {
  const main = { name: `thing.${format}`, bytes: Buffer.from(content) }
  expect(guessedFormat({ ...main, name: '' }, SPACE_MARKS)).toBe(format)
  const options: Import3dOptions = { dimension: 3, format, source: main.name, solid: false, tolerance: 1, frame: PLAIN_FRAME_3D, ...asked } // biome-ignore format: a record
  const most = { mostBodies: 100, mostPieces: 100 }
  const file = importFile({ kind: 'import', files: { main, others: [] }, options, limits: SCHEMA_LIMITS, ...most })
  if (isProblem(file)) throw new Error(file.detail)
  const bodies = file.bodies.map(({ id, tags, form }) => ({ id, tags, shape: JSON.parse(form) }))
  return { ...file, bodies }
}

const CORNERS = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n'
const FACES = 'f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'

describe('OBJ', () => {
  it('has a body for each object, and each group of one', () => {
    const { bodies, skipped } = imported(
      'obj',
      `# made by hand\nmtllib a.mtl\n${CORNERS}f 1 2 3\no Door\nf 2 3 4\ng frame\nusemtl red\nf 1 2 4\nusemtl blue\nf 1 3 4\no Wall\ng left right\nf 1 2 3 4\no Door\nf 4 3 2\no Empty\nl 1 2\nl 2 3\n`,
    )
    expect(bodies.map(({ id, tags }) => [id, ...tags!])).toEqual([
      ['thing', 'kind:object', 'import:thing.obj'],
      ['Door', 'kind:object', 'object:Door', 'import:thing.obj'],
      ['Door:frame', 'kind:group', 'object:Door', 'group:frame', 'import:thing.obj'],
      ['Wall:left.right', 'kind:group', 'object:Wall', 'group:left', 'group:right', 'import:thing.obj'],
    ])
    const [, door, frame] = bodies
    expect(door!.shape).toEqual({
      type: 'mesh',
      vertices: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      triangles: [0, 1, 2, 2, 1, 0],
      groups: [0, 1],
    })
    expect(frame!.shape.groups).toEqual([0, 1])
    expect(skipped.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      'object Wall: object',
      'object Empty: object',
      'thing.obj: l',
    ])
  })

  it('has an inside where it is closed, if that is asked for', () => {
    const { bodies, repaired } = imported('obj', `${CORNERS}o whole\n${FACES}o half\nf 1 3 2\n`, { solid: true })
    expect(bodies.map(({ shape }) => shape.solid)).toEqual([true, undefined])
    expect(repaired).toMatchObject([{ where: 'object half', what: 'mesh' }])
  })

  it.skipIf(!existsSync('../shared/data/meshes'))('of real files keeps every face', () => {
    for (const name of ['spot', 'fandisk']) {
      const text = readFileSync(`../shared/data/meshes/${name}.obj`, 'utf8')
      const faces = text.split('\n').filter((line) => line.startsWith('f '))
      const triangles = faces.reduce((sum, face) => sum + face.trim().split(/\s+/).length - 3, 0)
      const { bodies } = imported('obj', text, { solid: true })
      expect(bodies.reduce((sum, { shape }) => sum + shape.triangles.length / 3, 0)).toBe(triangles)
    }
  })
})

const facet = (...corners: string[]) =>
  `facet normal 0 0 0\nouter loop\n${corners.map((corner) => `vertex ${corner}\n`).join('')}endloop\nendfacet\n`
const [A, B, C, D] = ['0 0 0', '1 0 0', '0 1 0', '0 0 1'] as const

describe('STL', () => {
  it('has a body for each solid of a text', () => {
    const text = `solid first part\n${facet(A, C, B)}${facet(A, B, D)}endsolid first part\nsolid\n${facet(A, D, C)}endsolid\n`
    const { bodies } = imported('stl', text)
    expect(bodies.map(({ id }) => id)).toEqual(['thing', 'first_part'])
    expect(bodies[1]!.shape).toEqual({
      type: 'mesh',
      vertices: [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1],
      triangles: [0, 1, 2, 0, 2, 3],
    })
  })

  it('has one body of a binary file', () => {
    const bytes = Buffer.alloc(84 + 50)
    bytes.write('solid it is not')
    bytes.writeUInt32LE(1, 80)
    for (const [k, value] of [0, 0, 0, 1, 0, 0, 0, 1, 0].entries()) bytes.writeFloatLE(value, 96 + 4 * k)
    const { bodies, bounds } = imported('stl', bytes)
    expect(bodies.map(({ id, shape }) => [id, shape.triangles])).toEqual([['thing', [0, 1, 2]]])
    expect(bounds).toEqual([0, 0, 0, 1, 1, 0])
  })
})
