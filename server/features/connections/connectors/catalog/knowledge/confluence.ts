import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt } from '../../definition/payload.ts'
import { from } from '../../definition/template.ts'
import { atlassian } from '../atlassian.ts'

const ENTITIES: Readonly<Record<string, string>> = dictionary({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
})

const CHARACTERS: Readonly<Record<string, string>> = dictionary({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
})

const escapeText = (text: string) => text.replace(/[&<>"]/g, (each) => CHARACTERS[each]!)

/** Only paragraphs and line breaks. */
export const toStorage = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br/>')}</p>`)
    .join('')

/** Drops macro parameters. No expression reads past the next `<`, so the time is linear. */
export const fromStorage = (storage: string): string =>
  withoutCdata(storage)
    .replace(/<ac:parameter\b[^<>]*>[^<]*<\/ac:parameter>/g, '')
    .replace(/<h([1-6])\b[^<>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^<>]*>/g, '\n- ')
    .replace(/<\/t[dh]>/g, ' | ')
    .replace(/<br ?\/?>|<\/tr>/g, '\n')
    .replace(/<\/(p|h[1-6]|table|ul|ol|pre)>/g, '\n\n')
    .replace(/<[^<>]*>/g, '')
    .replace(
      /&(#x?[0-9a-f]{1,8}|[a-z]{2,8});/gi,
      (whole, name: string) => ENTITIES[name] ?? decodeNumeric(name) ?? whole,
    )
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Code blocks are always plain text. */
const withoutCdata = (storage: string): string =>
  storage
    .split('<![CDATA[')
    .map((part, index) => {
      const end = part.indexOf(']]>')
      return index === 0 || end < 0 ? part : escapeText(part.slice(0, end)) + part.slice(end + 3)
    })
    .join('')

const pageId = z
  .string()
  .regex(/^\d{1,20}$/, 'must be a page id: digits')
  .describe('Page id')

const text = z.string().min(1).max(100_000).describe('Plain text; an empty line starts a new paragraph')

const body = (value: string) => ({ representation: 'storage', value: toStorage(value) })

const quote = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const confluence: ConnectorDefinition = {
  slug: 'confluence',
  name: 'Confluence',
  description: 'Search and read pages, and write pages and comments.',
  category: 'knowledge',
  docsUrl: 'https://developer.atlassian.com/cloud/confluence/rest/v2/intro/',
  checkedAt: '2026-11-16',
  ...atlassian('Confluence', {
    default: [
      'search:confluence',
      'read:confluence-user',
      'read:page:confluence',
      'write:page:confluence',
      'read:space:confluence',
      'write:comment:confluence',
    ],
    // For synced spaces. Clients that were registered before don't have it.
    optional: ['read:folder:confluence'],
  }),
  baseUrl: 'https://api.atlassian.com/ex/confluence/{kept.cloudId}',
  check: {
    request: { method: 'GET', path: '/wiki/rest/api/user/current' },
    account: { id: 'accountId', name: 'displayName', email: 'email' },
  },
  errorFields: { code: 'errors.0.code', message: ['errors.0.title', 'message'] },
  tools: [
    tool({
      name: 'search',
      description: 'Use this to find pages by words, or with a query in Confluence’s search language.',
      input: z
        .object({
          text: z.string().min(1).max(300).optional().describe('Words in the title or content'),
          cql: z
            .string()
            .min(1)
            .max(1000)
            .optional()
            .describe('Such as: space = ENG and lastmodified > now("-7d")'),
          limit: z.int().min(1).max(50).default(20),
        })
        .refine(({ text, cql }) => (text === undefined) !== (cql === undefined), 'needs text or cql'),
      effect: 'read',
      risk: 'none',
      request: ({ text, cql, limit }) => ({
        method: 'GET',
        path: '/wiki/rest/api/search',
        query: { cql: cql ?? `type = page and text ~ ${quote(text!)}`, limit },
      }),
      answer: {
        at: 'results',
        pick: ['content.id', 'content.type', 'title', 'excerpt', 'url', 'friendlyLastModified'],
      },
    }),
    tool({
      name: 'read_page',
      description: 'Use this to read a page as text. Macros are left out.',
      input: z.object({ pageId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/wiki/api/v2/pages/{pageId}', query: { 'body-format': 'storage' } },
      answer: {
        map: (page) => ({
          id: displayTextAt(page, 'id'),
          title: displayTextAt(page, 'title'),
          spaceId: displayTextAt(page, 'spaceId'),
          version: Number(displayTextAt(page, 'version.number')),
          text: fromStorage(displayTextAt(page, 'body.storage.value') ?? ''),
        }),
      },
    }),
    tool({
      name: 'list_spaces',
      description: 'Use this to find the space id for a new page.',
      input: z.object({ limit: z.int().min(1).max(250).default(50) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/wiki/api/v2/spaces', query: { limit: from('limit') } },
      answer: { at: 'results', pick: ['id', 'key', 'name', 'type', 'homepageId'] },
    }),
    tool({
      name: 'create_page',
      description: 'Use this to create a page. Everyone with access to the space can see it.',
      input: z.object({
        spaceId: z.string().regex(/^\d{1,20}$/, 'must be a space id: digits'),
        title: z.string().min(1).max(255),
        text,
        parentId: pageId.optional().describe('The page above it'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ text }) => ({
        method: 'POST',
        path: '/wiki/api/v2/pages',
        json: {
          spaceId: from('spaceId'),
          status: 'current',
          title: from('title'),
          parentId: from('parentId'),
          body: body(text),
        },
      }),
      answer: { pick: ['id', 'title', '_links.base', '_links.webui'] },
    }),
    tool({
      name: 'update_page',
      description: 'Use this to replace a page’s content after reading it with read_page.',
      input: z.object({
        pageId,
        title: z.string().min(1).max(255),
        text,
        version: z.int().min(1).describe('The version that read_page returned'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ text, version }) => ({
        method: 'PUT',
        path: '/wiki/api/v2/pages/{pageId}',
        json: {
          id: from('pageId'),
          status: 'current',
          title: from('title'),
          body: body(text),
          version: { number: version + 1 },
        },
      }),
      answer: { pick: ['id', 'title', 'version.number', '_links.webui'] },
    }),
    tool({
      name: 'comment',
      description: 'Use this to comment on a page. Watchers are notified.',
      input: z.object({ pageId, text }),
      effect: 'once',
      risk: 'send',
      request: ({ text }) => ({
        method: 'POST',
        path: '/wiki/api/v2/footer-comments',
        json: { pageId: from('pageId'), body: body(text) },
      }),
      answer: { pick: ['id', '_links.webui'] },
    }),
  ],
}

function decodeNumeric(name: string): string | undefined {
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return name.startsWith('#') && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
