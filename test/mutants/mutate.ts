// Small changes to a source file, each of which a test should notice: found in its syntax tree, applied to its text.

import ts from 'typescript'

/** One change: what stands from `start` to `end` is replaced. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly replacement: string
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
  const add = (kind: string, node: ts.Node, replacement: string) => {
    const start = node.getStart(source)
    const short = (part: string) => part.replaceAll(/\s+/g, ' ').slice(0, 60)
    const description = `${kind}: ${short(node.getText(source))} → ${short(replacement) || 'nothing'}`
    const { line } = source.getLineAndCharacterOfPosition(start)
    found.push({ start, end: node.end, replacement, line: line + 1, description })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const { operatorToken: token } = node
      const isText = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      )
      const other = OPERATORS.get(token.kind)
      if (other !== undefined && !isText) add('operator', token, other)
      const negated = NEGATED.get(token.kind)
      if (negated !== undefined) add('comparison', token, negated)
    } else if (ts.isNumericLiteral(node)) {
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

function isDroppable({ operator, operand }: ts.PrefixUnaryExpression): boolean {
  if (operator === ts.SyntaxKind.ExclamationToken) return true
  return operator === ts.SyntaxKind.MinusToken && !ts.isNumericLiteral(operand)
}

export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}
