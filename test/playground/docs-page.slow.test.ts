// The pages beside the playground, as a browser shows them: /docs is tried out, /problems is read.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Playground, startPlayground } from '../support/services/browser.ts'

describe.skipIf(!hasBrowser)('pages beside the playground', () => {
  let playground: Playground
  let page: Page
  beforeAll(async () => {
    playground = await startPlayground()
    const { page: first } = await playground.open()
    page = await playground.openBeside(first, '/docs')
    await page.locator('.tangent-scene button').waitFor()
  })
  afterAll(() => playground.close())

  const tryOut = async (operation: string) => {
    const block = page.locator(`[id$="-${operation}"].opblock`)
    await block.locator('.opblock-summary-control').click()
    await block.locator('.execute').click()
    return block
  }

  it('leads to the three documents', async () => {
    const links = await page.locator('.info a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(expect.arrayContaining(['/openapi.json', '/openapi-3.0.json', '/openapi-flat.json']))
  })

  it('makes an example scene, about which operations can be tried as they stand', async () => {
    await page.locator('.tangent-scene button').click()
    await expect.poll(() => page.locator('.tangent-scene [role="status"]').textContent()).toMatch(/is there/)
    const block = await tryOut('getSceneBody')
    await expect
      .poll(() => block.locator('.live-responses-table .microlight').first().textContent())
      .toContain('"crate"')
    // one block for all that may go wrong
    const statuses = await block
      .locator('.responses-table:not(.live-responses-table) .response-col_status')
      .allTextContents()
    expect(statuses.map((text) => text.trim()).filter((text) => /^[45]/.test(text) || text === 'default')).toHaveLength(
      1,
    )
  })

  it('shows a picture as a picture', async () => {
    const block = await tryOut('renderScene')
    const picture = block.locator('img.tangent-picture')
    await picture.waitFor()
    await expect.poll(() => picture.evaluate('(image) => image.naturalWidth', undefined)).not.toBe(0)
    expect((await picture.boundingBox())!.width).toBeGreaterThan(100)
  })

  it('says what a problem is about, with the request that is answered so', async () => {
    await page.goto(`${playground.origin}/problems/polygon-not-convex`)
    await page.locator('h1').waitFor()
    const text = (await page.locator('body').textContent())!
    expect(text).toContain('polygon-not-convex, status 422')
    expect(text).toMatch(/curl -s http/)
    expect(
      (await page.request.get(`${playground.origin}/problems/polygon-not-convex`)).headers()['content-type'],
    ).toMatch(/json/)
  })
})
