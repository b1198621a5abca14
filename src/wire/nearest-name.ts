// Suggests the known name that an unknown one was meant to be: one that is spelt almost the same, one that other libraries use for
// the same thing, or one of which it is an abbreviation. Misspellings are told by the edit distance (V. I. Levenshtein, "Binary codes
// capable of correcting deletions, insertions, and reversals", 1966), in which two letters that changed places count as one edit.

/** Longest name that is compared, in characters. */
const LONGEST = 64

/** Names of the same thing elsewhere, lower case and without `-` and `_`; the first that is known is suggested. */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  // shapes
  rect: ['box', 'aabb'],
  rectangle: ['box', 'aabb'],
  square: ['box'],
  cube: ['box'],
  cuboid: ['box'],
  obb: ['box'],
  quad: ['box', 'polygon'],
  ball: ['sphere', 'circle'],
  sphere: ['circle'],
  circle: ['sphere'],
  disc: ['circle', 'cylinder'],
  disk: ['circle', 'cylinder'],
  pill: ['capsule'],
  stadium: ['capsule'],
  oval: ['ellipse', 'ellipsoid'],
  ellipse: ['ellipsoid'],
  ellipsoid: ['ellipse'],
  line: ['segment'],
  edge: ['segment'],
  polyline: ['chain'],
  linestring: ['chain'],
  path: ['chain'],
  plane: ['halfplane', 'halfspace'],
  halfplane: ['halfspace'],
  halfspace: ['halfplane'],
  polygon: ['hull'],
  convex: ['polygon', 'hull'],
  convexhull: ['polygon', 'hull'],
  convexpolygon: ['polygon'],
  convexpolyhedron: ['hull'],
  polyhedron: ['hull'],
  hull: ['polygon'],
  mesh: ['compound', 'hull'],
  trimesh: ['compound', 'hull'],
  trianglemesh: ['compound', 'hull'],
  concave: ['region'],
  concavepolygon: ['region'],
  region: ['compound'],
  triangle: ['polygon'],
  group: ['compound'],
  multi: ['compound'],
  composite: ['compound'],
  tube: ['cylinder'],
  // fields
  pos: ['position'],
  center: ['position'],
  centre: ['position'],
  location: ['position'],
  translation: ['position'],
  angle: ['rotation'],
  theta: ['rotation'],
  orientation: ['rotation'],
  rotation: ['orientation'],
  quaternion: ['orientation'],
  quat: ['orientation'],
  omega: ['angularVelocity'],
  spin: ['angularVelocity'],
  angularspeed: ['angularVelocity'],
  linearvelocity: ['velocity'],
  speed: ['velocity'],
  points: ['vertices'],
  vertices: ['points', 'outer'],
  verts: ['vertices', 'points'],
  pts: ['points', 'vertices'],
  exterior: ['outer'],
  shell: ['outer'],
  interiors: ['holes'],
  shapes: ['children'],
  parts: ['children'],
  start: ['a', 'origin'],
  end: ['b'],
  from: ['origin', 'a'],
  to: ['b', 'direction'],
  p1: ['a'],
  p2: ['b'],
  dir: ['direction'],
  lower: ['min'],
  upper: ['max'],
  radiusx: ['rx'],
  radiusy: ['ry'],
  length: ['height'],
  closed: ['loop'],
  dt: ['duration'],
  time: ['duration'],
  bounce: ['restitution'],
  elasticity: ['restitution'],
  // operations and methods
  raycast: ['ray-cast'],
  linecast: ['ray-cast'],
  castray: ['ray-cast'],
  sweep: ['shape-cast', 'sweep-and-prune'],
  castshape: ['shape-cast'],
  toi: ['time-of-impact'],
  collide: ['overlap'],
  collision: ['overlap'],
  intersect: ['overlap'],
  intersects: ['overlap'],
  penetration: ['contact', 'separation'],
  closest: ['distance', 'nearest'],
  convexdecomposition: ['decompose'],
  triangulate: ['decompose'],
  sap: ['sweep-and-prune'],
  grid: ['spatial-hash'],
  hash: ['spatial-hash'],
  bvh: ['dynamic-tree'],
  tree: ['dynamic-tree'],
  first: ['closest'],
  nearest: ['closest'],
  add: ['put'],
  insert: ['put'],
  create: ['put'],
  update: ['patch', 'put'],
  delete: ['remove'],
  // formats
  tmx: ['tiled'],
  tmj: ['tiled'],
  tsx: ['tiled'],
  tscn: ['godot'],
  quake: ['map'],
  // other names of the same words
  evenoddrule: ['evenodd'],
}

/** The known name that is nearest to `name` in spelling or else in meaning; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined
  return misspelt(name, known) ?? sameMeaning(name, known) ?? abbreviated(name, known)
}

/**
 * The known name at the least distance. A third of its letters may differ, one in a short name, of a single letter only its case;
 * never more than `most`.
 */
export function misspelt(name: string, known: readonly string[], most = LONGEST): string | undefined {
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const allowed = candidate.length === 1 ? 0 : Math.min(most, Math.max(1, Math.floor(candidate.length / 3)))
    if (Math.abs(candidate.length - name.length) > allowed) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= allowed && distance < least) {
      nearest = candidate
      least = distance
    }
  }
  return nearest
}

function sameMeaning(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '')
  const meant = Object.hasOwn(MEANINGS, plain) ? MEANINGS[plain] : []
  return meant.find((candidate) => known.includes(candidate))
}

/** The only known name that has these letters in this order, with the same first one: `w` for width, `angVel` for angularVelocity. */
function abbreviated(name: string, known: readonly string[]): string | undefined {
  const letters = name.toLowerCase().replaceAll(/[-_ ]/g, '')
  if (letters === '') return undefined
  const found = known.filter((candidate) => candidate.length > 1 && isWithin(letters, candidate.toLowerCase()))
  return found.length === 1 ? found[0] : undefined
}

function isWithin(letters: string, word: string): boolean {
  if (letters[0] !== word[0]) return false
  let at = 0
  for (const letter of word) if (letter === letters[at]) at++
  return at === letters.length
}

function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      current[j] = Math.min(substitution, previous[j] + 1, current[j - 1] + 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) current[j] = Math.min(current[j], before[j - 2] + 1)
    }
    before = previous
    previous = current
  }
  return previous[b.length]
}
