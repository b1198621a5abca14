/**
 * Cylinders, cones and ellipsoids → outlines and rims, in closed form.
 *
 * Method: the rim of radius r about an axis a that leans by c = a·w to the viewer w is an ellipse with the half axes r, across a, and
 * r·|c|, along what is seen of a. So the lines that touch both rims of a cylinder touch them at the ends of r; those from the apex of a
 * cone, at h·√(1−c²) from the middle of its base, touch the base where sin θ = r·|c| / (h·√(1−c²)).
 * Frame: that of `view.ts`.
 */
import type { ConeShape3d, CylinderShape3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import { arcPoint, arcSteps, type DrawnArc, type DrawnPart, polyRing } from '../marks/outline.ts'
import { linesOf } from './part-lines.ts'
import { ellipsoidRing, openRing, type Rim, rimArc, wholeRing } from './rims.ts'
import { across, along3d, cross, type Stand, scaled, unit3d } from './stand.ts'
import { dot, seen, type View } from './view.ts'

const TURN = 2 * Math.PI
/** Generators that stand for the slope of a cone that is seen from above or below. */
const GENERATORS = 4

interface Turned {
  /** Unit vector. */
  axis: Vec3
  /** In the plane of the picture, of length r. */
  p: Vec3
  /** Seen along the axis, of length r. */
  q: Vec3
  /** How much the axis leans to the viewer: 1 when it points there. */
  lean: number
}

function turnedAbout(axis: Vec3, radius: number, view: View): Turned {
  const lean = dot(axis, view.toward)
  const p = unit3d(cross(axis, view.toward)) ?? across(axis)
  // q is to be seen on the side of the axis' own end.
  const q = cross(axis, p)
  const side = seen(view, q)
  const own = seen(view, axis)
  const sense = side.x * own.x + side.y * own.y < 0 ? -1 : 1
  return { axis, p: scaled(p, radius), q: scaled(q, sense * radius), lean }
}

export function cylinderParts({ radius, height, axis = 'y' }: CylinderShape3d, stand: Stand, view: View): DrawnPart[] {
  const about = turnedAbout(stand[axis], radius, view)
  const { p, q, lean } = about
  const end = (sign: number): Rim => ({ centre: along3d(stand.at, about.axis, (sign * height) / 2), p, q })
  const [top, bottom] = [end(1), end(-1)]
  // Along the seen axis q leads on, so the far half of each rim is that of θ from 0 to π at the top.
  const upper = rimArc(top, view, 0, Math.PI)
  const lower = rimArc(bottom, view, Math.PI, Math.PI)
  const start = arcPoint(upper, 0)
  const steps = [...arcSteps(upper), { ...arcPoint(lower, 0), arc: null }, ...arcSteps(lower)]
  const outline: DrawnPart = { kind: 'path', filled: true, rings: [{ ...start, steps, closed: true }] }
  const topInner = openRing(rimArc(top, view, Math.PI, Math.PI))
  const bottomInner = openRing(rimArc(bottom, view, 0, Math.PI))
  const [before, behind] = lean > 0 ? [topInner, bottomInner] : [bottomInner, topInner]
  return [outline, ...linesOf([before], 'inner'), ...linesOf([behind], 'hidden')]
}

export function coneParts({ radius, height, axis = 'y' }: ConeShape3d, stand: Stand, view: View): DrawnPart[] {
  const about = turnedAbout(stand[axis], radius, view)
  const { p, q, lean } = about
  const base: Rim = { centre: along3d(stand.at, about.axis, -height / 2), p, q }
  const apex = seen(view, along3d(stand.at, about.axis, height / 2))
  const rise = height * Math.hypot(dot(about.axis, view.right), dot(about.axis, view.up))
  const reach = radius * Math.abs(lean)
  if (rise <= reach) {
    const whole = rimArc(base, view, 0, TURN)
    const slopes = Array.from({ length: GENERATORS }, (_, k) =>
      polyRing([apex, arcPoint(whole, (whole.turn * k) / GENERATORS)], false),
    )
    const outline: DrawnPart = { kind: 'path', filled: true, rings: [wholeRing(base, view)] }
    return [outline, ...linesOf(slopes, lean > 0 ? 'inner' : 'hidden')]
  }
  const touch = Math.asin(reach / rise)
  const near: DrawnArc = rimArc(base, view, touch, Math.PI - 2 * touch)
  const far: DrawnArc = rimArc(base, view, Math.PI - touch, Math.PI + 2 * touch)
  const steps = [{ ...arcPoint(far, 0), arc: null }, ...arcSteps(far)]
  const outline: DrawnPart = { kind: 'path', filled: true, rings: [{ ...apex, steps, closed: true }] }
  return [outline, ...linesOf([openRing(near)], lean < 0 ? 'inner' : 'hidden')]
}

/** With the equator about the local axis y, which shows how it is turned. */
export function ellipsoidParts(radii: Vec3, stand: Stand, view: View): DrawnPart[] {
  const halfAxes = (['x', 'y', 'z'] as const).map((name) => scaled(stand[name], radii[name]))
  const outline: DrawnPart = { kind: 'path', filled: true, rings: [ellipsoidRing(stand.at, halfAxes, view)] }
  if (radii.x === 0 || radii.z === 0) return [outline]
  const equator: Rim = { centre: stand.at, p: halfAxes[0], q: halfAxes[2] }
  const least = Math.min(radii.x, radii.z)
  // Outward normals are those of the unit ball over the radii; what leans to the viewer is seen.
  const facing = Math.atan2(
    dot(stand.z, view.toward) * (least / radii.z),
    dot(stand.x, view.toward) * (least / radii.x),
  )
  const half = (middle: number) => openRing(rimArc(equator, view, middle - Math.PI / 2, Math.PI))
  return [outline, ...linesOf([half(facing)], 'inner'), ...linesOf([half(facing + Math.PI)], 'hidden')]
}
