import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { t } from '../../../../contract/text.ts'
import { DateRange } from '../../../components/forms/date-range.tsx'
import { Filter, FilterBar } from '../../../components/forms/filters.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { STATUS_FILTERS } from '../webhook-labels.ts'
import { eventTypesQuery, webhooksQuery } from '../webhooks-queries.ts'
import type { LogSearch } from './log-search.ts'

interface EventFiltersProps {
  search: LogSearch
  /** False in a single webhook's log. */
  withWebhooks: boolean
  children: ReactNode
}

export function EventFilters({ search, withWebhooks, children }: EventFiltersProps) {
  const navigate = useNavigate()
  const webhooks = useQuery({ ...webhooksQuery, enabled: withWebhooks }).data?.items ?? []
  const change = (next: Partial<LogSearch>) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  const { type, state, direction, webhook } = search
  const isFiltered = (type ?? state ?? direction ?? webhook ?? search.period) !== undefined
  return (
    <FilterBar
      onClear={isFiltered ? () => change(NO_FILTERS) : undefined}
      end={<span className="ml-auto flex items-center gap-8">{children}</span>}
    >
      <TypeFilter type={type ?? ''} />
      <Filter
        label="Status"
        any={t`Any status`}
        value={state === 'received' && direction === 'internal' ? 'recorded' : state}
        options={Object.entries(STATUS_FILTERS).map(([value, { label }]) => ({ value, label }))}
        onChoose={(value = '') => {
          const chosen = STATUS_FILTERS[value]
          change({ state: chosen?.state, direction: chosen?.direction ?? direction })
        }}
      />
      <Filter<string>
        label="Source"
        any={t`All sources`}
        value={direction}
        options={SOURCES}
        // Without a source, status `received` would match both received and recorded events.
        onChoose={(value) =>
          change({ direction: value, state: !value && state === 'received' ? undefined : state })
        }
      />
      {withWebhooks && webhooks.length > 0 && (
        <Filter
          narrow
          label="Webhook"
          any={t`Any webhook`}
          value={webhook}
          options={webhooks.map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={(value) => change({ webhook: value })}
        />
      )}
      <DateRange value={search} onChange={change} />
    </FilterBar>
  )
}

const SOURCES = [
  { value: 'internal', label: t`From Atrium` },
  { value: 'inbound', label: t`Received` },
]

const NO_FILTERS: LogSearch = {
  ...{ type: undefined, state: undefined, direction: undefined, webhook: undefined },
  ...{ period: undefined, from: undefined, to: undefined },
}

/** Suggests Atrium's types, but senders define their own. */
function TypeFilter({ type }: { type: string }) {
  const listId = useId()
  const { typed, setTyped } = useSearchInput(type, 'type')
  const types = useQuery(eventTypesQuery).data?.items ?? []
  const categories = [...new Set(types.map(({ category }) => `${category}.`))]
  return (
    <>
      <input
        aria-label="Event type"
        placeholder="Any type"
        autoComplete="off"
        spellCheck={false}
        list={listId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-24 w-qr rounded-control border border-neutral-7 bg-card px-8 font-mono text-12 placeholder:font-sans hover:border-neutral-8 max-sm:text-16"
      />
      <datalist id={listId}>
        {[...categories, ...types.map(({ name }) => name)].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
