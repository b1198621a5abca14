// The playground as people use it: one click for each example, keys alone, small and dark screens, and nothing from elsewhere.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../src/playground/sketch/gallery.ts'
import { dragFrom, hasBrowser, middleOf, type Playground, startPlayground } from '../support/services/browser.ts'

const says = (page: Page) => page.locator('#says').textContent()

describe.skipIf(!hasBrowser)('using the playground', () => {
  let playground: Playground
  let page: Page
  let errors: string[]
  const hosts = new Set<string>()
  const paths = new Set<string>()
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page, errors } = await playground.open())
    page.on('request', (request) => {
      const { protocol, host, pathname } = new URL(request.url())
      if (protocol === 'blob:' || protocol === 'data:') return
      hosts.add(host)
      paths.add(pathname)
    })
  })
  afterAll(async () => {
    // what the policy of the page forbids is an error of the console
    expect(errors).toEqual([])
    expect([...hosts]).toEqual([new URL(playground.origin).host])
    // the public API, and what describes it
    expect([...paths].filter((path) => !/^\/(v1\/|openapi\.json$)/.test(path))).toEqual([])
    await playground.close()
  })

  it('has ten examples', () => expect(EXAMPLES).toHaveLength(10))

  it.each(EXAMPLES)('shows “$name” by one click: all of it, with numbers', async ({ name, sketch }) => {
    await page.selectOption('#examples', name)
    await expect.poll(() => page.locator('[data-body]').count()).toBe(sketch.bodies.length)
    expect(await page.locator('#question').inputValue()).toBe(sketch.question)
    await expect.poll(() => page.locator('.marks [data-mark]').count()).toBeGreaterThan(0)
    await expect.poll(() => says(page)).toMatch(/\d/)
    await expect.poll(() => page.locator('#says.problem').count()).toBe(0)
    const stage = (await page.locator('#stage').boundingBox())!
    const outside = await page.evaluate<string[]>(`
      [...document.querySelectorAll('[data-body]')].filter((one) => {
        const { x, y, right, bottom } = one.getBoundingClientRect()
        return x < ${stage.x} - 1 || y < ${stage.y} - 1 || right > ${stage.x + stage.width} + 1 || bottom > ${stage.y + stage.height} + 1
      }).map((one) => one.dataset.body)`)
    const endless = sketch.bodies.filter(({ shape }) => shape.type === 'halfplane').map(({ id }) => id)
    expect(outside).toEqual(endless)
  })

  it.each([
    ['Box on a slope', /^apart, separation (\S+), /, '.marks .mark-text'],
    ['A bullet through a thin wall', /^impact after (\S+ s), /, '.marks .mark-text'],
    ['A ray through many shapes', /^circle at (\S+), /, '.marks .mark-text'],
  ])('writes the number of “%s” where it belongs', async (name, number, selector) => {
    // what an example before it has said may look alike, and stays until there is an answer
    const ray = 'A ray through many shapes'
    await page.selectOption('#examples', name === ray ? 'A bullet through a thin wall' : ray)
    await expect.poll(() => says(page)).not.toMatch(number)
    await page.selectOption('#examples', name)
    await expect.poll(() => says(page)).toMatch(number)
    const [, value] = number.exec((await says(page))!)!
    await expect.poll(async () => (await page.locator(selector).allTextContents()).join(' ')).toContain(value)
  })

  it('writes no number over another', async () => {
    await page.selectOption('#examples', 'Billiards')
    await expect.poll(() => page.locator('.marks .ghost.bounce').count()).toBe(12)
    const boxes = await page.evaluate<{ left: number; right: number; top: number }[]>(
      `[...document.querySelectorAll('.marks .mark-text')].map((one) => one.getBoundingClientRect().toJSON())`,
    )
    const meet = boxes.flatMap((p, i) =>
      boxes.slice(i + 1).filter((q) => p.left < q.right - 2 && q.left < p.right - 2 && Math.abs(p.top - q.top) < 10),
    )
    expect(boxes.length).toBe(13)
    expect(meet).toEqual([])
  })

  it('can be used by keys alone, and leaves every field by Tab', async () => {
    const { page: other } = await playground.open()
    const seen: string[] = []
    for (let i = 0; i < 60 && seen.at(-1) !== 'BODY'; i++) {
      await other.keyboard.press('Tab')
      const name = await other.evaluate<string>(`(() => {
        const one = document.activeElement
        const ring = getComputedStyle(one.matches('.handle') ? one.lastChild : one)
        const isShown = one === document.body || one.matches('.handle') ? true : ring.outlineStyle !== 'none'
        return (one === document.body ? 'BODY' : one.id || one.dataset.handle || one.tagName) + (isShown ? '' : ' unseen')
      })()`)
      seen.push(name)
    }
    expect(seen).toContain('BODY')
    expect(seen.filter((name) => name.endsWith('unseen'))).toEqual([])
    const needed = ['question', 'add', 'examples', 'remove', 'fit', 'snap', 'grid', 'y-up', 'share', 'more', 'stage']
    expect(seen).toEqual(expect.arrayContaining([...needed, 'slope: turn', 'slope: vertex 0', 'slope: rounding']))
    // a corner goes where arrows push it
    const corner = other.locator('[data-handle="slope: vertex 2"]')
    await corner.focus()
    await other.locator('#says[aria-busy="false"]').waitFor()
    const before = await says(other)
    const at = await middleOf(other, '[data-handle="slope: vertex 2"] circle.target')
    for (let i = 0; i < 3; i++) await other.keyboard.press('ArrowUp')
    await expect.poll(() => says(other)).not.toBe(before)
    expect((await middleOf(other, '[data-handle="slope: vertex 2"] circle.target')).y).toBeLessThan(at.y - 20)
    await other.keyboard.press('Control+y')
    for (let i = 0; i < 3; i++) await other.keyboard.press('Control+z')
    await expect.poll(() => says(other)).toBe(before)
    await other.context().close()
  })

  it('can be read: colours of words keep a ratio of 4.5 to what is behind them, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const ratios = await page.evaluate<[string, number][]>(`(() => {
        const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
        const light = (colour) => {
          context.fillStyle = colour
          context.fillRect(0, 0, 1, 1)
          const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        }
        const style = getComputedStyle(document.documentElement)
        const pairs = [['ink', 'paper'], ['faint', 'paper'], ['ink', 'block'], ['faint', 'block'], ['pick', 'block'], ['link', 'paper'],
          ['hit', 'paper'], ['label', 'body'], ['label', 'hit-fill'], ['label', 'paper'], ['ink', 'body'], ['ink', 'hit-fill'], ['paper', 'ink']]
        return pairs.map(([over, under]) => {
          const [p, q] = [over, under].map((name) => light(style.getPropertyValue('--' + name).trim()))
          return [over + ' on ' + under, Math.max(p, q) / Math.min(p, q)]
        })
      })()`)
      for (const [name, ratio] of ratios) expect(ratio, `${name}, ${colorScheme}`).toBeGreaterThanOrEqual(4.5)
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  it.each([
    ['a phone', 390, 844],
    ['a phone on its side', 844, 390],
    ['a screen at 200 %', 640, 400],
    ['a narrow window', 320, 640],
  ])('fits %s', async (_, width, height) => {
    const { page: small } = await playground.open('/', { viewport: { width, height } })
    await small.selectOption('#examples', 'A level to walk in')
    await expect.poll(() => small.locator('#pad').isVisible()).toBe(true)
    expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    const stage = (await small.locator('#stage').boundingBox())!
    expect(stage.width).toBeGreaterThan(250)
    expect(stage.height).toBeGreaterThan(200)
    const cut = await small.evaluate<string[]>(`
      [...document.querySelectorAll('header button, header select')].filter((one) => one.getClientRects().length > 0)
        .filter((one) => one.getBoundingClientRect().right > innerWidth || one.getBoundingClientRect().left < 0).map((one) => one.id)`)
    expect(cut).toEqual([])
    await small.context().close()
  })

  it('moves nothing by itself where that is not wished', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const moving = await page.evaluate<string[]>(`
      [...document.querySelectorAll('*')].filter((one) => {
        const { transitionDuration, animationName } = getComputedStyle(one)
        return animationName !== 'none' || parseFloat(transitionDuration) > 0
      }).map((one) => one.tagName)`)
    expect(moving).toEqual([])
    await page.emulateMedia({ reducedMotion: null })
  })

  it('drags a point, which has no handles, and one body among those under the hand', async () => {
    await page.selectOption('#examples', 'Box on a slope')
    await page.selectOption('#add', 'point')
    await expect.poll(() => page.locator('[data-body="a"]').count()).toBe(1)
    await expect.poll(() => page.locator('[data-handle]').count()).toBe(0)
    const before = await page.locator('[data-body="a"]').getAttribute('transform')
    await dragFrom(page, await middleOf(page, '[data-body="a"]'), { x: 90, y: -70 })
    await expect.poll(() => page.locator('[data-body="a"]').getAttribute('transform')).not.toBe(before)
    expect(await page.locator('[data-body="a"]').getAttribute('class')).toContain('selected')
  })
})
