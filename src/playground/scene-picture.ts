// The service's own picture of the part of a scene that is seen: boxes of its tree laid over the bodies, or, of a scene with too many
// bodies to be drawn here, those bodies. It is of one view: in the next it is moved along until another has come.

import type { Desk } from './desk.ts'
import { byId } from './page-elements.ts'
import { scenePath } from './scene-session.ts'
import { fetchFile, latestCall } from './service.ts'
import { svgElement } from './svg-elements.ts'
import { corners, toScreen, type View } from './view.ts'

/** Pixels a side, as the service allows. */
const MOST_SIZE = 4096
const LEAST_SIZE = 16
/** Until the view has come to rest. */
const PAUSE_MS = 80

interface Wanted {
  scene: string
  /** In whole pixels, as pictures are. */
  view: View
  tree: boolean
  bodies: boolean
}

interface Picture extends Wanted {
  url: string
}

async function fetchPicture(wanted: Wanted): Promise<string | null> {
  const { scene, view, tree, bodies } = wanted
  const { min, max } = corners(view)
  const query = new URLSearchParams({
    bounds: [min.x, min.y, max.x, max.y].join(','),
    width: String(view.width),
    height: String(view.height),
    tree: String(tree),
    bodies: String(bodies),
    labels: 'false',
    background: 'false',
    yDown: String(!view.yUp),
  })
  const file = await fetchFile(`${scenePath(scene)}/render.svg?${query}`)
  return 'status' in file ? null : URL.createObjectURL(file)
}

const wholePixels = (view: View): View => {
  const size = (length: number) => Math.min(MOST_SIZE, Math.max(LEAST_SIZE, Math.round(length)))
  return { ...view, width: size(view.width), height: size(view.height) }
}

/** `image`: takes its place on the plane as the view goes on. */
function place(image: SVGImageElement, from: View, to: View): void {
  const scale = to.scale / from.scale
  const middle = toScreen(to, from.center)
  const flip = from.yUp === to.yUp ? scale : -scale
  image.setAttribute('transform', `matrix(${scale} 0 0 ${flip} ${middle.x} ${middle.y})`)
}

/** `over`: the layer that boxes of the tree lie over; `under`: the one that bodies lie under. */
export function followPicture(desk: Desk<View>, layers: { over: Element; under: Element }): void {
  const image = svgElement('image', { id: 'scene-picture', 'aria-hidden': 'true', preserveAspectRatio: 'none' })
  let shown: Picture | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const wantedNow = (): Wanted | null => {
    const { sketch, settings, view } = desk
    if (sketch.scene === null || !(settings.tree || settings.backdrop) || view.width === 0) return null
    return { scene: sketch.scene, view: wholePixels(view), tree: settings.tree, bodies: settings.backdrop }
  }
  const clear = () => {
    image.remove()
    if (shown !== null) URL.revokeObjectURL(shown.url)
    shown = null
  }
  const show = latestCall(fetchPicture, (wanted, url) => {
    const now = wantedNow()
    const isWanted = now?.scene === wanted.scene && now.tree === wanted.tree && now.bodies === wanted.bodies
    if (url === null || !isWanted) {
      if (url !== null) URL.revokeObjectURL(url)
      else if (isWanted) clear()
      return
    }
    const last = shown
    shown = { ...wanted, url }
    const { width, height } = wanted.view
    for (const [name, value] of Object.entries({ x: -width / 2, y: -height / 2, width, height }))
      image.setAttribute(name, String(value))
    image.setAttribute('class', wanted.bodies ? 'backdrop' : 'tree')
    image.setAttribute('href', url)
    place(image, wanted.view, desk.view)
    byId('stage').insertBefore(image, wanted.bodies ? layers.under : layers.over)
    if (last !== null) URL.revokeObjectURL(last.url)
  })

  let seen: unknown[] = []
  desk.onChange(() => {
    const { sketch, view, settings, news } = desk
    if (shown !== null) place(image, shown.view, view)
    const now = [sketch.scene, news, view, settings.tree, settings.backdrop]
    if (now.every((value, i) => value === seen[i])) return
    seen = now
    clearTimeout(timer)
    if (wantedNow() === null || (shown !== null && shown.scene !== sketch.scene)) clear()
    timer = setTimeout(() => {
      const wanted = wantedNow()
      if (wanted !== null) show(wanted)
    }, PAUSE_MS)
  })
}
