// Requests of a chosen weight: tables of turning octagons, whose work grows with the number of cells while body and answer stay
// small.

import { exchange } from './exchange.ts'
import { seeded } from './random-body.ts'

/** Cells that a table of turning octagons may have by default. */
const MOST_SIDE = 480
const OCTAGON = Array.from({ length: 8 }, (_, i) => ({
  x: Number(Math.cos((i * Math.PI) / 4).toFixed(6)),
  y: Number(Math.sin((i * Math.PI) / 4).toFixed(6)),
}))

export const TABLE = '/v1/2d/table'

export function turningTable(side: number): Buffer {
  const between = seeded(side)
  const body = () => ({
    shape: { type: 'polygon', vertices: OCTAGON },
    position: { x: Math.round(between(-300, 300)) / 10, y: Math.round(between(-300, 300)) / 10 },
    velocity: { x: Math.round(between(-30, 30)) / 10, y: Math.round(between(-30, 30)) / 10 },
    angularVelocity: Math.round(between(-30, 30)) / 10,
  })
  const list = () => Array.from({ length: side }, body)
  return Buffer.from(JSON.stringify({ a: list(), b: list(), measure: 'time-of-impact', duration: 10 }))
}

export interface Weighed {
  body: Buffer
  /** Alone, from the first byte sent to the last one received; the least of several, because neighbours only ever add to it. */
  milliseconds: number
}

/** The body of a table that takes about so long when it is asked alone. */
export async function tableOf(url: string, milliseconds: number): Promise<Weighed> {
  let side = 32
  for (let step = 0; step < 8; step++) {
    const found = await weigh(url, turningTable(side))
    const ratio = milliseconds / found.milliseconds
    if ((ratio < 1.25 && ratio > 0.8) || (side === MOST_SIDE && ratio > 1)) return found
    side = Math.max(4, Math.min(MOST_SIDE, Math.round(side * Math.sqrt(Math.min(ratio, 16)))))
  }
  return weigh(url, turningTable(side))
}

async function weigh(url: string, body: Buffer): Promise<Weighed> {
  const times: number[] = []
  for (let time = 0; time < 4; time++) {
    const { status, code, milliseconds } = await exchange(
      { method: 'POST', url: url + TABLE, body },
      { milliseconds: 12_000 },
    )
    if (status !== 200) throw new Error(`a table of ${body.length} bytes: ${status} ${code}`)
    if (time > 0) times.push(milliseconds)
  }
  return { body, milliseconds: Math.min(...times) }
}

/** A value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0
}

export const round1 = (value: number) => Number(value.toFixed(1))
