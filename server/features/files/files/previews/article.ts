import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { type Article, PreviewError, type RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'

/** Larger pages are slow to weigh: they are read as a whole instead. */
const ELEMENTS_MAX = 20_000
const FIELD_CHARACTERS = 300
/** Readability keeps lists of links beside a table. */
const BESIDE = 'nav, aside, body > footer, [role=navigation], [role=complementary], [aria-hidden=true]'

/** Expects UTF-8. Fails for pages without an article. */
export function extractArticle(bytes: Uint8Array, { textBytesMax }: RenderJob): Article {
  const { document } = parseHTML(withBody(new TextDecoder().decode(bytes)))
  if (document.getElementsByTagName('*').length > ELEMENTS_MAX) throw new PreviewError('too_complex')
  const site = metaOf(document, 'meta[property="og:site_name"]')
  const documentTitle = toLine(document.querySelector('title')?.textContent)
  const heading = toLine(document.querySelector('article h1, main h1, h1')?.textContent)
  for (const element of document.querySelectorAll(BESIDE)) element.remove()
  const article = new Readability(document as unknown as Document, { charThreshold: 200 }).parse()
  if (!article?.content) throw new PreviewError('broken')
  const title = toLine(article.title) || documentTitle
  return {
    kind: 'article',
    // A document's title often ends with the site's name.
    title: heading !== '' && title.startsWith(heading) ? heading : title,
    author: toLine(article.byline),
    publishedAt: toLine(article.publishedTime),
    site: toLine(article.siteName) || site,
    html: truncateBytes(article.content.toWellFormed(), textBytesMax),
  }
}

/** The tags of the document, its head and its body are optional in HTML, but not for the parser. */
const withBody = (html: string): string =>
  /<body[\s>]/i.test(html)
    ? html
    : `<html><head></head><body>${html.replaceAll(/<!doctype[^>]*>|<\/?(?:html|head)(?:\s[^>]*)?>/gi, '')}</body></html>`

const metaOf = (document: { querySelector: (selector: string) => Element | null }, selector: string) =>
  toLine(document.querySelector(selector)?.getAttribute('content'))

const toLine = (text: string | null | undefined): string =>
  (text ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, FIELD_CHARACTERS)
    .toWellFormed()
