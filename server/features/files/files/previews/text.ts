import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'

export function renderText(bytes: Uint8Array, job: RenderJob): Preview<'text'> {
  const text = decode(bytes)
  const isJson = job.language === 'json' && !job.isPartial
  const formatted = isJson ? formatJson(text, job.textBytesMax) : null
  const shown = truncateBytes(formatted ?? text, job.textBytesMax)
  const truncated = job.isPartial || (formatted === null && shown.length < text.length)
  const { mimeType, language } = job
  return { kind: 'text', mimeType, truncated, text: shown, language, pages: null }
}

/**
 * Null if invalid or too long. Changes white space only: serializing the parsed value would round long numbers, drop
 * duplicate names and reorder numeric ones.
 */
function formatJson(text: string, bytesMax: number): string | null {
  if (!isJson(text)) return null
  const parts: string[] = []
  let length = 0
  let depth = 0
  let justOpened = false
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']'
    if (closes) depth--
    if (justOpened !== closes) parts.push(`\n${'  '.repeat(depth)}`)
    justOpened = token === '{' || token === '['
    if (justOpened) depth++
    parts.push(token)
    if (token === ':') parts.push(' ')
    if (token === ',') parts.push(`\n${'  '.repeat(depth)}`)
    length += token.length + depth * 2
    if (length > bytesMax * 2) return null
  }
  const formatted = parts.join('')
  return Buffer.byteLength(formatted) > bytesMax ? null : formatted
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
