// tangent render: a level, or a scene of a server, as a picture.

import { SceneRender3dParameters, SceneRenderParameters } from '../../schemas/scenes/export.ts'
import { flagsOfBoth, withScene } from './export.ts'
import { SCENE } from './import.ts'
import { LEVEL_FLAGS, meaningsOf, queryString } from './level.ts'
import { OUTPUT, writeOutput } from './output.ts'
import { accepted } from './service.ts'
import type { Subcommand } from './subcommand.ts'

/** Where editors count y downwards, so do pictures of their levels: that is how they are known. */
const RENDER_FLAGS = flagsOfBoth(SceneRenderParameters, SceneRender3dParameters, ['atLeast'])

export const render: Subcommand = {
  usage: '[FILE] [flags]',
  about:
    'Draws a level as SVG; or, with --url and --scene, a scene of the server. Levels of the plane are drawn with y downwards, as editors show them, unless --y-down false or --y-up says otherwise.',
  example: 'tangent render examples/levels/cellar.ldtk -o cellar.svg --width 400',
  flags: [
    OUTPUT,
    {
      ...SCENE,
      description: 'With --url and without FILE: the scene of the server to draw. --dimension 3 if it is of space.',
    },
    ...RENDER_FLAGS,
    ...LEVEL_FLAGS,
  ],
  run: (asked) =>
    withScene(asked, 'render', async (service, { dimension, path }) => {
      const { values } = asked
      const isUp = values.get('yUp')?.at(-1) === 'true'
      const shown = values.has('yDown') || isUp || dimension === 3 ? values : new Map(values).set('yDown', ['true'])
      const query = queryString({ values: shown }, dimension === 2 ? SceneRenderParameters : SceneRender3dParameters)
      const answer = await service.request('GET', `${path}/render.svg${query}`, {})
      await writeOutput(asked, await accepted(answer, meaningsOf(RENDER_FLAGS)))
    }),
}
