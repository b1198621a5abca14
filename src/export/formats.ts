// Every format that scenes are exported in, by its name.

import type { ExportFormatName } from '../../schemas/scenes/export.ts'
import type { ExportFormat } from './export-format.ts'
import { geoJson } from './geojson.ts'
import { sceneJson } from './scene-json.ts'
import { svg } from './svg.ts'

export const FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = { json: sceneJson, geojson: geoJson, svg }
