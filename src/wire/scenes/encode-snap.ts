// A motion that snaps a body → wire.

import type { SnapFeature, SnapCandidate as WireCandidate } from '../../../schemas/scenes/snap.ts'
import { NO_FEATURE } from '../../core2d/feature.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { isEdge, type SnapCandidate } from '../../scene/placing/snap-candidates.ts'
import type { SnapEdge, SnapPoint } from '../../scene/placing/snap-features.ts'
import { bodyAt, idAt, type View } from '../../scene/state/view.ts'
import { encodeFeature } from '../encode/encode-feature.ts'
import { encodeVec2 } from '../encode/encode-vec2.ts'

const GRID: SnapFeature = { kind: 'grid', index: 0 }

/** `body`: where it stands. */
export function encodeSnap(view: View, candidate: SnapCandidate, body: Body): WireCandidate {
  const { x, y, turn, own, target, slot } = candidate
  const translation = encodeVec2(x - body.x, y - body.y)
  return {
    translation,
    rotation: turn,
    position: encodeVec2(x, y),
    distance: Math.hypot(translation.x, translation.y),
    feature: encodeSnapFeature(own, body),
    id: slot < 0 ? null : idAt(view, slot),
    target: target === null ? GRID : encodeSnapFeature(target, bodyAt(view, slot)),
  }
}

function encodeSnapFeature(feature: SnapPoint | SnapEdge, body: Body): SnapFeature {
  if (!isEdge(feature) && feature.kind === 'center') return { kind: 'center', index: 0 }
  if (!isEdge(feature) && feature.kind === 'corner') return { kind: 'corner', index: feature.feature }
  if (feature.feature === NO_FEATURE) return { kind: 'surface', index: 0 }
  const encoded = encodeFeature(feature.feature, body, feature.part) ?? { kind: 'surface', index: 0 }
  return !isEdge(feature) && feature.kind === 'midpoint' ? { ...encoded, kind: 'midpoint' } : encoded
}
