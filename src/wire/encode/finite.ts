// A tripwire on the way out: a number that is not finite has no place in JSON, and JSON.stringify would write null
// for it. Reaching this is a fault of the service, answered as such.

export function finite(value: number): number {
  if (value - value !== 0) throw new RangeError(`An answer holds the non-finite number ${value}`)
  return value
}
