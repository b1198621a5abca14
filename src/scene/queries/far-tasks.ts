/**
 * Questions that another thread is asked, answered from what it is told: no scene is needed for that.
 *
 * Bodies are prepared anew, unless it is the same ones as just before: a body with many points is mostly asked about again and
 * again, each time with another one.
 */

import type { FarTask } from '../../containers/far-call.ts'
import { createEntry, type Entry, firstEntry } from '../../core2d/impact/entry.ts'
import { createTimeOfImpact, type TimeOfImpact } from '../../core2d/impact/impact.ts'
import { timeOfImpact } from '../../core2d/impact/time-of-impact.ts'
import { trajectory } from '../../core2d/impact/trajectory.ts'
import { bodiesMeet } from '../../core2d/pair-queries/bodies-meet.ts'
import { contact } from '../../core2d/pair-queries/contact.ts'
import { type Contact, createContact } from '../../core2d/pair-queries/contact-record.ts'
import { createDistance, type Distance, distance } from '../../core2d/pair-queries/distance.ts'
import { type Relation, relate } from '../../core2d/pair-queries/overlap.ts'
import { rayCast } from '../../core2d/ray/ray-cast.ts'
import { createRayHit } from '../../core2d/ray/ray-hit.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import { unionOf } from '../../core2d/shape/union.ts'
import type { PrepareTask } from '../state/dear-body.ts'
import { type FarBody, prepareFar } from '../state/far-body.ts'
import { type EscapeTask, prepareUnion } from '../state/far-union.ts'
import type { Prepare } from '../table/body-table.ts'
import { isSameText, textLength } from '../table/shape-text.ts'
import type { EntryTask, ImpactTask, PairTask, RayResult, RayTask } from './narrowing.ts'
import { type PackedTrajectory, packTrajectory, type TrajectoryTask } from './trajectory.ts'

/** Every kind of task that queries of scenes put to another thread. */
export type SceneTask = PairTask | ImpactTask | EntryTask | RayTask | EscapeTask | TrajectoryTask | PrepareTask

const KINDS: Readonly<Record<SceneTask['kind'], true>> = {
  relate: true,
  meet: true,
  contact: true,
  distance: true,
  impact: true,
  entry: true,
  ray: true,
  escape: true,
  trajectory: true,
  prepare: true,
}

export function isSceneTask(task: FarTask): task is SceneTask {
  return task.kind in KINDS
}

/** The result, as it would have come out where the task came from, to the last bit. */
export function answerSceneTask(prepare: Prepare, task: SceneTask): unknown {
  switch (task.kind) {
    case 'impact':
      return impactOf(prepare, task)
    case 'entry':
      return entryOf(prepare, task)
    case 'ray':
      return rayHitOf(prepare, task)
    case 'escape':
      return contactOf(unionOf(prepareUnion(prepare, task.union)), prepared(prepare, task.body))
    case 'trajectory':
      return pathOf(prepare, task)
    case 'prepare':
      return freshBody(prepare, task.body)
    default:
      return pairOf(prepare, task)
  }
}

function pairOf(prepare: Prepare, { kind, a, b }: PairTask): Relation | boolean | Contact | Distance {
  const first = prepared(prepare, a)
  const second = prepared(prepare, b)
  switch (kind) {
    case 'relate':
      return relate(first, second)
    case 'meet':
      return bodiesMeet(first, second)
    case 'contact':
      return contactOf(first, second)
    case 'distance': {
      const out = createDistance()
      distance(first, second, out)
      return out
    }
  }
}

function contactOf(a: Body, b: Body): Contact {
  const out = createContact()
  contact(a, b, 0, out)
  return out
}

function impactOf(prepare: Prepare, { a, motionA, b, motionB, duration, ignoreSeparating }: ImpactTask): TimeOfImpact {
  const out = createTimeOfImpact()
  timeOfImpact(prepared(prepare, a), motionA, prepared(prepare, b), motionB, duration, ignoreSeparating, out)
  return out
}

function entryOf(prepare: Prepare, { union, body, motion, isHeld, isStrict }: EntryTask): Entry {
  const out = createEntry()
  const a = unionOf(prepareUnion(prepare, union))
  firstEntry({ a, b: prepared(prepare, body), motion, duration: 1, isHeld, isStrict }, out)
  return out
}

function rayHitOf(prepare: Prepare, { ray, body, startInside }: RayTask): RayResult {
  const out = createRayHit()
  return rayCast(ray, prepared(prepare, body), startInside, out) ? out : null
}

function pathOf(prepare: Prepare, task: TrajectoryTask): PackedTrajectory {
  const { motion, motions, duration, restitution, maxBounces } = task
  // not a kept one: it is moved
  const body = freshBody(prepare, task.body)
  const obstacles = prepareUnion(prepare, task.obstacles).map((obstacle, k) => ({ body: obstacle, motion: motions[k] }))
  const path = trajectory(body, motion, obstacles, duration, restitution, maxBounces)
  return packTrajectory(path, body)
}

/** A body of its own, which can be given away. */
function freshBody(prepare: Prepare, told: FarBody): Body {
  const body = createBody()
  prepareFar(prepare, told, body)
  return body
}

/** Most bodies that are kept, and characters of their shapes together. */
const MOST_KEPT = 16
const MOST_LENGTH = 2 ** 22

interface Kept {
  told: FarBody
  body: Body
}

/** The latest ones, those asked for last at the end. */
const kept: Kept[] = []
let keptLength = 0

function prepared(prepare: Prepare, told: FarBody): Body {
  const index = kept.findIndex((each) => isSame(each.told, told))
  if (index >= 0) {
    const [found] = kept.splice(index, 1)
    kept.push(found)
    return found.body
  }
  const body = freshBody(prepare, told)
  kept.push({ told, body })
  keptLength += textLength(told.shape.form)
  // the two that are asked about stay, whatever they weigh
  while (kept.length > 2 && (kept.length > MOST_KEPT || keptLength > MOST_LENGTH)) {
    keptLength -= textLength((kept.shift() as Kept).told.shape.form)
  }
  return body
}

/** Lets go of the bodies that are kept. */
export function forgetPrepared(): void {
  kept.length = 0
  keptLength = 0
}

function isSame(a: FarBody, b: FarBody): boolean {
  const isSamePose = Object.is(a.x, b.x) && Object.is(a.y, b.y) && Object.is(a.rotation, b.rotation)
  if (!isSamePose || !Object.is(a.atX, b.atX) || !Object.is(a.atY, b.atY)) return false
  const { numbers } = a.shape
  if (numbers.length !== b.shape.numbers.length || !isSameText(a.shape.form, b.shape.form)) return false
  return numbers.every((number, k) => Object.is(number, b.shape.numbers[k]))
}
