// Small changes to a source file, each of which a test should notice: found in its syntax tree, applied to its text, either in place or
// behind a switch, so that one text holds many of them.

import ts from 'typescript'

/** One change: what stands from `start` to `end` is replaced. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The whole expression or statement in which the change lies. */
  readonly around: {
    readonly start: number
    readonly end: number
    readonly kind: 'expression' | 'whole expression' | 'statement'
  }
  /** Whether it takes effect when its module is loaded. */
  readonly isOutsideFunctions: boolean
  readonly line: number
  /** For people: what kind of change it is, and both texts. */
  readonly description: string
}

const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
  [ts.SyntaxKind.AsteriskEqualsToken, '/='],
])

/** Comparisons are also turned round, which is another fault than to be wrong where both sides are equal. */
const NEGATED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
])

/** Every change that can be made to a file, in the order of the text. */
export function mutationsOf(path: string, text: string): Mutation[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  const add = (kind: string, node: ts.Node, replacement: string, around = node) => {
    const start = node.getStart(source)
    const place = { start: around.getStart(source), end: around.end }
    const short = (part: string) => part.replaceAll(/\s+/g, ' ').slice(0, 60)
    const description = `${kind}: ${short(node.getText(source))} → ${short(replacement) || 'nothing'}`
    const { line } = source.getLineAndCharacterOfPosition(start)
    const role = ts.isExpressionStatement(around)
      ? 'statement'
      : ts.isExpressionStatement(around.parent)
        ? 'whole expression'
        : 'expression'
    const isOutsideFunctions = ts.findAncestor(node, ts.isFunctionLike) === undefined
    found.push({
      start,
      end: node.end,
      replacement,
      around: { ...place, kind: role },
      isOutsideFunctions,
      line: line + 1,
      description,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const { operatorToken: token } = node
      const isText = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      )
      const other = OPERATORS.get(token.kind)
      if (other !== undefined && !isText) add('operator', token, other, node)
      const negated = NEGATED.get(token.kind)
      if (negated !== undefined) add('comparison', token, negated, node)
    } else if (ts.isNumericLiteral(node) && !isName(node)) {
      add('constant', node, node.text === '0' ? '1' : node.text === '1' ? '2' : `(${node.getText(source)} + 1)`)
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) add('constant', node, 'false')
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add('constant', node, 'true')
    else if (ts.isPrefixUnaryExpression(node) && isDroppable(node)) {
      add('operator', node, node.operand.getText(source))
    } else if (ts.isConditionalExpression(node)) {
      const [yes, no] = [node.whenTrue.getText(source), node.whenFalse.getText(source)]
      add('branches', node, `${node.condition.getText(source)} ? ${no} : ${yes}`)
    } else if (ts.isIfStatement(node)) add('condition', node.expression, `!(${node.expression.getText(source)})`)
    else if (ts.isExpressionStatement(node) && node.parent !== source) add('statement', node, ';')
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Of a property: `{ 0: … }`. */
function isName(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node
}

function isDroppable({ operator, operand }: ts.PrefixUnaryExpression): boolean {
  if (operator === ts.SyntaxKind.ExclamationToken) return true
  return operator === ts.SyntaxKind.MinusToken && !ts.isNumericLiteral(operand)
}

export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** A text with all of these, each where its number is switched on; null if two of them lie within each other. */
export function switchable(text: string, mutations: readonly (Mutation & { number: number })[]): string | null {
  const sorted = [...mutations].sort((a, b) => b.around.start - a.around.start)
  let result = text
  let before = text.length
  for (const { start, end, replacement, around, number } of sorted) {
    if (around.end > before) return null
    before = around.start
    const original = text.slice(around.start, around.end)
    const changed = text.slice(around.start, start) + replacement + text.slice(end, around.end)
    const isOn = `$mutant(${number})`
    // no statement may begin with a bracket, which would call what stands before it; nor be an `if` that takes the `else` of another
    const either = `(${isOn} ? (${changed}) : (${original}))`
    const made =
      around.kind === 'statement'
        ? `{ if (!${isOn}) { ${original} } }`
        : around.kind === 'whole expression'
          ? `void ${either}`
          : either
    result = result.slice(0, around.start) + made + result.slice(around.end)
  }
  const shebang = /^#!.*\n/.exec(result)?.[0] ?? ''
  return `${shebang}// @ts-nocheck\n${SWITCH}\n${result.slice(shebang.length)}`
}

/** Defines `$mutant`. The environment says which is on, or where to write which are reached, and in which test. */
const SWITCH = `globalThis.$mutant ??= (() => {
  const { env = {} } = globalThis.process ?? {}
  const { TANGENT_MUTANT: on, TANGENT_MUTANTS_REACHED: report } = env
  if (report === undefined) return (number) => number === Number(on ?? -1)
  const { appendFileSync } = process.getBuiltinModule('node:fs')
  const seen = new Set()
  const note = (number) => {
    if (!seen.has(number)) appendFileSync(report, \`\${env.TANGENT_MUTANTS_TEST} \${number}\\n\`)
    seen.add(number)
    return false
  }
  return Object.assign(note, { seen })
})()`
