// Bodies on a canvas by WebGL 2. All that is drawn alike lies in one buffer, and where each body stands, and its colour, in a texture: a
// frame is a handful of calls, however many bodies there are, and a body that moves writes four texels.

import type { Quaternion, Vec3 } from '../sketch/vector.ts'
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
precision highp sampler2D;
uniform mat4 clip;
uniform sampler2D rows;
uniform bool isLine;
uniform float size;
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 2) in uint body;
out vec3 way;
flat out vec4 colour;
vec3 turned(vec4 q, vec3 p) { return p + 2.0 * cross(q.xyz, cross(q.xyz, p) + q.w * p); }
void main() {
  ivec2 row = ivec2(int(body % 256u) * 4, int(body / 256u));
  vec4 place = texelFetch(rows, row, 0);
  vec4 turn = texelFetch(rows, row + ivec2(1, 0), 0);
  colour = texelFetch(rows, row + ivec2(isLine ? 3 : 2, 0), 0);
  gl_Position = clip * vec4(place.xyz + turned(turn, at * place.w), 1.0);
  gl_PointSize = size;
  way = turned(turn, normal);
}`

const FRAGMENT = `#version 300 es
precision mediump float;
uniform vec3 light;
uniform bool isLine;
in vec3 way;
flat in vec4 colour;
out vec4 pixel;
void main() {
  if (isLine) { pixel = colour; return; }
  float facing = dot(normalize(way), light);
  pixel = vec4(colour.rgb * (0.62 + 0.38 * abs(facing) + 0.06 * facing), colour.a);
}`

const ROW_BODIES = 256
const TEXELS = 4
/** Of a dot, in pixels. */
const DOT = 7
/** x, y, z, the normal in bytes, the body. */
const STRIDE = 20

function compiled(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, text] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
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
  readonly #array: WebGLVertexArrayObject
  readonly #vertices: WebGLBuffer
  readonly #indices: WebGLBuffer
  readonly #texture: WebGLTexture
  #drawn: readonly Drawn[] = []
  #rows = new Float32Array(0)
  #counts = { triangles: 0, edges: 0, points: 0 }

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl
    this.#array = gl.createVertexArray()
    this.#vertices = gl.createBuffer()
    this.#indices = gl.createBuffer()
    this.#texture = gl.createTexture()
    gl.bindVertexArray(this.#array)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertices)
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#indices)
    for (const location of [0, 1, 2]) gl.enableVertexAttribArray(location)
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, STRIDE, 0)
    gl.vertexAttribPointer(1, 3, gl.BYTE, true, STRIDE, 12)
    gl.vertexAttribIPointer(2, 1, gl.UNSIGNED_INT, STRIDE, 16)
    gl.bindTexture(gl.TEXTURE_2D, this.#texture)
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
  }

  /** Shapes are written anew where one is another; of bodies that have moved their rows alone. */
  set(drawn: readonly Drawn[]): void {
    const before = this.#drawn
    if (drawn === before) return
    this.#drawn = drawn
    if (drawn.length !== before.length || drawn.some(({ geometry }, i) => geometry !== before[i]!.geometry)) {
      this.#writeVertices(drawn)
      this.#rows = new Float32Array(Math.ceil(drawn.length / ROW_BODIES) * ROW_BODIES * TEXELS * 4)
      for (const [i, body] of drawn.entries()) this.#fill(body, i)
      this.#writeRows()
      return
    }
    const changed = drawn.flatMap((body, i) => (body === before[i] ? [] : [i]))
    for (const i of changed) this.#fill(drawn[i]!, i)
    if (changed.length > ROW_BODIES) this.#writeRows()
    else for (const i of changed) this.#writeRow(i)
  }

  draw(dots: (isLine: boolean) => void, parts: 'all' | 'lines'): void {
    const gl = this.#gl
    const { triangles, edges, points } = this.#counts
    if (triangles + edges + points === 0) return
    gl.bindVertexArray(this.#array)
    gl.bindTexture(gl.TEXTURE_2D, this.#texture)
    dots(false)
    if (parts === 'all') gl.drawElements(gl.TRIANGLES, triangles, gl.UNSIGNED_INT, 0)
    dots(true)
    gl.drawElements(gl.LINES, edges, gl.UNSIGNED_INT, 4 * triangles)
    gl.drawElements(gl.POINTS, points, gl.UNSIGNED_INT, 4 * (triangles + edges))
  }

  #writeVertices(drawn: readonly Drawn[]): void {
    const sum = (size: (geometry: Geometry) => number) => drawn.reduce((all, { geometry }) => all + size(geometry), 0)
    const count = sum(({ positions }) => positions.length / 3)
    const bytes = new ArrayBuffer(count * STRIDE)
    const [floats, signed, words] = [new Float32Array(bytes), new Int8Array(bytes), new Uint32Array(bytes)]
    const counts = {
      triangles: sum(({ triangles }) => triangles.length),
      edges: sum(({ edges }) => edges.length),
      points: sum(({ points }) => points.length),
    }
    const indices = new Uint32Array(counts.triangles + counts.edges + counts.points)
    const next = { triangles: 0, edges: counts.triangles, points: counts.triangles + counts.edges }
    let first = 0
    for (const [body, { geometry }] of drawn.entries()) {
      const { positions, normals } = geometry
      for (let i = 0; i < positions.length; i += 3) {
        const vertex = first + i / 3
        for (let k = 0; k < 3; k++) {
          floats[5 * vertex + k] = positions[i + k]!
          signed[STRIDE * vertex + 12 + k] = 127 * normals[i + k]!
        }
        words[5 * vertex + 4] = body
      }
      for (const list of ['triangles', 'edges', 'points'] as const)
        for (const index of geometry[list]) indices[next[list]++] = index + first
      first += positions.length / 3
    }
    const gl = this.#gl
    gl.bindVertexArray(this.#array)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertices)
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW)
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW)
    this.#counts = counts
  }

  #fill({ position: p, orientation: q, scale, colour, edges }: Drawn, i: number): void {
    this.#rows.set([p.x, p.y, p.z, scale, q.x, q.y, q.z, q.w, ...colour, ...edges], i * TEXELS * 4)
  }

  #writeRows(): void {
    const gl = this.#gl
    const height = this.#rows.length / (ROW_BODIES * TEXELS * 4)
    gl.bindTexture(gl.TEXTURE_2D, this.#texture)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, ROW_BODIES * TEXELS, height, 0, gl.RGBA, gl.FLOAT, this.#rows)
  }

  #writeRow(i: number): void {
    const gl = this.#gl
    const [x, y] = [(i % ROW_BODIES) * TEXELS, Math.floor(i / ROW_BODIES)]
    const row = this.#rows.subarray(i * TEXELS * 4, (i + 1) * TEXELS * 4)
    gl.bindTexture(gl.TEXTURE_2D, this.#texture)
    gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, TEXELS, 1, gl.RGBA, gl.FLOAT, row)
  }
}

export interface Picture {
  bodies: readonly Drawn[]
  /** Seen through, behind and before bodies. */
  ghosts: readonly Drawn[]
  /** Of which edges alone are drawn. */
  lines: readonly Drawn[]
  clip: Float32Array
  /** Towards the eye, of length 1. */
  light: Vec3
  paper: Colour
  /** Pixels of the canvas. */
  width: number
  height: number
}

export interface Renderer {
  draw(picture: Picture): void
}

/** Null where the browser has no WebGL 2. */
export function createRenderer(canvas: HTMLCanvasElement): Renderer | null {
  // where the processor computes pixels, smooth edges would cost four times as much
  const open = (options: WebGLContextAttributes): WebGL2RenderingContext | null =>
    canvas.getContext('webgl2', { alpha: false, ...options }) as WebGL2RenderingContext | null
  const gl = open({ antialias: true, failIfMajorPerformanceCaveat: true }) ?? open({ antialias: false })
  if (gl === null) return null
  const program = compiled(gl)
  const place = (name: string) => gl.getUniformLocation(program, name)
  const [clip, light, isLine, dot] = [place('clip'), place('light'), place('isLine'), place('size')]
  const [bodies, ghosts, lines] = [new Batch(gl), new Batch(gl), new Batch(gl)]
  const asLines = (flag: boolean) => gl.uniform1i(isLine, Number(flag))
  gl.enable(gl.DEPTH_TEST)
  // edges lie on their sides, and are to be seen
  gl.enable(gl.POLYGON_OFFSET_FILL)
  gl.polygonOffset(1, 1)
  gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE)
  return {
    draw(picture) {
      const { width, height, paper } = picture
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
      bodies.set(picture.bodies)
      ghosts.set(picture.ghosts)
      lines.set(picture.lines)
      gl.viewport(0, 0, width, height)
      gl.clearColor(...(paper as [number, number, number, number]))
      gl.depthMask(true)
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
      gl.useProgram(program)
      gl.uniformMatrix4fv(clip, false, picture.clip)
      gl.uniform3f(light, picture.light.x, picture.light.y, picture.light.z)
      gl.uniform1f(dot, (DOT * width) / Math.max(1, canvas.clientWidth))
      gl.disable(gl.BLEND)
      bodies.draw(asLines, 'all')
      gl.enable(gl.BLEND)
      gl.depthMask(false)
      lines.draw(asLines, 'lines')
      // a ghost that lies on a body is to be seen
      gl.polygonOffset(-1, -4)
      ghosts.draw(asLines, 'all')
      gl.polygonOffset(1, 1)
    },
  }
}
