// How far POST /v1/2d/scenes/{sceneId}/import is, where that is asked for.

import { Type } from '@sinclair/typebox'
import { index, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'

export const IMPORT_STAGES = ['reading', 'merging', 'checking', 'comparing', 'writing'] as const
export type ImportStage = (typeof IMPORT_STAGES)[number]

export const ImportProgress = Type.Object(
  {
    stage: word(
      IMPORT_STAGES,
      'reading: what the file has; merging: its cells are joined; checking: its bodies; comparing: them with the scene; writing: what is new.',
    ),
    bodies: index('Bodies found so far.'),
    cells: index('Solid cells found so far.'),
    checked: index('Bodies checked so far.'),
  },
  named('ImportProgress', 'How far the import is.'),
)

export const SceneImportProgress = Type.Object(
  { progress: reference(ImportProgress, 'How far it is.') },
  named('SceneImportProgress', 'A line of an import that is answered as lines, but the last.', [
    { progress: { stage: 'checking', bodies: 2000, cells: 41000, checked: 512 } },
  ]),
)
