import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { File, Folder, Shapes, X } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { AGENT_LIMITS } from '../../../../../contract/agents/agent-options.ts'
import type { OutputOf } from '../../../../../contract/endpoint.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { api } from '../../../../api/client.ts'
import { newestProjectsQuery } from '../../../../api/projects.ts'
import { Button } from '../../../../components/button.tsx'
import { Combobox } from '../../../../components/forms/combobox.tsx'
import { Name } from '../../../../components/name.tsx'
import type { FieldsProps } from './draft.ts'

type Found = OutputOf<Contract['search']['find']>['items'][number]

const TYPES = 'project,file'
const SHOWN_MAX = 10
const NAMES_STALE_MS = 60_000

/** An id finds its record. */
const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', 'knowledge', q],
    queryFn: ({ signal }) =>
      api.search.find({ ...(q !== '' && { q }), types: TYPES, limit: SHOWN_MAX }, { signal }),
    staleTime: NAMES_STALE_MS,
  })

export function KnowledgeChoices({ draft: { knowledge }, update, errorOf }: FieldsProps) {
  const [typed, setTyped] = useState('')
  const searched = useDeferredValue(typed.trim())
  const found = useQuery({ ...searchQuery(searched), placeholderData: (last) => last })
  // Enter must not choose what an earlier search found.
  const isCurrent = found.data !== undefined && !found.isPlaceholderData && searched === typed.trim()
  const chosen = useQueries({ queries: knowledge.map(searchQuery) })
  const projects = useQuery(newestProjectsQuery).data?.items ?? []
  // Many files have the same name.
  const placeOf = ({ type, projectId }: Found) =>
    type === 'file' ? projects.find(({ id }) => id === projectId)?.name : undefined
  const isFull = knowledge.length >= AGENT_LIMITS.references
  return (
    <div className="flex flex-col gap-8">
      {knowledge.length > 0 && (
        <ul className="flex flex-col gap-4">
          {knowledge.map((id, index) => {
            const record = chosen[index]!.data?.items.find((item) => item.id === id)
            const label = record?.title ?? (chosen[index]!.isPending ? '…' : t`Not available to you`)
            return (
              <li key={id} className="flex h-32 items-center gap-8 rounded-control bg-inset px-8 text-13">
                {record && <KindIcon found={record} />}
                <span className="min-w-0 flex-1 truncate">
                  <Name>{label}</Name>
                  {record && <Place name={placeOf(record)} />}
                </span>
                <Button
                  look="quiet"
                  size="small-icon"
                  aria-label={textWithNames`Remove ${label}`}
                  title="Remove"
                  onClick={() => update({ knowledge: knowledge.filter((other) => other !== id) })}
                >
                  <X aria-hidden className="icon" />
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      {!isFull && (
        <Combobox<Found>
          label="Add a project, folder or file"
          text=""
          onSearch={setTyped}
          match={(search) =>
            (found.data?.items ?? []).filter(
              ({ id, title }) => !knowledge.includes(id) && (isCurrent || includes(title, search)),
            )
          }
          keyOf={({ id }) => id}
          isChosen={() => false}
          onChoose={({ id }) => update({ knowledge: [...knowledge, id] })}
          noMatch={isCurrent ? t`Nothing found.` : t`Searching…`}
          placeholder={t`Search by name`}
          hint={
            knowledge.length === 0 && t`Without a choice, the agent searches the project that it works in.`
          }
          error={errorOf('knowledge')}
        >
          {(record) => (
            <>
              <KindIcon found={record} />
              <span className="min-w-0 flex-1 truncate">
                <Name>{record.title}</Name>
                <Place name={placeOf(record)} />
              </span>
            </>
          )}
        </Combobox>
      )}
    </div>
  )
}

const includes = (title: string, search: string) =>
  title.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase())

const Place = ({ name }: { name: string | undefined }) =>
  name === undefined ? null : (
    <span className="text-12 text-neutral-11">
      {' '}
      <Name>{name}</Name>
    </span>
  )

function KindIcon({ found: { type, id, url } }: { found: Found }) {
  // A file's page is its folder's, with the file beside it.
  const isFolder = new URL(url).pathname.endsWith(`/${id}`)
  const Icon = type === 'project' ? Shapes : isFolder ? Folder : File
  return <Icon aria-hidden className="icon shrink-0 text-neutral-11" />
}
