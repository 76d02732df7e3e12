import { z } from 'zod'

export const PREVIEW_BYTES_MAX = 26_214_400
/** Longer text is truncated at a character boundary. */
export const PREVIEW_TEXT_BYTES_MAX = 524_288

const common = {
  mimeType: z.string(),
  truncated: z.boolean().describe('Whether the preview is incomplete'),
}

const Sheet = z.object({
  name: z.string(),
  rows: z
    .array(z.array(z.string()))
    .describe('Cells as displayed, always strings; empty cells at the end of a row are omitted'),
  totalRows: z.int(),
  totalColumns: z.int(),
})

export const FilePreview = z.union([
  z.object({
    kind: z.literal('text'),
    ...common,
    text: z.string(),
    language: z.string().nullable().describe('For code: the language for syntax highlighting'),
    pages: z.int().nullable().describe('For a PDF: page count'),
  }),
  z.object({
    kind: z.literal('table'),
    ...common,
    sheets: z.array(Sheet).describe('Hidden sheets are omitted'),
    totalSheets: z.int(),
  }),
  z.object({
    kind: z.literal('document'),
    ...common,
    html: z.string().describe('Sanitized: runs no scripts and loads no resources'),
  }),
  z.object({ kind: z.literal('image'), ...common, url: z.string().describe('Image URL') }),
  z.object({ kind: z.literal('unsupported'), ...common }),
])

export type FilePreview = z.output<typeof FilePreview>
