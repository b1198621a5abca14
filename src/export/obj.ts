/**
 * Scenes of space as Wavefront OBJ: each body an object of its id, its triangles where it stands. Faces name their vertices from the end, so
 * a body is written without knowledge of those before it. Bodies without triangles are comments. Numbers have all of their digits.
 */

import type { Shape3d } from '../../schemas/shapes3d.ts'
import type { ExportFormat, Sheet } from './export-format.ts'
import { placedVertices, trianglesOf } from './triangles.ts'

/** Lines that cost as much as a point of a body. */
const LINES_PER_POINT = 4

export const obj: ExportFormat = {
  mediaType: 'model/obj; charset=utf-8',
  extension: 'obj',
  readsShapes: true,
  begin: ({ id, version }) => `# scene ${id}, version ${version}\n`,
  between: '',
  end: '',
  *writeBody({ id, shape, ...body }, _writing, sheet, pace) {
    const found = trianglesOf(shape as Shape3d)
    if (found === null) {
      sheet.write(`# ${id} has no triangles\n`)
      return
    }
    const { triangles, groups } = found
    const vertices = placedVertices(found.vertices, body as object)
    sheet.write(`o ${id}\n`)
    for (let k = 0; k < vertices.length; k += 3) {
      sheet.write(`v ${vertices[k]} ${vertices[k + 1]} ${vertices[k + 2]}\n`)
      if (pace.isDue(1 / LINES_PER_POINT)) yield
    }
    const count = vertices.length / 3
    for (let t = 0; t < triangles.length / 3; t++) {
      if (groups !== null && groups[t] !== groups[t - 1]) sheet.write(`usemtl group_${groups[t]}\n`)
      writeFace(triangles, 3 * t, count, sheet)
      if (pace.isDue(1 / LINES_PER_POINT)) yield
    }
  },
}

function writeFace(triangles: ArrayLike<number>, at: number, count: number, sheet: Sheet): void {
  sheet.write(`f ${triangles[at] - count} ${triangles[at + 1] - count} ${triangles[at + 2] - count}\n`)
}
