// Tangent in Tiled: checks the open map against a running service, selects what it finds, and drops or snaps the selected objects.
//
// Copy this file into the folder of extensions (Edit > Preferences > Plugins > Open). The menu Map then has three actions. Each writes the map
// as it is now into a file beside it, which is sent with its tilesets and templates and deleted again; the map need not be saved.
// Custom properties of the map: tangent_url (the service; the variable TANGENT_URL, or http://127.0.0.1:3000 when absent), tangent_rules (a
// file with rules of lint, relative to the map), and tangent_solid (which tiles are solid: layer:<name> or property:<name>, with commas). Needs Tiled 1.8 and curl, which all desktop systems have. The engine of Tiled knows
// JavaScript as it was in 2016.

/* global tiled, File, FileInfo, Process, TextFile, TileMap */

const USUAL_RULES = [
  { rule: 'duplicate' },
  { rule: 'overlap', filter: { tags: { any: ['kind:object'] } } },
  { rule: 'nearly-touching' },
]
const DOWN = { x: 0, y: 1 }
const TIMEOUT_MS = 120000

/** What the user can do something about: a sentence. */
class Refused extends Error {}

function curl(args, input) {
  const process = new Process()
  try {
    if (!process.start('curl', args)) throw new Refused('curl does not start: install it, and put it on the path.')
    if (input !== undefined) process.write(input)
    process.closeWriteChannel()
    if (!process.waitForFinished(TIMEOUT_MS)) throw new Refused('The service does not answer in time.')
    if (process.exitCode !== 0)
      throw new Refused(`${process.readStdErr().trim()}. Start the service, or give its address.`)
    return process.readStdOut()
  } finally {
    process.close()
  }
}

function environment(name) {
  const process = new Process()
  const value = process.getEnv(name)
  process.close()
  return value
}

const lettersOf = (name) => name.replace(/[^A-Za-z0-9._:-]/g, '_')

/** The open map as a scene of the service. */
class Level {
  constructor(map) {
    this.map = map
    this.url = map.property('tangent_url') || environment('TANGENT_URL') || 'http://127.0.0.1:3000'
    this.path = `/v1/2d/scenes/${lettersOf(FileInfo.fileName(map.fileName))}`
    this.objects = new Map()
    this.ids = new Map()
    for (const layer of layersOf(map)) {
      if (!layer.isObjectLayer) continue
      for (const object of layer.objects) {
        const id = `${lettersOf(layer.name)}:${object.id}`
        this.objects.set(id, object)
        this.ids.set(object.id, id)
      }
    }
  }

  ask(method, path, body, form = []) {
    const token = environment('TANGENT_TOKEN')
    const args = ['-sS', '-X', method, '-w', '\n%{http_code}']
    if (token) args.push('-H', `authorization: Bearer ${token}`)
    if (body !== undefined) args.push('-H', 'content-type: application/json', '--data-binary', '@-')
    const text = curl([...args, ...form, this.url + path], body === undefined ? undefined : JSON.stringify(body))
    const end = text.lastIndexOf('\n')
    const status = Number(text.slice(end + 1))
    let answer
    try {
      answer = JSON.parse(text.slice(0, end))
    } catch (_) {
      throw new Refused(`${this.url} is no Tangent service: it answers ${status}.`)
    }
    if (status >= 400) throw new Refused(`${method} ${path}: ${answer.detail}`)
    return answer
  }

  /** Sends the map as it is now. */
  send() {
    const { fileName } = this.map
    const folder = FileInfo.path(fileName)
    const copy = `${folder}/.tangent-${FileInfo.baseName(fileName)}.tmx`
    const format = tiled.mapFormat('tmx')
    const fault = format.write(this.map, copy)
    if (fault) throw new Refused(`The map cannot be written beside itself: ${fault}`)
    try {
      const form = ['-F', `file=@"${copy}";filename="${FileInfo.fileName(fileName)}"`]
      for (const file of filesIn(copy, folder)) form.push('-F', `file=@"${file}"`)
      this.ask('PUT', this.path, { ttl: 3600 })
      const solid = String(this.map.property('tangent_solid') || '')
        .split(',')
        .filter((each) => each.trim() !== '')
      const query = ['format=tiled', ...solid.map((each) => `solid=${encodeURIComponent(each.trim())}`)].join('&')
      return this.ask('POST', `${this.path}/import?${query}`, undefined, form)
    } finally {
      File.remove(copy)
    }
  }

  query(name, question) {
    return this.ask('POST', `${this.path}/${name}`, question)
  }

  /** Puts the body and its object to the position that an answer has. */
  moveTo(id, position) {
    const { body } = this.ask('GET', `${this.path}/bodies/${id}`)
    const before = body.position || { x: 0, y: 0 }
    this.ask('PATCH', `${this.path}/bodies/${id}`, { position })
    const object = this.objects.get(id)
    object.x += position.x - before.x
    object.y += position.y - before.y
  }

  /** Objects of isometric maps have a frame of their own, in which an answer would move them elsewhere. */
  selected() {
    if (this.map.orientation === TileMap.Isometric)
      throw new Refused('Objects of isometric maps can be checked, but not moved.')
    const ids = this.map.selectedObjects.map((object) => this.ids.get(object.id)).filter((id) => id !== undefined)
    if (ids.length === 0) throw new Refused('No object is selected: select what is to be moved.')
    return ids
  }
}

function* layersOf(group) {
  for (const layer of group.layers) {
    if (layer.isGroupLayer) yield* layersOf(layer)
    else yield layer
  }
}

/** Tilesets and templates that the written map names, as far as they are there. */
function filesIn(copy, folder) {
  const file = new TextFile(copy, TextFile.ReadOnly)
  const text = file.readAll()
  file.close()
  const named = new Set()
  const reference = /<(?:tileset|object)\b[^>]*?\b(?:source|template)="([^"]+)"/g
  for (let found = reference.exec(text); found !== null; found = reference.exec(text)) {
    const name = found[1]
    const path = FileInfo.isAbsolutePath(name) ? name : `${folder}/${name}`
    if (File.exists(path)) named.add(path)
  }
  return named
}

function rulesOf(map) {
  const name = map.property('tangent_rules')
  if (!name) return { rules: USUAL_RULES, down: DOWN }
  const given = String(name.url || name).replace(/^file:\/\//, '')
  const path = FileInfo.isAbsolutePath(given) ? given : `${FileInfo.path(map.fileName)}/${given}`
  if (!File.exists(path)) throw new Refused(`The map names rules that are not there: ${path}`)
  const file = new TextFile(path, TextFile.ReadOnly)
  const text = file.readAll()
  file.close()
  try {
    const rules = JSON.parse(text)
    return Object.assign({ down: DOWN }, Array.isArray(rules) ? { rules } : rules)
  } catch (error) {
    throw new Refused(`${path} is not JSON: ${error.message}`)
  }
}

// Actions.

function action(id, text, run) {
  tiled.registerAction(id, () => {
    const map = tiled.activeAsset
    try {
      if (map === null || !map.isTileMap) throw new Refused('No map is open.')
      if (!map.fileName) throw new Refused('The map has no file yet: save it once.')
      const level = new Level(map)
      const report = level.send()
      for (const { where, why } of report.repaired) tiled.log(`${where}: ${why}`)
      run(level, map)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      tiled.error(`Tangent: ${error.message}`)
    }
  }).text = text
}

action('TangentCheck', 'Tangent: Check', (level, map) => {
  const { findings, counts } = level.query('lint', Object.assign(rulesOf(map), { fixes: false }))
  const all = new Set()
  for (const { bodies, severity, message, point } of findings) {
    const objects = bodies.map((id) => level.objects.get(id)).filter((object) => object !== undefined)
    for (const object of objects) all.add(object)
    const say = severity === 'error' ? tiled.error : tiled.warn
    // a double click on the issue shows it
    say(`Tangent: ${message}`, () => {
      map.selectedObjects = objects
      if (point !== null) tiled.mapEditor.currentMapView.centerOn(point.x, point.y)
    })
  }
  map.selectedObjects = [...all]
  tiled.log(`Tangent: ${counts.error} errors, ${counts.warning} warnings, ${counts.info} infos`)
})

action('TangentDrop', 'Tangent: Drop Selection', (level, map) => {
  const lowest = (id) => -level.objects.get(id).y
  const ids = level.selected().sort((a, b) => lowest(a) - lowest(b))
  map.macro('Drop', () => {
    for (const id of ids) {
      const way = level.query('separate', { bodyId: id })
      if (way.bodies.length > 0 && way.separated) level.moveTo(id, way.position)
      const answer = level.query('drop', { bodyId: id, direction: DOWN })
      if (answer.status === 'landed') level.moveTo(id, answer.position)
      else
        tiled.warn(
          `Tangent: ${id} ${answer.status === 'nothing-below' ? 'has nothing below it' : 'stands in something'}`,
        )
    }
  })
})

action('TangentSnap', 'Tangent: Snap Selection', (level, map) => {
  const reach = Math.max(map.tileWidth, map.tileHeight) / 2
  map.macro('Snap', () => {
    for (const id of level.selected()) {
      const [nearest] = level.query('snap', { bodyId: id, maxDistance: reach, limit: 1 }).candidates
      if (nearest === undefined) tiled.warn(`Tangent: ${id} has nothing to snap to within ${reach} pixels`)
      else level.moveTo(id, nearest.position)
    }
  })
})

tiled.extendMenu('Map', [
  { separator: true },
  { action: 'TangentCheck' },
  { action: 'TangentDrop' },
  { action: 'TangentSnap' },
])
