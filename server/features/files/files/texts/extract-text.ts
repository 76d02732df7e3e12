import { dictionary } from '../../../../../contract/dictionary.ts'
import { SEARCH_LIMITS } from '../../../../../contract/search/search-options.ts'
import type { JobContext } from '../../../../context.ts'
import type { Preview, RenderJob } from '../previews/job.ts'
import { kindOf } from '../previews/kinds.ts'
import type { createRendererPool } from '../previews/renderer-pool.ts'
import type { StoredFile } from './stored-queries.ts'

type Renderers = ReturnType<typeof createRendererPool>

/** Two bytes for each searchable character: most texts need fewer. */
const TEXT_BYTES_MAX = 2 * SEARCH_LIMITS.text

/**
 * The text of a file, read by a renderer under the limits of previews: in a process of its own, with little memory and time.
 * Empty if the file has none, or cannot be read.
 */
export async function extractText(
  { objects }: JobContext,
  renderers: Renderers,
  { orgId, name, mimeType, size, objectKey }: StoredFile,
): Promise<string> {
  const { kind, language } = kindOf(mimeType, name)
  if (kind === 'unsupported' || kind === 'image' || size > SEARCH_LIMITS.fileBytes) return ''
  // Markdown is text: its words need no rendering.
  const format = kind === 'markdown' ? 'text' : kind
  const isPartial = format === 'text' && size > TEXT_BYTES_MAX
  const range = isPartial ? { start: 0, end: TEXT_BYTES_MAX - 1 } : undefined
  const job: RenderJob = { format, mimeType, language, isPartial, textBytesMax: TEXT_BYTES_MAX }
  const content = await objects.get(objectKey, range)
  if (!content) return ''
  const outcome = await renderers.render(orgId, job, async () => content)
  return 'preview' in outcome ? toStorable(textOf(outcome.preview)) : ''
}

function textOf(preview: Preview): string {
  if (preview.kind === 'text') return preview.text
  if (preview.kind === 'document') return withoutTags(preview.html)
  if (preview.kind !== 'table') return ''
  return preview.sheets
    .map(({ name, rows }) => [name, ...rows.map((row) => row.filter(Boolean).join(' '))].join('\n'))
    .join('\n')
    .slice(0, TEXT_BYTES_MAX)
}

const ENTITIES: Record<string, string> = dictionary({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
})

/** The HTML is sanitized already; the text is shown as text only. */
const withoutTags = (html: string) =>
  html
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(p|h\d|li|tr|td|th|br|div|table)\b/i.test(tag) ? '\n' : ''))
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\n{2,}/g, '\n')

/** PostgreSQL stores no NUL. */
const toStorable = (text: string) => text.toWellFormed().replaceAll('\0', ' ')
