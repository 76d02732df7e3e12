import type { FilePreview } from '../../../../../contract/files/previews.ts'

/** Describes the bytes that are sent to a renderer. */
export interface RenderJob {
  format: 'text' | 'csv' | 'workbook' | 'docx' | 'markdown' | 'pdf'
  mimeType: string
  /** For code: the language for syntax highlighting. */
  language: string | null
  /** The bytes are the beginning of a longer file. */
  isPartial: boolean
  /** Where text is cut, in bytes of UTF-8. */
  textBytesMax: number
}

export type Preview<K extends FilePreview['kind'] = FilePreview['kind']> = Extract<FilePreview, { kind: K }>

/** Why a file of a supported kind has no preview. */
export type PreviewFailure = 'broken' | 'encrypted' | 'too_complex' | 'timed_out'

/** Failures are expected for untrusted files, so they are values. */
export type Outcome = { preview: Preview } | { failed: PreviewFailure }

export class PreviewError extends Error {
  readonly reason: PreviewFailure

  constructor(reason: PreviewFailure) {
    super(reason)
    this.reason = reason
  }
}
