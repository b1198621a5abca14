// Long meshes of a file: the scene has them as the worker that read the file has prepared them, in memory that both share.

import { expect, it } from 'vitest'
import { PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import { ComparedFile } from '../../src/import/import-diff.ts'
import { type ImportedFile, importFile } from '../../src/import/import-file.ts'
import type { Operation } from '../../src/scene/state/operation.ts'
import { apply, createScene, type Scene, validateScene } from '../../src/scene/state/scene.ts'
import { closeView, findBody, openView, presentView, shapeAt } from '../../src/scene/state/view.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { preparedMesh } from '../../src/wire/mesh-3d.ts'
import { creation, prepare } from '../support/services/kept-scenes.ts'

const SIDE = 60
const corners = Array.from({ length: SIDE * SIDE }, (_, k) => {
  const [x, y] = [k % SIDE, Math.floor(k / SIDE)]
  return `v ${x} ${y} ${(x * y) % 7}`
})
const faces = Array.from({ length: (SIDE - 1) ** 2 }, (_, k) => {
  const a = 1 + (k % (SIDE - 1)) + SIDE * Math.floor(k / (SIDE - 1))
  return `f ${a} ${a + 1} ${a + SIDE}`
})
const strip = faces.slice(0, 4 * SIDE).join('\n')
const SHEET = `o sheet\n${corners.join('\n')}\n${faces.join('\n')}\no strip\n${strip}\no small\nf 1 2 ${SIDE + 1}\n`

/** The operations of an import into a scene as it is. */
function operationsOf(file: ImportedFile, scene: Scene): readonly Operation[] {
  const view = openView(scene)
  try {
    const slices = new ComparedFile(file, 'sheet').diff(view)
    for (;;) {
      const { done, value } = slices.next()
      if (done) return value.operations
    }
  } finally {
    closeView(scene, view)
  }
}

it('are prepared once, where the file is read', () => {
  const main = { name: 'sheet.obj', bytes: Buffer.from(SHEET) }
  const file = importFile({
    kind: 'import',
    files: { main, others: [] },
    options: { dimension: 3, format: 'obj', source: 'sheet', solid: false, tolerance: 1, frame: PLAIN_FRAME_3D },
    limits: SCHEMA_LIMITS,
    mostBodies: 100,
    mostPieces: 100,
  }) as ImportedFile
  expect(Array.from(file.bodies.prepared.keys())).toEqual([0, 1])
  const memory = Array.from(file.bodies.prepared.values(), ({ meshes }) => meshes[0])
  const scene = createScene(prepare)
  apply(scene, { version: 1, at: 0, operations: [creation('a', { dimension: 3 })] })
  const unprepared = structuredClone({ ...file, bodies: { ...file.bodies, prepared: new Map() } })
  const operations = operationsOf(file, scene)
  expect(JSON.stringify(operations)).toBe(JSON.stringify(operationsOf(unprepared, scene)))
  apply(scene, { version: 2, at: 0, operations })
  expect(validateScene(scene)).toBeNull()
  const seen = presentView(scene)
  const held = ['sheet', 'strip'].map((id) => preparedMesh(shapeAt(seen, findBody(seen, id)) as never)?.buffer)
  expect(held[0]).toBe(memory[0])
  expect(held[1]).toBe(memory[1])
  expect(operationsOf(file, scene)).toEqual([])
  const small = shapeAt(seen, findBody(seen, 'small'))
  expect(small).toMatchObject({ type: 'mesh', triangles: [0, 1, 2] })
})
