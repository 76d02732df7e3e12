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
