// Keeps what is exported from being written to by whoever imports it, and names in the core from meaning two things.

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Floors of geometry, state and text: there nothing is exported that can be written to. */
const STRICT = /^src\/(containers|numeric|core2d|json|scene)\//

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => posix.join('src', name))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => parse(path, readFileSync(join(root, path), 'utf8')))

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
}

/** Variables that modules export, under whatever name: in their declaration, or in a list. */
function exportedVariables(source: ts.SourceFile): { variable: ts.VariableDeclaration; isConst: boolean }[] {
  const listed = new Set(
    source.statements
      .filter(ts.isExportDeclaration)
      .flatMap(({ exportClause }) =>
        exportClause && ts.isNamedExports(exportClause) ? [...exportClause.elements] : [],
      )
      .map(({ name, propertyName }) => (propertyName ?? name).text),
  )
  return source.statements.filter(ts.isVariableStatement).flatMap((statement) => {
    const { declarations, flags } = statement.declarationList
    const isConst = (flags & ts.NodeFlags.Const) !== 0
    return declarations
      .filter(({ name }) => isExported(statement) || (ts.isIdentifier(name) && listed.has(name.text)))
      .map((variable) => ({ variable, isConst }))
  })
}

/** Exported variables that whoever imports them can see changed. */
function exportedLets(source: ts.SourceFile): string[] {
  return exportedVariables(source)
    .filter(({ isConst }) => !isConst)
    .map(({ variable }) => `${source.fileName} exports let ${variable.name.getText(source)}`)
}

/** Exported values that whoever imports them can write to. */
function mutableExports(source: ts.SourceFile): string[] {
  return exportedVariables(source)
    .filter(({ variable: { type, initializer } }) => !isFixed(initializer) && !(type && isReadonlyType(type)))
    .map(({ variable }) => `${source.fileName} exports ${variable.name.getText(source)}, which can be written to`)
}

const PRIMITIVES = [
  ts.SyntaxKind.NumberKeyword,
  ts.SyntaxKind.StringKeyword,
  ts.SyntaxKind.BooleanKeyword,
  ts.SyntaxKind.BigIntKeyword,
  ts.SyntaxKind.SymbolKeyword,
  ts.SyntaxKind.LiteralType,
  ts.SyntaxKind.FunctionType,
]

/** Of declared types only those are taken that say by themselves that nothing of theirs is written to. */
function isReadonlyType(type: ts.TypeNode): boolean {
  if (ts.isTypeOperatorNode(type)) return type.operator === ts.SyntaxKind.ReadonlyKeyword
  if (ts.isUnionTypeNode(type)) return type.types.every(isReadonlyType)
  if (!ts.isTypeReferenceNode(type)) return PRIMITIVES.includes(type.kind)
  return ts.isIdentifier(type.typeName) && /^(Readonly(Array|Map|Set)?|ArrayLike)$/.test(type.typeName.text)
}

/** Whether a value has nothing to write to: primitive, a function, or declared `as const`. */
function isFixed(value: ts.Expression | undefined): boolean {
  if (value === undefined) return false
  if (ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value)) return isFixed(value.expression)
  if (ts.isAsExpression(value)) {
    const { type } = value
    const isConst = ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === 'const'
    return isConst || isReadonlyType(type)
  }
  if (ts.isConditionalExpression(value)) return isFixed(value.whenTrue) && isFixed(value.whenFalse)
  // operators make primitives
  if (ts.isBinaryExpression(value) || ts.isPrefixUnaryExpression(value) || ts.isTemplateExpression(value)) return true
  // sums and roots of constants
  if (ts.isCallExpression(value)) return ts.isPropertyAccessExpression(value.expression) && isMath(value.expression)
  if (ts.isPropertyAccessExpression(value)) return isMath(value)
  return ts.isLiteralExpression(value) || ts.isArrowFunction(value) || ts.isFunctionExpression(value)
}

function isMath({ expression }: ts.PropertyAccessExpression): boolean {
  return ts.isIdentifier(expression) && /^(Math|Number)$/.test(expression.text)
}

describe('what is exported', () => {
  it('is never a variable that changes', () => {
    expect(sources.flatMap(exportedLets)).toEqual([])
  })

  it('cannot be written to', () => {
    expect(sources.filter(({ fileName }) => STRICT.test(fileName)).flatMap(mutableExports)).toEqual([])
  })

  it.each([
    'export let count = 0',
    'let count = 0\nexport { count }',
    'let count = 0\nexport { count as total }',
    'export var count = 0',
  ])('fails for %s', (text) => {
    expect(exportedLets(parse('scratch.ts', text))).toEqual(['scratch.ts exports let count'])
  })

  it.each([
    'export const kept = []',
    'export const kept = {}',
    'export const kept = new Float64Array(8)',
    'export const kept: Float64Array = new Float64Array(8)',
    'export const kept = createBody()',
    'export const kept = new Map()',
    'export const kept: Map<string, number> = new Map()',
    'export const kept: number[] = [1]',
    'const kept = { left: 1 }\nexport { kept }',
    'export const kept = [1].map((x) => x)',
    'export const kept = { left: 1 } satisfies Left',
  ])('fails for %s', (text) => {
    expect(mutableExports(parse('scratch.ts', text))).toEqual(['scratch.ts exports kept, which can be written to'])
  })

  it.each([
    'const kept = []',
    'export const MOST = 2 ** 16',
    "export const NAME = 'name' as const",
    'export const AXES = [0, 1] as const',
    'export const NONE: Code = 0',
    'export const counts: readonly number[] = [1, 2]',
    'export const powers: ArrayLike<number> = Float64Array.of(1, 10)',
    'export const nothing: Readonly<Hit> = createHit()',
    'export const rows: ReadonlyMap<string, number> = new Map()',
    'export const negate = (x: number) => -x',
    'export const LIMIT = Math.sqrt(2)',
  ])('passes %s', (text) => {
    expect(mutableExports(parse('scratch.ts', text))).toEqual([])
  })
})

describe('names', () => {
  it('mean one thing in the core', () => {
    const owners = new Map<string, Set<string>>()
    for (const source of sources) {
      if (!/^src\/(containers|numeric|core2d)\//.test(source.fileName)) continue
      for (const name of exportedNames(source)) owners.set(name, (owners.get(name) ?? new Set()).add(source.fileName))
    }
    const twice = [...owners].filter(([, files]) => files.size > 1)
    expect(twice.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([])
  })

  it('are found, whatever is exported', () => {
    const text =
      'export const a = 1\nexport function b() {}\nexport interface C {}\nexport type D = 1\nexport class E {}\nconst f = 1'
    expect(exportedNames(parse('scratch.ts', text))).toEqual(['a', 'b', 'C', 'D', 'E'])
  })
})

function exportedNames(source: ts.SourceFile): string[] {
  return source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(source))
    const { name } = statement as ts.DeclarationStatement
    return name === undefined ? [] : [name.getText(source)]
  })
}
