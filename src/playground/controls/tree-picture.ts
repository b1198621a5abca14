// The boxes of a scene's tree: the service's own picture of the part that is seen, laid over the plane.

import { corners, type View } from '../drawing/view.ts'
import { latestCall } from '../service/latest-call.ts'
import { token } from '../service/service.ts'
import type { Desk } from './desk.ts'
import { byId } from './page-elements.ts'

interface Wanted {
  scene: string
  view: View
}

/** For the picture, which takes no token as an image would be loaded; null where there is none. */
async function picture({ scene, view }: Wanted): Promise<string | null> {
  const { min, max } = corners(view)
  const query = new URLSearchParams({
    bounds: [min.x, min.y, max.x, max.y].join(','),
    width: String(Math.round(view.width)),
    height: String(Math.round(view.height)),
    tree: 'true',
    bodies: 'false',
    labels: 'false',
    background: 'false',
    yDown: String(!view.yUp),
  })
  const path = `/v1/2d/scenes/${encodeURIComponent(scene)}/render.svg?${query}`
  const headers: Record<string, string> = token() === '' ? {} : { authorization: `Bearer ${token()}` }
  const response = await fetch(path, { headers }).catch(() => null)
  return response?.ok ? URL.createObjectURL(await response.blob()) : null
}

/** `version`: of the scene that is shown. */
export function followTree(desk: Desk): void {
  const image = document.createElement('img')
  image.id = 'tree-picture'
  image.alt = 'Boxes of the tree'
  let seen: unknown[] = []
  const show = latestCall(picture, (wanted, url) => {
    if (image.src !== '') URL.revokeObjectURL(image.src)
    if (url === null || desk.view !== wanted.view || !desk.settings.tree) {
      image.remove()
      return
    }
    image.src = url
    byId('room').append(image)
  })
  desk.onChange(() => {
    const { sketch, view, settings } = desk
    const now = [sketch.scene, sketch.bodies, view, settings.tree]
    if (now.every((value, i) => value === seen[i])) return
    seen = now
    image.remove()
    if (settings.tree && sketch.scene !== null) show({ scene: sketch.scene, view })
  })
}
