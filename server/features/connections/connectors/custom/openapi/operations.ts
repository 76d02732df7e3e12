import { CUSTOM_CONNECTOR_LIMITS } from '../../../../../../contract/connections/connector-options.ts'
import type { CustomConnectorSettings } from '../../../../../../contract/connections/custom-connectors.ts'
import { schemaProblem, sizeProblem } from '../../../../../language-models/tool-schema-problem.ts'
import { addBody, addParameter, createInputs } from './inputs.ts'
import { isObject, type Json } from './read-document.ts'
import { createSource, OperationProblem, resolve, type Source, toPlainLine } from './resolve.ts'

type Tool = CustomConnectorSettings['tools'][number]

export interface Operation {
  /** Method and path. */
  id: string
  name: string
  summary: string
  problem: string | null
  tool: Tool | null
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const OPERATIONS_MAX = 2000
const NAME_CHARACTERS = 32

export function listOperations(root: Json): Operation[] {
  const taken = new Set<string>()
  const source = createSource(root)
  const entries = Object.entries(root.paths as Json).flatMap(([path, value]) => {
    const item = isObject(value) ? value : {}
    return METHODS.filter((method) => isObject(item[method])).map((method) => ({ path, item, method }))
  })
  return entries.slice(0, OPERATIONS_MAX).map(({ path, item, method }) => {
    const operation = item[method] as Json
    const name = freeName(operation.operationId, method, path, taken)
    const summary = toPlainLine(operation.summary, 300) || toPlainLine(operation.description, 300)
    const id = `${method.toUpperCase()} ${path}`.slice(0, 1100)
    try {
      const tool = toolOf(source, { path, item, method, operation, name, summary })
      return { id, name, summary, problem: null, tool }
    } catch (error) {
      if (!(error instanceof OperationProblem)) throw error
      return { id, name, summary, problem: error.message, tool: null }
    }
  })
}

interface FoundOperation {
  path: string
  item: Json
  method: (typeof METHODS)[number]
  operation: Json
  name: string
  summary: string
}

function toolOf(source: Source, { path, item, method, operation, name, summary }: FoundOperation): Tool {
  if (!/^\/(?!\/)[^?#\\\s]{0,900}$/.test(path)) throw new OperationProblem('Its path is not valid')
  const builder = createInputs(method.toUpperCase() as Tool['request']['method'], path)
  for (const parameter of parametersOf(source, item, operation)) addParameter(source, parameter, builder)
  addBody(source, operation.requestBody, builder)
  const { properties, required, request } = builder.inputs
  const input = { type: 'object', properties, ...(required.length > 0 && { required }) }
  const problem = sizeProblem(input) ?? schemaProblem(input)
  if (problem) throw new OperationProblem(problem)
  if (Buffer.byteLength(JSON.stringify(input)) > CUSTOM_CONNECTOR_LIMITS.schemaBytes)
    throw new OperationProblem(`Its input is larger than ${CUSTOM_CONNECTOR_LIMITS.schemaBytes / 1024} KB`)
  const unfilled = [...request.path.matchAll(/\{([^}]*)\}/g)].find(
    ([, each]) => !Object.hasOwn(properties, each!),
  )
  if (unfilled)
    throw new OperationProblem(`Its path has ${unfilled[0].slice(0, 100)}, which is not a parameter`)
  const details = toPlainLine(operation.description, CUSTOM_CONNECTOR_LIMITS.description - 310)
  const description = [summary, details === summary ? '' : details].filter(Boolean).join('. ') || name
  return { name, description, input, request }
}

/** The operation's parameters replace its path's. */
function parametersOf(source: Source, item: Json, operation: Json): unknown[] {
  const own = Array.isArray(operation.parameters) ? operation.parameters : []
  const shared = Array.isArray(item.parameters) ? item.parameters : []
  const keyOf = (value: unknown) => {
    const { name, in: where } = resolve(source, value)
    return JSON.stringify([where, name])
  }
  const replaced = new Set(own.map(keyOf))
  return [...shared.filter((each) => !replaced.has(keyOf(each))), ...own]
}

function freeName(id: unknown, method: string, path: string, taken: Set<string>): string {
  const text = typeof id === 'string' && /[A-Za-z]/.test(id) ? id : `${method} ${path}`
  const snake = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
  const base = snake.slice(0, NAME_CHARACTERS).replace(/_+$/, '') || method
  let name = base
  for (let number = 2; taken.has(name); number++)
    name = `${base.slice(0, NAME_CHARACTERS - String(number).length - 1)}_${number}`
  taken.add(name)
  return name
}
