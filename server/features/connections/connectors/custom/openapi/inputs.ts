import type { CustomConnectorSettings } from '../../../../../../contract/connections/custom-connectors.ts'
import { RESERVED_NAMES } from '../../definition/template.ts'
import { isObject, type Json } from './read-document.ts'
import { inlineSchema, OperationProblem, resolve, type Source, toPlainLine } from './resolve.ts'

type Request = CustomConnectorSettings['tools'][number]['request']

export interface Inputs {
  properties: Json
  required: string[]
  request: Request
}

/** Uses names templates can refer to. */
export function createInputs(method: Request['method'], path: string) {
  const inputs: Inputs = { properties: {}, required: [], request: { method, path } }
  const add = (original: string, schema: Json, isRequired: boolean): string => {
    const plain = original.replace(/\W+/g, '_').replace(/^[^A-Za-z]+/, '') || 'value'
    let name = RESERVED_NAMES.includes(plain) ? `${plain}_value` : plain.slice(0, 60)
    while (Object.hasOwn(inputs.properties, name)) name = `${name}_2`
    inputs.properties[name] = schema
    if (isRequired) inputs.required.push(name)
    return name
  }
  return { inputs, add }
}

type Add = ReturnType<typeof createInputs>['add']

interface InputBuilder {
  inputs: Inputs
  add: Add
}

/** In a query, a list repeats its name. */
export function addParameter(
  source: Source,
  value: unknown,
  { inputs: { request }, add }: InputBuilder,
): void {
  const parameter = resolve(source, value)
  const { name, in: where } = parameter
  if (typeof name !== 'string') return
  const schema = inlineSchema(source, parameter.schema)
  const isRequired = parameter.required === true || where === 'path'
  const reason = unsupportedReasonOf(parameter, schema)
  if (reason && isRequired) throw new OperationProblem(`Its parameter ${name.slice(0, 100)} ${reason}`)
  // A template can't leave out a header.
  if (reason || (where === 'header' && (!isRequired || OWN_HEADERS.test(name)))) return
  const text = toPlainLine(parameter.description, 300)
  const describedSchema = text === '' ? schema : { ...schema, description: text }
  if (where === 'path') {
    const property = add(name, { ...describedSchema, type: scalarOf(schema) }, true)
    request.path = request.path.replaceAll(`{${name}}`, `{${property}}`)
  } else if (where === 'query')
    request.query = { ...request.query, [name]: { $: add(name, describedSchema, isRequired) } }
  else
    request.headers = {
      ...request.headers,
      [name]: `{${add(name, { ...describedSchema, type: scalarOf(schema) }, true)}}`,
    }
}

const OWN_HEADERS = /^(accept|content-type|authorization)$/i
const SCALARS = ['string', 'integer', 'number', 'boolean']

const scalarOf = ({ type }: Json) => [type].flat().find((each) => SCALARS.includes(String(each))) ?? 'string'

function unsupportedReasonOf(
  { name, in: where, style, explode, schema: declared }: Json,
  schema: Json,
): string | null {
  if (declared === undefined) return 'has no schema'
  const types = [schema.type].flat()
  if (where === 'path')
    return style === undefined || style === 'simple' ? null : `has the style ${JSON.stringify(style)}`
  if (where === 'header') return /^[A-Za-z0-9-]{1,64}$/.test(String(name)) ? null : 'is not a valid header'
  if (where !== 'query') return 'is a cookie'
  if (types.includes('object')) return 'is an object in the query'
  const isRepeated = explode !== false && (style === undefined || style === 'form')
  return types.includes('array') && !isRepeated ? 'is a list that does not repeat its name' : null
}

/** Other JSON becomes one field. */
export function addBody(source: Source, value: unknown, { inputs, add }: InputBuilder): void {
  if (value === undefined) return
  const body = resolve(source, value)
  const content = isObject(body.content) ? body.content : {}
  const jsonType = Object.keys(content).find((each) => /^application\/([\w.+-]+\+)?json\b/.test(each))
  const form = 'application/x-www-form-urlencoded'
  const contentType = jsonType ?? (content[form] === undefined ? undefined : form)
  const isRequired = body.required === true
  if (contentType === undefined) {
    if (!isRequired) return
    throw new OperationProblem(
      `Its body is ${Object.keys(content).join(' or ').slice(0, 100) || 'of no known type'}`,
    )
  }
  if (inputs.request.method === 'GET') throw new OperationProblem('It is a GET with a body')
  const media = content[contentType]
  const schema = inlineSchema(source, isObject(media) ? media.schema : {})
  if (jsonType !== undefined && jsonType !== 'application/json')
    inputs.request.headers = { ...inputs.request.headers, 'content-type': jsonType }
  const properties = isObject(schema.properties) ? schema.properties : null
  if (properties === null || Object.keys(properties).length === 0) {
    if (contentType === form) throw new OperationProblem('Its form has no fields')
    inputs.request.json = { $: add('body', schema, isRequired) }
    return
  }
  const required = Array.isArray(schema.required) && isRequired ? schema.required : []
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [
      name,
      { $: add(name, each as Json, required.includes(name)) },
    ]),
  )
  if (contentType === form) inputs.request.form = fields
  else inputs.request.json = fields
}
