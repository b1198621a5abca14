// A scene as a file, in the formats that the service writes; where it writes none, nothing is offered.

import { serviceFeatures } from '../service/features.ts'
import { scenePath } from '../service/scene-reading.ts'
import { fetchFile, problemText } from '../service/service.ts'
import type { Desk } from './desk.ts'
import { notice } from './notice.ts'
import { byId } from './page-elements.ts'

const FORMATS = [
  ['json', 'JSON', 'json'],
  ['geojson', 'GeoJSON', 'geojson'],
  ['svg', 'SVG', 'svg'],
] as const

export function followSaving(desk: Desk): void {
  const row = byId('save')
  for (const [format, name, end] of FORMATS) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = name
    button.addEventListener('click', () => {
      const { scene } = desk.sketch
      if (scene !== null) void save(scene, format, `${scene}.${end}`)
    })
    row.append(button)
  }
  let seen: string | null = null
  desk.onChange(() => {
    const { scene } = desk.sketch
    if (scene === seen) return
    seen = scene
    row.hidden = true
    if (scene === null) return
    void serviceFeatures().then((features) => {
      row.hidden = desk.sketch.scene === null || !features.has('export')
    })
  })
}

async function save(scene: string, format: string, name: string): Promise<void> {
  notice('Saving …', true)
  const file = await fetchFile(`${scenePath(scene)}/export?format=${format}`)
  if ('status' in file) {
    notice(problemText(file))
    return
  }
  notice('')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // the download has begun by then
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
