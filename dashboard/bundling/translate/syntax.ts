import { parseSync } from 'vite'

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

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export function* childNodes(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value
    else if (Array.isArray(value)) yield* value.filter(isNode)
  }
}

export const identifierName = ({ name }: Node): string => (typeof name === 'string' ? name : '')
