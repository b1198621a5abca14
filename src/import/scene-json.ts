/**
 * The service's own JSON, as scenes are exported: bodies as they are, with ids, tags, motion and data of their own, the data to the byte.
 * Pages of bodies, as the service lists them, are such documents too.
 *
 * Frame: that of the document; mirroring, scale and offset are those of the import.
 */

import { reference } from '../../schemas/reference.ts'
import { SceneBody } from '../../schemas/scenes/scene-body.ts'
import { assertShallow, NestedTooDeep } from '../json/brackets.ts'
import { violationProblem } from '../wire/problems/schema-violation.ts'
import { checkDataSize } from '../wire/scenes/scene-body.ts'
import { parseBodies } from '../wire/scenes/scene-data.ts'
import { schemasByName } from '../wire/validation/named-schemas.ts'
import { bodyCompiler, takeErrors } from '../wire/validation/validators.ts'
import { bodyInFrame } from './drawing/body-in-frame.ts'
import { type Drawing, type ImportedBody, skip } from './drawing/drawing.ts'
import { ImportFault } from './reading/import-fault.ts'
import { noteCount } from './reading/import-progress.ts'
import { asObject, listAt } from './reading/json-fields.ts'
import { type SourceFile, type SourceFiles, utf8Of } from './reading/source-files.ts'

let validate: ReturnType<ReturnType<typeof bodyCompiler>> | undefined

export function importSceneJson({ main }: SourceFiles, drawing: Drawing): void {
  const ids = new Set<string>()
  for (const [k, value] of bodiesOf(main).entries()) {
    const where = `/bodies/${k}`
    const body = bodyOf(value, where)
    if (ids.has(body.id)) {
      skip(drawing, where, 'body', `The document has another body ${body.id} before it.`)
      continue
    }
    if (drawing.bodyCount === drawing.mostBodies) {
      const message = 'The document has more bodies than one write can put into the scene: cut its bodies in several.'
      throw new ImportFault('too-many-operations', where, message)
    }
    ids.add(body.id)
    noteCount(drawing.progress, 'bodies', ++drawing.bodyCount)
    drawing.take(bodyInFrame(drawing.frame, body as never), body as never)
  }
}

function bodiesOf(file: SourceFile): unknown[] {
  const { name } = file
  const buffer = utf8Of(file)
  let document: unknown
  try {
    assertShallow(buffer)
    document = parseBodies(buffer.toString())
  } catch (error) {
    const message = error instanceof NestedTooDeep ? error.message : `It is not JSON: ${(error as Error).message}.`
    throw new ImportFault('import-malformed', name, message)
  }
  const { bodies } = asObject(document, name)
  if (bodies === undefined) throw new ImportFault('import-malformed', name, 'It must have a list of bodies.')
  return listAt({ bodies }, 'bodies', '')
}

function bodyOf(value: unknown, where: string): ImportedBody {
  validate ??= bodyCompiler(schemasByName)(reference(SceneBody))
  if (!validate(value)) {
    const { detail, places } = violationProblem(takeErrors(validate)[0], where)
    throw new ImportFault('import-malformed', `${where}${places[0]?.pointer ?? ''}`, detail)
  }
  const body = value as ImportedBody
  const problem = checkDataSize(body.data)
  if (problem !== null) throw new ImportFault('import-malformed', `${where}/data`, problem.detail)
  return body
}
