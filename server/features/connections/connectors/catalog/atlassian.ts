import type { OAuth } from '../definition/auth.ts'
import type { ConnectorDefinition } from '../definition/definition.ts'
import type { Field } from '../definition/fields.ts'
import { itemsAt, textAt } from '../definition/payload.ts'
import { type TemplateValue, valueAt } from '../definition/template.ts'

const SITE: Field = {
  key: 'site',
  label: 'Site',
  required: false,
  hint: 'The name before .atlassian.net, if the account has several sites',
  pattern: '[A-Za-z0-9][A-Za-z0-9-]{0,62}',
  placeholder: 'acme',
}

/** One authorization covers all sites, and the user chooses one. */
export const atlassian = (
  product: 'Jira' | 'Confluence',
  scopes: OAuth['scopes'],
): Pick<ConnectorDefinition, 'config' | 'auth' | 'discover'> => ({
  config: [SITE],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    registerUrl: 'https://developer.atlassian.com/console/myapps/',
    scopes: { ...scopes, default: [...scopes.default, 'offline_access'] },
    tokenBody: 'json',
    params: { authorize: { audience: 'api.atlassian.com', prompt: 'consent' } },
    lifetime: { access: 3600, refresh: 'rotates', idleDays: 90, reuseSeconds: 600 },
  },
  discover: {
    request: { method: 'GET', path: 'https://api.atlassian.com/oauth/token/accessible-resources' },
    keep: (answer, { site }) => siteOf(product, answer, site),
  },
})

function siteOf(product: string, answer: unknown, site: string | undefined): Record<string, string> {
  const sites = (Array.isArray(answer) ? answer : []).filter((each) =>
    itemsAt(each, 'scopes').some((scope) => String(scope).includes(product.toLowerCase())),
  )
  const url = `https://${site?.toLowerCase()}.atlassian.net`
  const chosenSite = site ? sites.find((each) => textAt(each, 'url')?.toLowerCase() === url) : sites[0]
  const cloudId = textAt(chosenSite, 'id')
  if (cloudId === null)
    throw new Error(site ? `The account has no access to ${url}` : `The account has no site with ${product}`)
  return { cloudId, siteUrl: textAt(chosenSite, 'url') ?? '' }
}

type Node = { readonly [key: string]: TemplateValue }
const DEPTH_MAX = 50
/** Nodes that end a line. */
const BLOCKS = new Set([
  'paragraph',
  'heading',
  'codeBlock',
  'listItem',
  'tableRow',
  'rule',
  'blockquote',
  'panel',
])

export function toAtlassianDocument(text: string): Node {
  const content = text
    .trim()
    .split(/```[\w-]*\n?([\s\S]*?)```/)
    .flatMap((part, index) => (index % 2 === 1 ? [codeOf(part)] : paragraphsOf(part)))
  return { version: 1, type: 'doc', content: content.length > 0 ? content : [paragraphOf('-')] }
}

const codeOf = (text: string): Node => ({
  type: 'codeBlock',
  content: text.trimEnd() === '' ? [] : [{ type: 'text', text: text.trimEnd() }],
})

const paragraphsOf = (text: string): Node[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(paragraphOf)

const paragraphOf = (text: string): Node => ({
  type: 'paragraph',
  content: text.split('\n').flatMap((line, index): Node[] => [
    ...(index > 0 ? [{ type: 'hardBreak' }] : []),
    // An empty text node makes the document invalid.
    ...(line === '' ? [] : [{ type: 'text', text: line }]),
  ]),
})

export function textOfDocument(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  return read(value, 0)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function read(node: unknown, depth: number): string {
  if (depth > DEPTH_MAX) return ''
  const type = valueAt(node, 'type')
  if (type === 'hardBreak') return '\n'
  const attribute =
    valueAt(node, 'attrs.text') ?? valueAt(node, 'attrs.url') ?? valueAt(node, 'attrs.shortName')
  const ownText = valueAt(node, 'text') ?? attribute
  const children = valueAt(node, 'content')
  const inner = Array.isArray(children) ? children.map((child) => read(child, depth + 1)).join('') : ''
  const text = (typeof ownText === 'string' ? ownText : '') + inner
  if (type === 'listItem') return `- ${text.trim()}\n`
  return BLOCKS.has(String(type)) ? `${text}\n` : text
}
