// The three views of the one document, by the name of their file and path.

import { downgrade } from './openapi-3-0.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import { flatten } from './openapi-flat.ts'

const VIEWS: Readonly<Record<string, (document: OpenApiDocument) => OpenApiDocument>> = {
  'openapi.json': (document) => document,
  'openapi-3.0.json': downgrade,
  'openapi-flat.json': (document) => flatten(downgrade(document)),
}

export const openApiViews: readonly string[] = Object.keys(VIEWS)

/** The text of a view, as it is committed and served. Takes the 3.1 document. */
export function renderView(name: string, document: OpenApiDocument): string {
  return `${JSON.stringify(VIEWS[name](document), null, 2)}\n`
}
