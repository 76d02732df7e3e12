import { parseSync } from 'vite'

type ParseResult = ReturnType<typeof parseSync>

/** A node of the syntax tree of a module. */
export interface Node {
  type: string
  start: number
  end: number
  [property: string]: unknown
}

let last: { file: string; code: string; tree: Node } | undefined

/** The words and the locales of a module are found one after the other: the second search uses the same tree. */
export function parseModule(file: string, code: string): Node {
  if (last?.file === file && last.code === code) return last.tree
  const parsed = parseSync(file, code)
  throwIfInvalid(file, parsed)
  const tree = parsed.program as unknown as Node
  last = { file, code, tree }
  return tree
}

/** Throws if the code is not valid. It does not read the tree, which takes most of the time of `parseModule`. */
export const checkSyntax = (file: string, code: string): void => throwIfInvalid(file, parseSync(file, code))

function throwIfInvalid(file: string, { errors }: Pick<ParseResult, 'errors'>): void {
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The nodes directly below a node, each with the name of its property. */
export function* childrenOf(node: Node): Generator<[child: Node, property: string]> {
  for (const [property, value] of Object.entries(node)) {
    if (isNode(value)) yield [value, property]
    else if (Array.isArray(value)) for (const entry of value) if (isNode(entry)) yield [entry, property]
  }
}

const ATTRIBUTES =
  /^(className|\w*Class|to|from|type|id|role|keys?|href|src|htmlFor|form|tone|variant|size|kind|side|align|d|viewBox|fill|stroke|transform|autoComplete|inputMode|enterKeyHint|rel|target|method|accept|pattern|style|lang|dir|points|preserveAspectRatio|command|data-.*|aria-(current|live|haspopup|controls|labelledby|describedby|sort|orientation|autocomplete|activedescendant|relevant))$/
const PROPERTIES =
  /^(className|\w*Class|to|from|type|id|keys?|href|path|url|method|kind|accept|d|code|font\w*|\w*[cC]olou?r|transition|animation|headers|content-type|authorization|group|headerName)$/i
const FUNCTIONS =
  /^(cn|clsx|\w*[cC]lass(es|Name)?|querySelector(All)?|closest|matches|addEventListener|removeEventListener|getElementById|setAttribute|getAttribute|removeAttribute|createElement|createElementNS|setProperty|getPropertyValue|matchMedia|getItem|setItem|removeItem|startsWith|endsWith|includes|indexOf|split|replace|replaceAll|test|has|get|set|delete|describe|regex|literal|meta|createRoute|useSearch|useParams|useMatch|invalidateQueries|debug|execCommand|dispatchEvent|Event|CustomEvent|KeyboardEvent|postMessage|RegExp|URL|import|require)$/

/** Whether strings below a node are never shown: names, classes, types, comparisons. */
export function isTechnical(parent: Node, property: string): boolean {
  switch (parent.type) {
    case 'JSXAttribute':
      return property === 'value' && ATTRIBUTES.test(nameOf(parent.name as Node))
    case 'Property':
      if (property === 'key') return !parent.computed
      return (parent.value as Node).type !== 'ObjectExpression' && PROPERTIES.test(nameOf(parent.key as Node))
    case 'CallExpression':
    case 'NewExpression':
      return property === 'arguments' && FUNCTIONS.test(nameOf(parent.callee as Node))
    case 'BinaryExpression':
      return /^[!=]==?$|^in$/.test(parent.operator as string)
    case 'MemberExpression':
      return property === 'property'
    case 'VariableDeclarator':
      return /^(?:[A-Z_]+_)?(CLASS(ES)?|STYLES?|KEYS?)$|Class$/.test(nameOf(parent.id as Node))
    case 'SwitchCase':
      return property === 'test'
    case 'TaggedTemplateExpression':
      return !/^(textWithNames|withNames)$/.test(nameOf(parent.tag as Node))
    default:
      return (
        /^(Import|Export(All|Named)|TS(Type|Literal|Interface|Enum|Module|Union))/.test(parent.type) &&
        property !== 'declaration'
      )
  }
}

export function nameOf(node: Node): string {
  if (node.type === 'MemberExpression') return nameOf(node.property as Node)
  if (node.type === 'JSXNamespacedName')
    return `${nameOf(node.namespace as Node)}:${nameOf(node.name as Node)}`
  return typeof node.name === 'string' ? node.name : typeof node.value === 'string' ? node.value : ''
}

/** Whether strings below a node are parts of a sentence that is put together elsewhere, even single words. */
export function isPartOfSentence(parent: Node, property: string): boolean {
  switch (parent.type) {
    case 'JSXAttribute':
      return property === 'value' && /^(what|noun)$/.test(nameOf(parent.name as Node))
    case 'CallExpression':
      return property === 'arguments' && /^(optional|countNoun)$/.test(nameOf(parent.callee as Node))
    case 'VariableDeclarator':
      return property === 'init' && /(WORDS|NOUNS|VERBS)$/.test(nameOf(parent.id as Node))
    default:
      return false
  }
}
