/** Whether every replica has the same scenes in the end, to the last bit, and they are what the log folds to. */

import { Sheet } from '../../src/export/export-format.ts'
import { exportScene } from '../../src/export/export-scene.ts'
import { foldScene } from '../../src/scene/keeper/recovery.ts'
import { validateScene } from '../../src/scene/state/scene.ts'
import { onView, type PlaneView } from '../../src/scene/state/view.ts'
import { shownDigest } from '../../src/scene/store/checksum-frame.ts'
import type { SceneStore, StoredScene } from '../../src/scene/store/store.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { readExport } from '../../src/wire/query-strings.ts'
import { prepare } from '../support/services/kept-scenes.ts'
import { type Replica, scenesOf } from './replica.ts'

/** What is wrong, for people. Nothing is written meanwhile. */
export async function checkReplicas(store: SceneStore, replicas: readonly Replica[], ids: readonly string[]) {
  const faults: string[] = []
  for (const id of ids) {
    const stored = await store.head(id)
    if (stored === null) {
      faults.push(`${id} is not in the store`)
      continue
    }
    const folded = await foldedExport(store, stored)
    if (folded.fault !== null) faults.push(`${id} cannot be folded: ${folded.fault}`)
    const tag = `"${stored.version}.${shownDigest(stored.digest as Uint8Array)}"`
    for (const replica of replicas) {
      const headers = { 'if-version-at-least': String(stored.version) }
      const path = `${scenesOf(id)}/${id}/export?format=json`
      const { status, etag, text } = await replica.send('GET', path, headers)
      const name = `${id} at replica ${replica.number}`
      if (status !== 200) faults.push(`${name} is answered ${status}: ${text.slice(0, 300)}`)
      else if (etag !== tag) faults.push(`${name} is at ${etag}, in the store at ${tag}`)
      else if (text !== folded.text) faults.push(`${name} is not what its log folds to`)
    }
  }
  return faults
}

async function foldedExport(store: SceneStore, stored: StoredScene): Promise<{ text: string; fault: string | null }> {
  const recovered = await foldScene(store, stored, prepare, { passOver: () => undefined })
  if (typeof recovered === 'string') return { text: '', fault: recovered }
  const { scene } = recovered
  const asked = readExport({ format: 'json' })
  if (isProblem(asked)) throw new Error(asked.detail)
  const sheet = new Sheet()
  const work = onView(scene, (view) => exportScene(view as PlaneView, scene, asked, sheet))
  while (!work.next().done) {
    // to the end
  }
  return { text: sheet.take(), fault: validateScene(scene) }
}
