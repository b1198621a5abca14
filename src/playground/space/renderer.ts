// Bodies on a canvas by WebGL 2. All that is drawn alike lies in one buffer, placed and coloured: a frame is a handful of calls, however
// many bodies there are. What stands still is kept as a picture with its depths, over which the bodies that are dragged are drawn: where
// the processor computes pixels, that costs as little as a few bodies do.

import { type Quaternion, turnedBy, type Vec3 } from '../sketch/vector.ts'
import { Culling, type Sight } from './culling.ts'
import type { Geometry } from './geometry.ts'

export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export interface Drawn {
  geometry: Geometry
  /** Relative to the base of the picture. */
  position: Vec3
  orientation: Quaternion
  scale: number
  colour: Colour
  edges: Colour
}

const VERTEX = `#version 300 es
precision highp float;
uniform mat4 clip;
uniform vec3 light;
uniform bool isLine;
uniform float nearer;
uniform float size;
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 paint;
out vec4 colour;
void main() {
  gl_Position = clip * vec4(at, 1.0);
  gl_Position.z -= nearer;
  gl_PointSize = size;
  float facing = dot(normal, light);
  colour = vec4(paint.rgb * (isLine ? 1.0 : 0.62 + 0.38 * abs(facing) + 0.06 * facing), paint.a);
}`

const FRAGMENT = `#version 300 es
precision mediump float;
in vec4 colour;
out vec4 pixel;
void main() { pixel = colour; }`

/**
 * How much nearer edges are taken to be than their sides, and ghosts than bodies on which they lie, in parts of their distance. The offset
 * that WebGL has for it does not heed the slope of sides where the processor computes pixels, which left edges out.
 */
const NEARER = 1 / 256
/** Of a dot, in pixels. */
const DOT = 7
/** x, y, z; the normal, the colour and that of edges, four bytes each. */
const STRIDE = 24
const WORDS = STRIDE / 4
/** From as many bodies on that have changed, all are written. */
const MANY_CHANGED = 200

function compiled(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)!
    gl.shaderSource(shader, text)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'no program')
  return program
}

/** Bodies that are drawn in one go. */
class Batch {
  readonly #gl: WebGL2RenderingContext
  /** Of the same vertices: with the colours of sides, and with those of edges. */
  readonly #sides: WebGLVertexArrayObject
  readonly #lines: WebGLVertexArrayObject
  readonly #vertices: WebGLBuffer
  readonly #indices: WebGLBuffer
  #drawn: readonly Drawn[] = []
  #counts = { triangles: 0, edges: 0, points: 0 }
  /** Made where less than all is drawn. */
  #culling: Culling | null = null

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl
    this.#vertices = gl.createBuffer()
    this.#indices = gl.createBuffer()
    this.#sides = this.#array(16)
    this.#lines = this.#array(20)
  }

  #array(colours: number): WebGLVertexArrayObject {
    const gl = this.#gl
    const array = gl.createVertexArray()
    gl.bindVertexArray(array)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertices)
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#indices)
    for (const location of [0, 1, 2]) gl.enableVertexAttribArray(location)
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, STRIDE, 0)
    gl.vertexAttribPointer(1, 3, gl.BYTE, true, STRIDE, 12)
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, STRIDE, colours)
    return array
  }

  /** All is written anew where a shape is another; else the bodies that have moved or changed colour. */
  set(drawn: readonly Drawn[]): void {
    const before = this.#drawn
    if (drawn === before) return
    this.#drawn = drawn
    this.#culling = null
    const gl = this.#gl
    const isNew = drawn.length !== before.length || drawn.some(({ geometry }, i) => geometry !== before[i]!.geometry)
    const changed = isNew ? [] : drawn.flatMap((body, i) => (body === before[i] ? [] : [i]))
    if (isNew) this.#writeIndices(drawn)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertices)
    if (isNew || changed.length > MANY_CHANGED) {
      gl.bufferData(gl.ARRAY_BUFFER, verticesOf(drawn), gl.STATIC_DRAW)
      return
    }
    let [first, next] = [0, 0]
    for (const i of changed) {
      while (next < i) first += countOf(drawn[next++]!)
      gl.bufferSubData(gl.ARRAY_BUFFER, first * STRIDE, verticesOf([drawn[i]!]))
    }
  }

  /** Draws no more from now on than is seen so. */
  cull(sight: Sight): void {
    this.#culling ??= new Culling(this.#drawn)
    const { triangles, edges, points } = this.#culling.seen(sight)
    const gl = this.#gl
    gl.bindVertexArray(this.#sides)
    const all = new Uint32Array(triangles.length + edges.length + points.length)
    all.set(triangles)
    all.set(edges, triangles.length)
    all.set(points, triangles.length + edges.length)
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, all, gl.STREAM_DRAW)
    this.#counts = { triangles: triangles.length, edges: edges.length, points: points.length }
  }

  draw(begin: (isLine: boolean) => void, parts: 'all' | 'lines'): void {
    const gl = this.#gl
    const { triangles, edges, points } = this.#counts
    if (triangles + edges + points === 0) return
    if (parts === 'all' && triangles > 0) {
      gl.bindVertexArray(this.#sides)
      begin(false)
      gl.drawElements(gl.TRIANGLES, triangles, gl.UNSIGNED_INT, 0)
    }
    gl.bindVertexArray(this.#lines)
    begin(true)
    gl.drawElements(gl.LINES, edges, gl.UNSIGNED_INT, 4 * triangles)
    gl.drawElements(gl.POINTS, points, gl.UNSIGNED_INT, 4 * (triangles + edges))
  }

  #writeIndices(drawn: readonly Drawn[]): void {
    const sum = (list: 'triangles' | 'edges' | 'points') =>
      drawn.reduce((all, { geometry }) => all + geometry[list].length, 0)
    const counts = { triangles: sum('triangles'), edges: sum('edges'), points: sum('points') }
    const indices = new Uint32Array(counts.triangles + counts.edges + counts.points)
    const next = { triangles: 0, edges: counts.triangles, points: counts.triangles + counts.edges }
    let first = 0
    for (const body of drawn) {
      for (const list of ['triangles', 'edges', 'points'] as const)
        for (const index of body.geometry[list]) indices[next[list]++] = index + first
      first += countOf(body)
    }
    const gl = this.#gl
    gl.bindVertexArray(this.#sides)
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW)
    this.#counts = counts
  }
}

const countOf = ({ geometry }: Drawn): number => geometry.positions.length / 3

/** Four numbers from -1 to 1 as bytes of one word. */
const packed = (x: number, y: number, z: number, w: number, most: number): number =>
  (Math.round(x * most) & 255) |
  ((Math.round(y * most) & 255) << 8) |
  ((Math.round(z * most) & 255) << 16) |
  ((Math.round(w * most) & 255) << 24)

/** As they lie in the buffer, placed and coloured: a processor that draws is slow to look both up in a texture. */
function verticesOf(drawn: readonly Drawn[]): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(WORDS * drawn.reduce((all, body) => all + countOf(body), 0))
  const words = new Int32Array(floats.buffer)
  let at = 0
  for (const { geometry, position, orientation, scale, colour, edges } of drawn) {
    const { positions, normals } = geometry
    const [sides, lines] = [packed(...colour, 255), packed(...edges, 255)]
    const inWorld = (list: readonly number[], k: number) =>
      turnedBy(orientation, { x: list[k]!, y: list[k + 1]!, z: list[k + 2]! })
    for (let k = 0; k < positions.length; k += 3) {
      const p = inWorld(positions, k)
      const n = inWorld(normals, k)
      floats[at] = position.x + scale * p.x
      floats[at + 1] = position.y + scale * p.y
      floats[at + 2] = position.z + scale * p.z
      words[at + 3] = packed(n.x, n.y, n.z, 0, 127)
      words[at + 4] = sides
      words[at + 5] = lines
      at += WORDS
    }
  }
  return floats
}

export interface Picture {
  bodies: readonly Drawn[]
  /** Seen through, behind and before bodies. */
  ghosts: readonly Drawn[]
  /** Of which edges alone are drawn. */
  lines: readonly Drawn[]
  clip: Float32Array
  /** How far from the eye what is seen begins. */
  near: number
  /** Towards the eye, of length 1. */
  light: Vec3
  /** Relative to the base of the picture. */
  eye: Vec3
  paper: Colour
  /** To be seen for a moment alone. */
  isDraft: boolean
  /** Pixels of the canvas. */
  width: number
  height: number
}

/** A colour and a depth a pixel, to be copied. */
class Target {
  readonly #gl: WebGL2RenderingContext
  readonly #colours: WebGLRenderbuffer
  readonly #depths: WebGLRenderbuffer
  readonly #frame: WebGLFramebuffer
  /** Of a pixel, for smooth edges; 0 without. */
  readonly #samples: number
  #size = [0, 0]

  constructor(gl: WebGL2RenderingContext, samples: number) {
    this.#gl = gl
    this.#samples = samples
    this.#frame = gl.createFramebuffer()
    this.#colours = gl.createRenderbuffer()
    this.#depths = gl.createRenderbuffer()
  }

  bind(width: number, height: number): void {
    const gl = this.#gl
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#frame)
    if (this.#size[0] === width && this.#size[1] === height) return
    this.#size = [width, height]
    for (const [buffer, format, place] of [
      [this.#colours, gl.RGBA8, gl.COLOR_ATTACHMENT0],
      [this.#depths, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
    ] as const) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer)
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.#samples, format, width, height)
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer)
    }
  }

  /** What is drawn next goes to `to`; null for the canvas, which takes no depths. */
  copy(to: Target | null): void {
    const gl = this.#gl
    const [width, height] = this.#size as [number, number]
    if (to === null) gl.bindFramebuffer(gl.FRAMEBUFFER, null)
    else to.bind(width, height)
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.#frame)
    const parts = to === null ? gl.COLOR_BUFFER_BIT : gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, parts, gl.NEAREST)
  }
}

const isInPlace = (p: Drawn, q: Drawn): boolean =>
  p.geometry === q.geometry &&
  p.scale === q.scale &&
  (['x', 'y', 'z'] as const).every((axis) => p.position[axis] === q.position[axis]) &&
  (['x', 'y', 'z', 'w'] as const).every((axis) => p.orientation[axis] === q.orientation[axis])

/**
 * Which bodies stand still: they are drawn once, with their depths, and those that move over them, as long as all is seen from the same
 * place. Bodies that change their colours alone are drawn over themselves.
 */
class Stillness {
  #view: readonly unknown[] = []
  #bodies: readonly Drawn[] = []
  #loose = new Set<number>()
  #isKept = false

  /**
   * `still`: to be drawn anew, null where they need not be; `over`: to be drawn over them. Null where all is seen from another place than
   * before: to keep a picture of that would be no use.
   */
  follow({ bodies, clip, width, height, paper }: Picture): { still: readonly Drawn[] | null; over: Drawn[] } | null {
    const view = [bodies.length, width, height, paper, ...clip]
    const before = this.#bodies
    const isSame = view.every((value, i) => value === this.#view[i])
    const changed = isSame && bodies !== before ? bodies.flatMap((body, i) => (body === before[i] ? [] : [i])) : []
    if (!isSame || changed.length > MANY_CHANGED) {
      this.#view = view
      this.#bodies = bodies
      this.#loose.clear()
      this.#isKept = false
      return null
    }
    const moved = changed.filter((i) => !this.#loose.has(i) && !isInPlace(bodies[i]!, before[i]!))
    if (this.#isKept && moved.length === 0)
      return { still: null, over: [...new Set([...this.#loose, ...changed])].map((i) => bodies[i]!) }
    for (const i of moved) this.#loose.add(i)
    this.#bodies = bodies
    this.#isKept = true
    const still = this.#loose.size === 0 ? bodies : bodies.filter((_, i) => !this.#loose.has(i))
    return { still, over: [...this.#loose].map((i) => bodies[i]!) }
  }
}

export interface Renderer {
  /** Whether the processor computes pixels, so that it pays to have fewer of them. */
  readonly isSlow: boolean
  draw(picture: Picture): void
}

/** Null where the browser has no WebGL 2. */
export function createRenderer(canvas: HTMLCanvasElement): Renderer | null {
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: true })
  return gl === null ? null : new CanvasRenderer(gl)
}

/** As drivers call themselves by which the processor computes pixels. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

function isSoftware(gl: WebGL2RenderingContext): boolean {
  const names = gl.getExtension('WEBGL_debug_renderer_info')
  return SOFTWARE.test(String(gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER)))
}

const SAMPLES = 4
/** Of a draft: a processor draws so many in some milliseconds. */
const MOST_DRAFT_EDGES = 10_000

class CanvasRenderer implements Renderer {
  readonly isSlow: boolean
  readonly #gl: WebGL2RenderingContext
  readonly #program: WebGLProgram
  readonly #bodies: Batch
  readonly #over: Batch
  readonly #lines: Batch
  readonly #ghosts: Batch
  readonly #stillness = new Stillness()
  /** Where the processor computes pixels, smooth edges would cost four times as much; elsewhere there is no need to keep a picture. */
  readonly #kept: Target | null
  readonly #smooth: Target | null
  readonly #all: Target
  readonly #places: Record<'clip' | 'light' | 'isLine' | 'nearer' | 'size', WebGLUniformLocation | null>
  /** One step of `NEARER` in depth, as the matrix has it. */
  #step = 0

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl
    const program = compiled(gl, VERTEX, FRAGMENT)
    this.#program = program
    const place = (name: string) => gl.getUniformLocation(program, name)
    this.#places = {
      clip: place('clip'),
      light: place('light'),
      isLine: place('isLine'),
      nearer: place('nearer'),
      size: place('size'),
    }
    ;[this.#bodies, this.#over, this.#lines, this.#ghosts] = [
      new Batch(gl),
      new Batch(gl),
      new Batch(gl),
      new Batch(gl),
    ]
    this.isSlow = isSoftware(gl)
    this.#kept = this.isSlow ? new Target(gl, 0) : null
    this.#smooth = this.isSlow ? null : new Target(gl, SAMPLES)
    this.#all = new Target(gl, 0)
    gl.enable(gl.DEPTH_TEST)
    // what is drawn over itself in another colour is as deep
    gl.depthFunc(gl.LEQUAL)
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE)
  }

  draw(picture: Picture): void {
    const gl = this.#gl
    const { canvas } = gl
    const { width, height } = picture
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
    gl.viewport(0, 0, width, height)
    gl.disable(gl.BLEND)
    gl.depthMask(true)
    const target = this.#drawSolid(picture)
    gl.enable(gl.BLEND)
    gl.depthMask(false)
    this.#lines.set(picture.lines)
    this.#lines.draw((isLine) => this.#begin(isLine), 'lines')
    this.#ghosts.set(picture.ghosts)
    this.#ghosts.draw((isLine) => this.#begin(isLine, 1), 'all')
    // pixels of several samples are copied only to what has the same format, which a canvas need not have
    this.#smooth?.copy(this.#all)
    if (target !== null) this.#all.copy(null)
  }

  /** Draws the bodies, and returns where: null is the canvas itself. */
  #drawSolid(picture: Picture): Target | null {
    const kept = this.#kept
    if (kept === null) {
      this.#drawBodies(this.#smooth, picture.bodies, picture)
      return this.#smooth
    }
    const now = this.#stillness.follow(picture)
    if (now === null) {
      this.#drawBodies(null, picture.bodies, picture)
      return null
    }
    if (now.still !== null) this.#drawBodies(kept, now.still, picture)
    kept.copy(this.#all)
    this.#use(picture)
    this.#over.set(now.over)
    this.#over.draw((isLine) => this.#begin(isLine), 'all')
    return this.#all
  }

  /** `steps`: how much nearer all of it is. */
  #begin(isLine: boolean, steps = 0): void {
    this.#gl.uniform1i(this.#places.isLine, Number(isLine))
    this.#gl.uniform1f(this.#places.nearer, (steps + Number(isLine)) * this.#step)
  }

  #use({ clip, light, near, width }: Picture): void {
    const gl = this.#gl
    // of a depth d the matrix makes d - 2 near, all but for what lies near the far end
    this.#step = 2 * near * NEARER
    gl.useProgram(this.#program)
    gl.uniformMatrix4fv(this.#places.clip, false, clip)
    gl.uniform3f(this.#places.light, light.x, light.y, light.z)
    gl.uniform1f(this.#places.size, (DOT * width) / Math.max(1, (gl.canvas as HTMLCanvasElement).clientWidth))
  }

  /** `target`: null for the canvas itself. */
  #drawBodies(target: Target | null, bodies: readonly Drawn[], picture: Picture): void {
    const gl = this.#gl
    if (target === null) gl.bindFramebuffer(gl.FRAMEBUFFER, null)
    else target.bind(picture.width, picture.height)
    this.#use(picture)
    gl.clearColor(...(picture.paper as [number, number, number, number]))
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    this.#bodies.set(bodies)
    if (this.isSlow) {
      const { eye, clip, isDraft } = picture
      this.#bodies.cull({ eye, clip, mostEdges: isDraft ? MOST_DRAFT_EDGES : Number.POSITIVE_INFINITY })
    }
    this.#bodies.draw((isLine) => this.#begin(isLine), 'all')
  }
}
