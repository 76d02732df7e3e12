const BLOCK =
  /^(address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)$/
/** Readers don't see these elements' content. */
const HIDDEN = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
  'textarea',
])

export interface ReadableText {
  title: string
  text: string
}

/**
 * Reads every character once, even in malformed pages: an unclosed element, comment or attribute extends to the end.
 */
export function htmlToText(html: string, baseUrl?: string): ReadableText {
  const out: string[] = []
  let title = ''
  let href: string | null = null
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    pushText(html.slice(at, open))
    if (html.startsWith('<!--', open)) {
      at = indexAfter(html, '-->', open + 4)
      continue
    }
    if (!/[a-z/!?]/i.test(html[open + 1] ?? '')) {
      out.push('<')
      at = open + 1
      continue
    }
    const end = tagEnd(html, open)
    const tag = html.slice(open, end)
    at = end
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
    const isEnd = tag[1] === '/'
    if (name === 'title' && !isEnd && title === '') {
      const close = endTagIndex(html, name, at)
      title = collapse(decodeEntities(html.slice(at, close)))
      at = close
    } else if (HIDDEN.has(name) && !isEnd && !tag.endsWith('/>')) at = endTagIndex(html, name, at)
    else pushTag(name, isEnd, tag)
  }
  if (at < html.length) pushText(html.slice(at))
  return { title, text: tidy(out.join('')) }

  function pushText(text: string) {
    if (text !== '') out.push(decodeEntities(text.replace(/\s+/g, ' ')))
  }

  function pushTag(name: string, isEnd: boolean, tag: string) {
    if (name === 'a' && !isEnd) {
      href = hrefOf(tag, baseUrl)
      if (href) out.push('[')
    } else if (name === 'a' && href) {
      out.push(`](${href})`)
      href = null
    } else if (name === 'br') out.push('\n')
    else if (name === 'td' || name === 'th') out.push(isEnd ? '\t' : '')
    else if (name === 'li') out.push(isEnd ? '' : '\n- ')
    else if (/^h[1-6]$/.test(name)) out.push(isEnd ? '\n\n' : `\n\n${'#'.repeat(Number(name[1]))} `)
    else if (BLOCK.test(name)) out.push(name === 'p' || name === 'pre' ? '\n\n' : '\n')
  }
}

/** A quoted attribute may contain `>`. */
function tagEnd(html: string, open: number): number {
  let quote = ''
  for (let at = open + 1; at < html.length; at++) {
    const character = html[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return at + 1
    else if ((character === '"' || character === "'") && /[=\s]/.test(html[at - 1]!)) quote = character
  }
  return html.length
}

function endTagIndex(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}`, 'gi')
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? html.length
}

function indexAfter(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from)
  return found === -1 ? html.length : found + text.length
}

/** Null for scripts, fragments and other schemes. */
function hrefOf(tag: string, baseUrl: string | undefined): string | null {
  const value = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag)
  const target = decodeEntities(value?.[1] ?? value?.[2] ?? value?.[3] ?? '').trim()
  if (target === '' || target.startsWith('#') || target.length > 2000 || !URL.canParse(target, baseUrl))
    return null
  const url = new URL(target, baseUrl)
  return /^https?:$/.test(url.protocol) ? url.href : null
}

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()

const tidy = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** The renderer can read no other folder's code. */
const NAMED_ENTITIES = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    bull: '•',
    middot: '·',
    copy: '©',
    reg: '®',
    trade: '™',
    euro: '€',
    pound: '£',
    deg: '°',
    times: '×',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
    agrave: 'à',
    ccedil: 'ç',
    shy: '',
    zwnj: '',
  }),
)

/** Decodes numeric and common named references only. */
const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED_ENTITIES.get(name) ?? whole
      const point = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
      const isCharacter = point > 0x1f && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
      return isCharacter ? String.fromCodePoint(point) : ' '
    },
  )
