import { type RunTool, toInputSchema } from '../state/run-tool.ts'

/** Tools' inputs as compact TypeScript. */
export const signaturesOf = (tools: ReadonlyMap<string, RunTool>): string =>
  [
    'declare const tools: {',
    ...[...tools.values()]
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(
        ({ name, input, inputSchema = toInputSchema(input) }) =>
          `  ${keyOf(name)}(input: ${typeOf(inputSchema)}): Promise<any>`,
      ),
    '}',
  ].join('\n')

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

const DEPTH_MAX = 4
const NAMES_MAX = 40

function typeOf(schema: Schema | boolean | undefined, depth = 0): string {
  if (typeof schema !== 'object' || depth > DEPTH_MAX) return 'any'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum)
    return schema.enum.length > NAMES_MAX
      ? 'string'
      : schema.enum.map((value) => JSON.stringify(value)).join('|')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map((option) => typeOf(option, depth)))].join('|')
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, depth)).join('|')
  if (schema.type === 'array') return `Array<${typeOf(schema.items, depth + 1)}>`
  if (schema.type === 'object') return objectType(schema, depth)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'any'
}

function objectType({ properties, required = [], additionalProperties }: Schema, depth: number): string {
  const fields = Object.entries(properties ?? {}).map(
    ([name, schema]) => `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)}`,
  )
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  return typeof additionalProperties === 'object'
    ? `Record<string, ${typeOf(additionalProperties, depth + 1)}>`
    : '{}'
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
