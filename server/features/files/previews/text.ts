import { cutBytes } from './cut.ts'
import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { layOutJson } from './json-layout.ts'

/** Text and code as they are; JSON laid out where that fits. */
export function renderText(bytes: Uint8Array, job: RenderJob): Preview<'text'> {
  const text = decode(bytes)
  const isJson = job.language === 'json' && !job.isBeginning
  const laidOut = isJson ? layOutJson(text, job.textBytesMax) : null
  const shown = cutBytes(laidOut ?? text, job.textBytesMax)
  const truncated = job.isBeginning || (laidOut === null && shown.length < text.length)
  const { mimeType, language } = job
  return { kind: 'text', mimeType, truncated, text: shown, language, pages: null }
}
