// The playground: collision questions, answered while you drag. A client of the service's public HTTP API, and of nothing else.

import { followAnswers, settled } from './answers.ts'
import { createDesk } from './desk.ts'
import { createSnapping, followDrags } from './dragging.ts'
import { followBody, followChoices } from './forms.ts'
import { followKeys } from './keyboard.ts'
import { byId, setPressed, setText } from './page-elements.ts'
import { createPlane } from './plane.ts'
import { attributeAt, type Dragging, followPointers } from './pointer.ts'
import { followSaving, ScenePanel } from './scene-panel.ts'
import { followPicture } from './scene-picture.ts'
import { questionOf } from './sketch/all-questions.ts'
import { EXAMPLES, NEW_SHAPES } from './sketch/gallery.ts'
import { bodyHandles, type Handle, movers, velocityHandle } from './sketch/handles.ts'
import { isDrawable } from './sketch/shape-outline.ts'
import { sharedIn } from './sketch/share-link.ts'
import { bodyOf, positionOf } from './sketch/sketch.ts'
import { digits, lengthOf, minus, pair, times, type Vec, type Vec2 } from './sketch/vector.ts'
import { createStage } from './stage.ts'
import { followTags } from './tag-panel.ts'
import { followToolbar } from './toolbar.ts'
import { boundedScale, fromScreen, gridStep, panned, viewOf, zoomed } from './view.ts'
import { createWalking } from './walking.ts'

/** Pixels from a body’s position to one handle at least. */
const ROOM = 24
/** From a body to the handle of its turn, in pixels. */
const TURN_REACH = 64

/** Pixels. */
const SNAP_REACH = 18
const PLACE_REACH = 400
/** That an arrow key pans. */
const PAN = 40

const sharedHere = () => sharedIn(location.hash.slice(1), { dimension: '2d', isDrawable, viewOf })
const shared = sharedHere()
const { width, height } = byId('stage').getBoundingClientRect()
const { x, y, scale, yUp } = shared?.view ?? { x: 0, y: 0, scale: 60, yUp: true }
const desk = createDesk(shared?.sketch ?? EXAMPLES[0]!.sketch, {
  center: { x, y },
  scale: boundedScale(scale),
  yUp,
  width,
  height,
})
const dragging: Dragging = { body: null, snap: false }

function handles(): Handle[] {
  const { sketch, view } = desk
  const question = questionOf(sketch)
  const own = question.handles?.(sketch) ?? []
  const moving = question.moves ? movers(sketch) : []
  return [...reshaping(), ...moving.map((body) => velocityHandle(body, TURN_REACH / view.scale)), ...own]
}

/** Handles of the chosen body; of one that is small on the screen its turn alone, since it could not be taken hold of itself. */
function reshaping(): Handle[] {
  const { sketch, view } = desk
  const body = bodyOf(sketch, sketch.selected)
  // while it is dragged they would lie over what is looked at
  if (body === undefined || dragging.body !== null) return []
  const all = bodyHandles(sketch, body.id, TURN_REACH / view.scale)
  const isLarge = all.some(
    ({ kind, at }) => kind !== 'turn' && lengthOf(minus(at, positionOf(body))) * view.scale > ROOM,
  )
  return isLarge ? all : all.filter(({ kind }) => kind === 'turn')
}

const stage = createStage(desk, handles)
const dragged = () => dragging.body
const plane = createPlane(desk)
const scenes = new ScenePanel(desk, plane, dragged)
const up = (): number => (desk.view.yUp ? 1 : -1)
const walking = createWalking(desk, () => ({ x: 0, y: -up() }))
const snapping = createSnapping(desk, dragging, stage.setGuides, () => ({
  snap: SNAP_REACH / desk.view.scale,
  place: PLACE_REACH / desk.view.scale,
  grid: gridStep(desk.view),
}))
followDrags(desk, dragged, stage.setAlarms)
followAnswers(desk, stage.setMarks).again()
followChoices(desk)
followBody(desk, isDrawable)
followPicture(desk, stage.layers)
followSaving(desk)
stage.setTints(followTags(desk, stage.redraw))
followToolbar(desk, {
  outlook: plane,
  shapes: NEW_SHAPES,
  examples: EXAMPLES,
  openExample: (example) => void scenes.openExample(example),
  fit: () => scenes.fit(),
  again: () => scenes.again(),
})
followPointers(stage.element, desk, {
  handles: stage.handles,
  dragging,
  bodyAt: (event) => attributeAt(event, 'data-body'),
  holdBody(body, place) {
    const grip = minus(fromScreen(desk.view, place), positionOf(body))
    return (to) => minus(fromScreen(desk.view, to), grip)
  },
  holdHandle: () => (to) => fromScreen(desk.view, to),
  drift: (by) => desk.look(panned(desk.view, by)),
  pinch: (by, factor, at) => desk.look(zoomed(panned(desk.view, by), factor, at)),
  zoom: (factor, at) => desk.look(zoomed(desk.view, factor, at)),
  step: () => gridStep(desk.view),
  takesAllButtons: false,
  snapsToBodies: snapping.isOn,
  settle: (sketch, id, snap) => (snap && snapping.isOn() ? snapping.settled(sketch, id) : settled(sketch)),
})
const inWorld = ({ x, y }: Vec) => ({ x, y: y * up() })
followKeys(desk, {
  handles: stage.handles,
  fit: () => scenes.fit(),
  fall: walking.fall,
  step: (way, fine) => times(inWorld(way), gridStep(desk.view) / (fine ? 10 : 1)),
  walk: (way) => walking.walk(inWorld(way)),
  pan: ({ x, y }) => desk.look(panned(desk.view, { x: -x * PAN, y: y * PAN })),
  zoom: (factor) => desk.look(zoomed(desk.view, factor, { x: desk.view.width / 2, y: desk.view.height / 2 })),
  turn: (angle) => angle,
})
byId('y-up').addEventListener('click', () => desk.look({ ...desk.view, yUp: !desk.view.yUp }))
const showUp = () => setPressed('y-up', desk.view.yUp)
desk.onChange(showUp)
showUp()

let pointer: Vec2 | null = null
const tellPlace = () => {
  if (pointer === null) return
  const { left, top } = stage.element.getBoundingClientRect()
  const at = fromScreen(desk.view, { x: pointer.x - left, y: pointer.y - top })
  setText(byId('cursor'), `${pair(at)}, grid ${digits(gridStep(desk.view))}`)
}
stage.element.addEventListener('pointermove', ({ clientX, clientY }) => {
  pointer = { x: clientX, y: clientY }
  tellPlace()
})
desk.onChange(tellPlace)
addEventListener('hashchange', () => {
  if (sharedHere() !== null) location.reload()
})

if (shared?.sketch.scene) void scenes.open(shared.sketch.scene, shared.sketch)
else if (shared === null) plane.fit(null)
stage.redraw()
