import type { z } from 'zod'
import { isolateName } from '../text-with-names.ts'
import type { Citation } from './citations.ts'

const QUOTE_CHARACTERS = 200

/** One line for a list of sources. */
export function describeCitation({ key, source, page, heading, quote }: z.output<typeof Citation>): string {
  const place = [page === null ? null : `page ${page}`, heading].filter(Boolean).join(', ')
  const line = quote.replace(/\s+/g, ' ').trim()
  const shown = line.length > QUOTE_CHARACTERS ? `${line.slice(0, QUOTE_CHARACTERS).toWellFormed()}…` : line
  return `[${key}] ${isolateName(source.name)}${place ? `, ${place}` : ''}: “${shown}”`
}
