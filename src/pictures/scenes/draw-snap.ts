// Snap: the best small motion that brings a body flush with its surroundings, and the others as ghosts.

import type { SnapCandidate } from '../../../schemas/scenes/snap.ts'
import { addKey, counted, quantity, shortName } from '../picture.ts'
import {
  addProbe,
  addReach,
  addTranslation,
  openAtProbe,
  ownInvolved,
  probeBody,
  probeName,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'
import type { Body, Either, Feature, SceneCanvas } from './scene-canvas.ts'

const MOST_GHOSTS = 12
const MOST_WRITTEN = 10

export const snapDrawing: SceneDrawing<'snap'> = {
  *involved(request, { candidates }) {
    // the best one last, so that its role wins
    for (const { id } of candidates.slice(1)) if (id !== null) yield [id, 'touched']
    const [best] = candidates
    if (best !== undefined && best.id !== null) yield [best.id, 'met']
    yield* ownInvolved(request)
  },
  draw(question, open) {
    const { request, answer, tally, bodies } = question
    const { maxDistance, grid } = request
    const { candidates } = answer
    const canvas = openAtProbe(question, open)
    const { picture } = canvas
    const body = probeBody(question)
    const [best, ...others] = candidates
    const name = probeName(request)
    addReach(canvas, { body }, maxDistance)
    const ghosts = Math.min(MOST_GHOSTS, canvas.mostGhosts(body))
    for (const candidate of others.slice(0, ghosts)) canvas.addBody(canvas.snapped(body, candidate), 'target-ghost')
    if (others.length > 0) addKey(picture, 'target-ghost', 'others')
    addProbe(canvas, question, best === undefined ? 'a' : 'a-start')
    const result = best === undefined ? body : canvas.snapped(body, best)
    if (best === undefined) picture.heading = `There is nothing to snap to within ${quantity(maxDistance)}.`
    else {
      canvas.addBody(result, 'result')
      addKey(picture, 'result', 'the nearest')
      const { translation, distance } = best
      const turns = canvas.angleOf(best) !== 0
      if (distance > 0) {
        addTranslation(canvas, turns ? canvas.positionOf(body) : canvas.middleOf(body), translation, distance)
      }
      addFeature(canvas, result, best.feature)
      const target = best.id === null ? null : (bodies.get(best.id)?.body ?? null)
      if (target !== null) addFeature(canvas, target, best.target)
      if (best.id !== null) addKey(picture, 'met', 'what it is brought onto')
      picture.heading = `${name} snaps by ${canvas.vectorText(translation)}${turnText(canvas, best)}.`
      if (tally.candidates.count > 1)
        picture.details.push(`There are ${counted(tally.candidates.count, 'candidate')}, nearest first.`)
    }
    candidates.slice(0, MOST_WRITTEN).forEach((candidate, i) => {
      const { distance, feature, target, id } = candidate
      const onto = id === null ? 'the grid' : `${canvas.snapText(target)} of ${shortName(id)}`
      const turned = turnText(canvas, candidate)
      picture.legend.push(`${i + 1}. ${canvas.snapText(feature)} onto ${onto}, by ${quantity(distance)}${turned}`)
    })
    if (grid !== undefined) {
      const near = (best?.id === null && canvas.featurePlace(result, best.feature)?.[0]) || canvas.middleOf(result)
      if (canvas.addCells(grid, near)) addKey(picture, 'cells', 'grid')
    }
    tellTruncated(picture, answer)
    return canvas
  },
}

function turnText(canvas: SceneCanvas, candidate: Either<SnapCandidate>): string {
  const angle = canvas.angleOf(candidate)
  return angle === 0 ? '' : `, turned by ${quantity(angle)}`
}

function addFeature(canvas: SceneCanvas, body: Body, feature: Feature): void {
  const places = canvas.featurePlace(body, feature)
  if (places === null) return
  if (places.length === 1) canvas.addDot(places[0], 'corner')
  else canvas.addPolyline(places, 'snapped', true)
  addKey(canvas.picture, places.length === 1 ? 'corner' : 'snapped', 'features that meet')
}
