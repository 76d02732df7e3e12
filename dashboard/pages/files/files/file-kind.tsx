import {
  CornerUpRight,
  File,
  FileArchive,
  FileCode,
  FileHeadphone,
  FileImage,
  FilePlay,
  FileSpreadsheet,
  FileText,
  Folder,
  FolderKanban,
  type LucideIcon,
} from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import type { FileEntry } from './files-queries.ts'

export function KindIcon({ file }: { file: FileEntry }) {
  const { icon: Kind, tone, label } = fileKind(file)
  return (
    <span className="relative shrink-0">
      <Kind
        role="img"
        aria-label={label}
        className={`icon ${file.targetMissing ? 'text-neutral-9' : tone}`}
      />
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

type Kind = { icon: LucideIcon; label: string; tone: string }

/** The first match wins. */
const KINDS: [pattern: RegExp, kind: Kind][] = [
  [/^inode\/directory$/, { icon: Folder, label: t`Folder`, tone: 'text-selection-text' }],
  [/^image\//, { icon: FileImage, label: t`Image`, tone: 'text-info-text' }],
  [/^audio\//, { icon: FileHeadphone, label: t`Audio`, tone: 'text-info-text' }],
  [/^video\//, { icon: FilePlay, label: t`Video`, tone: 'text-info-text' }],
  [/csv|tab-separated|spreadsheet|excel/, { icon: FileSpreadsheet, label: t`Table`, tone: 'text-good-text' }],
  [/pdf$/, { icon: FileText, label: 'PDF', tone: 'text-bad-text' }],
  [/word|opendocument\.text|rtf/, { icon: FileText, label: t`Document`, tone: 'text-info-text' }],
  [/zip|tar|compress|7z|rar/, { icon: FileArchive, label: t`Archive`, tone: 'text-warning-text' }],
  [
    /json|javascript|typescript|xml|html|yaml|css|x-|sql/,
    { icon: FileCode, label: t`Code`, tone: 'text-neutral-11' },
  ],
  [/^text\//, { icon: FileText, label: t`Text`, tone: 'text-neutral-11' }],
]
const OTHER: Kind = { icon: File, label: t`File`, tone: 'text-neutral-11' }

export function fileKind({
  mimeType,
  protected: isProtected,
}: Pick<FileEntry, 'mimeType' | 'protected'>): Kind {
  const kind = KINDS.find(([pattern]) => pattern.test(mimeType))?.[1] ?? OTHER
  return kind.icon === Folder && isProtected
    ? { ...kind, icon: FolderKanban, label: t`Project folder` }
    : kind
}

type ViewKind = 'image' | 'pdf' | 'media' | 'rendered'

/** The server renders types browsers can't display. */
export function viewKind({ mimeType }: Pick<FileEntry, 'mimeType'>): ViewKind {
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(mimeType)) return 'image'
  if (mimeType === 'application/pdf') return 'pdf'
  return /^(audio|video)\//.test(mimeType) ? 'media' : 'rendered'
}
