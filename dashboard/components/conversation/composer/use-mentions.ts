import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { Attachment } from '../view/attachments.ts'

const RESULTS_MAX = 8
const NAME_CHARACTERS = 80
const STALE_MS = 30_000
/** An `@` at the start of a word, and the text from it to the caret. */
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

/** Suggests blocks and files of the project for the `@` before the caret. */
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
