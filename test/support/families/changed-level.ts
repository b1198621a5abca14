// The level of this repository with something changed, as a file that is removed after the test.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

interface Project {
  defs: { layers: { intGridValues: { identifier: string | null }[] }[] }
  levels: {
    identifier: string
    layerInstances: { entityInstances: { __identifier: string; px: [number, number] }[] }[]
  }[]
}

const CELLAR = resolve(import.meta.dirname, '../../../examples/levels/cellar.ldtk')

/** The path of the changed project. */
export function changedLevel(change: (project: Project) => void): string {
  const project = JSON.parse(readFileSync(CELLAR, 'utf8'))
  change(project)
  const directory = mkdtempSync(join(tmpdir(), 'tangent-level-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'changed.ldtk')
  writeFileSync(path, JSON.stringify(project))
  return path
}
