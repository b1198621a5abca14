/**
 * Requests whose numbers have been made hostile: below the normal doubles, at the ends of the range, zeros of either sign, units in
 * the last place apart, or all of them scaled by one power of two.
 */
import { nextAfter } from '../support/families/next-after.ts'

const HOSTILE = [
  '0',
  '-0.0',
  '5e-324',
  '-5e-324',
  '1e-323',
  '2.2e-308',
  '2.2250738585072009e-308',
  '2.2250738585072014e-308',
  '1e-315',
  '-1e-310',
  '1e-200',
  '1e-160',
  '9.999e-161',
  '1e-100',
  '0.1',
  '0.30000000000000004',
  '1',
  '0.9999999999999999',
  '1.0000000000000002',
  '3.141592653589793',
  '1e9',
  '9007199254740993',
  '1e50',
  '1e99',
  '1e100',
  '-1e100',
  '1.0000000000000002e100',
  '1e160',
  '1e308',
  '1.7976931348623157e308',
  '-1.7976931348623157e308',
]

/** Exponents of two. */
const SCALES = [-1074, -1070, -1060, -1040, -1022, -1000, -600, -300, -40, 40, 160, 300, 325, 332]

interface Change {
  /** Of the numbers of a request, those that are changed, by their place. */
  takes(place: number): boolean
  /** `pick`: the same for all numbers of a request. */
  to(numbers: readonly number[], place: number, pick: number): string
}

const changes: readonly Change[] = [
  { takes: (place) => place % 5 === 0, to: (_numbers, place, pick) => HOSTILE[(pick + 13 * place) % HOSTILE.length] },
  {
    takes: (place) => place % 3 === 0,
    to: (numbers, place, pick) => asText(nextAfter(numbers[(place + pick) % numbers.length], ((pick + place) % 7) - 3)),
  },
  { takes: () => true, to: (_numbers, place, pick) => HOSTILE[(pick + 7 * (place % 3)) % HOSTILE.length] },
  { takes: () => true, to: (numbers, place, pick) => asText(scaled(numbers[place], SCALES[pick % SCALES.length])) },
]

/** In two steps, because 2^-1074 has no reciprocal. */
function scaled(x: number, exponent: number): number {
  const half = Math.trunc(exponent / 2)
  return x * 2 ** half * 2 ** (exponent - half)
}

function asText(x: number): string {
  if (!Number.isFinite(x)) return '1e308'
  return Object.is(x, -0) ? '-0.0' : String(x)
}

/**
 * Numbers after a colon, a bracket or a comma; what stands in strings is not touched but where it looks like that. Lists of indices are
 * found whole, and stay: with others there is hardly a mesh.
 */
const NUMBER = /"triangles":\[[^\]]*\]|(?<=[:[,])-?\d[\d.eE+-]*(?=[,\]}])/g

/** The text of a request with other numbers; which ones and how they are changed is told by `pick`, a whole number from 0. */
export function withHostileNumbers(text: string, pick: number): string {
  const { takes, to } = changes[pick % changes.length]
  const shift = Math.floor(pick / changes.length)
  const numbers = [...text.matchAll(NUMBER)].filter(([found]) => found[0] !== '"').map(([found]) => Number(found))
  let place = 0
  return text.replace(NUMBER, (found) => {
    if (found[0] === '"') return found
    const own = place++
    return takes(own + shift) ? to(numbers, own, shift) : found
  })
}
