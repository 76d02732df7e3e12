import { readPdf, readWebPage } from '../../../../files/files/files.ts'
import { type FetchedPage, failed } from './fetch-page.ts'

export interface WebPage {
  url: string
  title: string
  author: string
  site: string
  publishedAt: string
  text: string
  /** For the model: what is missing. */
  note: string | null
}

const NO_FACTS = { title: '', author: '', site: '', publishedAt: '' }

/** HTML and PDFs are parsed in a process of their own. */
export async function readPage(orgId: string, page: FetchedPage): Promise<WebPage> {
  const { url, mediaType, isTruncated } = page
  if (mediaType === 'application/pdf') return { url, ...(await textOfPdf(orgId, page)) }
  const note = isTruncated ? 'The page is larger than 2 MB: the rest is missing' : null
  const text = decode(page)
  const isHtml = mediaType === 'text/html' || mediaType === 'application/xhtml+xml'
  return { url, note, ...(isHtml ? await textOfHtml(orgId, text, url) : { ...NO_FACTS, text }) }
}

async function textOfPdf(orgId: string, { url, body }: FetchedPage): Promise<Omit<WebPage, 'url'>> {
  const read = await readPdf(orgId, body)
  if ('failed' in read)
    throw failed(
      url,
      read.failed === 'encrypted' ? 'The PDF has a password' : 'The PDF is damaged or too large',
    )
  if (read.text.replaceAll(/\[Page \d+\]|\s/g, '') === '')
    throw failed(url, 'The PDF has no text: its pages may be pictures')
  const note = read.truncated ? 'Some of the PDF’s pages are missing here' : null
  return { ...NO_FACTS, text: read.text, note }
}

/** Below this share of the page's text, the article is a teaser on a page of another kind, such as a list. */
const ARTICLE_SHARE_MIN = 0.2

async function textOfHtml(orgId: string, html: string, url: string): Promise<Omit<WebPage, 'url' | 'note'>> {
  const page = await readWebPage(orgId, Buffer.from(html), url)
  if ('failed' in page) throw failed(url, 'The page is too complex')
  const { title, text: whole, article } = page
  if (article === null) return { ...NO_FACTS, title, text: whole }
  const text = withoutHeading(article.text, article.title)
  return text.length < ARTICLE_SHARE_MIN * whole.length ? { ...article, text: whole } : { ...article, text }
}

/** The article repeats the title. */
const withoutHeading = (text: string, title: string): string => {
  const [first = ''] = text.split('\n', 1)
  return title !== '' && first.replace(/^#+ /, '') === title ? text.slice(first.length).trimStart() : text
}

const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i
const SNIFFED_BYTES = 2048

function decode({ charset, body }: FetchedPage): string {
  const named = charset ?? META_CHARSET.exec(body.toString('latin1', 0, SNIFFED_BYTES))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(named).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
