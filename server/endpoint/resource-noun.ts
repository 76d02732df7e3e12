import { dictionary } from '../../contract/dictionary.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

/** Segments whose singular is not the noun of their record. */
const NOUNS: Record<string, string | undefined> = dictionary({
  'api-keys': 'API key',
  'mcp-servers': 'MCP server',
  custom: 'Connector',
  history: 'Change',
  identities: 'Linked account',
  invite: 'Invitation',
  invites: 'Invitation',
  jobs: 'Dead job',
  numbers: 'Phone number',
  oauth: 'Provider',
  receive: 'Webhook',
  sms: 'Text message',
})

/** The noun of the record of a path parameter: "Block" for `blockId` in `/projects/:projectId/blocks/:blockId`. */
export function resourceNoun({ path }: Endpoint, param: PropertyKey | undefined): string {
  const segments = path.split('/')
  const before = segments.slice(0, segments.indexOf(`:${String(param)}`))
  const segment = before.findLast((name) => !name.startsWith(':')) ?? ''
  return NOUNS[segment] ?? capitalize(singular(segment).replaceAll('-', ' '))
}

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '')
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
