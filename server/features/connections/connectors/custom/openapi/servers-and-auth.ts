import type { CustomConnectorSettings } from '../../../../../../contract/connections/custom-connectors.ts'
import { isObject, type Json, type OpenapiDocument } from './read-document.ts'
import { OperationProblem, resolve, toPlainLine } from './resolve.ts'

type Auth = CustomConnectorSettings['auth']

export function findBaseUrl({ root, url }: OpenapiDocument): string | null {
  const servers = Array.isArray(root.servers) ? root.servers : []
  for (const server of servers.filter(isObject)) {
    const variables = isObject(server.variables) ? server.variables : {}
    const text = stringOf(server.url).replace(/\{([^}]*)\}/g, (_, name: string) => {
      const variable = variables[name]
      return isObject(variable) ? stringOf(variable.default) : ''
    })
    const full = URL.canParse(text)
      ? new URL(text)
      : url && URL.canParse(text, url)
        ? new URL(text, url)
        : null
    if (full?.protocol === 'https:') return `${full.origin}${full.pathname}`.replace(/\/+$/, '')
  }
  return null
}

export function findAuth({ root }: OpenapiDocument): { auth: Auth | null; problem: string | null } {
  const components = isObject(root.components) ? root.components : {}
  const schemes = Object.entries(isObject(components.securitySchemes) ? components.securitySchemes : {})
  if (schemes.length === 0) return { auth: { type: 'none' }, problem: null }
  const required = (Array.isArray(root.security) ? root.security : []).flatMap((each) =>
    isObject(each) ? Object.keys(each) : [],
  )
  const sorted = schemes.toSorted(([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)))
  for (const [, value] of sorted) {
    const auth = authFor(resolveScheme(root, value))
    if (auth) return { auth, problem: null }
  }
  return {
    auth: null,
    problem: `None of its security schemes can be used: ${schemes
      .map(([name]) => name)
      .join(', ')
      .slice(0, 200)}`,
  }
}

function resolveScheme(root: Json, value: unknown): Json {
  try {
    return resolve({ root }, value)
  } catch (error) {
    if (error instanceof OperationProblem) return {}
    throw error
  }
}

const field = (key: string, label: string, hint: unknown) => ({
  key,
  label,
  required: true,
  secret: true,
  ...(toPlainLine(hint, 300) !== '' && { hint: toPlainLine(hint, 300) }),
})

function authFor(scheme: Json): Auth | null {
  const { type, description, name } = scheme
  const apiKey = (send: Extract<Auth, { type: 'api_key' }>['send']): Auth => ({
    type: 'api_key',
    fields: [field('token', type === 'http' ? 'Token' : 'API key', description)],
    send,
  })
  if (type === 'http' && String(scheme.scheme).toLowerCase() === 'bearer')
    return apiKey({ header: 'authorization', value: 'Bearer {credentials.token}' })
  if (type === 'http' && String(scheme.scheme).toLowerCase() === 'basic')
    return {
      type: 'api_key',
      fields: [{ ...field('user', 'User', ''), secret: false }, field('password', 'Password', description)],
      send: { basic: { user: '{credentials.user}', password: '{credentials.password}' } },
    }
  if (type === 'apiKey' && typeof name === 'string') {
    if (scheme.in === 'header' && /^[A-Za-z0-9-]{1,64}$/.test(name))
      return apiKey({ header: name, value: '{credentials.token}' })
    if (scheme.in === 'query' && name.length <= 64)
      return apiKey({ query: name, value: '{credentials.token}' })
  }
  return type === 'oauth2' ? oauthOf(scheme) : null
}

function oauthOf({ flows }: Json): Auth | null {
  const flow = isObject(flows) ? flows.authorizationCode : undefined
  if (!isObject(flow)) return null
  const { authorizationUrl, tokenUrl, refreshUrl, scopes } = flow
  const isUrl = (value: unknown): value is string =>
    typeof value === 'string' && value.startsWith('https://') && URL.canParse(value)
  if (!isUrl(authorizationUrl) || !isUrl(tokenUrl)) return null
  return {
    type: 'oauth',
    authorizeUrl: authorizationUrl,
    tokenUrl,
    ...(isUrl(refreshUrl) && { refreshUrl }),
    scopes: { default: isObject(scopes) ? Object.keys(scopes).slice(0, 50) : [] },
    scopeSeparator: ' ',
    pkce: 'yes',
    clientAuth: 'post',
    tokenBody: 'form',
    lifetime: { access: 3600, refresh: 'rotates' },
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
