// Makes every question about bodies of scenes count as costly, in tests that mock `scene/queries/thresholds.ts`:
//
//   vi.mock(import('…/thresholds.ts'), async (original) => switchable(await original()))

const costly = { all: false }

export function askElsewhere(all: boolean): void {
  costly.all = all
}

/** The thresholds, which no body and no question stays below after `askElsewhere(true)`. */
export function switchable<Thresholds extends object>(real: Thresholds): Thresholds {
  const getters = Object.entries(real).map(([name, value]) => [
    name,
    { get: () => (costly.all ? -1 : value), enumerable: true },
  ])
  return Object.defineProperties({}, Object.fromEntries(getters)) as Thresholds
}
