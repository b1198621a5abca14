// The playground in Debian's Chromium, against a service of its own.

import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { installPackage } from './debian-package.ts'

/** Without a window, it takes half of the time that the whole browser does. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = '/usr/bin/chromium'

/** Where there is a browser, or null. */
async function browserPlace(): Promise<string | null> {
  const { CHROMIUM } = process.env
  if (CHROMIUM !== undefined) return CHROMIUM
  const why = await installPackage('chromium-headless-shell', HEADLESS_SHELL)
  if (why === null) return HEADLESS_SHELL
  if (existsSync(WHOLE)) return WHOLE
  console.warn(`Pages are not tried: ${why}. Set CHROMIUM to where a browser is.`)
  return null
}

const place = await browserPlace()
export const hasBrowser = place !== null

export function launchBrowser(): Promise<Browser> {
  if (place === null) throw new Error('There is no browser')
  return chromium.launch({ executablePath: place, args: ['--no-sandbox'] })
}

export interface Playground {
  origin: string
  /** A page of its own, with the errors of its console in `errors`. */
  open(path?: string, options?: BrowserContextOptions): Promise<{ page: Page; errors: string[] }>
  /** Another page beside one that is open, in the same window: both share what a browser shares. */
  openBeside(page: Page, path?: string): Promise<Page>
  /** What others do: a request past the page. Answers JSON, or null where the answer is none. */
  // biome-ignore lint/suspicious/noExplicitAny: what the service documents
  call(method: string, path: string, body?: unknown): Promise<any>
  close(): Promise<void>
}

/** `settings`: of the service, as its environment has them. */
export async function startPlayground(settings: Record<string, string> = {}): Promise<Playground> {
  const app = await buildApp(
    loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000', ...settings }),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const browser = await launchBrowser()
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
    async openBeside(page, path = '/') {
      const beside = await page.context().newPage()
      await beside.goto(`${origin}${path}`)
      return beside
    },
    async call(method, path, body) {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(settings.API_TOKENS && { authorization: `Bearer ${settings.API_TOKENS}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return JSON.parse((await response.text()) || 'null')
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

/** Makes a scene with these bodies. */
export async function putScene(playground: Playground, scene: string, bodies: readonly object[]): Promise<void> {
  await playground.call('PUT', `/v1/2d/scenes/${scene}`, {})
  const operations = bodies.map((body) => ({ op: 'put', body }))
  await playground.call('POST', `/v1/2d/scenes/${scene}/operations`, { operations })
}

/** Opens a scene by its id, and waits until it is drawn. */
export async function openScene(page: Page, scene: string): Promise<void> {
  const panel = page.locator('#scene-panel')
  if ((await panel.getAttribute('open')) === null) await panel.locator('summary').click()
  await page.fill('#scene-id', scene)
  await page.click('#scene-form button[type="submit"]')
  await page.locator('#scene-name', { hasText: scene }).waitFor()
}

/** From the world to pixels of the page, as bodies are drawn. */
export async function worldToPage(page: Page): Promise<(x: number, y: number) => { x: number; y: number }> {
  const text = (await page.locator('.bodies').getAttribute('transform'))!
  const [a, , , d, e, f] = text.match(/-?[\d.]+(e-?\d+)?/g)!.map(Number)
  const { x: left, y: top } = (await page.locator('#stage').boundingBox())!
  return (x, y) => ({ x: a! * x + e! + left, y: d! * y + f! + top })
}
