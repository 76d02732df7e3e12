import type { ConnectorDefinition } from '../definition/definition.ts'
import type { Field } from '../definition/field.ts'

/** A placeholder that ends the host and so chooses the server, unlike the one in `{config.shop}.example.com`. */
const OPEN_HOST = /^(?:https:\/\/)?[^/]*\{config\.(\w+)\}(?::\d+)?(?:\/|$)/

/** The fields whose value can be any host of an authorization server, with their defaults. */
export function hostFieldsOf({ auth, config = [] }: ConnectorDefinition) {
  if (auth.type !== 'oauth') return []
  const urls = [auth.authorizeUrl, auth.tokenUrl, auth.refreshUrl, auth.revoke?.url]
  const keys = new Set(urls.flatMap((url) => (typeof url === 'string' && OPEN_HOST.exec(url)?.[1]) || []))
  return config
    .filter((field) => keys.has(field.key) && acceptsAnyHost(field))
    .map(({ key, default: value }) => ({ key, value }))
}

/** A pattern that names the domain of the provider accepts no other host. */
const acceptsAnyHost = ({ pattern }: Field) =>
  pattern === undefined || new RegExp(`^(?:${pattern})$`, 'u').test('another-host.example')
