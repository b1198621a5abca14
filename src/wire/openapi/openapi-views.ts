// The three views of the one document, by the name of their file and path.
//
// They are for programs, and those have JSON: what is read from an answer that comes as a picture or as lines as well would be
// any of these to a generated client. The descriptions say what else may be asked for.

import { downgrade } from './openapi-3-0.ts'
import type { OpenApiDocument, OpenApiMedia } from './openapi-document.ts'
import { componentReference, operations } from './openapi-document.ts'
import { flatten } from './openapi-flat.ts'

const JSON_TYPE = 'application/json'

const VIEWS: Readonly<Record<string, (document: OpenApiDocument) => OpenApiDocument>> = {
  'openapi.json': forPrograms,
  'openapi-3.0.json': (document) => downgrade(forPrograms(document)),
  'openapi-flat.json': (document) => flatten(downgrade(forPrograms(document))),
}

export const openApiViews: readonly string[] = Object.keys(VIEWS)

/** The text of a view, as it is committed and served. Takes the 3.1 document. */
export function renderView(name: string, document: OpenApiDocument): string {
  return `${JSON.stringify(VIEWS[name](document), null, 2)}\n`
}

function forPrograms(document: OpenApiDocument): OpenApiDocument {
  return nameParameters(withoutUnused(jsonOnly(document)))
}

/** Names of the components that the schemas of parameters become, by the operation and the parameter, or by the parameter alone. */
const PARAMETER_NAMES: Readonly<Record<string, string>> = {
  view: 'PictureView',
  'importScene.format': 'ImportFormat',
  'exportScene.format': 'ExportFormat',
  for: 'ReadyFor',
}

/**
 * Moves schemas of parameters that list words to named components: some generators write down a name for a schema within a parameter
 * and never declare it. Throws if such a schema has no name, or if two different schemas have the same name.
 */
export function nameParameters(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document)
  const { schemas } = copy.components
  for (const { operationId, parameters = [] } of operations(copy)) {
    for (const parameter of parameters) {
      if (parameter.schema.enum === undefined) continue
      const name = PARAMETER_NAMES[`${operationId}.${parameter.name}`] ?? PARAMETER_NAMES[parameter.name]
      if (name === undefined) throw new Error(`the words of ${parameter.name} of ${operationId} have no name`)
      const known = schemas[name]
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parameter.schema)) {
        throw new Error(`${name} names two different schemas`)
      }
      schemas[name] = parameter.schema
      parameter.schema = { $ref: `#/components/schemas/${name}` }
    }
  }
  return copy
}

/** Where a body is JSON, whatever else it may be. */
function jsonOnly(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document)
  for (const { requestBody, responses } of operations(copy)) {
    for (const part of [requestBody, ...Object.values(responses)]) {
      const json: OpenApiMedia | undefined = part?.content?.[JSON_TYPE]
      if (part !== undefined && json !== undefined) part.content = { [JSON_TYPE]: json }
    }
  }
  return copy
}

/** Schemas that only other media had are left out. Cost O(size), for each schema on the way to the innermost one. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  const text = JSON.stringify(document)
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"${componentReference(name).$ref}"`))
  if (used.length === Object.keys(schemas).length) return document
  return withoutUnused({ ...document, components: { ...document.components, schemas: Object.fromEntries(used) } })
}
