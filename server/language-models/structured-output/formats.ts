import { z } from 'zod'
import type { OutputFormat } from '../../../contract/agents/output-rules.ts'

/** No format needs more. */
const CHARACTERS_MAX = 2000

const DURATION = /^P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$/

const schemas: Record<Exclude<OutputFormat, 'duration' | 'uri'>, z.ZodType> = {
  date: z.iso.date(),
  time: z.iso.time(),
  'date-time': z.iso.datetime({ offset: true }),
  email: z.email(),
  uuid: z.guid(),
}

export function hasFormat(text: string, format: OutputFormat): boolean {
  if (text.length > CHARACTERS_MAX) return false
  if (format === 'duration') return DURATION.test(text)
  if (format === 'uri') return URL.canParse(text)
  // JSON Schema's times have an offset, which ISO allows to omit.
  const isoText = format === 'time' ? text.replace(/(Z|[+-]\d\d:\d\d)$/i, '') : text
  return schemas[format].safeParse(isoText).success
}
