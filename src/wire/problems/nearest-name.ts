// Suggests what a misspelt name was meant to be: the known name at the least edit distance
// (V. I. Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", 1966).

/** The known name nearest to `name`, or undefined when none is near: a third of its letters may differ. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const allowed = Math.max(1, Math.floor(candidate.length / 3))
    if (Math.abs(candidate.length - name.length) > allowed) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= allowed && distance < least) {
      nearest = candidate
      least = distance
    }
  }
  return nearest
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      current[j] = Math.min(substitution, previous[j] + 1, current[j - 1] + 1)
    }
    previous = current
  }
  return previous[b.length]
}
