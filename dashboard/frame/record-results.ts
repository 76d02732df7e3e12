import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bot, File, Folder, MessagesSquare, Shapes, Webhook } from 'lucide-react'
import { useEffect, useState } from 'react'
import { agentsNamedQuery } from '../api/agents.ts'
import { api } from '../api/client.ts'
import { conversationsNamedQuery } from '../api/conversation-lists.ts'
import { projectRef, projectsNamedQuery } from '../api/projects.ts'
import type { Command } from './command-list.ts'

const DEBOUNCE_MS = 120
const RESULTS_MAX = 8
const WEBHOOKS_STALE_MS = 60_000

const filesNamedQuery = (search: string) =>
  queryOptions({
    queryKey: ['files', 'named', search],
    queryFn: ({ signal }) => api.files.list({ search, limit: RESULTS_MAX }, { signal }),
  })

/** An organization has few webhooks, and their list has no search. */
const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'named'],
  queryFn: ({ signal }) => api.webhooks.list(undefined, { signal }),
  staleTime: WEBHOOKS_STALE_MS,
})

/** Projects, agents, files and webhooks whose name matches the palette's input, and conversations that contain it. */
export function useRecordResults(typed: string): Command[] {
  const navigate = useNavigate()
  const search = useDebounced(typed.trim())
  const options = { enabled: search !== '', placeholderData: keepPreviousData }
  const projects = useQuery({ ...projectsNamedQuery(search, RESULTS_MAX), ...options })
  const agents = useQuery({ ...agentsNamedQuery(search, RESULTS_MAX), ...options })
  const conversations = useQuery({ ...conversationsNamedQuery(search, RESULTS_MAX), ...options })
  const files = useQuery({ ...filesNamedQuery(search), ...options })
  const webhooks = useQuery({ ...webhooksQuery, enabled: search !== '' })
  if (typed.trim() === '') return []
  return [
    ...(projects.data?.items ?? []).map((project): Command => {
      const run = () => navigate({ to: '/projects/$ref', params: { ref: projectRef(project) } })
      const emoji = project.emoji ?? undefined
      return { id: project.id, label: project.name, emoji, group: 'Open', icon: Shapes, run }
    }),
    ...(agents.data?.items ?? []).map(({ id, name, emoji }): Command => {
      const run = () => navigate({ to: '/agents/$id', params: { id } })
      return { id, label: name, emoji: emoji ?? undefined, group: 'Open', icon: Bot, run }
    }),
    ...(conversations.data?.items ?? []).map(({ id, title }): Command => {
      const run = () => navigate({ to: '/chat/$sessionId', params: { sessionId: id }, search: {} })
      return { id, label: title ?? 'Conversation', group: 'Open', icon: MessagesSquare, run }
    }),
    // The folder of a project has its name: the project is listed above.
    ...(files.data?.items ?? [])
      .filter((file) => !file.protected)
      .map((file): Command => {
        const run = () =>
          file.source === 'folder'
            ? navigate({ to: '/files/$id', params: { id: file.id } })
            : openFile(file.parentId, file.id)
        return {
          id: file.id,
          label: file.name,
          group: 'Open',
          icon: file.source === 'folder' ? Folder : File,
          run,
        }
      }),
    ...(webhooks.data?.items ?? []).map((webhook): Command => {
      const run = () => navigate({ to: '/webhooks/$id', params: { id: webhook.id } })
      return { id: webhook.id, label: webhook.name, group: 'Open', icon: Webhook, run }
    }),
  ]

  /** The folder of the file, with the panel of the file open. */
  function openFile(folderId: string | null, file: string) {
    return folderId
      ? navigate({ to: '/files/$id', params: { id: folderId }, search: { file } })
      : navigate({ to: '/files', search: { file } })
  }
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
