import { createMarkdown } from '../../../../../markdown/markdown.ts'
import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'
import { sanitizeHtml } from './sanitize.ts'

const markdown = createMarkdown()
// Previews load no external resources.
markdown.renderer.rules.image = (tokens, index) => markdown.utils.escapeHtml(tokens[index]!.content)

export function renderMarkdown(bytes: Uint8Array, job: RenderJob): Preview<'document'> {
  const text = decode(bytes)
  const source = truncateBytes(text, job.textBytesMax)
  const { html, isTruncated } = sanitizeHtml(markdown.render(source), job.textBytesMax)
  const truncated = job.isPartial || isTruncated || source.length < text.length
  return { kind: 'document', mimeType: job.mimeType, truncated, html }
}
