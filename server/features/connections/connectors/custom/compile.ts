import { z } from 'zod'
import type { CustomConnectorSettings } from '../../../../../contract/connections/custom-connectors.ts'
import { dictionary } from '../../../../../contract/dictionary.ts'
import { withoutUndefined } from '../../../../endpoint/without-undefined.ts'
import type { Auth } from '../definition/auth.ts'
import type { ConnectorDefinition, ConnectorTool } from '../definition/definition.ts'
import type { RequestTemplate } from '../definition/template.ts'
import type { CustomRow } from './custom-queries.ts'

type CustomTool = CustomConnectorSettings['tools'][number]

const COMPILED_MAX = 500
const compiledDefinitions = new Map<string, ConnectorDefinition>()

/** Versions never change. */
export function compile(orgId: string, row: CustomRow): ConnectorDefinition {
  const key = `${orgId} ${row.slug} ${row.version}`
  const cached = compiledDefinitions.get(key)
  if (cached) return cached
  const definition = definitionOf(row)
  if (compiledDefinitions.size >= COMPILED_MAX) compiledDefinitions.clear()
  compiledDefinitions.set(key, definition)
  return definition
}

function definitionOf({ slug, updatedAt, definition: settings }: CustomRow): ConnectorDefinition {
  const { name, description, category, baseUrl, headers, check, retryAfter, errorFields } = settings
  const docsUrl = settings.docsUrl ?? baseUrl
  return {
    slug,
    name,
    description,
    category,
    docsUrl,
    checkedAt: updatedAt.slice(0, 10),
    auth: authOf(settings.auth, docsUrl),
    baseUrl,
    headers,
    check: check
      ? { request: check.request as RequestTemplate, account: withoutUndefined(check.account) }
      : { request: { method: 'GET', path: '/' }, account: {}, isSkipped: true },
    ...(retryAfter && { retryAfter: { ...retryAfter, header: retryAfter.header.toLowerCase() } }),
    ...(errorFields && { errorFields: withoutUndefined(errorFields) }),
    tools: settings.tools.map(toolOf),
  }
}

function authOf(auth: CustomConnectorSettings['auth'], docsUrl: string): Auth {
  return (auth.type === 'oauth' ? { registerUrl: docsUrl, ...withoutUndefined(auth) } : auth) as Auth
}

/** Other methods are never repeated: their effect is unknown. */
export const toolEffect = (method: RequestTemplate['method']) => (method === 'GET' ? 'read' : 'once')

const riskOf = ({ risk, request: { method } }: CustomTool) =>
  risk ?? (method === 'GET' ? 'none' : method === 'DELETE' ? 'delete' : 'send')

const toolOf = (tool: CustomTool): ConnectorTool => ({
  name: tool.name,
  description: tool.description,
  input: inputOf(tool.input),
  inputSchema: tool.input,
  effect: toolEffect(tool.request.method),
  risk: riskOf(tool),
  request: tool.request as RequestTemplate,
  ...(tool.answer && { answer: withoutUndefined(tool.answer) }),
  ...(tool.pages && { pages: tool.pages as NonNullable<ConnectorTool['pages']> }),
})

interface Schema {
  type?: unknown
  enum?: unknown
  properties?: Record<string, Schema>
  required?: unknown
}

/** The service checks the rest. Patterns aren't run: an imported one could take unbounded time. */
function inputOf({ properties = {}, required }: Schema): z.ZodObject {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return z.strictObject(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const type = typeOf(schema)
        return [name, isRequired(name) ? type : type.optional()]
      }),
    ),
  )
}

function typeOf({ type, enum: values }: Schema): z.ZodType {
  if (Array.isArray(values) && values.length > 0) {
    const message = `must be one of ${values.map(String).join(', ').slice(0, 500)}`
    return z.unknown().refine((value) => values.includes(value), message)
  }
  const types = [type].flat()
  const parsers = types.map((each) => TYPES[String(each)]?.())
  if (parsers.length === 0 || parsers.some((each) => each === undefined)) return z.unknown()
  return parsers.length === 1 ? parsers[0]! : z.union(parsers as z.ZodType[])
}

const TYPES: Record<string, () => z.ZodType> = dictionary({
  string: () => z.string('must be a string'),
  integer: () => z.int('must be a whole number'),
  number: () => z.number('must be a number'),
  boolean: () => z.boolean('must be true or false'),
  array: () => z.array(z.unknown(), 'must be a list'),
  object: () => z.record(z.string(), z.unknown(), 'must be an object'),
  null: () => z.null(),
})
