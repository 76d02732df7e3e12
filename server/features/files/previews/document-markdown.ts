import MarkdownIt from 'markdown-it'
import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { sanitizeHtml } from './sanitize.ts'
import { truncateBytes } from './truncate.ts'

/** HTML inside is shown as the text it is. Pictures are shown as their description, since they are elsewhere. */
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 40 })
markdown.renderer.rules.image = (tokens, index) => markdown.utils.escapeHtml(tokens[index]!.content)

export function renderMarkdown(bytes: Uint8Array, job: RenderJob): Preview<'document'> {
  const text = decode(bytes)
  const source = truncateBytes(text, job.textBytesMax)
  const { html, isCut } = sanitizeHtml(markdown.render(source), job.textBytesMax)
  const truncated = job.isPartial || isCut || source.length < text.length
  return { kind: 'document', mimeType: job.mimeType, truncated, html }
}
