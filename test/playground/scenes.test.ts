// Scenes on the playground: made, opened, dragged in with rehearsals, walked in, imported into, watched.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dragFrom, hasBrowser, middleOf, type Playground, startPlayground } from '../support/services/browser.ts'

const marks = (page: Page, selector: string) => page.locator(`.marks ${selector}`).count()

describe.skipIf(!hasBrowser)('scenes on the playground', () => {
  let playground: Playground
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page, errors } = await playground.open())
  })
  afterAll(async () => {
    expect(errors).toEqual([])
    await playground.close()
  })

  const level = async () => {
    const before = await page.locator('#scene-name').textContent()
    await page.selectOption('#examples', 'A level to walk in')
    await expect.poll(() => page.locator('[data-body="hero"]').count()).toBe(1)
    await expect.poll(() => page.locator('#scene-name').textContent()).toMatch(/^a-level-to-walk-in-/)
    if (before?.startsWith('a-level'))
      await expect.poll(() => page.locator('#scene-name').textContent()).not.toBe(before)
    return (await page.locator('#scene-name').textContent())!
  }
  const bodyOf = async (scene: string, id: string) => {
    const response = await fetch(`${playground.origin}/v1/2d/scenes/${scene}/bodies/${id}`)
    // biome-ignore lint/suspicious/noExplicitAny: a body or a problem
    const answer: any = await response.json()
    return answer.body ?? answer
  }

  it.each([
    ['scene overlap', '.none', 0],
    ['scene nearest', '[data-name="distance"]', 3],
    ['scene ray-cast', '[data-name="ray"]', 1],
    ['scene shape-cast', '.ghost.impact', 1],
    ['scene pairs', '[data-name="pair"]', 4],
    ['scene time-of-impact', '.ghost', 0],
    ['scene trajectory', '[data-name="path"]', 1],
    ['scene move', '[data-name="path"]', 1],
    ['scene separate', '.ghost.separated', 1],
    ['scene line-of-sight', '.sight', 5],
    ['scene place', '.ghost.placed', 1],
    ['scene snap', '.ghost.snapped', 1],
    ['scene drop', '.ghost.landed', 1],
  ])('draws %s: %s', async (question, selector, count) => {
    if (question === 'scene overlap') await level()
    await page.selectOption('#question', question)
    await expect.poll(() => marks(page, selector)).toBe(count)
    expect(await page.locator('#says.problem').count()).toBe(0)
  })

  it('shows what a drag would overlap, writes where it ends, and takes it back', async () => {
    const scene = await level()
    await page.selectOption('#question', 'scene overlap')
    const before = (await bodyOf(scene, 'hero')).position
    const from = await middleOf(page, '[data-body="hero"]')
    const crate = await middleOf(page, '[data-body="crate"]')
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(crate.x + 20, crate.y - 20, { steps: 4 })
    await expect
      .poll(() => page.locator('.highlighted').evaluateAll((all) => all.map((one) => one.getAttribute('data-body'))))
      .toContain('crate')
    expect((await bodyOf(scene, 'hero')).position).toEqual(before)
    await page.mouse.up()
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position).not.toEqual(before)
    await expect.poll(() => page.locator('#says').textContent()).toMatch(/^meets crate/)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position).toEqual(before)
  })

  it('puts what is let go of where it is free', async () => {
    const scene = await level()
    await page.selectOption('#question', 'scene place')
    const from = await middleOf(page, '[data-body="crate"]')
    const ledge = await middleOf(page, '[data-body="ledge"]')
    await dragFrom(page, from, { x: ledge.x - from.x, y: ledge.y - from.y })
    await expect.poll(async () => (await bodyOf(scene, 'crate')).position.y).not.toBe(-3.25)
    const answer = await fetch(`${playground.origin}/v1/2d/scenes/${scene}/overlap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bodyId: 'crate' }),
    })
    const { bodies } = (await answer.json()) as { bodies: { relation: string }[] }
    expect(bodies.filter(({ relation }) => relation === 'overlapping')).toEqual([])
  })

  it('walks by the arrow keys, and stops where the level does', async () => {
    const scene = await level()
    await page.locator('#stage').focus()
    const start = (await bodyOf(scene, 'hero')).position.x
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.x).toBeCloseTo(start - 0.5, 9)
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('ArrowLeft')
      await page.waitForTimeout(25)
    }
    // the crate's right side lies at -3.25, and the hero is half a length in radius
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.x).toBeCloseTo(-2.75, 6)
  })

  it('opens a scene by its id, adds to it and removes from it', async () => {
    const scene = await level()
    await page.click('#scene-leave')
    await page.fill('#scene-id', scene)
    await page.click('#scene-form button[type="submit"]')
    await expect.poll(() => page.locator('#scene-name').textContent()).toBe(scene)
    await page.selectOption('#add', 'ellipse')
    await expect.poll(async () => (await bodyOf(scene, 'a')).shape?.type).toBe('ellipse')
    await page.click('#remove')
    await expect.poll(async () => (await bodyOf(scene, 'a')).code).toBe('body-not-found')
    await page.fill('#scene-id', 'no-such-scene')
    await page.click('#scene-form button[type="submit"]')
    await expect.poll(() => page.locator('#events-state').textContent()).toMatch(/^404 scene-not-found/)
    errors.length = 0
  })

  it('takes an editor’s file, dropped or chosen, and takes it again', async () => {
    const text = JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'room',
          properties: {},
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [8, 0],
                [8, 5],
                [0, 5],
                [0, 0],
              ],
            ],
          },
        },
        {
          type: 'Feature',
          id: 'path',
          properties: {},
          geometry: {
            type: 'LineString',
            coordinates: [
              [9, 0],
              [12, 4],
            ],
          },
        },
      ],
    })
    await page.click('#scene-leave')
    await page.evaluate(`
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([${JSON.stringify(text)}], 'yard.geojson'))
      document.getElementById('room').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))`)
    await expect.poll(() => page.locator('[data-body]').count()).toBe(2)
    await expect.poll(() => page.locator('#events').textContent()).toContain('yard.geojson: 2 added')
    const scene = await page.locator('#scene-name').textContent()
    await page.setInputFiles('#file', {
      name: 'yard.geojson',
      mimeType: 'application/geo+json',
      buffer: Buffer.from(text.replace('8,5', '8,6')),
    })
    await expect
      .poll(() => page.locator('#events').textContent())
      .toContain('yard.geojson: 0 added, 1 updated, 0 removed')
    expect(await page.locator('#scene-name').textContent()).toBe(scene)
    await page.setInputFiles('#file', { name: 'broken.tmx', mimeType: 'text/xml', buffer: Buffer.from('<map') })
    await expect.poll(() => page.locator('#events-state').textContent()).toMatch(/^4\d\d /)
    errors.length = 0
  })

  it('sees what others do to the scene, and takes its own steps back without it', async () => {
    const scene = await level()
    await page.selectOption('#question', 'scene overlap')
    await expect.poll(() => page.locator('#events-state').textContent()).toBe('Events arrive')
    const transform = (id: string) => page.locator(`[data-body="${id}"]`).getAttribute('transform')
    const before = await transform('crate')
    await dragFrom(page, await middleOf(page, '[data-body="crate"]'), { x: 0, y: -60 })
    await expect.poll(() => page.locator('#events').textContent()).toMatch(/crate/)
    const operations = [{ op: 'move', id: 'coin', position: { x: 5, y: 3 } }]
    await fetch(`${playground.origin}/v1/2d/scenes/${scene}/operations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operations }),
    })
    await expect.poll(() => transform('coin')).toBe('translate(5 3)')
    await page.keyboard.press('Control+z')
    await expect.poll(() => transform('crate')).toBe(before)
    expect(await transform('coin')).toBe('translate(5 3)')
    await expect.poll(async () => (await bodyOf(scene, 'crate')).position.y).toBe(-3.25)
    expect((await bodyOf(scene, 'coin')).position).toEqual({ x: 5, y: 3 })
  })

  it('follows what others do to the scene, where the service tells', async () => {
    const description = { paths: { '/v1/2d/scenes/{sceneId}/events': {}, '/v1/2d/scenes/{sceneId}/render.svg': {} } }
    const { page: other } = await playground.open()
    await other.route('**/openapi.json', (route) => route.fulfill({ json: description }))
    const operations = [
      { op: 'move', id: 'coin', position: { x: 3, y: 2 } },
      { op: 'remove', id: 'crate' },
    ]
    const lines = [
      `id: 900\nevent: operations\ndata: ${JSON.stringify({ version: 900, operations })}\n\n`,
      `id: 900\nevent: overlap-began\ndata: ${JSON.stringify({ version: 900, a: 'coin', b: 'hero', relation: 'overlapping' })}\n\n`,
    ]
    await other.route('**/events?*', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: `retry: 600000\n${lines.join('')}` }),
    )
    const asked: string[] = []
    await other.route('**/render.svg?*', (route) => {
      asked.push(route.request().url())
      return route.continue()
    })
    await other.selectOption('#examples', 'A level to walk in')
    await expect.poll(() => other.locator('#events').textContent()).toContain('900: coin and hero meet')
    expect(await other.locator('#events').textContent()).toContain('900: move coin, remove crate')
    await expect.poll(() => other.locator('[data-body="crate"]').count()).toBe(0)
    expect(await other.locator('[data-body="coin"]').getAttribute('transform')).toBe('translate(3 2)')
    await other.check('#tree')
    await expect.poll(() => other.locator('#tree-picture').count()).toBe(1)
    expect(decodeURIComponent(asked.at(-1) ?? '')).toMatch(
      /render\.svg\?bounds=-?[\d.,-]+&width=\d+&height=\d+&tree=true&bodies=false/,
    )
    // the picture has the size of the plane, and came from the service
    const size = () => other.evaluate("document.querySelector('#tree-picture')?.naturalWidth ?? 0")
    await expect.poll(size).toBe(Number(/width=(\d+)/.exec(asked.at(-1) ?? '')?.[1]))
    await other.context().close()
  })
})
