import sanitize from 'sanitize-html'
import { truncateBytes } from './limits.ts'

/** The result runs no scripts and loads nothing. Unlisted tags go, but their text stays. */
export function sanitizeHtml(html: string, bytesMax: number): { html: string; isTruncated: boolean } {
  const clean = sanitize(html, RULES)
  if (Buffer.byteLength(clean) <= bytesMax) return { html: clean, isTruncated: false }
  // Drops an incomplete tag or character reference. Sanitizing again closes open tags, within CLOSING_BYTES_MAX.
  const cut = truncateBytes(clean, bytesMax - CLOSING_BYTES_MAX).replace(/<[^>]*$|&[^;\s]{0,10}$/, '')
  return { html: sanitize(cut, RULES), isTruncated: true }
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
    'section',
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
  allowedClasses: { li: ['task'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['picture'] },
  allowProtocolRelative: false,
  nestingLimit: NESTING_MAX,
  transformTags: { a: keepExternalLink },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^picture:\d+$/.test(attribs.src ?? ''),
}

/** A relative link would resolve against the page around the preview. */
function keepExternalLink(_tag: string, { href, title }: sanitize.Attributes): sanitize.Tag {
  const isExternal = /^(https?:\/\/|mailto:)/i.test(href ?? '')
  const attribs: sanitize.Attributes = isExternal
    ? { href: href!, rel: 'noopener noreferrer nofollow', target: '_blank' }
    : {}
  if (isExternal && title) attribs.title = title
  return { tagName: 'a', attribs }
}
