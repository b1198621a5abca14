// Scenes on the playground: made, opened, dragged in with rehearsals, walked in, imported into, watched.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  dragFrom,
  hasBrowser,
  middleOf,
  openScene,
  type Playground,
  putScene,
  startPlayground,
  worldToPage,
} from '../support/services/browser.ts'

const marks = (page: Page, selector: string) => page.locator(`.marks ${selector}`).count()

describe.skipIf(!hasBrowser)('scenes on the playground', () => {
  let playground: Playground
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page, errors } = await playground.open())
  })
  afterAll(async () => {
    expect(errors).toEqual([])
    await playground.close()
  })

  const level = async () => {
    const before = await page.locator('#scene-name').textContent()
    await page.selectOption('#examples', 'A level to walk in')
    await expect.poll(() => page.locator('[data-body="hero"]').count()).toBe(1)
    await expect.poll(() => page.locator('#scene-name').textContent()).toMatch(/^a-level-to-walk-in-/)
    if (before?.startsWith('a-level'))
      await expect.poll(() => page.locator('#scene-name').textContent()).not.toBe(before)
    return (await page.locator('#scene-name').textContent())!
  }
  const bodyOf = async (scene: string, id: string) => {
    const answer = await playground.call('GET', `/v1/2d/scenes/${scene}/bodies/${id}`)
    return answer.body ?? answer
  }

  it.each([
    ['scene overlap', '.none', 0],
    ['scene nearest', '[data-name="distance"]', 3],
    ['scene ray-cast', '[data-name="ray"]', 1],
    ['scene shape-cast', '.ghost.impact', 1],
    ['scene pairs', '[data-name="pair"]', 4],
    ['scene time-of-impact', '.ghost', 0],
    ['scene trajectory', '[data-name="path"]', 1],
    ['scene move', '[data-name="path"]', 1],
    ['scene separate', '.ghost.separated', 1],
    ['scene line-of-sight', '.sight', 5],
    ['scene place', '.ghost.placed', 1],
    ['scene snap', '.ghost.snapped', 1],
    ['scene snap', '.target', 1],
    ['scene drop', '.ghost.landed', 1],
  ])('draws %s: %s', async (question, selector, count) => {
    if (question === 'scene overlap') await level()
    await page.selectOption('#question', question)
    await expect.poll(() => marks(page, selector)).toBe(count)
    await expect.poll(() => page.locator('#says.problem').count()).toBe(0)
  })

  it('shows what a drag would overlap, writes where it ends, and takes it back', async () => {
    const scene = await level()
    await page.selectOption('#question', 'scene overlap')
    const before = (await bodyOf(scene, 'hero')).position
    const from = await middleOf(page, '[data-body="hero"]')
    const crate = await middleOf(page, '[data-body="crate"]')
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(crate.x + 20, crate.y - 20, { steps: 4 })
    await expect
      .poll(() => page.locator('.highlighted').evaluateAll((all) => all.map((one) => one.getAttribute('data-body'))))
      .toContain('crate')
    expect((await bodyOf(scene, 'hero')).position).toEqual(before)
    await page.mouse.up()
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position).not.toEqual(before)
    await expect.poll(() => page.locator('#says').textContent()).toMatch(/^meets crate/)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position).toEqual(before)
  })

  it('puts what is let go of where it is free', async () => {
    const scene = await level()
    await page.selectOption('#question', 'scene place')
    const from = await middleOf(page, '[data-body="crate"]')
    const ledge = await middleOf(page, '[data-body="ledge"]')
    await dragFrom(page, from, { x: ledge.x - from.x, y: ledge.y - from.y })
    await expect.poll(async () => (await bodyOf(scene, 'crate')).position.y).not.toBe(-3.25)
    const { bodies } = await playground.call('POST', `/v1/2d/scenes/${scene}/overlap`, { bodyId: 'crate' })
    expect(bodies.filter(({ relation }: { relation: string }) => relation === 'overlapping')).toEqual([])
  })

  it('walks by the arrow keys, and stops where the level does', async () => {
    const scene = await level()
    await page.locator('#stage').focus()
    const start = (await bodyOf(scene, 'hero')).position.x
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.x).toBeCloseTo(start - 0.5, 9)
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('ArrowLeft')
      await page.waitForTimeout(25)
    }
    // the crate's right side lies at -3.25, and the hero is half a length in radius
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.x).toBeCloseTo(-2.75, 6)
  })

  it('opens a scene by its id, adds to it and removes from it', async () => {
    const scene = await level()
    await page.click('#scene-leave')
    await page.fill('#scene-id', scene)
    await page.click('#scene-form button[type="submit"]')
    await expect.poll(() => page.locator('#scene-name').textContent()).toBe(scene)
    await page.selectOption('#add', 'ellipse')
    await expect.poll(async () => (await bodyOf(scene, 'a')).shape?.type).toBe('ellipse')
    await page.click('#remove')
    await expect.poll(async () => (await bodyOf(scene, 'a')).code).toBe('body-not-found')
    await page.fill('#scene-id', 'no-such-scene')
    await page.click('#scene-form button[type="submit"]')
    await expect.poll(() => page.locator('#notice').textContent()).toMatch(/^There is no scene of that id here/)
    errors.length = 0
  })

  it('takes an editor’s file, dropped or chosen, and takes it again', async () => {
    const text = JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'room',
          properties: {},
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [8, 0],
                [8, 5],
                [0, 5],
                [0, 0],
              ],
            ],
          },
        },
        {
          type: 'Feature',
          id: 'path',
          properties: {},
          geometry: {
            type: 'LineString',
            coordinates: [
              [9, 0],
              [12, 4],
            ],
          },
        },
      ],
    })
    await page.click('#scene-leave')
    await page.evaluate(`
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([${JSON.stringify(text)}], 'yard.geojson'))
      document.getElementById('room').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))`)
    await expect.poll(() => page.locator('[data-body]').count(), { timeout: 30_000 }).toBe(2)
    await expect
      .poll(() => page.locator('#events').textContent(), { timeout: 30_000 })
      .toContain('yard.geojson: 2 added')
    const scene = await page.locator('#scene-name').textContent()
    await page.setInputFiles('#file', {
      name: 'yard.geojson',
      mimeType: 'application/geo+json',
      buffer: Buffer.from(text.replace('8,5', '8,6')),
    })
    await expect
      .poll(() => page.locator('#events').textContent(), { timeout: 30_000 })
      .toContain('yard.geojson: 0 added, 1 updated, 0 removed')
    expect(await page.locator('#scene-name').textContent()).toBe(scene)
    await page.setInputFiles('#file', { name: 'broken.tmx', mimeType: 'text/xml', buffer: Buffer.from('<map') })
    await expect
      .poll(() => page.locator('#notice').textContent(), { timeout: 30_000 })
      .toMatch(/^The file cannot be read\./)
    errors.length = 0
  })

  it('colours and hides bodies by their tags, asks without what is hidden, and says what it left out, and why', async () => {
    const object = (id: number, more: string) =>
      `<object id="${id}" name="o${id}" x="${id * 40}" y="0" width="30" height="30"${more}>`
    const map = (
      tileset: string,
    ) => `<map version="1.10" orientation="orthogonal" width="8" height="8" tilewidth="16" tileheight="16">${tileset}
      <objectgroup id="1" name="walls">${object(1, '/')}${object(2, '/')}</objectgroup>
      <objectgroup id="2" name="goods">${object(3, '/')}${object(4, '')}<text>sold</text></object></objectgroup></map>`
    const file = (text: string) => ({ name: 'shop.tmx', mimeType: 'text/xml', buffer: Buffer.from(text) })
    if ((await page.locator('#scene-name').textContent()) !== '') await page.click('#scene-leave')
    await page.setInputFiles('#file', file(map('<tileset firstgid="1" source="objs.tsx"/>')))
    await expect.poll(() => page.locator('#notice').textContent()).toBe('Drop `objs.tsx` together with `shop.tmx`.')
    errors.length = 0
    await page.setInputFiles('#file', file(map('')))
    const tags = () => page.locator('#tags button').allTextContents()
    await expect.poll(tags).toEqual(expect.arrayContaining(['layer:goods (1)', 'layer:walls (2)']))
    await expect.poll(() => page.locator('#report-count').textContent()).toBe('1 skipped, and why')
    expect(await page.locator('#report-list').textContent()).toMatch(/text/)
    const fills = await page
      .locator('[data-body]')
      .evaluateAll((all) => all.map((one) => `${one.getAttribute('class')}`.match(/tint-\d/)?.[0]))
    expect(new Set(fills).size).toBe(2)
    await page.selectOption('#question', 'scene pairs')
    await page.click('#tags [data-tag="layer:walls"]')
    await expect.poll(() => page.locator('[data-body]').count()).toBe(1)
    await expect.poll(() => page.locator('#request').textContent()).toContain('layer:walls')
    await page.click('#tags [data-tag="layer:walls"]')
    await expect.poll(() => page.locator('[data-body]').count()).toBe(3)
    // as an editor draws it, y goes down
    await page.click('#y-up')
  })

  it('sees what others do to the scene, and takes its own steps back without it', async () => {
    const scene = await level()
    await page.selectOption('#question', 'scene overlap')
    await expect.poll(() => page.locator('#events-state').textContent()).toBe('Events arrive')
    const transform = (id: string) => page.locator(`[data-body="${id}"]`).getAttribute('transform')
    const before = await transform('crate')
    await dragFrom(page, await middleOf(page, '[data-body="crate"]'), { x: 0, y: -60 })
    await expect.poll(() => page.locator('#events').textContent()).toMatch(/crate/)
    const operations = [{ op: 'move', id: 'coin', position: { x: 5, y: 3 } }]
    await playground.call('POST', `/v1/2d/scenes/${scene}/operations`, { operations })
    await expect.poll(() => transform('coin')).toBe('translate(5 3)')
    await page.keyboard.press('Control+z')
    await expect.poll(() => transform('crate')).toBe(before)
    expect(await transform('coin')).toBe('translate(5 3)')
    await expect.poll(async () => (await bodyOf(scene, 'crate')).position.y).toBe(-3.25)
    expect((await bodyOf(scene, 'coin')).position).toEqual({ x: 5, y: 3 })
  })

  it('offers nothing that the service does not have', async () => {
    const { page: other } = await playground.open()
    await other.route('**/openapi.json', (route) => route.fulfill({ json: { paths: {} } }))
    await other.selectOption('#examples', 'A level to walk in')
    await expect.poll(() => other.locator('#events-state').textContent()).toBe('This service sends no events')
    expect(await other.locator('#tree').isDisabled()).toBe(true)
    expect(await other.locator('#save').isVisible()).toBe(false)
    expect(await other.locator('#question option[value="scene snap"]').isDisabled()).toBe(true)
    await other.context().close()
  })

  it('walks by its own buttons, for fingers', async () => {
    const scene = await level()
    const { x } = (await bodyOf(scene, 'hero')).position
    expect(await page.locator('#pad').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Walk left' }).click()
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.x).toBeCloseTo(x - 0.5, 9)
    await page.selectOption('#question', 'scene overlap')
    await expect.poll(() => page.locator('#pad').isVisible()).toBe(false)
  })

  it('drops a body by a button and by a key: down the screen, until it rests', async () => {
    const scene = await level()
    await page.locator('#stage').focus()
    await page.keyboard.press('d')
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.y).toBeCloseTo(-3, 9)
    await expect.poll(() => page.locator('[data-body="hero"]').getAttribute('transform')).toMatch(/ -3\)$/)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.y).toBe(-2.75)
    await page.click('#drop')
    await expect.poll(async () => (await bodyOf(scene, 'hero')).position.y).toBeCloseTo(-3, 9)
    await page.click('#y-up')
    await page.click('#drop')
    await expect.poll(() => page.locator('#notice').textContent()).toMatch(/^hero does not fall: nothing-below/)
    await page.click('#y-up')
  })

  describe('with Snap, a drag', () => {
    let scene: string
    beforeAll(async () => {
      scene = 'snapping'
      await putScene(playground, scene, [
        { id: 'wall', shape: { type: 'box', width: 2, height: 6 }, position: { x: -4, y: 0 } },
        { id: 'crate', shape: { type: 'box', width: 1, height: 1 }, position: { x: 2, y: 0.3 } },
      ])
      await openScene(page, scene)
      await page.selectOption('#question', 'scene overlap')
      await page.click('#snap')
    })
    afterAll(() => page.click('#snap'))

    const takeTo = async (x: number, y: number) => {
      const at = await worldToPage(page)
      const { position } = await bodyOf(scene, 'crate')
      // what was written is drawn with the next frame
      const drawn = `translate(${position.x} ${position.y})`
      await expect.poll(() => page.locator('[data-body="crate"]').getAttribute('transform')).toBe(drawn)
      const from = at(position.x, position.y)
      const to = at(x, y)
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
      await page.mouse.move(to.x, to.y)
    }
    const guides = (selector: string) => page.locator(`.guides ${selector}`)

    it('lays it flush on a neighbour, and names which sides', async () => {
      await takeTo(-2.45, 1.234)
      await expect.poll(() => guides('.ghost.snapped').count()).toBe(1)
      await expect.poll(() => guides('.mark-text').allTextContents()).toContain('edge 3 onto edge 1 of wall')
      // the side of the wall, as it is drawn
      const at = await worldToPage(page)
      const box = (await guides('.target').boundingBox())!
      expect(box.x + box.width / 2).toBeCloseTo(at(-3, 0).x, 0)
      expect(box.y + box.height / 2).toBeCloseTo(at(-3, 0).y, 0)
      await page.mouse.up()
      await expect.poll(async () => (await bodyOf(scene, 'crate')).position.x).toBe(-2.5)
      const { bodies } = await playground.call('POST', `/v1/2d/scenes/${scene}/overlap`, { bodyId: 'crate' })
      expect(bodies).toMatchObject([{ id: 'wall', relation: 'touching' }])
      await expect.poll(() => guides('*').count()).toBe(0)
    })

    it('finds a free place where it would overlap', async () => {
      await takeTo(-3.55, 0.4)
      await expect.poll(() => guides('.ghost.placed').count()).toBe(1)
      await page.mouse.up()
      await expect.poll(async () => (await bodyOf(scene, 'crate')).position.y).toBeCloseTo(0.4, 1)
      expect((await bodyOf(scene, 'crate')).position.x).toBe(-2.5)
    })

    it('goes to the grid where nothing is near, and nowhere with Alt', async () => {
      await takeTo(1.2, 1.3)
      await expect
        .poll(() => guides('.mark-text').allTextContents())
        .toEqual(expect.arrayContaining([expect.stringMatching(/^(vertex \d|center) onto grid$/)]))
      await page.mouse.up()
      const step = Number(/grid ([\d.]+)/.exec((await page.locator('#cursor').textContent())!)![1])
      // its corners or its middle
      const onGrid = (x: number) => Math.abs((2 * x) / step - Math.round((2 * x) / step)) < 1e-9
      await expect
        .poll(async () => {
          const { x, y } = (await bodyOf(scene, 'crate')).position
          return onGrid(x) && onGrid(y) && x > 0
        })
        .toBe(true)
      const before = (await bodyOf(scene, 'crate')).position
      await page.keyboard.down('Alt')
      await takeTo(before.x + 0.123, before.y)
      await page.mouse.up()
      await page.keyboard.up('Alt')
      await expect.poll(async () => (await bodyOf(scene, 'crate')).position.x).toBeCloseTo(before.x + 0.123, 1)
      expect(onGrid((await bodyOf(scene, 'crate')).position.x)).toBe(false)
    })
  })
})
