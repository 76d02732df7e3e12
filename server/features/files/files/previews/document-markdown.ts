import MarkdownIt from 'markdown-it'
import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'
import { sanitizeHtml } from './sanitize.ts'

/** Embedded HTML is escaped. Images become their alternative text, because previews load no external resources. */
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 40 })
markdown.renderer.rules.image = (tokens, index) => markdown.utils.escapeHtml(tokens[index]!.content)

/**
 * The parser compares every bracket and asterisk of a paragraph with the rest of it: half a megabyte of `[` takes minutes.
 * A paragraph with more characters, or with more that have a meaning, is shown as plain text.
 */
const PARAGRAPH_UNITS_MAX = 8000
const PARAGRAPH_MARKS_MAX = 500
const DOCUMENT_MARKS_MAX = 20_000

markdown.core.ruler.at('inline', ({ tokens, md, env, Token }) => {
  let marksLeft = DOCUMENT_MARKS_MAX
  for (const token of tokens.filter(({ type }) => type === 'inline')) {
    const { content } = token
    const marks =
      content.length > PARAGRAPH_UNITS_MAX ? Infinity : (content.match(/[[\]!*_~`<&]/g)?.length ?? 0)
    if (marks <= Math.min(PARAGRAPH_MARKS_MAX, marksLeft)) {
      marksLeft -= marks
      md.inline.parse(content, md, env, token.children!)
      continue
    }
    token.children = [Object.assign(new Token('text', '', 0), { content })]
    // The search for links in plain text reads this.
    token.content = ''
  }
})

export function renderMarkdown(bytes: Uint8Array, job: RenderJob): Preview<'document'> {
  const text = decode(bytes)
  const source = truncateBytes(text, job.textBytesMax)
  const { html, isTruncated } = sanitizeHtml(markdown.render(source), job.textBytesMax)
  const truncated = job.isPartial || isTruncated || source.length < text.length
  return { kind: 'document', mimeType: job.mimeType, truncated, html }
}
