// Walking through a scene in first person: the selected body goes as far as the scene lets it, by `move`, and the eye goes with it. Nothing
// is written before the walk ends.

import type { Desk } from '../desk.ts'
import { byId, notice, setPressed } from '../page-elements.ts'
import { scenePath } from '../scene-session.ts'
import { call, problemText, type Reply, serviceFeatures } from '../service.ts'
import { filterOf } from '../sketch/legend.ts'
import { bodyOf, poseOf, positionOf, type SketchBody, withBody } from '../sketch/sketch.ts'
import { dot, inSpace, minus, plus, times, unit, type Vec, type Vec3 } from '../sketch/vector.ts'
import { aheadOf, basisOf, type Camera, isFirstPerson, upOf } from './camera.ts'
import { boxOf } from './picking.ts'

// Lengths are parts of how tall the body is; times are seconds.
const EYE = 0.35
const SPEED = 3.5
const FALL = 11
const JUMP = 4.2
const STEP = 0.35
const SLOPE = 0.8
const NEAR = 0.02
/** The longest time that one request moves by: after a pause nothing is jumped over. */
const MOST_PASSED = 0.1
/** That an arrow key turns by, radians a second. */
const TURN = 2

const WAYS: Record<string, Vec> = {
  w: { x: 0, y: 1 },
  s: { x: 0, y: -1 },
  a: { x: -1, y: 0 },
  d: { x: 1, y: 0 },
}
const TURNS: Record<string, Vec> = {
  arrowleft: { x: 1, y: 0 },
  arrowright: { x: -1, y: 0 },
  arrowup: { x: 0, y: 1 },
  arrowdown: { x: 0, y: -1 },
}

interface Walk {
  scene: string
  id: string
  /** As it was before the walk. */
  camera: Camera
  tall: number
  /** Along `up`, lengths a second. */
  rise: number
  stands: boolean
  last: number
}

export interface FirstPerson {
  /** Starts or ends a walk. */
  toggle(): void
  /** True where a key belongs to the walk. */
  key(event: KeyboardEvent): boolean
}

class Walker implements FirstPerson {
  readonly #desk: Desk<Camera>
  readonly #held = new Set<string>()
  #walk: Walk | null = null
  #isAsking = false

  constructor(desk: Desk<Camera>) {
    this.#desk = desk
    document.addEventListener('keyup', ({ key }) => this.#held.delete(nameOf(key)))
    addEventListener('blur', () => this.#held.clear())
    this.#followButtons()
    desk.onChange(() => this.#update())
    this.#update()
  }

  toggle(): void {
    if (this.#walk === null) this.#begin()
    else this.#end()
  }

  key({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey) return false
    const name = nameOf(key)
    if (name === 'v') this.toggle()
    else if (this.#walk === null) return false
    else if (name === 'escape') this.#end()
    else if (name === ' ' || WAYS[name] || TURNS[name]) this.#held.add(name)
    else return false
    return true
  }

  #begin(): void {
    const { sketch, view } = this.#desk
    const body = bodyOf(sketch, sketch.selected)
    const box = body === undefined ? null : boxOf(body)
    if (sketch.scene === null || body === undefined || box === null) {
      notice('Open a scene and select the body to walk as.')
      return
    }
    const tall = Math.abs(dot(minus(box.max, box.min), upOf(view))) || 1
    const last = performance.now()
    this.#walk = { scene: sketch.scene, id: body.id, camera: view, tall, rise: 0, stands: false, last }
    this.#desk.begin()
    this.#look(body)
    notice(`Walking as ${body.id}: W, A, S, D walk, Space jumps, drag or arrows look round, Esc ends.`)
    requestAnimationFrame(() => this.#tick())
  }

  #end(): void {
    const walk = this.#walk
    if (walk === null) return
    this.#walk = null
    this.#held.clear()
    const { sketch, view } = this.#desk
    const body = bodyOf(sketch, walk.id)
    this.#desk.finish(sketch)
    const { distance, near } = walk.camera
    const target = body === undefined ? walk.camera.target : inSpace(positionOf(body))
    const pitch = Math.min(view.pitch, walk.camera.pitch)
    this.#desk.look({ ...view, target, distance, near, pitch })
    notice('')
  }

  /** The eye where the body is. */
  #look(body: SketchBody): void {
    const { tall } = this.#walk!
    const { view } = this.#desk
    const target = inSpace(plus(positionOf(body), times(upOf(view), EYE * tall)))
    const pitch = isFirstPerson(view) ? view.pitch : 0
    this.#desk.look({ ...view, target, distance: 0, near: NEAR * tall, pitch })
  }

  #tick(): void {
    const walk = this.#walk
    if (walk === null) return
    const body = bodyOf(this.#desk.sketch, walk.id)
    if (body === undefined || this.#desk.sketch.scene !== walk.scene) {
      this.#end()
      return
    }
    if (!this.#isAsking) void this.#step(walk, body)
    requestAnimationFrame(() => this.#tick())
  }

  async #step(walk: Walk, body: SketchBody): Promise<void> {
    const now = performance.now()
    const passed = Math.min(MOST_PASSED, (now - walk.last) / 1000)
    walk.last = now
    this.#turn(passed)
    if (this.#held.has(' ') && walk.stands) walk.rise = JUMP * walk.tall
    walk.rise -= FALL * walk.tall * passed
    const translation = this.#wanted(walk, passed)
    this.#isAsking = true
    const reply = await this.#ask(walk, body, translation)
    this.#isAsking = false
    if (this.#walk !== walk) return
    if (reply.ok) this.#take(walk, reply)
    else {
      this.#end()
      notice(problemText(reply))
    }
  }

  #turn(passed: number): void {
    const { view } = this.#desk
    const ways = [...this.#held].flatMap((name) => TURNS[name] ?? [])
    if (ways.length === 0) return
    const { x, y } = ways.reduce((p, q) => plus(p, q))
    const pitch = Math.max(-1.5, Math.min(1.5, view.pitch + y * TURN * passed))
    this.#desk.look({ ...view, yaw: view.yaw + x * TURN * passed, pitch })
  }

  #wanted({ tall, rise }: Walk, passed: number): Vec3 {
    const { view } = this.#desk
    const ways = [...this.#held].flatMap((name) => WAYS[name] ?? [])
    const { x, y } = ways.reduce((p, q) => plus(p, q), { x: 0, y: 0 })
    const level = plus(times(basisOf(view).right, x), times(aheadOf(view), y))
    const along = x === 0 && y === 0 ? level : times(unit(level), SPEED * tall * passed)
    return inSpace(plus(along, times(upOf(view), rise * passed)))
  }

  #ask({ scene, rise, tall }: Walk, body: SketchBody, translation: Vec3): Promise<Reply> {
    const reach = STEP * tall
    const { tags } = (filterOf(this.#desk.sketch).filter ?? {}) as { tags?: object }
    return call({
      path: `${scenePath(scene)}/move`,
      body: {
        bodyId: body.id,
        pose: poseOf(body),
        translation,
        up: upOf(this.#desk.view),
        maxSlope: SLOPE,
        stepHeight: reach,
        // what jumps is not held to the ground
        ...(rise <= 0 && { snapToGround: reach }),
        filter: { sensors: 'exclude', ...(tags && { tags }) },
      },
    })
  }

  #take(walk: Walk, { value }: Reply): void {
    const { sketch, view } = this.#desk
    const body = bodyOf(sketch, walk.id)
    if (body === undefined) return
    const up = upOf(view)
    const normals: Vec3[] = value.contacts.map(({ normal }: { normal: Vec3 }) => normal)
    walk.stands = walk.rise <= 0 && normals.some((normal) => dot(normal, up) >= Math.cos(SLOPE))
    if (walk.stands || normals.some((normal) => walk.rise > 0 && dot(normal, up) < -0.5)) walk.rise = 0
    const moved = { ...body, position: value.position }
    this.#desk.show(withBody(sketch, moved))
    this.#look(moved)
  }

  /** For fingers: the pad walks as long as it is held. */
  #followButtons(): void {
    byId('walk').addEventListener('click', () => this.toggle())
    const pad = byId('pad')
    for (const button of pad.querySelectorAll<HTMLButtonElement>('button:not(#jump)')) {
      const [x, y] = button.value.split(' ').map(Number)
      const name = Object.keys(WAYS).find((key) => WAYS[key]!.x === x && WAYS[key]!.y === y)!
      button.addEventListener('pointerdown', () => this.#walk !== null && this.#held.add(name))
      for (const type of ['pointerup', 'pointerleave', 'pointercancel'] as const)
        button.addEventListener(type, () => this.#held.delete(name))
    }
    const jump = byId('jump')
    jump.addEventListener('pointerdown', () => this.#held.add(' '))
    for (const type of ['pointerup', 'pointerleave', 'pointercancel'] as const)
      jump.addEventListener(type, () => this.#held.delete(' '))
  }

  #update(): void {
    const walks = this.#walk !== null
    byId<HTMLButtonElement>('walk').disabled =
      !walks && (this.#desk.sketch.scene === null || this.#desk.sketch.selected === null)
    setPressed('walk', walks)
    byId('jump').hidden = !walks
    if (walks) byId('pad').hidden = false
  }
}

const nameOf = (key: string): string => key.toLowerCase()

export function createFirstPerson(desk: Desk<Camera>): FirstPerson {
  const walker = new Walker(desk)
  void serviceFeatures().then((features) => {
    byId('walk').hidden = !features.has('move')
  })
  return walker
}
