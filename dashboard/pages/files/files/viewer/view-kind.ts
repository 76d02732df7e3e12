import type { FileEntry } from '../files-queries.ts'

export type ViewKind = 'image' | 'pdf' | 'media' | 'rendered'

/** How the viewer shows a file; the server renders types that browsers do not display. */
export function viewKindOf({ mimeType }: Pick<FileEntry, 'mimeType'>): ViewKind {
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(mimeType)) return 'image'
  if (mimeType === 'application/pdf') return 'pdf'
  return /^(audio|video)\//.test(mimeType) ? 'media' : 'rendered'
}
