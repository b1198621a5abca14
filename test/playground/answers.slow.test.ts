// Every question of the playground, what is drawn of its answer, and what surrounds it: examples, view, links, copies.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFindings } from '../support/services/axe.ts'
import { dragFrom, hasBrowser, middleOf, type Playground, startPlayground } from '../support/services/browser.ts'

const says = (page: Page) => page.locator('#says').textContent()
const marks = (page: Page, selector: string) => page.locator(`.marks ${selector}`).count()

/** From the world to pixels of the plane, as bodies are drawn. */
async function scaleOf(page: Page): Promise<(x: number, y: number) => [number, number]> {
  const text = (await page.locator('.bodies').getAttribute('transform'))!
  const [a, b, c, d, e, f] = text.match(/-?[\d.]+(e-?\d+)?/g)!.map(Number)
  return (x, y) => [a! * x + c! * y + e!, b! * x + d! * y + f!]
}

describe.skipIf(!hasBrowser)('answers on the playground', () => {
  let playground: Playground
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page, errors } = await playground.open())
  })
  afterAll(async () => {
    // a problem is an error to the browser's console
    expect(errors.filter((text) => !/status of 4(00|22)/.test(text))).toEqual([])
    await playground.close()
  })
  const example = async (name: string) => {
    await page.selectOption('#examples', name)
    await expect.poll(() => page.locator('#latency').textContent()).toMatch(/status 200/)
  }

  it('draws the nearest points where the service says that they are', async () => {
    await example('A gear in a ring')
    await expect.poll(() => marks(page, '[data-name="distance"]')).toBe(1)
    await expect
      .poll(async () => JSON.parse((await page.locator('#answer').textContent()) || '{}').pointA)
      .toBeDefined()
    const { pointA, pointB } = JSON.parse((await page.locator('#answer').textContent())!)
    const d = (await page.locator('.marks [data-name="distance"]').getAttribute('d'))!
    const drawn = d.match(/-?[\d.]+/g)!.map(Number)
    const screen = await scaleOf(page)
    const expected = [...screen(pointA.x, pointA.y), ...screen(pointB.x, pointB.y)]
    for (const [i, value] of expected.entries()) expect(drawn[i]).toBeCloseTo(value, 3)
  })

  it.each([
    ['Box on a slope', 'contact', '.normal, .point', 3],
    ['Box on a slope', 'overlap', '.border', 1],
    ['Box on a slope', 'distance', '[data-name="distance"]', 1],
    ['Box on a slope', 'minkowski', '[data-name="minkowski"]', 1],
    ['A ray through many shapes', 'ray-cast', '.point', 4],
    ['A ray through many shapes', 'ray-cast', '[data-name="inside"]', 4],
    ['A dumbbell falls', 'shape-cast', '.ghost.impact', 1],
    ['A bullet through a thin wall', 'time-of-impact', '.ghost.impact', 1],
    ['Billiards', 'trajectory', '[data-name="path"]', 1],
    ['Billiards', 'trajectory', '.ghost.bounce', 12],
    ['A bullet through a thin wall', 'bounds', '.box', 1],
    ['A gear in a ring', 'mass', '.point', 1],
    ['A gear in a ring', 'support', '.border', 1],
    ['A notched region in pieces', 'validate', '.point', 1],
    ['A notched region in pieces', 'decompose', '[data-name="piece"]', 5],
    ['A notched region in pieces', 'repair', '[data-name="filled"], [data-name="hole"]', 2],
    ['A ray through many shapes', 'hull', '[data-name="hull"]', 1],
    ['A hundred bodies, which meet?', 'pairs', '[data-name="pair"]', 5],
    ['Billiards', 'table', '[data-name="measure"]', 3],
    ['Billiards', 'batch', '.batch, [data-name="distance"]', 3],
  ])('of %s draws %s: %s', async (name, question, selector, count) => {
    await example(name)
    await page.selectOption('#question', question)
    await expect.poll(() => marks(page, selector)).toBe(count)
    await expect.poll(() => page.locator('#says.problem').count()).toBe(0)
  })

  it('asks with what is chosen', async () => {
    await example('Billiards')
    await page.fill('[data-option="maxBounces"]', '3')
    await expect.poll(() => marks(page, '.ghost.bounce')).toBe(3)
    await expect.poll(() => says(page)).toMatch(/^3 bounces, max-bounces/)
  })

  it('repairs outlines that cross, by the rule that is chosen, and draws where', async () => {
    await example('A notched region in pieces')
    await page.selectOption('#question', 'repair')
    await expect.poll(() => says(page)).toMatch(/^1 region/)
    await dragFrom(page, await middleOf(page, '[data-handle="region: outer 0"] circle.target'), { x: 330, y: -30 })
    await expect.poll(() => says(page)).toMatch(/^\d regions, .*\d × crossing/)
    await expect.poll(() => marks(page, '.point')).toBeGreaterThan(0)
    const filled = await marks(page, '[data-name="filled"]')
    expect(await says(page)).toContain(`${filled} regions`)
    await page.selectOption('[data-option="rule"]', 'nonzero')
    await expect.poll(() => page.locator('#request').textContent()).toContain('nonzero')
    await expect.poll(() => page.locator('#says.problem').count()).toBe(0)
  })

  it('says what is wrong with a shape, and draws where', async () => {
    await example('A notched region in pieces')
    await page.selectOption('#question', 'validate')
    await dragFrom(page, await middleOf(page, '[data-handle="region: outer 0"] circle.target'), { x: 330, y: -30 })
    await expect.poll(() => says(page)).toMatch(/^refused, .*self-intersection/)
    await expect.poll(() => marks(page, '.point')).toBeGreaterThan(0)
    await page.selectOption('#question', 'mass')
    await expect.poll(() => page.locator('#says.problem').textContent()).toMatch(/^422 region-/)
    await expect.poll(() => marks(page, '[data-mark]')).toBe(0)
  })

  it('zooms at the cursor, pans, fits, and turns y over', async () => {
    await example('Box on a slope')
    const place = async () => middleOf(page, '[data-body="box"]')
    const before = await place()
    await page.mouse.move(before.x, before.y)
    await page.mouse.wheel(0, -240)
    const size = async () => (await page.locator('[data-body="box"]').boundingBox())!.width
    const width = await size()
    await expect.poll(size).toBeGreaterThan(width * 0.99)
    await expect
      .poll(async () => Math.hypot((await place()).x - before.x, (await place()).y - before.y))
      .toBeLessThan(2)
    const zoomed = await place()
    await dragFrom(page, { x: 40, y: 160 }, { x: 50, y: 20 })
    await expect.poll(async () => Math.round((await place()).x - zoomed.x)).toBe(50)
    await page.click('#fit')
    await expect.poll(async () => Math.abs((await place()).y - before.y)).toBeLessThan(3)
    const [, up] = (await scaleOf(page))(0, 100)
    await page.click('#y-up')
    await expect.poll(async () => (await scaleOf(page))(0, 100)[1]).toBeGreaterThan(up)
    await page.click('#y-up')
  })

  it('snaps to the grid, and draws it or not', async () => {
    await example('Box on a slope')
    await page.click('#snap')
    await dragFrom(page, await middleOf(page, '[data-body="box"]'), { x: 37, y: -101 })
    const text = (await page.locator('[data-body="box"]').getAttribute('transform'))!
    const [x, y] = text.match(/-?[\d.]+/g)!.map(Number)
    for (const value of [x!, y!]) expect(Math.abs(value * 2 - Math.round(value * 2))).toBeLessThan(1e-9)
    await page.click('#snap')
    expect(await page.locator('#grid-lines').getAttribute('d')).not.toBe('')
    await page.click('#grid')
    await expect.poll(() => page.locator('#grid-lines').getAttribute('d')).toBe('')
    await page.click('#grid')
  })

  it('turns a body by its handle and by keys, moves it by arrows, copies and removes it', async () => {
    await example('Box on a slope')
    const transform = (id: string) => page.locator(`[data-body="${id}"]`).getAttribute('transform')
    await page.locator('#stage').focus()
    await page.keyboard.press('n')
    await expect.poll(() => page.locator('.selected').getAttribute('data-body')).toBe('box')
    const first = await transform('box')
    await page.keyboard.press('q')
    await expect.poll(() => transform('box')).not.toBe(first)
    const turned = await transform('box')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => transform('box')).not.toBe(turned)
    const moved = await transform('box')
    await dragFrom(page, await middleOf(page, '[data-handle="box: turn"] circle.target'), { x: 40, y: 30 })
    await expect.poll(() => transform('box')).not.toBe(moved)
    await page.keyboard.press('Control+d')
    await expect.poll(() => page.locator('[data-body]').count()).toBe(3)
    await page.locator('#stage').focus()
    await page.keyboard.press('Delete')
    await expect.poll(() => page.locator('[data-body]').count()).toBe(2)
    await page.locator('[data-handle]').first().waitFor({ state: 'detached' })
  })

  it('writes a body over as JSON', async () => {
    await example('A gear in a ring')
    await page.locator('#body-panel summary').click()
    await expect.poll(() => page.locator('#body-text').inputValue()).toContain('region')
    await page.fill('#body-text', '{"shape":{"type":"circle","radius":2}}')
    await expect.poll(() => page.locator('[data-body="gear"] title').textContent()).toBe('gear: circle')
    await expect.poll(() => says(page)).toMatch(/^distance 1\.\d+/)
    await page.fill('#body-text', '{"shape":')
    expect(await page.locator('#body-error').textContent()).not.toBe('')
    await page.fill('#body-text', '{"shape":{"type":"polygon","vertices":[{"x":0}]}}')
    // in the service's own words
    await expect.poll(() => page.locator('#body-error').textContent()).toMatch(/vertices/)
    expect(await page.locator('[data-body="gear"] title').textContent()).toBe('gear: circle')
    await page.locator('#body-panel summary').click()
  })

  it('is opened by a link as it was', async () => {
    await example('Billiards')
    await page.click('#share')
    await expect.poll(() => page.url()).toContain('#')
    const bodies = await page.locator('[data-body]').evaluateAll((all) => all.map((one) => one.outerHTML))
    const other = await playground.open(new URL(page.url()).pathname + new URL(page.url()).hash)
    await expect.poll(() => marks(other.page, '.ghost.bounce')).toBe(12)
    expect(await other.page.locator('#question').inputValue()).toBe('trajectory')
    expect(await other.page.locator('[data-body]').evaluateAll((all) => all.map((one) => one.outerHTML))).toEqual(
      bodies,
    )
    await other.page.context().close()
    const view = { x: 0, y: 0, scale: 60, yUp: true }
    const wrong = [{ scene: '../../metrics' }, { bodies: [{ id: 'a', shape: { type: 'circle' } }] }]
    const links = wrong.map((sketch) => Buffer.from(JSON.stringify({ sketch, view })).toString('base64url'))
    for (const link of ['AAAA', ...links]) {
      const spoilt = await playground.open(`/#${link}`)
      expect([await spoilt.page.locator('[data-body]').count(), spoilt.errors]).toEqual([2, []])
      await spoilt.page.context().close()
    }
  })

  it('draws and drags a billion lengths away as at the origin', async () => {
    const sketch = (x: number) => ({
      question: 'distance',
      bodies: [
        { id: 'a', shape: { type: 'box', width: 2, height: 2 }, position: { x, y: 0 }, rotation: 0.5 },
        {
          id: 'b',
          shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 0 }, radius: 0.5 },
          position: { x: x + 4, y: 1 },
        },
      ],
    })
    const seen: number[][] = []
    for (const x of [0, 1e9]) {
      const view = { x: x + 2, y: 0, scale: 80, yUp: true }
      const link = Buffer.from(JSON.stringify({ sketch: sketch(x), view })).toString('base64url')
      const { page: place, errors: faults } = await playground.open(`/#${link}`)
      await expect.poll(() => marks(place, '[data-name="distance"]')).toBe(1)
      await dragFrom(place, await middleOf(place, '[data-body="b"]'), { x: 40, y: 25 })
      const first = await says(place)
      await place.locator('#says[aria-busy="false"]').waitFor()
      const boxes = await Promise.all(['a', 'b'].map((id) => middleOf(place, `[data-body="${id}"]`)))
      const line = await place.locator('.marks [data-name="distance"]').boundingBox()
      seen.push([...boxes.flatMap((at) => [at.x, at.y]), line!.x, line!.y])
      expect([faults, first]).toEqual([[], expect.stringMatching(/^distance/)])
      await place.context().close()
    }
    for (const [i, value] of seen[0]!.entries()) expect(Math.abs(value - seen[1]![i]!)).toBeLessThan(1)
  })

  it.each([
    ['curl', /^curl -s http:\/\/127.0.0.1:\d+\/v1\/2d\/distance -H 'content-type: application\/json' -d '\{"a":/],
    ['fetch', /^const response = await fetch\("http/],
    ['Python', /^import json, urllib.request/],
    ['Go', /^package main/],
  ])('copies the request as %s', async (language, text) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: playground.origin })
    await example('A gear in a ring')
    await page.locator('#copies button', { hasText: language }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(text)
  })

  it('can be used with a screen reader: axe finds nothing, in both colours', async () => {
    await page.evaluate(`for (const one of document.querySelectorAll('aside details')) one.open = true`)
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      expect(await accessibilityFindings(page)).toEqual([])
    }
    await page.evaluate(`delete document.documentElement.dataset.theme`)
    await page.click('#more')
    expect(await page.locator('#about a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toContain(
      '/docs',
    )
    await page.keyboard.press('Escape')
  })

  it('is dark where the system is, or when told', async () => {
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await paper()
    expect(dark).not.toBe(light)
    await page.click('#more')
    await page.selectOption('#theme', 'light')
    expect(await paper()).toBe(light)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.selectOption('#theme', 'dark')
    expect(await paper()).toBe(dark)
    await page.selectOption('#theme', '')
    await page.keyboard.press('Escape')
  })

  it('is used with fingers, on a phone', async () => {
    const { page: phone } = await playground.open('/', {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    })
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    const at = await middleOf(phone, '[data-body="box"]')
    const session = await phone.context().newCDPSession(phone)
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number; id: number }[]
    ) => session.send('Input.dispatchTouchEvent', { type, touchPoints })
    const width = async () => (await phone.locator('[data-body="box"]').boundingBox())!.width
    await touch('touchStart', { ...at, id: 0 })
    await touch('touchMove', { x: at.x, y: at.y - 60, id: 0 })
    await touch('touchEnd')
    await expect.poll(async () => Math.round((await middleOf(phone, '[data-body="box"]')).y - at.y)).toBe(-60)
    const before = await width()
    const [p, q] = [
      { x: 60, y: at.y + 160 },
      { x: 160, y: at.y + 160 },
    ]
    await touch('touchStart', { ...p, id: 0 }, { ...q, id: 1 })
    await touch('touchMove', { x: 40, y: p.y, id: 0 }, { x: 240, y: q.y, id: 1 })
    await touch('touchEnd')
    await expect.poll(async () => (await width()) / before).toBeGreaterThan(1.5)
    await phone.context().close()
  })
})
