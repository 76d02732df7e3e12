import MarkdownIt from 'markdown-it'
import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { sanitizeHtml } from './sanitize.ts'
import { truncateBytes } from './truncate.ts'

/** Embedded HTML is escaped. Images become their alternative text, because previews load no external resources. */
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 40 })
markdown.renderer.rules.image = (tokens, index) => markdown.utils.escapeHtml(tokens[index]!.content)

export function renderMarkdown(bytes: Uint8Array, job: RenderJob): Preview<'document'> {
  const text = decode(bytes)
  const source = truncateBytes(text, job.textBytesMax)
  const { html, isTruncated } = sanitizeHtml(markdown.render(source), job.textBytesMax)
  const truncated = job.isPartial || isTruncated || source.length < text.length
  return { kind: 'document', mimeType: job.mimeType, truncated, html }
}
