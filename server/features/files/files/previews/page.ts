import { htmlToText } from '../../../../../markdown/html-to-text.ts'
import { extractArticle } from './article.ts'
import type { Article, PageText, RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'

/** Expects UTF-8. */
export function renderPage(bytes: Uint8Array, { url, textBytesMax, isWhole }: RenderJob): PageText {
  const html = new TextDecoder().decode(bytes)
  const whole = htmlToText(html, url)
  const article = isWhole ? null : findArticle(html, url)
  const cut = (text: string) => truncateBytes(text.toWellFormed(), textBytesMax)
  return {
    kind: 'page',
    title: cut(whole.title),
    text: cut(whole.text),
    article: article && { ...article, text: cut(article.text) },
  }
}

/** The parser throws for pages that browsers show. */
function findArticle(html: string, url: string | undefined): Article | null {
  try {
    return extractArticle(html, url)
  } catch {
    return null
  }
}
