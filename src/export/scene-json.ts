// The service's own JSON: every body as it was put, a line each, so that files can be compared. Nothing is lost.

import { sceneBodyText } from '../wire/scenes/scene-data.ts'
import type { ExportFormat } from './export-format.ts'

/** Characters of a text that cost as much as a point of a body. */
const CHARACTERS = 64

export const sceneJson: ExportFormat = {
  mediaType: 'application/json; charset=utf-8',
  extension: 'json',
  readsShapes: false,
  begin: ({ version, name, margin }) => {
    const settings = { version, ...(name !== null && { name }), ...(margin !== 0 && { margin }) }
    return `${JSON.stringify(settings).slice(0, -1)},"bodies":[\n`
  },
  between: ',\n',
  end: '\n]}\n',
  *writeBody(body, _writing, sheet, pace) {
    const text = sceneBodyText(body)
    sheet.write(text)
    if (pace.isDue(1 + text.length / CHARACTERS)) yield
  },
}
