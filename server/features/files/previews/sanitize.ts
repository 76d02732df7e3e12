import sanitize from 'sanitize-html'
import { truncateBytes } from './truncate.ts'

/** HTML that runs nothing and loads nothing: what is not listed here is left out, its text kept. */
export function sanitizeHtml(html: string, bytesMax: number): { html: string; isCut: boolean } {
  const clean = sanitize(html, RULES)
  if (Buffer.byteLength(clean) <= bytesMax) return { html: clean, isCut: false }
  // Neither a tag nor a character reference may be left half; cleaning once more closes what is open. Closing takes
  // some room itself, at most that of the tags which may be open at once.
  const cut = truncateBytes(clean, bytesMax - CLOSING_BYTES_MAX).replace(/<[^>]*$|&[^;\s]{0,10}$/, '')
  return { html: sanitize(cut, RULES), isCut: true }
}

const NESTING_MAX = 60
const CLOSING_BYTES_MAX = NESTING_MAX * '</blockquote>'.length

const RULES: sanitize.IOptions = {
  allowedTags: [
    ...[
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'p',
      'blockquote',
      'pre',
      'hr',
      'br',
      'ul',
      'ol',
      'li',
      'dl',
      'dt',
      'dd',
    ],
    ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
    ...['strong', 'b', 'em', 'i', 'u', 's', 'del', 'sup', 'sub', 'code', 'a', 'img'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel', 'target'],
    img: ['src', 'alt'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  // Pictures are put in afterwards, in place of these names.
  allowedSchemesByTag: { img: ['picture'] },
  allowProtocolRelative: false,
  nestingLimit: NESTING_MAX,
  transformTags: { a: leadOutside },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^picture:\d+$/.test(attribs.src ?? ''),
}

/** Links lead to other sites only: in the page around the preview, a relative one would mean something else. */
function leadOutside(_tag: string, { href, title }: sanitize.Attributes): sanitize.Tag {
  const leadsOutside = /^(https?:\/\/|mailto:)/i.test(href ?? '')
  const attribs: sanitize.Attributes = leadsOutside
    ? { href: href!, rel: 'noopener noreferrer nofollow', target: '_blank' }
    : {}
  if (leadsOutside && title) attribs.title = title
  return { tagName: 'a', attribs }
}
