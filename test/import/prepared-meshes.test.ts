// Long meshes of a file: the scene has them as the worker that read the file has prepared them, in memory that both share.

import { expect, it } from 'vitest'
import { PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import { ComparedFile } from '../../src/import/import-diff.ts'
import { type ImportedFile, importFile } from '../../src/import/import-file.ts'
import { apply, createScene, validateScene } from '../../src/scene/state/scene.ts'
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
const SHEET = `o sheet\n${corners.join('\n')}\n${faces.join('\n')}\no small\nf 1 2 ${SIDE + 1}\n`

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
  expect(file.bodies.prepared.map(([form]) => form)).toEqual([0])
  // as another thread gets it
  const [, { meshes }] = file.bodies.prepared[0]
  const scene = createScene(prepare)
  apply(scene, { version: 1, at: 0, operations: [creation('a', { dimension: 3 })] })
  const view = openView(scene)
  const compared = new ComparedFile(structuredClone({ ...file, bodies: { ...file.bodies, prepared: [] } }), 'sheet')
  const shared = new ComparedFile(file, 'sheet')
  const work = [compared.diff(view), shared.diff(view)].map((slices) => {
    let step = slices.next()
    while (!step.done) step = slices.next()
    return step.value.operations
  })
  closeView(scene, view)
  expect(JSON.stringify(work[1])).toBe(JSON.stringify(work[0]))
  apply(scene, { version: 2, at: 0, operations: work[1] })
  expect(validateScene(scene)).toBeNull()
  const seen = presentView(scene)
  const sheet = shapeAt(seen, findBody(seen, 'sheet'))
  expect(preparedMesh(sheet as never)?.buffer).toBe(meshes[0])
  const small = shapeAt(seen, findBody(seen, 'small'))
  expect(small).toMatchObject({ type: 'mesh', triangles: [0, 1, 2] })
})
