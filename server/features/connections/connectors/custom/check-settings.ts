import { CUSTOM_CONNECTOR_LIMITS } from '../../../../../contract/connections/connector-options.ts'
import type { CustomConnectorSettings } from '../../../../../contract/connections/custom-connectors.ts'
import type { Context } from '../../../../context.ts'
import { badField } from '../../../../errors.ts'
import { schemaProblem, sizeProblem } from '../../../../language-models/tool-schema-problem.ts'
import { RESERVED_NAMES } from '../definition/template.ts'

type Tool = CustomConnectorSettings['tools'][number]

/** Connection headers, which no template may set. */
const REFUSED_HEADERS =
  /^(host|content-length|connection|cookie|te|trailer|transfer-encoding|upgrade|expect|keep-alive|proxy-.*|forwarded|x-forwarded-.*)$/i
const SCALARS = ['string', 'integer', 'number', 'boolean']

/** What the schema can't express. Errors name the field. */
export async function checkSettings(
  { outbound }: Pick<Context<'outbound'>, 'outbound'>,
  settings: CustomConnectorSettings,
): Promise<void> {
  const { baseUrl, auth, tools, headers, check } = settings
  const bytes = Buffer.byteLength(JSON.stringify(settings))
  if (bytes > CUSTOM_CONNECTOR_LIMITS.bytes)
    throw badField('body', `must be at most ${CUSTOM_CONNECTOR_LIMITS.bytes / 1024} KB of JSON`)
  const urls = { baseUrl, ...(auth.type === 'oauth' && urlsOf(auth)) }
  for (const [name, url] of Object.entries(urls)) {
    const problem = await outbound.checkUrl(url)
    if (problem) throw badField(name === 'baseUrl' ? 'body.baseUrl' : `body.auth.${name}`, problem)
  }
  const allowedNames = allowedNamesOf(settings)
  requireAllowedHeaders('body.headers', headers)
  requireAllowedNames('body.headers', referencesOf({ headers }), allowedNames)
  checkAuth(settings, allowedNames)
  if (check) {
    requireAllowedHeaders('body.check.request.headers', check.request.headers)
    requireAllowedNames('body.check.request', referencesOf(check.request), allowedNames)
  }
  const names = tools.map(({ name }) => name)
  tools.forEach((tool, index) => {
    if (names.indexOf(tool.name) !== index)
      throw badField(`body.tools.${index}.name`, 'must be unique among the tools')
    checkTool(`body.tools.${index}`, tool, allowedNames)
  })
}

const urlsOf = ({
  authorizeUrl,
  tokenUrl,
  refreshUrl,
}: {
  authorizeUrl: string
  tokenUrl: string
  refreshUrl?: string | undefined
}) => ({
  authorizeUrl,
  tokenUrl,
  ...(refreshUrl !== undefined && { refreshUrl }),
})

const allowedNamesOf = ({ auth }: CustomConnectorSettings): string[] => [
  'account.id',
  ...(auth.type === 'api_key' ? auth.fields.map(({ key }) => `credentials.${key}`) : []),
]

function checkAuth({ auth }: CustomConnectorSettings, allowedNames: readonly string[]): void {
  if (auth.type === 'none') return
  if (auth.type === 'api_key') {
    const keys = auth.fields.map(({ key }) => key)
    if (new Set(keys).size < keys.length) throw badField('body.auth.fields', 'must have unique keys')
  }
  const names = auth.type === 'oauth' ? ['accessToken', 'credentials.accessToken'] : allowedNames
  for (const send of [auth.send ?? []].flat()) {
    if (send === 'path') continue
    if ('header' in send) requireAllowedHeaders('body.auth.send', { [send.header]: '' })
    const texts = 'basic' in send ? send.basic : { value: send.value }
    requireAllowedNames('body.auth.send', referencesOf({ headers: { ...texts } }), names)
  }
}

function checkTool(path: string, { input, request }: Tool, allowedNames: readonly string[]): void {
  const problem = sizeProblem(input) ?? schemaProblem(input)
  if (problem) throw badField(`${path}.input`, `cannot be used. ${problem}`)
  const properties = (input.properties ?? {}) as Record<string, { type?: unknown }>
  const reserved = Object.keys(properties).find((name) => RESERVED_NAMES.includes(name))
  if (reserved) throw badField(`${path}.input.properties.${reserved}`, 'must not be a reserved name')
  requireAllowedHeaders(`${path}.request.headers`, request.headers)
  if (request.idempotencyHeader)
    requireAllowedHeaders(`${path}.request.idempotencyHeader`, { [request.idempotencyHeader]: '' })
  const { inText, inValues } = referencesOf(request)
  const required = Array.isArray(input.required) ? input.required : []
  for (const name of inText.filter((each) => !allowedNames.includes(each))) {
    if (!Object.hasOwn(properties, name) || !required.includes(name))
      throw badField(`${path}.request`, `names {${name}}, which is not a required input property`)
    if (!SCALARS.includes(String(properties[name]!.type)))
      throw badField(`${path}.request`, `names {${name}}, which must be a string, a number or a boolean`)
  }
  const roots = inValues.map((name) => (allowedNames.includes(name) ? null : name.split('.')[0]!))
  const unknown = roots.find((name) => name !== null && !Object.hasOwn(properties, name))
  if (unknown !== undefined)
    throw badField(`${path}.request`, `names ${JSON.stringify(unknown)}, which is not an input property`)
}

function requireAllowedNames(
  path: string,
  { inText, inValues }: { inText: string[]; inValues: string[] },
  allowedNames: readonly string[],
): void {
  const unknown = [...inText, ...inValues].find((name) => !allowedNames.includes(name))
  if (unknown !== undefined) throw badField(path, `names ${JSON.stringify(unknown)}, which does not exist`)
}

function requireAllowedHeaders(path: string, headers: Record<string, string> | undefined): void {
  const refused = Object.keys(headers ?? {}).find((name) => REFUSED_HEADERS.test(name))
  if (refused) throw badField(path, `must not set ${refused}, a connection header`)
}

const PLACEHOLDER = /\{([A-Za-z][\w.]*)\}/g

interface Templates {
  path?: string
  headers?: Record<string, string> | undefined
  query?: unknown
  json?: unknown
  form?: unknown
  graphql?: { variables?: unknown } | undefined
}

/** `{name}` in texts, `{ "$": "name" }` in values. */
function referencesOf({ path = '', headers = {}, query, json, form, graphql }: Templates) {
  const texts = [path, ...Object.values(headers)]
  return {
    inText: texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map((match) => match[1]!)),
    inValues: [query, json, form, graphql?.variables].flatMap(referencesIn),
  }
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if ('$' in value) return [typeof value.$ === 'string' ? value.$ : String(value.$)]
  return Object.values(value).flatMap(referencesIn)
}
