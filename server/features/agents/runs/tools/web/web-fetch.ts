import { z } from 'zod'
import { badRequest } from '../../../../../errors.ts'
import { fence } from '../../../../../language-models/fence.ts'
import { clip } from '../../../../../tools/clip.ts'
import { toPageUrl } from '../../../../../web-search/results.ts'
import type { RunTool } from '../../state/run-tool.ts'
import { hostOf, mayRead, notAllowed } from '../../web/domains.ts'
import { fetchPage } from './fetch-page.ts'
import { requireWithin } from './per-run-limit.ts'
import { readPage, type WebPage } from './read-page.ts'
import { savePage } from './save-page.ts'

const TEXT_BYTES = 32_000

const input = z.strictObject({
  url: z.string().min(1).max(4000).describe('http or https'),
  offset: z.int().min(0).default(0).describe('`nextOffset` from the previous part'),
  find: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Start where this text first occurs after `offset`, ignoring case'),
  save: z
    .boolean()
    .default(false)
    .describe('Also store the page as a file in the project, so that a citation outlives the page'),
})

export const webFetch: RunTool<z.output<typeof input>> = {
  name: 'web_fetch',
  description:
    'Read a public web page, PDF or API response as text. Use it for a URL that a person or an earlier result names. Long pages come in parts.',
  input,
  // Bytes are stored before the record's transaction. The key makes a repetition harmless.
  effect: ({ save }) => (save ? 'idempotent' : 'read'),
  // A URL can leak run data. Requires approval unless the URL is known, or a member named the host and the run has read
  // nothing untrusted.
  risk: ({ url }, { trust, namedHosts, knownUrls }) => {
    const pageUrl = toPageUrl(url)
    if (pageUrl !== null && knownUrls?.has(pageUrl)) return 'none'
    return trust === 'trusted' && namedHosts?.has(hostOf(url)) ? 'none' : 'send'
  },
  isOutside: true,
  grantName: ({ url }) => (URL.canParse(url) ? `web_fetch ${new URL(url).host}` : 'web_fetch'),
  hostIn: ({ url }) => hostOf(url),
  urlIn: ({ url }) => toPageUrl(url),
  summarize: ({ url }) => `Send a request to ${url}`,
  async run(call, { url, offset, find, save }) {
    const { web } = call
    if (URL.canParse(url) && !mayRead(web.domains, url)) throw notAllowed(url.slice(0, 300))
    await requireWithin(call, 'web_fetch', web.limits.fetchesPerRun)
    const fetched = await fetchPage(call, url)
    const page = await readPage(call.orgId, fetched)
    const fileId = save ? await savePage(call, url, page) : null
    const start = find === undefined ? offset : indexOf(page.text, find, offset)
    const part = clip(page.text, TEXT_BYTES, start)
    const content = start === 0 ? [headOf(page), part.text].filter(Boolean).join('\n\n') : part.text
    return {
      source: page.url,
      ...(page.note && { note: page.note }),
      content: fence(content, page.url),
      ...(part.next !== null && { nextOffset: part.next }),
      ...(fileId && { savedFileId: fileId }),
    }
  },
}

const CONTEXT_CHARACTERS = 300

/** A little before the text, at the start of a line if possible. */
function indexOf(text: string, find: string, offset: number): number {
  const escaped = find.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+')
  const found = text.slice(offset).search(new RegExp(escaped, 'iu'))
  if (found === -1) throw badRequest('The page does not contain the text of `find` after `offset`')
  const from = Math.max(offset, offset + found - CONTEXT_CHARACTERS)
  const line = text.lastIndexOf('\n', offset + found) + 1
  return Math.max(from, Math.min(line, offset + found))
}

function headOf({ title, author, site, publishedAt }: WebPage): string {
  const facts = [author, site, publishedAt].filter(Boolean).join(' · ')
  return [title && `# ${title}`, facts].filter(Boolean).join('\n')
}
