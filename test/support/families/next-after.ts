const view = new DataView(new ArrayBuffer(8))

/** The double `steps` units in the last place above (or below, when negative) x. */
export function nextAfter(x: number, steps: number): number {
  view.setFloat64(0, x === 0 ? 0 : x)
  const bits = view.getBigInt64(0)
  const ordinal = bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits
  const moved = ordinal + BigInt(steps)
  view.setBigInt64(0, moved < 0n ? -moved | -0x8000000000000000n : moved)
  return view.getFloat64(0)
}
