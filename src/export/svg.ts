/**
 * SVG: an element for each body that programs which draw have handles for, and a group of them for a compound. Ids, tags and data are
 * attributes; nothing of them is markup, and nothing is loaded or run.
 *
 * Frame: that of the file, so a scene whose y points up stands on its head unless it is mirrored; what is seen at first is all of it.
 */

import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { poseOf } from '../pictures/marks/pose.ts'
import { escapeXml } from '../pictures/svg/xml.ts'
import type { SceneBody } from '../scene/table/operation.ts'
import type { ExportFormat } from './export-format.ts'
import { type Leaf, leavesOf } from './leaves.ts'
import { svgElement } from './svg-element.ts'

const PAINT =
  'fill="#0072b2" fill-opacity="0.25" stroke="#004b75" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"'
const SENSOR = ' data-sensor="true" stroke-dasharray="6 5" fill-opacity="0.1"'

const ORIGIN: Vec2 = { x: 0, y: 0 }

export const svg: ExportFormat = {
  mediaType: 'image/svg+xml; charset=utf-8',
  extension: 'svg',
  readsShapes: true,
  begin: ({ id, name, version }, { window: { minX, minY, maxX, maxY } }) => {
    const view = `${minX} ${minY} ${maxX - minX} ${maxY - minY}`
    const title = escapeXml(`${name ?? id}, version ${version}`)
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}">\n<title>${title}</title>\n<g ${PAINT}>\n`
  },
  between: '\n',
  end: '\n</g>\n</svg>\n',
  *writeBody(body, { window }, sheet, pace) {
    const shape = body.shape as Shape2d
    const marks = marksOf(body)
    const pose = poseOf(body as never, ORIGIN)
    if (shape.type !== 'compound') {
      sheet.write(svgElement({ shape, pose }, marks, window))
      if (pace.isDue(8 + cornerCount({ shape, pose }))) yield
      return
    }
    sheet.write(`<g${marks}>`)
    for (const leaf of leavesOf(shape, pose)) {
      sheet.write(svgElement(leaf, '', window))
      if (pace.isDue(8 + cornerCount(leaf))) yield
    }
    sheet.write('</g>')
  },
}

function cornerCount({ shape }: Leaf): number {
  if (shape.type === 'polygon' || shape.type === 'chain') return shape.vertices.length
  if (shape.type !== 'region') return 0
  return (shape.holes ?? []).reduce((sum, hole) => sum + hole.length, shape.outer.length)
}

/** Names of XML begin with a letter; a line before all that do not, and before those that begin with one, keeps them apart. */
function xmlId(id: string): string {
  return /^[A-Za-z]/.test(id) ? id : `_${id}`
}

function marksOf({ id, tags, sensor, velocity, angularVelocity, data }: SceneBody): string {
  let marks = ` id="${escapeXml(xmlId(id))}" data-id="${escapeXml(id)}"`
  if (tags !== undefined && tags.length > 0) {
    // a space ends the name of a class
    const classes = tags.map((tag) => tag.replaceAll(/\s/g, '_'))
    marks += ` class="${escapeXml(classes.join(' '))}" data-tags="${escapeXml(JSON.stringify(tags))}"`
  }
  if (velocity !== undefined) marks += ` data-velocity="${velocity.x} ${velocity.y}"`
  if (angularVelocity !== undefined) marks += ` data-angular-velocity="${angularVelocity}"`
  if (data !== undefined) marks += ` data-data="${escapeSpace(escapeXml(data as string))}"`
  return sensor === true ? `${marks}${SENSOR}` : marks
}

/** Else an attribute has spaces for them. */
function escapeSpace(text: string): string {
  return text.replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`)
}
