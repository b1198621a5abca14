// Shapes on the playground: asked about, dragged, reshaped, added; what is drawn is what the service answered.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dragFrom, hasBrowser, middleOf, type Playground, startPlayground } from '../support/services/browser.ts'

const says = (page: Page) => page.locator('#says').textContent()
/** A handle's dot: its group has a line to it too, which has a middle elsewhere. */
const handle = (name: string) => `[data-handle="${name}"] circle.target`
const bodyText = async (page: Page) => JSON.parse(await page.locator('#body-text').inputValue())

describe.skipIf(!hasBrowser)('the playground', () => {
  let playground: Playground
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page, errors } = await playground.open())
    await page.locator('#body-panel summary').click()
  })
  afterAll(() => playground.close())

  it('answers at once, without errors, and draws the answer', async () => {
    await page.locator('[data-mark="point"]').first().waitFor({ state: 'attached' })
    await expect.poll(() => says(page)).toMatch(/^(touching|apart), separation/)
    await expect.poll(() => page.locator('#latency').textContent()).toMatch(/ms, status 200$/)
    await expect.poll(() => page.locator('[data-mark="normal"]').count()).toBe(1)
    expect(errors).toEqual([])
  })

  it('asks again while a body is dragged, and once more after undo and redo', async () => {
    await page.selectOption('#question', 'distance')
    await page.locator('[data-name="distance"]').waitFor({ state: 'attached' })
    const pose = () => page.locator('[data-body="box"]').getAttribute('transform')
    const before = [await says(page), await pose()]
    await dragFrom(page, await middleOf(page, '[data-body="box"]'), { x: -60, y: -150 })
    await expect.poll(() => says(page)).not.toBe(before[0])
    // of the moves of a drag, some are answered before the last one
    await page.locator('#says[aria-busy="false"]').waitFor()
    const after = [await says(page), await pose()]
    expect(after[1]).not.toBe(before[1])
    await page.keyboard.press('Control+z')
    await expect.poll(async () => [await says(page), await pose()]).toEqual(before)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(async () => [await says(page), await pose()]).toEqual(after)
    await page.click('#undo')
    await expect.poll(async () => [await says(page), await pose()]).toEqual(before)
  })

  it.each<[name: string, corner: string, field: string, by?: { x: number; y: number }]>([
    ['circle', 'radius', 'radius'],
    ['segment', 'end b', 'b'],
    ['capsule', 'end a', 'a'],
    ['capsule', 'radius', 'radius'],
    ['box', 'corner 2', 'width'],
    ['rounded box', 'rounding', 'radius'],
    ['aabb', 'max', 'max'],
    ['polygon', 'vertex 2', 'vertices'],
    ['rounded polygon', 'rounding', 'radius', { x: 3, y: 25 }],
    ['ellipse', 'rx', 'rx'],
    ['halfplane', 'offset', 'offset'],
    ['halfplane', 'normal', 'normal'],
    ['chain', 'vertex 1', 'vertices'],
    ['loop', 'new before vertex 0', 'vertices'],
    ['region', 'outer 2', 'outer'],
    ['region with a hole', 'hole 0, 1', 'holes'],
    ['compound', 'child 1', 'children'],
  ])('adds a %s and reshapes it by its %s', async (name, corner, field, by = { x: 22, y: -27 }) => {
    await page.selectOption('#add', name)
    await expect.poll(() => page.locator('#body-name').textContent()).toBe('a')
    const before = await bodyText(page)
    await dragFrom(page, await middleOf(page, handle(`a: ${corner}`)), by)
    await expect.poll(async () => (await bodyText(page)).shape[field]).not.toEqual(before.shape[field])
    expect((await bodyText(page)).shape.type).toBe(before.shape.type)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await bodyText(page)).shape).toEqual(before.shape)
    await page.click('#remove')
    await expect.poll(() => page.locator('[data-body="a"]').count()).toBe(0)
  })
})
