// The playground in space: what is drawn, where the service says that it is, and everything that hands and keys do.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPACE_EXAMPLES, SPACE_SHAPES } from '../../src/playground/space/space-gallery.ts'
import { accessibilityFindings } from '../support/services/axe.ts'
import { dragFrom, hasBrowser, middleOf, type Playground, startPlayground } from '../support/services/browser.ts'
import { apart, pixelsAt } from '../support/services/pixels.ts'
import { spaceOf } from '../support/services/space-page.ts'

const SPACE = '/playground/space'
const says = (page: Page) => page.locator('#says').textContent()
const answerOf = async (page: Page) => JSON.parse((await page.locator('#answer').textContent()) || 'null')

describe.skipIf(!hasBrowser)('the playground in space', () => {
  let playground: Playground
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page, errors } = await playground.open(SPACE))
  })
  afterAll(async () => {
    await playground.close()
  })
  const answered = async () => page.locator('#says[aria-busy="false"]').waitFor()
  const example = async (name: string) => {
    await page.selectOption('#examples', name)
    await answered()
    await expect.poll(() => page.locator('#latency').textContent()).toMatch(/status 200/)
  }
  const marks = () =>
    page.locator('.marks path').evaluateAll((all) => all.map((one) => `${one.dataset.mark} ${one.dataset.name}`))

  it.each([
    ['Box on a ramp', /^touching, separation -0.053/, ['normal normal', 'point point', 'ghost separated']],
    ['Apart, with a certificate', /^separated/, ['border border', 'normal normal']],
    ['A rod over a block', /^distance 0\.\d+/, ['line distance', 'point point', 'normal normal']],
    ['A bullet through a thin wall', /^impact after 0.8\d+ s/, ['ghost impact', 'point point', 'normal normal']],
    ['A ball in a room', /^\d bounces/, ['line path', 'ghost bounce', 'ghost end', 'normal normal']],
    ['A ray through many shapes', /^sphere at .* cylinder at/, ['arrow ray', 'point point', 'line inside']],
    ['A dumbbell falls', /^peg at/, ['ghost swept', 'ghost impact', 'arrow translation', 'point point']],
    ['A notched block in pieces', /^3 pieces, volume 13.5/, ['ghost piece']],
    ['Cut by a plane', /^1 piece/, ['border border', 'line cut', 'arrow direction']],
    ['Two hundred bodies, which meet?', /^[1-9]\d* pairs/, ['line pair']],
  ])('shows “%s” by one click', async (name, said, drawn) => {
    await example(name)
    await expect.poll(() => says(page)).toMatch(said)
    await expect.poll(marks).toEqual(expect.arrayContaining(drawn))
  })

  it('draws nearest points where the service says that they are, and bodies where they stand', async () => {
    await example('A rod over a block')
    await expect.poll(async () => (await answerOf(page))?.pointA).toBeDefined()
    const { pointA, pointB } = await answerOf(page)
    const { place, sketch } = await spaceOf(page)
    const { x: left, y: top } = (await page.locator('#stage').boundingBox())!
    const d = (await page.locator('.marks [data-name="distance"]').getAttribute('d'))!
    const drawn = d.match(/-?[\d.]+/g)!.map(Number)
    const [a, b] = [place(pointA), place(pointB)]
    for (const [i, value] of [a.x - left, a.y - top, b.x - left, b.y - top].entries())
      expect(Math.abs(drawn[i]! - value)).toBeLessThan(0.5)
    // a side of the block, and beside it what lies behind
    const block = sketch.bodies.find(({ id }) => id === 'notched')!.position!
    const [side, paper] = await pixelsAt(page, [place({ x: block.x, y: block.y + 0.4, z: 1 }), { x: 40, y: 700 }])
    expect(apart(side!, paper!)).toBeGreaterThan(25)
  })

  it('draws a ghost where the impact is, and takes it away with the question', async () => {
    await example('A bullet through a thin wall')
    await expect.poll(marks).toContain('ghost impact')
    await expect.poll(async () => (await answerOf(page))?.hit).toBe(true)
    const { time } = await answerOf(page)
    await page.locator('#stage').focus()
    await page.keyboard.press('1')
    const { place } = await spaceOf(page)
    const at = place({ x: -6 + 9 * time - 0.1, y: 0.5 + 0.4 * time + 0.05, z: 0.5 - 0.5 * time })
    const [ghost] = await pixelsAt(page, [at])
    await page.selectOption('#question', 'hull')
    await expect.poll(() => marks()).not.toContain('ghost impact')
    const [without] = await pixelsAt(page, [at])
    expect(apart(ghost!, without!)).toBeGreaterThan(15)
  })

  it('drags along the ground, along an axis and round one, by hand and by keys, and takes it back', async () => {
    await example('Apart, with a certificate')
    const bodyNow = async (id: string) => (await spaceOf(page)).sketch.bodies.find((body) => body.id === id)!
    const { place } = await spaceOf(page)
    const before = (await bodyNow('gem')).position!
    await dragFrom(page, place(before), { x: 120, y: 10 })
    const moved = (await bodyNow('gem')).position!
    expect(Math.hypot(moved.x - before.x, moved.z! - before.z!)).toBeGreaterThan(0.5)
    expect(moved.y).toBeCloseTo(before.y)
    await expect.poll(async () => (await answerOf(page))?.certificate?.gap).toBeGreaterThan(1.9)
    await dragFrom(page, await middleOf(page, '[data-handle="gem: move y"] circle.target'), { x: 0, y: -90 })
    const lifted = await bodyNow('gem')
    expect(lifted.position!.y).toBeGreaterThan(moved.y + 0.3)
    expect(lifted.position!.x).toBeCloseTo(moved.x)
    await dragFrom(page, await middleOf(page, '[data-handle="gem: turn y"] circle.target'), { x: 60, y: 10 })
    const turned = await bodyNow('gem')
    expect(Math.abs(turned.orientation!.y)).toBeGreaterThan(0.05)
    expect([turned.orientation!.x, turned.orientation!.z]).toEqual([expect.closeTo(0), expect.closeTo(0)])
    await page.locator('[data-handle="gem: move x"]').focus()
    await page.keyboard.press('ArrowRight')
    const nudged = await bodyNow('gem')
    expect(nudged.position!.x).toBeGreaterThan(lifted.position!.x)
    expect(nudged.position!.y).toBeCloseTo(lifted.position!.y)
    await page.locator('[data-handle="gem: turn z"]').focus()
    await page.keyboard.press('ArrowUp')
    expect(Math.abs((await bodyNow('gem')).orientation!.z)).toBeGreaterThan(0.01)
    await page.locator('#stage').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('q')
    for (let i = 0; i < 7; i++) await page.keyboard.press('Control+z')
    expect((await bodyNow('gem')).position).toEqual(before)
    expect((await bodyNow('gem')).orientation).toBe(undefined)
  })

  it('draws what is dragged over what stands still, as if all were drawn anew', async () => {
    await example('Two hundred bodies, which meet?')
    const { place, sketch } = await spaceOf(page)
    const { x, y, width, height } = (await page.locator('#stage').boundingBox())!
    const body = sketch.bodies.find((one) => {
      const at = place(one.position!)
      return Math.hypot(at.x - x - width / 2, at.y - y - height / 2) < 60
    })!
    const places = Array.from({ length: 2000 }, (_, i) => ({
      x: x + width / 2 + 6 * ((i % 50) - 15),
      y: y + height / 2 + 6 * (Math.floor(i / 50) - 20),
    }))
    const first = await pixelsAt(page, places)
    await page.mouse.move(place(body.position!).x, place(body.position!).y)
    await page.mouse.down()
    for (const by of [40, 80, 160]) await page.mouse.move(x + width / 2 + by, y + height / 2 + by / 2)
    await page.mouse.up()
    await answered()
    await page.keyboard.press('Escape')
    const over = await pixelsAt(page, places)
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      await page.waitForTimeout(200)
    }
    const anew = await pixelsAt(page, places)
    // edges in front of sides that are as near come and go by a pixel, from one drawing to the next
    const edge = [68, 97, 127] as const
    const isEdge = (pixel: (typeof over)[number]) => edge.some((value, k) => Math.abs(pixel[k]! - value) < 60)
    const differing = (others: typeof over) => {
      return anew.filter((pixel, i) => apart(pixel, others[i]!) > 24 && !isEdge(pixel) && !isEdge(others[i]!)).length
    }
    expect(differing(first)).toBeGreaterThan(12)
    expect(differing(over)).toBeLessThan(6)
  })

  it('orbits, pans, zooms at the cursor, looks from the sides and goes to a body', async () => {
    await example('Apart, with a certificate')
    const first = (await spaceOf(page)).place({ x: 1.6, y: 0.4, z: 0.3 })
    await page.mouse.move(first.x, first.y)
    await page.mouse.wheel(0, -300)
    await page.waitForTimeout(100)
    const zoomed = (await spaceOf(page)).place({ x: 1.6, y: 0.4, z: 0.3 })
    expect(Math.hypot(zoomed.x - first.x, zoomed.y - first.y)).toBeLessThan(40)
    await dragFrom(page, { x: 60, y: 700 }, { x: 90, y: -40 })
    const orbited = (await spaceOf(page)).place({ x: -2, y: 0, z: 0 })
    await page.keyboard.down('Shift')
    await dragFrom(page, { x: 60, y: 700 }, { x: 50, y: 0 })
    await page.keyboard.up('Shift')
    const panned = (await spaceOf(page)).place({ x: -2, y: 0, z: 0 })
    expect(panned.x - orbited.x).toBeGreaterThan(20)
    await page.keyboard.press('1')
    const { place } = await spaceOf(page)
    const [left, right] = [place({ x: 0, y: 0, z: 0 }), place({ x: 1, y: 0, z: 0 })]
    expect(right.x).toBeGreaterThan(left.x)
    expect(Math.abs(right.y - left.y)).toBeLessThan(1e-6)
    await page.click('#bodies-panel summary')
    await page.click('#bodies button[data-body="cone"]')
    await page.locator('#stage').focus()
    await page.keyboard.press('f')
    const { x, y, width, height } = (await page.locator('#stage').boundingBox())!
    const middle = (await spaceOf(page)).place({ x: -2, y: 0, z: 0 })
    expect(Math.hypot(middle.x - x - width / 2, middle.y - y - height / 2)).toBeLessThan(60)
    await page.click('#fit')
  })

  it('asks about the two bodies that were selected last, and puts new shapes beside each other', async () => {
    await example('A ray through many shapes')
    await page.selectOption('#question', 'distance')
    for (const id of ['cylinder', 'ellipsoid']) await page.click(`#bodies button[data-body="${id}"]`)
    const asked = async () => JSON.parse((await page.locator('#request').textContent())!)
    await expect.poll(async () => (await asked()).a.shape.type).toBe('ellipsoid')
    expect((await asked()).b.shape.type).toBe('cylinder')
    await page.selectOption('#question', 'pairs')
    await expect.poll(() => says(page)).toMatch(/pairs? by/)
    const before = (await says(page))!.split(' by')[0]!
    const bodies = SPACE_SHAPES.filter(({ name }) => name !== 'halfspace')
    for (const { name } of bodies) await page.selectOption('#add', name)
    await answered()
    await expect.poll(() => says(page)).toContain(before)
    expect(await page.locator('#bodies [data-body]').count()).toBe(bodies.length + 4)
    await page.selectOption('#question', 'validate')
    await expect.poll(() => says(page)).toMatch(/^valid/)
  })

  it('is opened by a link as it was', async () => {
    await example('A dumbbell falls')
    const { sketch } = await spaceOf(page)
    const { pathname, hash } = new URL(page.url())
    const other = await playground.open(pathname + hash)
    await expect.poll(() => says(other.page)).toMatch(/^peg at/)
    expect((await spaceOf(other.page)).sketch).toEqual(sketch)
    expect(SPACE_EXAMPLES.find(({ name }) => name === 'A dumbbell falls')!.sketch.bodies).toEqual(sketch.bodies)
    await other.page.context().close()
  })

  it('is used with fingers', async () => {
    const { page: phone } = await playground.open(SPACE, {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    })
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await phone.selectOption('#examples', 'Apart, with a certificate')
    const { place } = await spaceOf(phone)
    const session = await phone.context().newCDPSession(phone)
    type Finger = { x: number; y: number; id: number }
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Finger[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints })
    const at = place({ x: 1.6, y: 0.4, z: 0.3 })
    await touch('touchStart', { ...at, id: 1 })
    await touch('touchMove', { x: at.x + 25, y: at.y, id: 1 })
    await touch('touchMove', { x: at.x + 50, y: at.y, id: 1 })
    await touch('touchEnd')
    const dragged = await spaceOf(phone)
    expect(dragged.sketch.bodies[1]!.position).not.toEqual({ x: 1.6, y: 0.4, z: 0.3 })
    const span = (seen: typeof dragged) => seen.place({ x: 1, y: 0, z: 0 }).x - seen.place({ x: -1, y: 0, z: 0 }).x
    const { x, y, width, height } = (await phone.locator('#stage').boundingBox())!
    const [left, right, low] = [x + width * 0.3, x + width * 0.7, y + height * 0.93]
    await touch('touchStart', { x: left, y: low, id: 1 }, { x: right, y: low, id: 2 })
    await touch('touchMove', { x: left - 30, y: low, id: 1 }, { x: right + 30, y: low, id: 2 })
    await touch('touchEnd')
    expect(Math.abs(span(await spaceOf(phone)))).toBeGreaterThan(Math.abs(span(dragged)) * 1.15)
    await phone.context().close()
  })

  it('has names for everything, in both colours, and no error', async () => {
    await page.selectOption('#examples', 'A ray through many shapes')
    await answered()
    await page.evaluate(`for (const one of document.querySelectorAll('aside details')) one.open = true`)
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      expect(await accessibilityFindings(page)).toEqual([])
    }
    expect(errors.filter((text) => !text.includes('status of 422'))).toEqual([])
  })
})
