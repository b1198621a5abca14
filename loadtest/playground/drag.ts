// A body is dragged on the playground, among the 2,000 of a scene, while the service answers: frames and answers a second; and how
// long the page takes until it is first painted, from a new browser context. It needs a Chromium, and reports and asserts nothing.
//
//   npm run bench:playground -- [--bodies=2000] [--seconds=5] [--browser=/usr/bin/chromium]

import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { endService, startService } from '../measuring/service-process.ts'

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '5' },
    browser: { type: 'string', default: '/usr/bin/chromium' },
  },
})
const count = Math.min(Number(values.bodies), 20_000)
const seconds = Math.min(Number(values.seconds), 60)
const QUESTIONS = ['scene overlap', 'scene nearest', 'scene line-of-sight', 'scene pairs', 'scene place', 'scene snap']
const PAINTS = 5
const ROW = 50

async function fill(url: string): Promise<void> {
  const shapes = [
    { type: 'circle', radius: 0.4 },
    { type: 'box', width: 0.8, height: 0.6 },
    {
      type: 'polygon',
      vertices: [
        { x: -0.4, y: -0.3 },
        { x: 0.4, y: -0.3 },
        { x: 0, y: 0.4 },
      ],
    },
  ]
  const operations = Array.from({ length: count }, (_, i) => {
    const position = { x: (i % ROW) * 1.1, y: Math.floor(i / ROW) * 1.1 }
    return { op: 'put', body: { id: `b${i}`, shape: shapes[i % shapes.length], position, rotation: i / 7 } }
  })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/v1/2d/scenes/big`, { method: 'PUT', headers, body: '{}' })
  const body = JSON.stringify({ operations })
  const { status } = await fetch(`${url}/v1/2d/scenes/big/operations`, { method: 'POST', headers, body })
  if (status !== 200) throw new Error(`The scene was answered with ${status}.`)
}

async function firstPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('[data-mark]').first().waitFor({ state: 'attached' })
  const time = await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
  await context.close()
  return time
}

/** Drags for some seconds; frames are counted by the page. */
async function drag(page: Page, question: string): Promise<string> {
  await page.selectOption('#question', question)
  await pause(500)
  await page.evaluate('frames = []; answers = 0')
  const { x, y, width, height } = (await page
    .locator(`[data-body="b${Math.floor(count / 2 + ROW / 2)}"]`)
    .boundingBox())!
  const at = { x: x + width / 2, y: y + height / 2 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  const start = performance.now()
  for (let i = 0; performance.now() - start < seconds * 1000; i++)
    await page.mouse.move(at.x + 150 * Math.sin(i / 40), at.y + 100 * Math.sin(i / 27))
  const [rate, gap, answered] = await page.evaluate<number[]>(`(() => {
    const gaps = frames.slice(1).map((time, i) => time - frames[i]).sort((a, b) => a - b)
    const took = (frames.at(-1) - frames[0]) / 1000
    return [gaps.length / took, gaps[Math.floor(gaps.length * 0.99)], answers / took]
  })()`)
  await page.mouse.up()
  await pause(300)
  await page.keyboard.press('Control+z')
  return `${question}: ${rate!.toFixed(1)} frames a second, 99 of 100 within ${gap!.toFixed(1)} ms, ${answered!.toFixed(0)} answers a second`
}

const service = await startService()
const browser = await chromium.launch({ executablePath: values.browser, args: ['--no-sandbox'] })
try {
  await fill(service.url)
  const paints: number[] = []
  for (let i = 0; i < PAINTS; i++) paints.push(await firstPaint(browser, service.url))
  console.log(`first paint: ${paints.map((time) => time.toFixed(0)).join(', ')} ms`)
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(service.url)
  await page.locator('#scene-panel summary').click()
  await page.fill('#scene-id', 'big')
  await page.click('#scene-form button[type="submit"]')
  await page
    .locator('[data-body]')
    .nth(count - 1)
    .waitFor({ state: 'attached' })
  await page.evaluate(`
    frames = []; answers = 0
    document.getElementById('stage').addEventListener('answered', () => answers++)
    const tick = (time) => { frames.push(time); requestAnimationFrame(tick) }
    requestAnimationFrame(tick)`)
  for (const question of QUESTIONS) console.log(await drag(page, question))
  await page.click('#snap')
  console.log('with Snap:', await drag(page, 'scene overlap'))
} finally {
  await browser.close()
  await endService(service)
}
