import { createMarkdown } from '../../../../../markdown/markdown.ts'
import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'
import { sanitizeHtml } from './sanitize.ts'

const TASK = /^\[([ xX])\] /

const markdown = createMarkdown()
// Without a script, a task's box is a character.
markdown.core.ruler.push('tasks', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    const [item, paragraph] = tokens.slice(Math.max(0, index - 2), index)
    const text = token.children?.[0]
    if (item?.type !== 'list_item_open' || paragraph?.type !== 'paragraph_open' || text?.type !== 'text')
      continue
    const mark = TASK.exec(text.content)
    if (!mark) continue
    text.content = `${mark[1] === ' ' ? '☐' : '☑'} ${text.content.slice(mark[0].length)}`
    item.attrJoin('class', 'task')
  }
})
// Previews load no external resources.
markdown.renderer.rules.image = (tokens, index) => markdown.utils.escapeHtml(tokens[index]!.content)

export function renderMarkdown(bytes: Uint8Array, job: RenderJob): Preview<'document'> {
  const text = decode(bytes)
  const source = truncateBytes(text, job.textBytesMax)
  const { html, isTruncated } = sanitizeHtml(markdown.render(source), job.textBytesMax)
  const truncated = job.isPartial || isTruncated || source.length < text.length
  return { kind: 'document', mimeType: job.mimeType, truncated, html }
}
