import { Paperclip, Shapes } from 'lucide-react'
import type { Attachment } from '../view/attachments.ts'

interface MentionListProps {
  id: string
  search: string
  isSearching: boolean
  suggestions: readonly Attachment[]
  active: number
  onChoose: (attachment: Attachment) => void
}

/** Blocks and files to mention. The text area handles the keys, as in every combobox. */
export function MentionList({ id, search, isSearching, suggestions, active, onChoose }: MentionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Blocks and files"
      className="absolute bottom-full left-0 z-30 mb-4 max-h-half w-full max-w-form overflow-y-auto rounded-panel bg-float p-4 shadow-float"
    >
      {suggestions.length === 0 && (
        <p role="status" className="px-8 py-4 text-12 text-neutral-11">
          {emptyText(search, isSearching)}
        </p>
      )}
      {suggestions.map((attachment, index) => {
        const Icon = attachment.kind === 'file' ? Paperclip : Shapes
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys.
          <div
            key={attachment.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The text area keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(attachment)}
            className="flex h-32 cursor-pointer items-center gap-8 rounded-control px-8 text-13 hover:bg-neutral-3 aria-selected:bg-neutral-4"
          >
            <Icon aria-hidden className="icon text-neutral-11" />
            <span className="min-w-0 flex-1 truncate">{attachment.name}</span>
            <span className="text-12 text-neutral-11">{attachment.kind}</span>
          </div>
        )
      })}
    </div>
  )
}

function emptyText(search: string, isSearching: boolean): string {
  if (isSearching) return 'Searching…'
  return search === '' ? 'This project has no blocks or files yet' : `No block or file matches “${search}”`
}
