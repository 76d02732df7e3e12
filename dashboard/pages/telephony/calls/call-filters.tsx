import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { allNumbersQuery } from '../../../api/telephony/overview.ts'
import { Button } from '../../../components/button.tsx'
import { InlineSelect } from '../../../components/forms/inline-select.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { CALL_STATUS_OPTIONS, DIRECTION_OPTIONS } from '../call-labels.ts'
import type { CallsSearch } from './calls-search.ts'

const NO_FILTERS: CallsSearch = {
  show: undefined,
  direction: undefined,
  number: undefined,
  agent: undefined,
  peer: undefined,
}

/** The filters of the list; their state is in the URL. */
export function CallFilters({ search }: { search: CallsSearch }) {
  const navigate = useNavigate()
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const numbers = useQuery(allNumbersQuery).data ?? []
  const { typed, setTyped } = useSearchInput(search.peer ?? '', 'peer')
  const change = (next: CallsSearch) =>
    void navigate({ to: '.', search: (current) => ({ ...current, ...next }), replace: true })
  const { show, direction, number, agent } = search
  return (
    <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
      <input
        type="search"
        data-filter
        dir="ltr"
        aria-label="Number of the other party"
        placeholder="Number, such as +4930…"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="h-24 w-qr rounded-control max-sm:w-full border border-neutral-7 bg-neutral-1 px-8 text-16 hover:border-neutral-8 sm:text-12"
      />
      <InlineSelect
        small
        label="Status"
        value={show ?? ''}
        options={[{ value: '', label: 'Any status' }, ...CALL_STATUS_OPTIONS]}
        onChoose={(value) => change({ show: value || undefined })}
      />
      <InlineSelect
        small
        label="Direction"
        value={direction ?? ''}
        options={[{ value: '', label: 'Both directions' }, ...DIRECTION_OPTIONS]}
        onChoose={(value) => change({ direction: value || undefined })}
      />
      <InlineSelect
        small
        narrow
        label="Number"
        value={number ?? ''}
        options={[
          { value: '', label: 'Any number' },
          ...numbers.map(({ id, e164, label }) => ({ value: id, label: label ? `${label} ${e164}` : e164 })),
        ]}
        onChoose={(value) => change({ number: value || undefined })}
      />
      <InlineSelect
        small
        narrow
        label="Agent"
        value={agent ?? ''}
        options={[
          { value: '', label: 'Any agent' },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChoose={(value) => change({ agent: value || undefined })}
      />
      {(show ?? direction ?? number ?? agent ?? search.peer) !== undefined && (
        <Button
          look="quiet"
          size="small"
          onClick={() => {
            setTyped('')
            change(NO_FILTERS)
          }}
        >
          <X aria-hidden className="icon" />
          Clear
        </Button>
      )}
    </div>
  )
}
