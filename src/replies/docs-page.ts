// What the page at /docs does beside what Swagger UI does: pictures are shown as pictures, and an example scene can be made, to which
// the parameters of all operations about scenes lead. The script is text, because it runs in the browser as it is written here.
//
// Each window names a scene of its own, so that nobody meets what others have done to theirs; nothing is made before it is asked for.

import { exampleBodies } from '../../schemas/scenes/scene.ts'

/** Seconds that an example scene is kept after it was last used. */
const EXAMPLE_TTL = 3600
const EXAMPLE_BODY = 'crate'

const OPERATIONS = [{ op: 'clear' }, ...exampleBodies.map((body) => ({ op: 'put', body }))]

export const DOCS_STYLE = `.swagger-ui .info .link{display:none}
.swagger-ui .tangent-scene{margin:0 0 1.5rem;padding:.75rem 1rem;border:1px solid #c8ccd0;border-radius:6px;background:#fff;color:#1c2126}
.tangent-scene button{margin-right:.75rem;padding:.4rem .9rem;border:1px solid #0b57a4;border-radius:4px;background:#0b57a4;color:#fff;font:inherit;cursor:pointer}
.tangent-picture{display:block;max-width:100%;background:#fff;border:1px solid #c8ccd0;border-radius:4px}
.tangent-source{margin-top:.5rem}
`

export const DOCS_SCRIPT = `'use strict'
{
  const KEY = 'tangent-example-scene'
  let sceneId = sessionStorage.getItem(KEY)
  if (sceneId === null) {
    sceneId = 'docs-' + Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(16).padStart(2, '0')).join('')
    sessionStorage.setItem(KEY, sceneId)
  }
  const EXAMPLES = { sceneId, bodyId: ${JSON.stringify(EXAMPLE_BODY)} }
  const OPERATIONS = ${JSON.stringify(OPERATIONS)}

  async function send(system, method, path, body) {
    const token = system.authSelectors.authorized().toJS().token
    const headers = { 'content-type': 'application/json' }
    if (token !== undefined) headers.authorization = 'Bearer ' + token.value
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.detail)
    return answer
  }

  async function makeScene(system) {
    const path = '/v1/2d/scenes/' + sceneId
    await send(system, 'PUT', path, { name: 'Example of /docs', ttl: ${EXAMPLE_TTL} })
    return send(system, 'POST', path + '/operations', { operations: OPERATIONS })
  }

  const pictures = () => ({
    wrapComponents: {
      responseBody: (Original, { React }) => (props) => {
        if (!/^image\\/svg\\+xml/.test(props.contentType) || typeof props.content !== 'string') return React.createElement(Original, props)
        const source = 'data:image/svg+xml,' + encodeURIComponent(props.content)
        return React.createElement('div', null,
          React.createElement('img', { className: 'tangent-picture', alt: 'The picture that was answered', src: source }),
          React.createElement('details', { className: 'tangent-source' },
            React.createElement('summary', null, 'As text'),
            React.createElement(Original, { ...props, contentType: 'text/plain' })))
      },
    },
  })

  const exampleScene = () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (update) => (document) => update(withExamples(document)),
        },
      },
    },
    wrapComponents: {
      InfoContainer: (Original, system) => (props) => system.React.createElement(system.React.Fragment, null,
        system.React.createElement(Original, props),
        system.React.createElement(ExampleScene, { system })),
    },
  })

  function ExampleScene({ system }) {
    const { React } = system
    const [state, setState] = React.useState('Operations about scenes need one: this makes ' + sceneId + ', with ' + (OPERATIONS.length - 1) + ' bodies, which is kept for an hour after its last use.')
    const make = async () => {
      setState('…')
      try {
        const { version } = await makeScene(system)
        setState('The scene ' + sceneId + ' is there, at version ' + version + '. The examples below are about it.')
      } catch (error) {
        setState('The scene could not be made: ' + error.message)
      }
    }
    return React.createElement('div', { className: 'wrapper' },
      React.createElement('div', { className: 'tangent-scene' },
        React.createElement('button', { type: 'button', onClick: make }, 'Make the example scene'),
        React.createElement('span', { role: 'status' }, state)))
  }

  function withExamples(document) {
    for (const methods of Object.values(document.paths ?? {})) {
      for (const { parameters = [] } of Object.values(methods)) {
        for (const parameter of parameters) {
          if (parameter.in === 'path' && parameter.name in EXAMPLES) parameter.example = EXAMPLES[parameter.name]
        }
      }
    }
    return document
  }

  const Bundle = window.SwaggerUIBundle
  window.SwaggerUIBundle = Object.assign(
    (config) => Bundle({ ...config, plugins: [...config.plugins, pictures, exampleScene] }),
    Bundle,
  )
}
`
