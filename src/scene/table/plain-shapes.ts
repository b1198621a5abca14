/**
 * Values of shapes of which it was found out, when they were accepted, that no region in them touches itself: they are
 * prepared without finding it out again. A value that nobody has any more is forgotten.
 */
const plain = new WeakSet<object>()

export function notePlain(shape: object): void {
  plain.add(shape)
}

export function isNotedPlain(shape: object): boolean {
  return plain.has(shape)
}
