import type { FilePreview } from '../../../../../contract/files/previews.ts'
import type { ExtractedText } from '../../../../../markdown/text-blocks.ts'

export interface RenderJob {
  format: 'text' | 'csv' | 'workbook' | 'docx' | 'pptx' | 'markdown' | 'pdf' | 'page' | 'sitemap'
  mimeType: string
  language: string | null
  isPartial: boolean
  /** In UTF-8 bytes. */
  textBytesMax: number
  /** For a page: what its links are relative to. */
  url?: string
  /** For a page: doesn't look for its article, which takes most of the memory. */
  isWhole?: boolean
  /** For a PDF: a line `[Page 3]` before each page. */
  marksPages?: boolean
  /** For a table: all cells, whole, instead of the first ones. */
  isTableWhole?: boolean
  /** Asks for the text and its parts instead of a preview. */
  extract?: Exclude<RenderJob['format'], 'page' | 'sitemap'> | 'html' | 'email'
}

export type Preview<K extends FilePreview['kind'] = FilePreview['kind']> = Extract<FilePreview, { kind: K }>

/** A web page's text, as Markdown. */
export interface PageText {
  kind: 'page'
  title: string
  text: string
  /** Null if it has none, or is too complex to find it. */
  article: Article | null
}

export interface Article {
  title: string
  author: string
  publishedAt: string
  site: string
  text: string
}

export interface Sitemap {
  kind: 'sitemap'
  /** Further sitemaps, if this is an index. */
  sitemaps: string[]
  pages: { url: string; lastModified: string | null }[]
}

/** Why the bytes are no sitemap. Half of one would look like deleted pages. */
export interface SitemapProblem {
  kind: 'sitemap-problem'
  problem: 'packed' | 'other' | 'cut'
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
