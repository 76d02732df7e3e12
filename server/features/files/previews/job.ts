import type { FilePreview } from '../../../../contract/files/previews.ts'

/** What a renderer is asked to do with the bytes that it is sent. */
export interface RenderJob {
  format: 'text' | 'csv' | 'workbook' | 'docx' | 'markdown' | 'pdf'
  mimeType: string
  /** For code: what to colour it as. */
  language: string | null
  /** The bytes are the beginning of a longer file. */
  isPartial: boolean
  /** Where text is cut, in bytes of UTF-8. */
  textBytesMax: number
}

export type Preview<K extends FilePreview['kind'] = FilePreview['kind']> = Extract<FilePreview, { kind: K }>

/** Why a file cannot be shown although its kind can. */
export type PreviewFailure = 'broken' | 'encrypted' | 'too_complex' | 'timed_out'

/** Failure is expected of files that anybody may have made, so it is a value. */
export type Outcome = { preview: Preview } | { failed: PreviewFailure }

export class PreviewError extends Error {
  readonly reason: PreviewFailure

  constructor(reason: PreviewFailure) {
    super(reason)
    this.reason = reason
  }
}
