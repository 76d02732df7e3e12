import { z } from 'zod'

/** The largest file that is previewed. */
export const PREVIEW_BYTES_MAX = 26_214_400
/** Where text is cut, on a character boundary. */
export const PREVIEW_TEXT_BYTES_MAX = 524_288

const common = {
  mimeType: z.string(),
  truncated: z.boolean().describe('There is more than is shown'),
}

const Sheet = z.object({
  name: z.string(),
  rows: z
    .array(z.array(z.string()))
    .describe('Cells as they are displayed, always text; empty ones at the end of a row are left out'),
  totalRows: z.int(),
  totalColumns: z.int(),
})

export const FilePreview = z.union([
  z.object({
    kind: z.literal('text'),
    ...common,
    text: z.string(),
    language: z.string().nullable().describe('For code: what to colour it as'),
    pages: z.int().nullable().describe('For a PDF: how many pages it has'),
  }),
  z.object({
    kind: z.literal('table'),
    ...common,
    sheets: z.array(Sheet).describe('Hidden ones are left out'),
    totalSheets: z.int(),
  }),
  z.object({
    kind: z.literal('document'),
    ...common,
    html: z.string().describe('Sanitised: runs nothing, loads nothing'),
  }),
  z.object({ kind: z.literal('image'), ...common, url: z.string().describe('Where the picture is') }),
  z.object({ kind: z.literal('unsupported'), ...common }),
])

export type FilePreview = z.output<typeof FilePreview>
