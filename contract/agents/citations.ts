import { z } from 'zod'
import { Id } from '../fields.ts'
import { PASSAGE_SOURCES } from '../knowledge/passage-options.ts'

/** What an agent read, down to the characters, in the version that it read. */
export const Citation = z.object({
  key: z.string().describe('Stands in brackets in the message’s text, as `[k3f9a2x7]`'),
  source: z.object({
    type: z.enum(PASSAGE_SOURCES),
    id: Id,
    name: z.string(),
    version: z.int(),
  }),
  fileId: Id.nullable().describe('The source’s id if it is a file'),
  version: z.int().nullable().describe('The file’s version that was read'),
  page: z.int().nullable().describe('Page, slide or sheet, from 1'),
  message: z
    .int()
    .optional()
    .describe('A conversation’s message, by its `seq`, with which the passage’s question begins'),
  heading: z.string().nullable(),
  from: z.int().describe('First character in the source’s extracted text'),
  to: z.int().describe('Character after the last one'),
  quote: z.string(),
})
