// The playground in Debian's Chromium, against a service of its own.

import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
export const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser) console.warn(`No browser at ${CHROMIUM}: the playground is not tried. Set CHROMIUM to where one is.`)

export interface Playground {
  origin: string
  /** A page of its own, with the errors of its console in `errors`. */
  open(path?: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }>
  close(): Promise<void>
}

export async function startPlayground(): Promise<Playground> {
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  return {
    origin,
    async open(path = '/', options = {}) {
      const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options })
      const page = await context.newPage()
      const errors: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.goto(`${origin}${path}`)
      await page.locator('[data-body]').first().waitFor({ state: 'attached' })
      return { page, errors }
    },
    async close() {
      await browser.close()
      await app.close()
    },
  }
}

/** The middle of an element, in pixels of the page. */
export async function middleOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Presses at one place, goes to another in steps, and lets go. */
export async function dragFrom(
  page: Page,
  from: { x: number; y: number },
  by: { x: number; y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2)
  await page.mouse.move(from.x + by.x, from.y + by.y)
  await page.mouse.up()
}
