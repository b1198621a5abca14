// The playground in space: collision questions, answered while you drag. A client of the service's public HTTP API, and of nothing else.

import { followAnswers, settled } from '../answers.ts'
import { createDesk } from '../desk.ts'
import { createSnapping, followDrags } from '../dragging.ts'
import { followBody, followChoices } from '../forms.ts'
import { followKeys } from '../keyboard.ts'
import type { Outlook } from '../outlook.ts'
import { byId, setPressed, setText } from '../page-elements.ts'
import { type Dragging, followPointers } from '../pointer.ts'
import { followSaving, ScenePanel } from '../scene-panel.ts'
import { questionOf } from '../sketch/all-questions.ts'
import { type Handle, movers, velocityHandle } from '../sketch/handles.ts'
import { shownBodies } from '../sketch/legend.ts'
import { sharedIn } from '../sketch/share-link.ts'
import { bodyOf, positionOf } from '../sketch/sketch.ts'
import { dot, inSpace, minus, plus, times, type Vec, type Vec2, type Vec3 } from '../sketch/vector.ts'
import { followTags } from '../tag-panel.ts'
import { followToolbar } from '../toolbar.ts'
import { createWalking } from '../walking.ts'
import { listBodies } from './body-list.ts'
import {
  aheadOf,
  atDepthOf,
  basisOf,
  type Camera,
  FIRST_CAMERA,
  fitted,
  isFirstPerson,
  nearestAxis,
  onAxis,
  onPlane,
  orbited,
  panned,
  projectionOf,
  sightThrough,
  upOf,
  viewOf,
  zoomed,
} from './camera.ts'
import { createFirstPerson } from './first-person.ts'
import { isDrawable } from './geometry.ts'
import { gizmo } from './gizmo.ts'
import { boxAround, boxOf, pick } from './picking.ts'
import { SPACE_EXAMPLES, SPACE_SHAPES } from './space-gallery.ts'
import { createSpaceStage, reachOf, stepOf } from './space-stage.ts'
import { followTree } from './tree-boxes.ts'

/** Of the arrows of a body, in pixels. */
const REACH = 80
/** Pixels. */
const SNAP_REACH = 18
const PLACE_REACH = 400
/** That an arrow key pans. */
const PAN = 40
/** Sine of the angle to the ground from which on a drag goes along it. */
const LEAST_SLOPE = 0.2

const sharedHere = () => sharedIn(location.hash.slice(1), { dimension: '3d', isDrawable, viewOf })
const shared = sharedHere()
const { width, height } = byId('stage').getBoundingClientRect()
const desk = createDesk(shared?.sketch ?? SPACE_EXAMPLES[0]!.sketch, {
  ...(shared?.view ?? FIRST_CAMERA),
  width,
  height,
})
const dragging: Dragging = { body: null, snap: false }

function handles(): Handle[] {
  const { sketch, view } = desk
  if (isFirstPerson(view)) return []
  const question = questionOf(sketch)
  const own = question.handles?.(sketch) ?? []
  const selected = bodyOf(sketch, sketch.selected)
  const moving = question.moves ? movers(sketch) : []
  const reach = (at: Vec) => REACH / projectionOf(view).scaleAt(at)
  return [
    // while it is dragged they would lie over what is looked at
    ...(selected && dragging.body === null ? gizmo(selected, reach(positionOf(selected)), stepOf(view), true) : []),
    ...moving.map((body) => velocityHandle(body, reach(positionOf(body)))),
    ...own,
  ]
}

const stage = createSpaceStage(desk, handles)
const pointed = (at: Vec2) => pick(shownBodies(desk.sketch), sightThrough(desk.view, at), reachOf(desk.view))

const outlook: Outlook = {
  seen() {
    const { target, distance, near } = desk.view
    const half = distance || 1000 * near
    return { min: plus(target, { x: -half, y: -half, z: -half }), max: plus(target, { x: half, y: half, z: half }) }
  },
  fit(box) {
    const question = questionOf(desk.sketch)
    const tips = (question.handles?.(desk.sketch) ?? []).map(({ at }) => inSpace(at))
    const ends = desk.sketch.bodies.flatMap((body) =>
      question.moves && body.velocity ? [inSpace(plus(positionOf(body), body.velocity))] : [],
    )
    const corners = desk.sketch.bodies.flatMap((body) => {
      const own = boxOf(body)
      return own === null ? [inSpace(positionOf(body))] : [inSpace(own.min), inSpace(own.max)]
    })
    const shown = box ?? boxAround([...corners, ...tips, ...ends])
    if (shown !== null) desk.look(fitted(desk.view, shown))
  },
  middle() {
    const few = (value: number) => Number(value.toPrecision(4))
    const { x, y, z } = desk.view.target
    return { x: few(x), y: few(y), z: few(z) }
  },
  boxOf,
  link() {
    const { target, distance, yaw, pitch, up, near } = desk.view
    return { target, distance, yaw, pitch, up, near }
  },
  showAs: (format) => desk.look({ ...desk.view, up: format === 'map' ? 'z' : desk.view.up }),
}

const dragged = () => dragging.body
const scenes = new ScenePanel(desk, outlook, dragged)
const walking = createWalking(desk, () => inSpace(times(upOf(desk.view), -1)))
const firstPerson = createFirstPerson(desk)
const snapping = createSnapping(desk, dragging, stage.setGuides.bind(stage), () => {
  const scale = projectionOf(desk.view).scaleAt(positionOf(bodyOf(desk.sketch, dragging.body) ?? {}))
  return { snap: SNAP_REACH / scale, place: PLACE_REACH / scale, grid: stepOf(desk.view) }
})
followDrags(desk, dragged, (ids) => stage.setAlarms(ids))
followAnswers(desk, (marks) => stage.setMarks(marks)).again()
followChoices(desk)
followBody(desk, isDrawable)
listBodies(desk)
followSaving(desk)
stage.setTints(followTags(desk, () => stage.redraw()))
followToolbar(desk, {
  outlook,
  shapes: SPACE_SHAPES,
  examples: SPACE_EXAMPLES,
  openExample(example) {
    const { yaw, pitch, up } = FIRST_CAMERA
    desk.look({ ...desk.view, yaw, pitch, up })
    void scenes.openExample(example)
  },
  fit: () => scenes.fit(),
  again: () => scenes.again(),
})

/** A plane that a body is dragged along: the ground's, or, seen nearly from the side, that of the screen. */
function planeOfDrag(): Vec3 {
  const { forward } = basisOf(desk.view)
  const up = upOf(desk.view)
  return Math.abs(dot(forward, up)) > LEAST_SLOPE ? up : forward
}

followPointers(stage.element, desk, {
  handles: () => stage.handles(),
  dragging,
  bodyAt: (_, place) => (isFirstPerson(desk.view) ? null : (pointed(place)?.id ?? null)),
  holdBody(body, place) {
    const grip = pointed(place)?.at ?? inSpace(positionOf(body))
    const normal = planeOfDrag()
    const offset = minus(positionOf(body), grip)
    return (to, event) => {
      const line = sightThrough(desk.view, to)
      const on = event.shiftKey ? onAxis(line, grip, upOf(desk.view)) : (onPlane(line, grip, normal) ?? grip)
      return inSpace(plus(on, offset))
    }
  },
  holdHandle({ at, along, within }, place) {
    const on = (to: Vec2): Vec3 => {
      const line = sightThrough(desk.view, to)
      if (along) return onAxis(line, at, along)
      return (within ? onPlane(line, at, within) : null) ?? atDepthOf(desk.view, to, at)
    }
    // where the hand has taken hold beside the middle, that stays
    const offset = minus(at, on(place))
    return (to) => inSpace(plus(on(to), offset))
  },
  drift: (by, event) =>
    desk.look(event.shiftKey || (event.buttons & 4) !== 0 ? panned(desk.view, by) : orbited(desk.view, by)),
  pinch(by, factor, at) {
    desk.look(zoomed(panned(desk.view, by), factor, pointed(at)?.at ?? atDepthOf(desk.view, at, desk.view.target)))
  },
  zoom(factor, at) {
    desk.look(zoomed(desk.view, factor, pointed(at)?.at ?? atDepthOf(desk.view, at, desk.view.target)))
  },
  step: () => stepOf(desk.view),
  takesAllButtons: true,
  snapsToBodies: snapping.isOn,
  settle: (sketch, id, snap) => (snap && snapping.isOn() ? snapping.settled(sketch, id) : settled(sketch)),
})
stage.element.addEventListener('contextmenu', (event) => event.preventDefault())

/** On the screen, along axes of the world: right, and up or ahead. */
function inWorld(way: Vec): Vec3 {
  const { right, above } = basisOf(desk.view)
  return inSpace(plus(times(nearestAxis(right), way.x), times(nearestAxis(above), way.y)))
}

/** Along the ground. */
const overGround = (way: Vec): Vec3 =>
  inSpace(plus(times(basisOf(desk.view).right, way.x), times(aheadOf(desk.view), way.y)))

/** Views along an axis: from the front, from the right, from above. */
const SIDES: Record<string, Pick<Camera, 'yaw' | 'pitch'>> = {
  1: { yaw: 0, pitch: 0 },
  2: { yaw: Math.PI / 2, pitch: 0 },
  3: { yaw: 0, pitch: -Math.PI / 2 + 1e-3 },
}

function focus(): boolean {
  const body = bodyOf(desk.sketch, desk.sketch.selected)
  const box = body === undefined ? null : boxOf(body)
  if (box !== null) desk.look(fitted(desk.view, box))
  return true
}

followKeys(desk, {
  handles: () => stage.handles(),
  fit: () => scenes.fit(),
  fall: walking.fall,
  step: (way, fine) => times(inWorld(way), stepOf(desk.view) / (fine ? 10 : 1)),
  walk: (way) => walking.walk(overGround(way)),
  pan: ({ x, y }) => desk.look(orbited(desk.view, { x: x * PAN, y: -y * PAN })),
  zoom: (factor) => desk.look(zoomed(desk.view, factor, desk.view.target)),
  turn: (angle) => times(nearestAxis(inSpace(times(basisOf(desk.view).forward, -1))), angle),
  other(event) {
    if (firstPerson.key(event)) return true
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return false
    const side = SIDES[key]
    if (side !== undefined) desk.look({ ...desk.view, ...side })
    return side !== undefined || (key === 'f' && focus())
  },
})

const yUp = byId('y-up')
yUp.addEventListener('click', () => desk.look({ ...desk.view, up: desk.view.up === 'y' ? 'z' : 'y' }))
const showUp = () => setPressed('y-up', desk.view.up === 'y')
desk.onChange(showUp)
showUp()
setText(byId('cursor'), '')
followTree(desk, (boxes) => stage.setTree(boxes))
addEventListener('hashchange', () => {
  if (sharedHere() !== null) location.reload()
})

if (shared?.sketch.scene) void scenes.open(shared.sketch.scene, shared.sketch)
else if (shared === null) outlook.fit(null)
stage.redraw()
