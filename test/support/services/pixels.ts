// What a page shows, pixel by pixel.

import type { Page } from 'playwright-core'

type Pixel = [red: number, green: number, blue: number]

/** The colours of a page at places of it, as they are seen now. */
export async function pixelsAt(page: Page, places: readonly { x: number; y: number }[]): Promise<Pixel[]> {
  const picture = (await page.screenshot()).toString('base64')
  const rounded = places.map(({ x, y }) => [Math.round(x), Math.round(y)])
  return page.evaluate<Pixel[]>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${picture}'
    await image.decode()
    const canvas = document.createElement('canvas')
    ;[canvas.width, canvas.height] = [image.width, image.height]
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return ${JSON.stringify(rounded)}.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3))
  })()`)
}

/** How far apart two colours are, of 441. */
export const apart = (p: Pixel, q: Pixel): number => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
