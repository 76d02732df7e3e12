import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { formatJson } from './json-format.ts'
import { truncateBytes } from './truncate.ts'

/** Renders text and code; formats JSON if the result fits. */
export function renderText(bytes: Uint8Array, job: RenderJob): Preview<'text'> {
  const text = decode(bytes)
  const isJson = job.language === 'json' && !job.isPartial
  const formatted = isJson ? formatJson(text, job.textBytesMax) : null
  const shown = truncateBytes(formatted ?? text, job.textBytesMax)
  const truncated = job.isPartial || (formatted === null && shown.length < text.length)
  const { mimeType, language } = job
  return { kind: 'text', mimeType, truncated, text: shown, language, pages: null }
}
