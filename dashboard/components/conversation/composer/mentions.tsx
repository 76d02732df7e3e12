import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Paperclip, Shapes } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import type { Attachment } from '../view/attachments.ts'

const RESULTS_MAX = 8
const NAME_CHARACTERS = 80
const STALE_MS = 30_000
const MENTION = /(?:^|\s)@([^\s@]{0,60})$/

const blocksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['conversations', 'blocks', projectId],
    queryFn: async ({ signal }) => {
      const { items } = await api.canvas.list({ projectId }, { signal })
      return items.map(({ id, type, title, content }): Attachment => {
        const [line = ''] = (title || content || type).trim().split('\n', 1)
        return { kind: 'block', id, name: line.slice(0, NAME_CHARACTERS) || type }
      })
    },
    staleTime: STALE_MS,
  })

const filesQuery = (projectId: string, search: string) =>
  queryOptions({
    queryKey: ['files', 'mentioned', projectId, search],
    queryFn: async ({ signal }) => {
      const { items } = await api.files.list(
        { projectId, search: search || undefined, limit: RESULTS_MAX },
        { signal },
      )
      return items
        .filter(({ source }) => source !== 'folder')
        .map(({ id, name }): Attachment => ({ kind: 'file', id, name }))
    },
    staleTime: STALE_MS,
  })

export function useMentions(projectId: string | undefined, beforeCaret: string) {
  const [dismissedText, setDismissedText] = useState<string>()
  const [active, setActive] = useState(0)
  const search = MENTION.exec(beforeCaret)?.[1]
  const isOpen = search !== undefined && projectId !== undefined && dismissedText !== beforeCaret
  const blocks = useQuery({ ...blocksQuery(projectId ?? ''), enabled: isOpen })
  const files = useQuery({
    ...filesQuery(projectId ?? '', search ?? ''),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const matchingBlocks = (blocks.data ?? []).filter(({ name }) =>
    name.toLowerCase().includes((search ?? '').toLowerCase()),
  )
  const half = RESULTS_MAX / 2
  const suggestions = isOpen ? [...matchingBlocks.slice(0, half), ...(files.data ?? []).slice(0, half)] : []
  return {
    search: search ?? '',
    isOpen,
    isSearching: blocks.isPending || files.isPending,
    suggestions,
    active: Math.min(active, Math.max(suggestions.length - 1, 0)),
    setActive,
    dismiss: () => setDismissedText(beforeCaret),
  }
}

interface MentionListProps {
  id: string
  search: string
  isSearching: boolean
  suggestions: readonly Attachment[]
  active: number
  onChoose: (attachment: Attachment) => void
}

/** The text area handles the keys, as in every combobox. */
export function MentionList({ id, search, isSearching, suggestions, active, onChoose }: MentionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Blocks and files"
      className="absolute bottom-full left-0 z-30 mb-4 max-h-nested-max w-full max-w-form overflow-y-auto rounded-panel bg-float p-4 shadow-float"
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
            className="flex h-32 cursor-pointer items-center gap-8 rounded-control px-8 text-13 hover:bg-hover aria-selected:bg-selected"
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
  if (isSearching) return t`Searching…`
  return search === '' ? t`This project has no blocks or files yet` : t`No blocks or files match “${search}”`
}
