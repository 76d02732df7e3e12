import { CornerUpRight } from 'lucide-react'
import { kindOf } from '../file-kind.ts'
import type { FileEntry } from '../files-queries.ts'

/** The icon of the file type; a shortcut has an arrow. */
export function KindIcon({ file }: { file: FileEntry }) {
  const { icon: Kind, tone, label } = kindOf(file)
  return (
    <span className="relative shrink-0">
      <Kind
        role="img"
        aria-label={label}
        className={`icon ${file.targetMissing ? 'text-neutral-9' : tone}`}
      />
      {file.source === 'link' && (
        <span className="absolute -right-4 -bottom-4 rounded-control bg-neutral-1">
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
