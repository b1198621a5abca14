// Copies of scenes, made by way of their snapshots.

import type { Slices } from '../../containers/pace.ts'
import type { Scene } from './scene.ts'
import { SceneDecoder } from './scene-decoder.ts'
import { encodeScene } from './scene-snapshot.ts'

/** A scene of its own that is as this one when the work begins, whatever is written to it in between. */
export function* copyScene(scene: Scene): Slices<Scene> {
  const decoder = new SceneDecoder(scene.table.prepare)
  for (const chunk of encodeScene(scene)) {
    yield
    yield* decoder.pushInSlices(chunk)
    yield
  }
  return (yield* decoder.finishInSlices()).scene
}
