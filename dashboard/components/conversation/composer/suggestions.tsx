import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { BookOpen, type LucideIcon, Paperclip, Shapes } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery, agentQuery } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { memberNamesQuery } from '../../../api/conversations.ts'
import { skillChoicesQuery } from '../../../api/skills.ts'
import { AgentFace, PersonFace } from '../../faces.tsx'
import { Name } from '../../name.tsx'
import type { Attachment } from '../view/attachments.ts'

export interface ComposerAction {
  kind: 'action'
  id: string
  name: string
  icon: LucideIcon
  run: () => void
}

export type Suggestion =
  | Attachment
  | { kind: 'agent' | 'person'; id: string; name: string }
  | { kind: 'skill'; id: string; name: string; description: string }
  | ComposerAction

const RESULTS_MAX = 8
/** Of each kind, if several match. */
const PER_KIND_MAX = 3
const NAME_CHARACTERS = 80
const STALE_MS = 30_000
const MENTION = /(?:^|\s)@([^\s@]{0,60})$/
const COMMAND = /^\/([^\s/]{0,60})$/

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

interface SuggestionSources {
  projectId: string | undefined
  agentId: string | undefined
  actions: readonly ComposerAction[]
  beforeCaret: string
}

/** `@` mentions a file, block, agent or member; `/` at the start uses a skill or an action. */
export function useSuggestions({ projectId, agentId, actions, beforeCaret }: SuggestionSources) {
  const [dismissedText, setDismissedText] = useState<string>()
  const [active, setActive] = useState(0)
  const command = COMMAND.exec(beforeCaret)?.[1]
  const mention = MENTION.exec(beforeCaret)?.[1]
  const search = command ?? mention
  const isDismissed = dismissedText === beforeCaret
  const isCommand = command !== undefined && !isDismissed
  const isMention = mention !== undefined && projectId !== undefined && !isDismissed
  const mentioned = useMentioned(isMention ? projectId : undefined, mention ?? '')
  const commands = useCommands(isCommand, agentId, actions)
  const matches = (items: readonly Suggestion[]) =>
    items.filter(({ name }) => name.toLowerCase().includes((search ?? '').toLowerCase()))
  const kinds = (isCommand ? commands.kinds : mentioned.kinds).map(matches)
  const filled = kinds.filter((items) => items.length > 0)
  const perKind = filled.length > 1 ? PER_KIND_MAX : RESULTS_MAX
  const isOpen = isCommand || isMention
  const suggestions = isOpen ? filled.flatMap((items) => items.slice(0, perKind)) : []
  return {
    search: search ?? '',
    isCommand,
    isOpen,
    isSearching: isCommand ? commands.isPending : mentioned.isPending,
    suggestions,
    active: Math.min(active, Math.max(suggestions.length - 1, 0)),
    setActive,
    dismiss: () => setDismissedText(beforeCaret),
  }
}

function useMentioned(projectId: string | undefined, search: string) {
  const enabled = projectId !== undefined
  const blocks = useQuery({ ...blocksQuery(projectId ?? ''), enabled })
  const files = useQuery({
    ...filesQuery(projectId ?? '', search),
    enabled,
    placeholderData: keepPreviousData,
  })
  const agents = useQuery({ ...agentChoicesQuery, enabled })
  const members = useQuery({ ...memberNamesQuery, enabled })
  const kinds: readonly (readonly Suggestion[])[] = [
    files.data ?? [],
    blocks.data ?? [],
    agents.data?.items.map(({ id, name }) => ({ kind: 'agent' as const, id, name })) ?? [],
    [...(members.data ?? [])].map(([id, name]) => ({ kind: 'person' as const, id, name })),
  ]
  return { kinds, isPending: blocks.isPending || files.isPending }
}

function useCommands(enabled: boolean, agentId: string | undefined, actions: readonly ComposerAction[]) {
  const agent = useQuery({ ...agentQuery(agentId ?? ''), enabled: enabled && agentId !== undefined })
  const chosen = agent.data?.skills ?? []
  const skills = useQuery({ ...skillChoicesQuery, enabled: enabled && chosen.length > 0 })
  const kinds: readonly (readonly Suggestion[])[] = [
    (skills.data ?? [])
      .filter(({ id }) => chosen.includes(id))
      .map(({ id, name, description }) => ({ kind: 'skill' as const, id, name, description })),
    actions,
  ]
  return { kinds, isPending: agent.isLoading || skills.isLoading }
}

interface SuggestionListProps {
  id: string
  search: string
  isCommand: boolean
  isSearching: boolean
  suggestions: readonly Suggestion[]
  active: number
  onChoose: (suggestion: Suggestion) => void
}

/** The text area handles the keys, as in every combobox. */
export function SuggestionList(props: SuggestionListProps) {
  const { id, search, isCommand, isSearching, suggestions, active, onChoose } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={isCommand ? t`Skills and actions` : t`Files, blocks, agents and people`}
      className="absolute bottom-full left-0 z-30 mb-4 max-h-nested-max w-full max-w-form overflow-y-auto rounded-panel bg-float p-4 shadow-float"
    >
      {suggestions.length === 0 && (
        <p role="status" className="px-8 py-4 text-12 text-neutral-11">
          {emptyText(search, isCommand, isSearching)}
        </p>
      )}
      {suggestions.map((suggestion, index) => {
        const { kind, name } = suggestion
        const isFirst = kind !== suggestions[index - 1]?.kind
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys.
          <div
            key={`${kind} ${suggestion.id}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The text area keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(suggestion)}
            className={`flex h-32 cursor-pointer items-center gap-8 rounded-control px-8 text-13 hover:bg-hover aria-selected:bg-selection-wash ${isFirst && index > 0 ? 'mt-4' : ''}`}
          >
            {faceOf(suggestion)}
            <span className="min-w-0 flex-1 truncate">
              <Name>{name}</Name>
              {kind === 'skill' && <span className="text-neutral-11"> {suggestion.description}</span>}
            </span>
            <span className="shrink-0 text-12 text-neutral-11">{KINDS[kind]}</span>
          </div>
        )
      })}
    </div>
  )
}

const FACE_PX = 18

function faceOf(suggestion: Suggestion): ReactNode {
  switch (suggestion.kind) {
    case 'agent':
      return <AgentFace agent={suggestion} size={FACE_PX} />
    case 'person':
      return <PersonFace person={suggestion} size={FACE_PX} />
    case 'file':
      return <Paperclip aria-hidden className="icon text-neutral-11" />
    case 'block':
      return <Shapes aria-hidden className="icon text-neutral-11" />
    case 'skill':
      return <BookOpen aria-hidden className="icon text-neutral-11" />
    case 'action': {
      const Icon = suggestion.icon
      return <Icon aria-hidden className="icon text-neutral-11" />
    }
  }
}

const KINDS: Record<Suggestion['kind'], string> = {
  file: t`File`,
  block: t`Block`,
  agent: t`Agent`,
  person: t`Member`,
  skill: t`Skill`,
  action: t`Action`,
}

function emptyText(search: string, isCommand: boolean, isSearching: boolean): string {
  if (isSearching) return t`Searching…`
  if (search !== '')
    return isCommand ? t`No skill or action matches “${search}”` : t`Nothing matches “${search}”`
  return isCommand ? t`This agent has no skills` : t`This project has no blocks or files yet`
}
