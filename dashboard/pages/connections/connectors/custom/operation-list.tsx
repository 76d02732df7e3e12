import { useState } from 'react'
import type { Operation } from '../../../../api/connections/custom-connectors.ts'
import { Button } from '../../../../components/button.tsx'
import { CONTROL } from '../../../../components/forms/field.tsx'
import { NamedChoice } from '../../../../components/forms/named-choice.tsx'

interface OperationListProps {
  operations: Operation[]
  selectedIds: string[]
  onChange: (selectedIds: string[]) => void
}

/** The operations of a document. An operation that cannot be a tool shows the reason. */
export function OperationList({ operations, selectedIds, onChange }: OperationListProps) {
  const [searchText, setSearchText] = useState('')
  const query = searchText.trim().toLowerCase()
  const matches = operations.filter(({ id, summary }) => `${id} ${summary}`.toLowerCase().includes(query))
  const usableIds = matches.filter(({ problem }) => problem === null).map(({ id }) => id)
  const isAllChosen = usableIds.every((id) => selectedIds.includes(id))
  const toggle = (id: string, on: boolean) =>
    onChange(on ? [...selectedIds, id] : selectedIds.filter((other) => other !== id))
  return (
    <fieldset className="flex min-w-0 flex-col gap-8">
      <legend className="mb-8 font-strong">Operations</legend>
      <div className="flex flex-wrap items-center gap-8">
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Search operations"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
          className={`h-32 max-w-filter ${CONTROL}`}
        />
        <Button
          look="quiet"
          onClick={() =>
            onChange(
              isAllChosen
                ? selectedIds.filter((id) => !usableIds.includes(id))
                : [...new Set([...selectedIds, ...usableIds])],
            )
          }
        >
          {isAllChosen ? 'Clear selection' : `Select all ${usableIds.length}`}
        </Button>
      </div>
      <div className="max-h-half overflow-y-auto rounded-control border border-neutral-6">
        {matches.map(({ id, summary, problem }) =>
          problem === null ? (
            <NamedChoice
              key={id}
              name={id}
              description={summary}
              checked={selectedIds.includes(id)}
              included={false}
              onToggle={(on) => toggle(id, on)}
              className="px-12 py-8"
            />
          ) : (
            <div key={id} className="px-12 py-8 pl-32 text-12 text-neutral-11">
              <code className="wrap-anywhere font-mono">{id}</code>
              <span className="block">Cannot be a tool: {problem}</span>
            </div>
          ),
        )}
        {matches.length === 0 && <p className="px-12 py-8 text-13 text-neutral-11">No operation matches.</p>}
      </div>
    </fieldset>
  )
}
