import { parseSync } from 'vite'

/** A node of the syntax tree of a module. */
export interface Node {
  type: string
  start: number
  end: number
  [property: string]: unknown
}

export function parseModule(file: string, code: string): Node {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  return program as unknown as Node
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
