import { LoaderCircle, Paperclip, Shapes, TriangleAlert, X } from 'lucide-react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Draft } from './use-attachments.ts'

interface AttachmentListProps {
  drafts: readonly Draft[]
  onRemove: (key: string) => void
}

export function AttachmentList({ drafts, onRemove }: AttachmentListProps) {
  if (drafts.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-4 px-8 pt-8">
      {drafts.map((draft) => (
        <li
          key={draft.key}
          title={draft.error ?? draft.name}
          className={`flex h-24 max-w-filter items-center gap-4 rounded-control border pl-8 text-12 ${draft.error ? 'border-bad-line bg-bad-wash text-bad-text' : 'border-neutral-6 bg-neutral-2'}`}
        >
          <StateIcon draft={draft} />
          <span className="truncate">{draft.error ? `${draft.name}: ${draft.error}` : draft.name}</span>
          <button
            type="button"
            aria-label={textWithNames`Remove ${draft.name}`}
            onClick={() => onRemove(draft.key)}
            className="flex size-24 shrink-0 items-center justify-center"
          >
            <X aria-hidden className="size-12" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function StateIcon({ draft }: { draft: Draft }) {
  if (draft.error) return <TriangleAlert aria-hidden className="icon" />
  if (draft.id === null) return <LoaderCircle aria-hidden className="icon motion-safe:animate-spin" />
  const Icon = draft.kind === 'file' ? Paperclip : Shapes
  return <Icon aria-hidden className="icon text-neutral-11" />
}
