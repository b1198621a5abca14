// The page of space: what it holds, and where it draws it.

import type { Page } from 'playwright-core'
import { sharedIn } from '../../../src/playground/sketch/share-link.ts'
import type { Sketch } from '../../../src/playground/sketch/sketch.ts'
import type { Vec } from '../../../src/playground/sketch/vector.ts'
import { type Camera, projectionOf, viewOf } from '../../../src/playground/space/camera.ts'
import { isDrawable } from '../../../src/playground/space/geometry.ts'

/** What the page holds, and how it looks at it, as its link tells. */
export async function spaceOf(page: Page): Promise<{ sketch: Sketch; place: (p: Vec) => { x: number; y: number } }> {
  await page.click('#share')
  const fragment = new URL(page.url()).hash.slice(1)
  const { sketch, view } = sharedIn<Camera>(fragment, { dimension: '3d', isDrawable, viewOf })!
  const { x, y, width, height } = (await page.locator('#stage').boundingBox())!
  const screen = projectionOf({ ...view, width, height })
  const place = (p: Vec) => {
    const at = screen.at(p)!
    return { x: at.x + x, y: at.y + y }
  }
  return { sketch, place }
}
