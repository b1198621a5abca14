// The view of space, orbited, panned and zoomed, and a body dragged through it, among 2,000 bodies and in a level of Quake: frames a
// second in which the page has drawn, and those in which it could have. It needs a Chromium, and reports and asserts nothing.
//
//   npm run bench:playground-space -- [--level=e3m4.map] [--bodies=2000] [--seconds=5] [--browser=/usr/bin/chromium]

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { endService, startService } from '../measuring/service-process.ts'

const { values } = parseArgs({
  options: {
    level: { type: 'string' },
    bodies: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '5' },
    browser: { type: 'string', default: '/usr/bin/chromium' },
  },
})
const count = Math.min(Number(values.bodies), 20_000)
const seconds = Math.min(Number(values.seconds), 60)
const ROW = 20
/** Between two moves of the mouse, milliseconds: as often as screens show. */
const MOVE_MS = 1000 / 60
/** Moves that the browser has not taken yet; more would wait in a line, as they do not before a hand. */
const MOST_WAITING = 3

async function makeScene(url: string, scene: string, path: string, type: string | null, body: string): Promise<void> {
  const json = { 'content-type': 'application/json' }
  await fetch(`${url}/v1/3d/scenes/${scene}`, { method: 'PUT', headers: json, body: '{}' })
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
  const reply = await fetch(`${url}/v1/3d/scenes/${scene}/${path}`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`${scene} was answered with ${reply.status}: ${await reply.text()}`)
}

/** Boxes that stand askew, as far apart as they are large. */
function boxes(): object[] {
  return Array.from({ length: count }, (_, i) => {
    const [x, y, z] = [i % ROW, Math.floor(i / ROW) % ROW, Math.floor(i / ROW / ROW)]
    const size = { x: 0.5 + 0.3 * Math.sin(i), y: 0.5 + 0.3 * Math.sin(2 * i), z: 0.5 + 0.3 * Math.sin(3 * i) }
    const [turn, w] = [Math.sin(i / 2), Math.cos(i / 2)]
    const orientation = { x: 0, y: turn, z: 0, w }
    return { op: 'put', body: { id: `b${i}`, shape: { type: 'box', size }, position: { x, y, z }, orientation } }
  })
}

/** Counts frames, and those in which something is drawn on the canvas. */
const COUNTING = `
  frames = []; draws = []
  let drawn = false
  for (const name of ['drawElements', 'drawArrays']) {
    const draw = WebGL2RenderingContext.prototype[name]
    WebGL2RenderingContext.prototype[name] = function (...parts) { drawn = true; return draw.apply(this, parts) }
  }
  const tick = (time) => {
    frames.push(time)
    if (drawn) draws.push(time)
    drawn = false
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)`

async function openScene(page: Page, scene: string): Promise<void> {
  await page.evaluate(`document.getElementById('scene-panel').open = true`)
  await page.fill('#scene-id', scene)
  await page.click('#scene-form button[type="submit"]')
  await page.locator('#scene-name', { hasText: scene }).waitFor()
  await pause(2000)
}

/** Moves the mouse for some seconds, no matter whether the page keeps up. `turn`: of the way, from 0 on. */
async function move(page: Page, at: (turn: number) => { x: number; y: number }): Promise<void> {
  let waiting = 0
  const start = performance.now()
  for (let now = start; now - start < seconds * 1000; now = performance.now()) {
    const { x, y } = at((now - start) / 1000)
    if (waiting < MOST_WAITING) {
      waiting++
      void page.mouse.move(x, y).finally(() => waiting--)
    }
    await pause(MOVE_MS)
  }
  while (waiting > 0) await pause(MOVE_MS)
}

async function measured(page: Page, what: string, act: () => Promise<void>): Promise<void> {
  await pause(500)
  await page.evaluate('frames.length = 0; draws.length = 0')
  await act()
  const [rate, drawn, gap] = await page.evaluate<number[]>(`(() => {
    const took = (frames.at(-1) - frames[0]) / 1000
    const gaps = draws.slice(1).map((time, i) => time - draws[i]).sort((a, b) => a - b)
    return [frames.length / took, draws.length / took, gaps[Math.floor(gaps.length * 0.95)]]
  })()`)
  console.log(
    `${what}: ${drawn!.toFixed(1)} draws and ${rate!.toFixed(1)} frames a second, 95 of 100 within ${gap!.toFixed(1)} ms`,
  )
}

async function lookAround(page: Page, scene: string): Promise<void> {
  const { x, y, width, height } = (await page.locator('#stage').boundingBox())!
  const middle = { x: x + width / 2, y: y + height / 2 }
  const circling = (turn: number) => ({ x: middle.x + 200 * Math.sin(1.5 * turn), y: middle.y + 80 * Math.sin(turn) })
  const held = async (button: 'right' | 'middle') => {
    await page.mouse.move(middle.x, middle.y)
    await page.mouse.down({ button })
    await move(page, circling)
    await page.mouse.up({ button })
  }
  await measured(page, `${scene}, orbit`, () => held('right'))
  await measured(page, `${scene}, pan`, () => held('middle'))
  await measured(page, `${scene}, zoom`, async () => {
    await page.mouse.move(middle.x, middle.y)
    const start = performance.now()
    for (let i = 0; performance.now() - start < seconds * 1000; i++) await page.mouse.wheel(0, i % 40 < 20 ? -20 : 20)
  })
  await page.evaluate(`document.querySelector('#bodies button').click()`)
  const arrow = (await page.locator('[data-handle$="move x"] circle.target').boundingBox())!
  const hand = { x: arrow.x + arrow.width / 2, y: arrow.y + arrow.height / 2 }
  await page.mouse.move(hand.x, hand.y)
  await page.mouse.down()
  await measured(page, `${scene}, drag`, () =>
    move(page, (turn) => ({ x: hand.x + 150 * Math.sin(2 * turn), y: hand.y + 100 * Math.sin(3 * turn) })),
  )
  await page.mouse.up()
  await pause(300)
  await page.keyboard.press('Control+z')
}

const service = await startService()
const browser = await chromium.launch({ executablePath: values.browser, args: ['--no-sandbox'] })
try {
  const scenes = ['boxes']
  const operations = JSON.stringify({ operations: boxes() })
  await makeScene(service.url, 'boxes', 'operations', 'application/json', operations)
  if (values.level !== undefined) {
    await makeScene(service.url, 'level', 'import?format=map', 'text/plain', readFileSync(values.level, 'utf8'))
    scenes.push('level')
  }
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.addInitScript(COUNTING)
  await page.goto(`${service.url}/playground/space`)
  for (const scene of scenes) {
    await openScene(page, scene)
    await lookAround(page, scene)
  }
} finally {
  await browser.close()
  await endService(service)
}
