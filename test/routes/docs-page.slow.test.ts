// The page at /docs in a browser: what strangers missed at first is there.

import type { FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleBodies } from '../../schemas/scenes/scene.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { hasBrowser, launchBrowser } from '../support/services/browser.ts'

describe.skipIf(!hasBrowser)('the page at /docs', { timeout: 120_000 }, () => {
  let app: FastifyInstance
  let browser: Browser
  let address: string
  let page: Page
  const wrong: string[] = []

  beforeAll(async () => {
    app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    address = await app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
    page = await browser.newPage()
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) wrong.push(message.text())
    })
    await page.goto(`${address}/docs`)
    await page.getByRole('button', { name: 'Make the example scene' }).waitFor()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
  beforeEach(() => wrong.splice(0))

  /** The block of an operation, opened. */
  async function open(operationId: string) {
    const block = page.locator(`.opblock[id$="-${operationId}"]`)
    if ((await block.locator('.opblock-body').count()) === 0) await block.locator('.opblock-summary-control').click()
    await block.locator('.opblock-body .execute').waitFor()
    return block
  }

  it('shows the answer of a query as a picture when it is one', async () => {
    const block = await open('contact')
    await block.locator('.responses-wrapper .content-type').first().selectOption('image/svg+xml')
    await block.locator('.execute').click()
    const picture = block.locator('img.tangent-picture')
    await picture.waitFor()
    const width = await picture.evaluate(async (element: unknown) => {
      const image = element as { decode(): Promise<void>; naturalWidth: number }
      await image.decode()
      return image.naturalWidth
    })
    expect(width).toBeGreaterThan(100)
    expect(await block.locator('.tangent-source').textContent()).toContain('<svg')
    expect(wrong).toEqual([])
  })

  it('has one block for all problems of an operation, with a link for each', async () => {
    const block = await open('contact')
    const statuses = await block.locator('.responses-inner > div > .responses-table > tbody > tr').count()
    const links = block.locator('.response[data-code="default"] a[href="/problems/polygon-not-convex"]')
    expect(await links.count()).toBe(1)
    expect(statuses).toBeLessThanOrEqual(3)
  })

  it('makes an example scene when asked, and leads the operations about scenes to it', async () => {
    expect((await app.inject('/v1/2d/scenes')).json().scenes).toEqual([])
    await page.getByRole('button', { name: 'Make the example scene' }).click()
    await page.getByText('is there, at version').waitFor()
    const [scene] = (await app.inject('/v1/2d/scenes')).json().scenes
    expect(scene).toMatchObject({ bodyCount: exampleBodies.length, ttl: 3600 })
    for (const [operationId, expected] of [
      ['sceneOverlap', '"crate"'],
      ['getSceneBody', '"shape"'],
    ]) {
      const block = await open(operationId)
      await block.locator('.execute').click()
      const answer = block.locator('.live-responses-table .response .response-col_description')
      await answer.waitFor()
      expect(await block.locator('.live-responses-table .response-col_status').last().textContent()).toContain('200')
      expect(await answer.textContent()).toContain(expected)
    }
    const asked = await open('sceneOverlap')
    await asked.locator('.responses-wrapper .content-type').first().selectOption('image/svg+xml')
    await asked.locator('.execute').click()
    await asked.locator('img.tangent-picture').waitFor()
    expect(await asked.locator('.tangent-source').textContent()).toContain('data-id="crate"')
    expect(wrong).toEqual([])
  })

  it('leads to the three documents', async () => {
    for (const name of ['openapi.json', 'openapi-3.0.json', 'openapi-flat.json'])
      expect(await page.locator(`.info a[href="/${name}"]`).count()).toBe(1)
  })
})
