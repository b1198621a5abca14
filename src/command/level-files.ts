// A level as it lies on a disk: its file, and those that it refers to. References are found by their endings, whatever the format says of
// them: what the service does not need, it does not look at. Nothing outside of the root is read, also not by way of a link.

import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { decodedText, type SourceFile } from '../import/source-files.ts'
import { Refused } from './terminal.ts'

/** Files of one level: more are not taken in one request. */
const MOST_FILES = 256
/** Places that are looked at for files of one level. */
const MOST_PLACES = 2 ** 14
/** Longest reference, in characters. */
const LONGEST = 1024
/** Maps, tilesets and templates of Tiled; levels of LDtk; scenes, resources and models of Godot; buffers of glTF. */
const ENDINGS = 'tmx|tmj|tsx|tsj|tx|tj|json|ldtkl|tscn|tres|glb|gltf|bin|glbin'
const REFERENCES = [`"([^"\\n]{1,${LONGEST}}\\.(?:${ENDINGS}))"`, `'([^'\\n]{1,${LONGEST}}\\.(?:${ENDINGS}))'`]
/** Files that may be maps of a world which names them by a pattern. */
const MAP = /\.(tmx|tmj|json)$/i

export interface LevelFiles {
  /** The first is the level. */
  readonly files: readonly SourceFile[]
  /** Where they lie, in the same order. */
  readonly paths: readonly string[]
  /** What the level refers to and lies outside of the root. */
  readonly outside: readonly string[]
}

/** `root`: the folder outside of which nothing is read; that of the file when absent. */
export async function readLevelFiles(path: string, root = dirname(path)): Promise<LevelFiles> {
  const real = await realpath(root).catch(() => {
    throw new Refused(`There is no folder ${root}: name one with --root.`)
  })
  const around = {
    main: path,
    root: real,
    mainFile: await realFile(path),
    seen: new Map<string, Promise<string | null>>(),
  }
  const paths = [path]
  const files: SourceFile[] = []
  const outside = new Set<string>()
  for (let k = 0; k < paths.length; k++) {
    const file = await readNamed(paths[k])
    files.push(file)
    const text = decodedText(file.name, file.bytes)
    const named = k === 0 && /"patterns"/.test(text) ? await mapsBeside(path) : []
    for (const name of [...referencesIn(text), ...named]) {
      const found = await placeOf(name, paths[k], around)
      if (found === null || paths.includes(found.path)) continue
      if (!found.isInside) outside.add(found.path)
      else if (paths.length < MOST_FILES) paths.push(found.path)
    }
  }
  return { files, paths, outside: [...outside] }
}

async function readNamed(path: string): Promise<SourceFile> {
  try {
    return { name: basename(path), bytes: await readFile(path) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Refused(`There is no file ${path}: check the path.`)
    if (code === 'EISDIR')
      throw new Refused(`${path} is a folder: name the files in it, such as ${join(path, '*.ldtk')}.`)
    throw new Refused(`${path} cannot be read (${code}): check who may read it.`)
  }
}

async function mapsBeside(path: string): Promise<string[]> {
  const names = await readdir(dirname(path))
  return names.filter((name) => MAP.test(name)).sort()
}

/** What stands between quotes and ends as a file that levels refer to. */
function referencesIn(text: string): Set<string> {
  return new Set(REFERENCES.flatMap((form) => [...text.matchAll(new RegExp(form, 'gi'))].map(([, name]) => name)))
}

interface Around {
  /** The path of the level, and its file where no link leads on. */
  readonly main: string
  readonly mainFile: string | null
  readonly root: string
  /** Files by the paths that have been looked at. */
  readonly seen: Map<string, Promise<string | null>>
}

/** The file that a path leads to by links, if it is one. */
async function realFile(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null)
  return real !== null && (await stat(real)).isFile() ? real : null
}

function fileAt(path: string, { seen }: Around): Promise<string | null> {
  const known = seen.get(path)
  if (known !== undefined) return known
  if (seen.size === MOST_PLACES) throw new Refused(`The level names more than ${MOST_PLACES} files.`)
  const found = realFile(path)
  seen.set(path, found)
  return found
}

/**
 * Where the file lies that a reference in `from` names: as it says, or beside the level, as the folders of an author are not always those
 * here.
 */
async function placeOf(
  name: string,
  from: string,
  around: Around,
): Promise<{ path: string; isInside: boolean } | null> {
  const { main, mainFile, root } = around
  let outside: string | null = null
  for (const form of formsOf(name)) {
    const stated = form.startsWith('res://') ? join(root, form.slice('res://'.length)) : resolve(dirname(from), form)
    for (const path of [stated, join(dirname(main), basename(form))]) {
      const real = await fileAt(path, around)
      if (real === null || real === mainFile) continue
      if (!relative(root, real).startsWith('..')) return { path, isInside: true }
      outside ??= path
    }
  }
  return outside === null ? null : { path: outside, isInside: false }
}

/** A reference as it stands there, and as its format may mean it: JSON and XML write some letters otherwise, and URIs many. */
function formsOf(name: string): Set<string> {
  const plain = name.replaceAll('\\/', '/').replaceAll('\\', '/')
  const forms = [plain, plain.replaceAll('&apos;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')]
  if (/%[0-9a-f]{2}/i.test(plain)) forms.push(decodedUri(plain))
  return new Set(forms)
}

function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
