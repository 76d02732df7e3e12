import type { FilePreview } from '../../../../../contract/files/previews.ts'
import type { ExtractedText } from '../../../../../markdown/text-blocks.ts'

export interface RenderJob {
  format: 'text' | 'csv' | 'workbook' | 'docx' | 'pptx' | 'markdown' | 'pdf' | 'page'
  mimeType: string
  language: string | null
  isPartial: boolean
  /** In UTF-8 bytes. */
  textBytesMax: number
  /** For a PDF: a line `[Page 3]` before each page. */
  marksPages?: boolean
  /** Asks for the text and its parts instead of a preview. */
  extract?: Exclude<RenderJob['format'], 'page'> | 'html' | 'email'
}

export type Preview<K extends FilePreview['kind'] = FilePreview['kind']> = Extract<FilePreview, { kind: K }>

/** The article of a web page. Its HTML is the author's: it isn't sanitized. */
export interface Article {
  kind: 'article'
  title: string
  author: string
  publishedAt: string
  site: string
  html: string
}

export type PreviewFailure = 'broken' | 'encrypted' | 'too_complex' | 'timed_out'

/** Failures are expected for untrusted files, so they are values. */
export type Outcome<P = Preview> = { preview: P } | { failed: PreviewFailure }
export type ExtractOutcome = { extracted: ExtractedText } | { failed: PreviewFailure }

export class PreviewError extends Error {
  readonly reason: PreviewFailure

  constructor(reason: PreviewFailure) {
    super(reason)
    this.reason = reason
  }
}
