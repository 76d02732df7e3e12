import { CornerUpRight, Folder, FolderKanban } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import type { FileEntry } from './files-queries.ts'

/** A file's face with its shortcut mark. */
export function KindIcon({ file, size }: { file: FileEntry; size?: number }) {
  return (
    <span className="relative flex shrink-0">
      <FileFace file={file} size={size} />
      {file.source === 'link' && (
        <span className="absolute -right-4 -bottom-4 rounded-control bg-card">
          <CornerUpRight
            role="img"
            aria-label="Shortcut"
            className="size-12 text-neutral-12"
            strokeWidth={2.5}
          />
        </span>
      )}
    </span>
  )
}

interface FileFaceProps {
  file: { mimeType: string; name?: string | null; protected?: boolean; targetMissing?: boolean | null }
  size?: number
}

/** A colored square with the type's letters, or a folder. */
export function FileFace({ file, size = 24 }: FileFaceProps) {
  const { letters, label, tone } = fileKind(file)
  const FolderIcon = file.protected ? FolderKanban : Folder
  return (
    <span
      role="img"
      aria-label={letters === null && file.protected ? t`Project folder` : label}
      style={{ width: size, height: size, fontSize: Math.max(7, Math.round(size * 0.31)) }}
      className={`inline-flex shrink-0 select-none items-center justify-center rounded-control font-strong leading-none tracking-normal ${file.targetMissing ? 'bg-hue-8-soft text-hue-8' : tone}`}
    >
      {letters ?? <FolderIcon aria-hidden width={size * 0.6} height={size * 0.6} />}
    </span>
  )
}

/** `letters` is null for folders. */
interface Kind {
  letters: string | null
  label: string
  tone: string
}

const TONES = {
  teal: 'bg-hue-1-soft text-hue-1',
  orange: 'bg-hue-2-soft text-hue-2',
  blue: 'bg-hue-3-soft text-hue-3',
  amber: 'bg-hue-4-soft text-hue-4',
  purple: 'bg-hue-5-soft text-hue-5',
  green: 'bg-hue-6-soft text-hue-6',
  red: 'bg-bad-wash text-bad-text',
  gray: 'bg-hue-8-soft text-hue-8',
}

/** The first match wins. */
const KINDS: [pattern: RegExp, kind: Kind][] = [
  [/^inode\/directory$/, { letters: null, label: t`Folder`, tone: TONES.blue }],
  [/^image\/svg/, { letters: 'SVG', label: t`Image`, tone: TONES.purple }],
  [/^image\//, { letters: 'IMG', label: t`Image`, tone: TONES.purple }],
  [/^audio\//, { letters: 'AUD', label: t`Audio`, tone: TONES.teal }],
  [/^video\//, { letters: 'VID', label: t`Video`, tone: TONES.teal }],
  [/csv|tab-separated/, { letters: 'CSV', label: t`Table`, tone: TONES.green }],
  [/spreadsheet|excel/, { letters: 'XLS', label: t`Spreadsheet`, tone: TONES.green }],
  [/pdf$/, { letters: 'PDF', label: 'PDF', tone: TONES.red }],
  [/presentation|powerpoint/, { letters: 'PPT', label: t`Presentation`, tone: TONES.orange }],
  [/word/, { letters: 'DOC', label: t`Word document`, tone: TONES.blue }],
  [/opendocument\.text|rtf/, { letters: 'DOC', label: t`Document`, tone: TONES.blue }],
  [/zip|tar|compress|7z|rar/, { letters: 'ZIP', label: t`Archive`, tone: TONES.amber }],
  [/markdown/, { letters: 'MD', label: t`Markdown`, tone: TONES.gray }],
  [/html/, { letters: 'HTM', label: t`Web page`, tone: TONES.orange }],
  [/json|javascript|typescript|xml|yaml|css|x-|sql/, { letters: '{ }', label: t`Code`, tone: TONES.gray }],
  [/calendar/, { letters: 'CAL', label: t`Calendar`, tone: TONES.red }],
  [/^text\//, { letters: 'TXT', label: t`Text`, tone: TONES.gray }],
]
const OTHER: Kind = { letters: '•', label: t`File`, tone: TONES.gray }

export function fileKind({ mimeType }: Pick<FileEntry, 'mimeType'>): Kind {
  return KINDS.find(([pattern]) => pattern.test(mimeType))?.[1] ?? OTHER
}

/** For a file whose type isn't at hand, such as one that an agent put on a canvas. */
export const typeOfName = (name: string): string =>
  TYPES[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? ''

const TYPES: Record<string, string | undefined> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  zip: 'application/zip',
}

type ViewKind = 'image' | 'pdf' | 'media' | 'rendered'

/** The server renders types browsers can't display. */
export function viewKind({ mimeType }: Pick<FileEntry, 'mimeType'>): ViewKind {
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(mimeType)) return 'image'
  if (mimeType === 'application/pdf') return 'pdf'
  return /^(audio|video)\//.test(mimeType) ? 'media' : 'rendered'
}
