import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { htmlToText } from '../../../../../markdown/html-to-text.ts'
import type { Article } from './job.ts'

/** Larger pages are slow to weigh: they are read as a whole instead. */
const ELEMENTS_MAX = 20_000
const FIELD_CHARACTERS = 300
/** Readability keeps lists of links beside a table. */
const BESIDE = 'nav, aside, body > footer, [role=navigation], [role=complementary], [aria-hidden=true]'

/** Null for pages without an article, and for pages that are too complex to find it. */
export function extractArticle(html: string, url: string | undefined): Article | null {
  const { document } = parseHTML(withBody(html))
  if (document.getElementsByTagName('*').length > ELEMENTS_MAX) return null
  const site = metaOf(document, 'meta[property="og:site_name"]')
  const documentTitle = toLine(document.querySelector('title')?.textContent)
  const heading = toLine(document.querySelector('article h1, main h1, h1')?.textContent)
  for (const element of document.querySelectorAll(BESIDE)) element.remove()
  const article = new Readability(document as unknown as Document, { charThreshold: 200 }).parse()
  if (!article?.content) return null
  const title = toLine(article.title) || documentTitle
  return {
    // A document's title often ends with the site's name.
    title: heading !== '' && title.startsWith(heading) ? heading : title,
    author: toLine(article.byline),
    publishedAt: toLine(article.publishedTime),
    site: toLine(article.siteName) || site,
    text: htmlToText(article.content, url).text,
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
