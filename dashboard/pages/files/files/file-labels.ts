import { LOCALE, t } from '../../../../contract/text.ts'
import type { FileEntry } from './files-queries.ts'

/** Quotes names made only of spaces and invisible characters. */
export const nameLabel = (name: string) => (/^[\s\p{Cf}]*$/u.test(name) ? `“${name}”` : name)

export const nameOrCount = (files: readonly Pick<FileEntry, 'name'>[]) =>
  files.length === 1 ? nameLabel(files[0]!.name) : t`${files.length.toLocaleString(LOCALE)} items`

/** Renaming selects the part before the extension. */
export function extensionStart(name: string): number {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}

export function copyName(name: string): string {
  const end = extensionStart(name)
  return `${name.slice(0, end)} (${t`copy`})${name.slice(end)}`
}

/** The first match wins. `$1` is the matched group in capitals. */
const NAMES: [pattern: RegExp, name: string][] = [
  [/^inode\/directory$/, t`Folder`],
  [/^application\/pdf$/, t`PDF document`],
  [/wordprocessingml|^application\/msword/, t`Word document`],
  [/spreadsheetml|ms-excel/, t`Excel workbook`],
  [/presentationml|ms-powerpoint/, t`PowerPoint presentation`],
  [/opendocument\.text/, t`OpenDocument text`],
  [/opendocument\.spreadsheet/, t`OpenDocument spreadsheet`],
  [/opendocument\.presentation/, t`OpenDocument presentation`],
  [/^(application|text)\/rtf$/, t`Rich text`],
  [/^text\/csv$/, t`CSV table`],
  [/^text\/tab-separated-values$/, t`TSV table`],
  [/^text\/markdown$/, t`Markdown`],
  [/^text\/html$/, t`Web page`],
  [/^text\/calendar$/, t`Calendar`],
  [/^text\/plain$/, t`Text`],
  [/^message\/rfc822$/, t`Email`],
  [/^application\/epub\+zip$/, t`E-book`],
  [/^application\/(?:\w+\+)?json$/, 'JSON'],
  [/^(?:application|text)\/xml$/, 'XML'],
  [/yaml/, 'YAML'],
  [/javascript|typescript|^text\/(x-|css)|sql|x-sh/, t`Code`],
  [/^image\/svg\+xml$/, t`SVG image`],
  [/^image\/(?:x-|vnd\.)?(png|jpeg|gif|webp|avif|heic|tiff|bmp)/, t`$1 image`],
  [/^image\//, t`Image`],
  [/^audio\/(?:x-)?(?:mpeg|mp3)/, t`MP3 audio`],
  [/^audio\/(?:x-)?(wav|ogg|flac|aac|webm)/, t`$1 audio`],
  [/^audio\//, t`Audio`],
  [/^video\/(mp4|webm|ogg)/, t`$1 video`],
  [/^video\/quicktime/, t`QuickTime video`],
  [/^video\//, t`Video`],
  [/^application\/(?:x-)?(zip|tar|gzip|rar|bzip2)|^application\/x-(7z)/, t`$1 archive`],
]

/** Returns the everyday name, such as `PDF document`. Unnamed types are a `File`. */
export function typeName(mimeType: string): string {
  const type = mimeType.split(';')[0]!.trim().toLowerCase()
  for (const [pattern, name] of NAMES) {
    const match = pattern.exec(type)
    if (match) return name.replace('$1', (match[1] ?? match[2] ?? '').toUpperCase())
  }
  return t`File`
}
