// Scenes that others write to, that are large, or whose service is away for a while; tabs that share a browser's connections; tokens.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  dragFrom,
  hasBrowser,
  middleOf,
  openScene,
  type Playground,
  putScene,
  startPlayground,
  worldToPage,
} from '../support/services/browser.ts'

const box = (id: string, x: number, y: number) => ({
  id,
  shape: { type: 'box', width: 1, height: 1 },
  position: { x, y },
})
const BODIES = [box('p', 0, 0), box('q', 4, 0), box('r', 0, 3)]
const link = (sketch: object, view = { x: 2, y: 1, scale: 80, yUp: true }) =>
  `/#${Buffer.from(JSON.stringify({ sketch, view })).toString('base64url')}`
const transform = (page: Page, id: string) => page.locator(`[data-body="${id}"]`).getAttribute('transform')
const events = (page: Page) => page.locator('#events').textContent()
const isLive = (page: Page) => expect.poll(() => page.locator('#events-state').textContent()).toBe('Events arrive')
/** As if the tab were behind others; browsers without a window never are. */
const setHidden = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

describe.skipIf(!hasBrowser)('scenes that are shared', () => {
  let playground: Playground
  let page: Page
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page } = await playground.open())
  })
  afterAll(() => playground.close())

  const scenePath = (scene: string) => `/v1/2d/scenes/${scene}`
  const writeAs = (scene: string, ...operations: object[]) =>
    playground.call('POST', `${scenePath(scene)}/operations`, { operations })
  const positionOf = async (scene: string, id: string) =>
    (await playground.call('GET', `${scenePath(scene)}/bodies/${id}`)).body.position
  const openNew = async (scene: string, bodies: readonly object[] = BODIES) => {
    await putScene(playground, scene, bodies)
    await openScene(page, scene)
    await isLive(page)
  }

  it('writes what a drag has moved, and nothing that others have done meanwhile', async () => {
    await openNew('meanwhile')
    const from = await middleOf(page, '[data-body="p"]')
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, from.y - 60)
    await writeAs('meanwhile', { op: 'remove', id: 'q' }, { op: 'move', id: 'r', position: { x: -2, y: 3 } })
    await writeAs('meanwhile', { op: 'put', body: box('new', 4, 3) })
    await expect.poll(() => page.locator('[data-body="new"]').count()).toBe(1)
    await expect.poll(() => page.locator('[data-body="q"]').count()).toBe(0)
    await page.mouse.move(from.x + 30, from.y - 90)
    await page.mouse.up()
    await expect.poll(() => events(page)).toContain('5: move p')
    expect(await events(page)).not.toMatch(/5: move p,/)
    expect(await positionOf('meanwhile', 'r')).toEqual({ x: -2, y: 3 })
    await page.keyboard.press('Control+z')
    await expect.poll(() => positionOf('meanwhile', 'p')).toEqual({ x: 0, y: 0 })
    await expect.poll(() => events(page)).toContain('6: move p')
    expect(await transform(page, 'r')).toBe('translate(-2 3)')
    await expect.poll(() => page.locator('[data-body]').count()).toBe(3)
  })

  it('says when somebody has deleted it, and goes on without it', async () => {
    await openNew('short-lived')
    await playground.call('DELETE', scenePath('short-lived'))
    await expect.poll(() => page.locator('#events-state').getAttribute('data-state')).toBe('gone')
    expect(await page.locator('#notice').textContent()).toMatch(/^The scene is gone/)
    await page.click('#scene-leave')
    await expect.poll(() => page.locator('#says').textContent()).toMatch(/^apart, separation/)
    await expect.poll(() => page.locator('[data-body]').count()).toBe(3)
  })

  it('writes what was done while nobody answered, once, and hears what it missed', async () => {
    await openNew('patient')
    await page.context().setOffline(true)
    await dragFrom(page, await middleOf(page, '[data-body="p"]'), { x: 0, y: -80 })
    await expect.poll(() => page.locator('#says').textContent()).toMatch(/^The service does not answer/)
    await expect.poll(() => page.locator('#notice').textContent()).toMatch(/^The service does not answer/)
    expect(await positionOf('patient', 'p')).toEqual({ x: 0, y: 0 })
    await writeAs('patient', { op: 'move', id: 'q', position: { x: 5, y: 1 } })
    await page.context().setOffline(false)
    await expect.poll(async () => (await positionOf('patient', 'p')).y).toBeGreaterThan(0.1)
    await isLive(page)
    await expect.poll(() => transform(page, 'q')).toBe('translate(5 1)')
    await expect.poll(() => page.locator('#says').textContent()).toMatch(/^meets/)
    expect((await playground.call('GET', scenePath('patient'))).version).toBe(4)
  })

  it('asks again by itself what was refused for a moment', async () => {
    await page.selectOption('#examples', 'Billiards')
    await expect.poll(() => page.locator('.marks .ghost.bounce').count()).toBe(12)
    let refused = 0
    await page.route('**/v1/2d/distance', (route) =>
      refused++ < 2
        ? route.fulfill({
            status: refused === 1 ? 429 : 503,
            headers: { 'retry-after': '1' },
            json: { code: 'overloaded' },
          })
        : route.continue(),
    )
    await page.selectOption('#question', 'distance')
    await expect.poll(() => page.locator('#says.problem').textContent()).toMatch(/^429 overloaded.*asked again/)
    await expect.poll(() => page.locator('.marks [data-mark]').count()).toBe(0)
    await expect.poll(() => page.locator('.marks [data-name="distance"]').count()).toBe(1)
    expect(refused).toBe(3)
    await page.unroute('**/v1/2d/distance')
  })

  it('listens in the tab that is seen alone: seven tabs are more than a browser has connections', async () => {
    await putScene(playground, 'tabs', BODIES)
    const { page: first } = await playground.open(link({ scene: 'tabs' }))
    await isLive(first)
    for (let i = 0; i < 6; i++) {
      const tab = i === 0 ? first : await playground.openBeside(first, link({ scene: 'tabs' }))
      await isLive(tab)
      await setHidden(tab, 'hidden')
      await expect.poll(() => tab.locator('#events-state').textContent()).toMatch(/^Events wait/)
    }
    const last = await playground.openBeside(first, link({ scene: 'tabs' }))
    await isLive(last)
    await writeAs('tabs', { op: 'move', id: 'p', position: { x: 1, y: 1 } })
    await expect.poll(() => transform(last, 'p')).toBe('translate(1 1)')
    expect(await transform(first, 'p')).toBe('translate(0 0)')
    // and what it has missed when it is seen again
    await setHidden(first, 'visible')
    await expect.poll(() => transform(first, 'p')).toBe('translate(1 1)')
    expect((await events(first))!.match(/move p/g)).toHaveLength(1)
    await first.context().close()
  })

  describe('the tree', () => {
    /** Where the picture has ink, in pixels of the page. */
    const inkOf = async (): Promise<number[]> =>
      page.evaluate(`(async () => {
        const shown = document.querySelector('#scene-picture')
        const picture = new Image()
        picture.src = shown.href.baseVal
        await picture.decode()
        const canvas = document.createElement('canvas')
        const { width, height } = Object.assign(canvas, { width: picture.naturalWidth, height: picture.naturalHeight })
        const context = canvas.getContext('2d')
        context.drawImage(picture, 0, 0)
        const { data } = context.getImageData(0, 0, width, height)
        let [left, top, right, bottom] = [width, height, 0, 0]
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++) {
            if (data[(y * width + x) * 4 + 3] < 40) continue
            left = Math.min(left, x)
            right = Math.max(right, x + 1)
            top = Math.min(top, y)
            bottom = Math.max(bottom, y + 1)
          }
        const place = shown.getBoundingClientRect()
        const [sx, sy] = [place.width / width, place.height / height]
        return [place.x + left * sx, place.y + top * sy, place.x + right * sx, place.y + bottom * sy]
      })()`)
    /** The same of the box, as the page draws it. */
    const drawnBox = async () => {
      const at = await worldToPage(page)
      const [p, q] = [at(-1, -2), at(1, 2)]
      return [Math.min(p.x, q.x), Math.min(p.y, q.y), Math.max(p.x, q.x), Math.max(p.y, q.y)]
    }
    const href = () => page.locator('#scene-picture').getAttribute('href')
    /** The next picture, which is of the view as it is then. */
    const afterNew = async (act: () => Promise<unknown>) => {
      const before = await href()
      await act()
      await expect.poll(href).not.toBe(before)
      await expect.poll(() => page.locator('#scene-picture').getAttribute('transform')).toMatch(/^matrix\(1 0 0 1 /)
    }
    const isAligned = async () => {
      const [ink, drawn] = [await inkOf(), await drawnBox()]
      for (const [i, value] of drawn.entries()) expect(Math.abs(ink[i]! - value), String(i)).toBeLessThan(1.6)
    }

    it('lies over the bodies to the pixel, wherever is looked, and y up or down', async () => {
      const tall = { id: 'tall', shape: { type: 'box', width: 2, height: 4 }, position: { x: 0, y: 0 } }
      await openNew('tree', [tall])
      await page.locator('#tree').check()
      await page.locator('#scene-picture').waitFor({ state: 'attached' })
      await isAligned()
      const { x, y } = await middleOf(page, '#stage')
      await afterNew(async () => {
        await page.mouse.move(x + 40, y + 30)
        await page.mouse.wheel(0, 300)
      })
      await isAligned()
      await afterNew(() => dragFrom(page, { x: 60, y: 700 }, { x: 57, y: -33 }))
      await isAligned()
      await afterNew(() => page.click('#y-up'))
      await isAligned()
      await afterNew(() => dragFrom(page, { x: 60, y: 300 }, { x: -30, y: 51 }))
      await isAligned()
      await afterNew(() => page.click('#y-up'))
      // between two pictures the last one goes along
      const [left, top] = await inkOf()
      await page.mouse.move(60, 700)
      await page.mouse.down()
      await page.mouse.move(80, 690)
      await expect.poll(async () => Math.round((await inkOf())[0]! - left!)).toBe(20)
      expect(Math.round((await inkOf())[1]! - top!)).toBe(-10)
      await page.mouse.up()
    })

    it('follows what is written, here and by others', async () => {
      await afterNew(() => writeAs('tree', { op: 'put', body: box('far', 3, 0) }))
      const at = await worldToPage(page)
      await expect.poll(async () => Math.abs((await inkOf())[2]! - at(3.5, 0).x)).toBeLessThan(1.6)
      await afterNew(() => dragFrom(page, { x: at(3, 0).x, y: at(3, 0).y }, { x: -40, y: 0 }))
      await expect.poll(async () => Math.abs((await inkOf())[2]! - at(3.5, 0).x + 40)).toBeLessThan(1.6)
      await page.locator('#tree').uncheck()
      await expect.poll(() => page.locator('#scene-picture').count()).toBe(0)
    })
  })

  it('shows a scene of very many bodies by the service’s picture, and those that are near by themselves', async () => {
    const many = Array.from({ length: 6400 }, (_, i) => box(`n${i}`, (i % 80) * 2, Math.floor(i / 80) * 2))
    await putScene(playground, 'many', many)
    await openScene(page, 'many')
    await expect.poll(() => page.locator('#scene-picture.backdrop').count()).toBe(1)
    await expect.poll(() => page.locator('#scene-count').textContent()).toMatch(/^6400 bodies: zoom in/)
    expect(await page.locator('#says').textContent()).toMatch(/^Zoom in/)
    await expect.poll(() => page.locator('[data-body]').count()).toBe(0)
    const { x, y } = await middleOf(page, '#stage')
    await page.mouse.move(x, y)
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -200)
    await expect.poll(() => page.locator('#scene-count').textContent()).toMatch(/^\d+ of 6400 bodies can/)
    // the wheel turns on while the first are shown
    const seen = () => page.locator('[data-body]').count()
    await expect.poll(seen).toBeLessThan(1000)
    expect(await seen()).toBeGreaterThan(4)
    // one is moved, and taken back from where it is not seen any more
    const id = await page.evaluate<string>(`
      const off = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return Math.hypot(x + width / 2 - ${x}, y + height / 2 - ${y}) };
      [...document.querySelectorAll('[data-body]')].sort((p, q) => off(p) - off(q))[0].dataset.body`)
    const before = await positionOf('many', id)
    const at = await middleOf(page, `[data-body="${id}"]`)
    await dragFrom(page, at, { x: 30, y: -20 })
    await expect.poll(() => positionOf('many', id)).not.toEqual(before)
    await page.locator('#stage').focus()
    await page.keyboard.press('Escape')
    for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowRight')
    const { x: left } = (await page.locator('#stage').boundingBox())!
    await expect.poll(async () => (await page.locator(`[data-body="${id}"]`).boundingBox())!.x).toBeLessThan(left)
    await expect.poll(() => page.locator('[data-body]').count()).not.toBe(seen)
    await page.keyboard.press('Control+z')
    await expect.poll(() => positionOf('many', id)).toEqual(before)
    expect((await playground.call('GET', scenePath('many'))).bodyCount).toBe(6400)
  })
})

describe.skipIf(!hasBrowser)('a service that asks for a token', () => {
  const TOKEN = 'sesame'
  let playground: Playground
  beforeAll(async () => {
    playground = await startPlayground({ API_TOKENS: TOKEN })
  })
  afterAll(() => playground.close())

  it('is asked with it, whatever it is asked: queries, writes, files, events, pictures', async () => {
    const { page } = await playground.open()
    const bare: string[] = []
    await expect.poll(() => page.locator('#says').textContent()).toMatch(/asks for a token/)
    await expect.poll(() => page.locator('[data-mark]').count()).toBe(0)
    await page.click('#more')
    await page.fill('#token', TOKEN)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.marks .normal').count()).toBe(1)
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1/') && request.headers().authorization !== `Bearer ${TOKEN}`)
        bare.push(request.url())
    })
    await page.selectOption('#examples', 'A level to walk in')
    await isLive(page)
    const scene = (await page.locator('#scene-name').textContent())!
    await playground.call('POST', `/v1/2d/scenes/${scene}/operations`, { operations: [{ op: 'remove', id: 'coin' }] })
    await expect.poll(() => page.locator('[data-body="coin"]').count()).toBe(0)
    await page.check('#tree')
    await page.locator('#scene-picture').waitFor({ state: 'attached' })
    const geometry = { type: 'Point', coordinates: [3, 4] }
    const file = JSON.stringify({ type: 'Feature', id: 'dot', properties: {}, geometry })
    await page.setInputFiles('#file', { name: 'dot.geojson', mimeType: 'text/plain', buffer: Buffer.from(file) })
    await expect.poll(() => page.locator('[data-body]').count()).toBe(8)
    const files: Record<string, string> = {}
    for (const [name, end] of [
      ['JSON', 'json'],
      ['GeoJSON', 'geojson'],
      ['SVG', 'svg'],
    ]) {
      const saved = page.waitForEvent('download')
      await page.locator('#save').getByRole('button', { name, exact: true }).click()
      const download = await saved
      expect(download.suggestedFilename()).toBe(`${scene}.${end}`)
      files[end] = readFileSync(await download.path(), 'utf8')
    }
    const ids = (
      await page.locator('[data-body]').evaluateAll((all) => all.map((body) => body.getAttribute('data-body')!))
    ).sort()
    expect(JSON.parse(files.json).bodies.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(JSON.parse(files.geojson).features.map(({ id }: { id: string }) => id)).toEqual(ids)
    for (const id of ids) expect(files.svg).toContain(`data-id="${id}"`)
    // what was saved comes back as it was
    await playground.call('POST', `/v1/2d/scenes/${scene}/operations`, { operations: [{ op: 'clear' }] })
    await expect.poll(() => page.locator('[data-body]').count()).toBe(0)
    await page.setInputFiles('#file', {
      name: 'level.json',
      mimeType: 'application/json',
      buffer: Buffer.from(files.json),
    })
    await expect.poll(() => page.locator('[data-body]').count()).toBe(8)
    expect(bare).toEqual([])
    await page.context().close()
  })

  it('lets events come once it is told one', async () => {
    await putScene(playground, 'guarded', BODIES)
    const { page } = await playground.open()
    await page.route('**/events?*', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer x' } }),
    )
    await page.click('#more')
    await page.fill('#token', TOKEN)
    await page.keyboard.press('Escape')
    await openScene(page, 'guarded')
    await expect.poll(() => page.locator('#events-state').textContent()).toMatch(/^Events need a token/)
    await page.unroute('**/events?*')
    await page.click('#more')
    await page.fill('#token', ` ${TOKEN} `)
    await page.keyboard.press('Escape')
    await isLive(page)
    await page.context().close()
  })
})
