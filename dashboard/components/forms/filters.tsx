import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { agentsQuery } from '../../api/agents.ts'
import { newestProjectsQuery } from '../../api/projects.ts'
import { Button } from '../button.tsx'
import { InlineSelect } from './select.tsx'

interface FilterBarProps {
  /** Present while a filter is set. */
  onClear?: () => void
  children: ReactNode
  /** What stands after the filters. */
  end?: ReactNode
}

/** The filters above a list. */
export function FilterBar({ onClear, children, end }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
      {children}
      {onClear && (
        <Button look="quiet" size="small" onClick={onClear}>
          <X aria-hidden className="icon" />
          Clear
        </Button>
      )}
      {end}
    </div>
  )
}

interface RecordFilterProps {
  /** The id of the selected record. */
  value: string | undefined
  onChoose: (id: string | undefined) => void
}

export function ProjectFilter({ value, onChoose }: RecordFilterProps) {
  const projects = useQuery(newestProjectsQuery).data?.items ?? []
  return (
    <InlineSelect
      small
      narrow
      label="Project"
      value={value ?? ''}
      options={[{ value: '', label: 'Any project' }, ...recordOptions(projects, value, 'This project')]}
      onChoose={(id) => onChoose(id || undefined)}
    />
  )
}

export function AgentFilter({ value, onChoose }: RecordFilterProps) {
  const agents = useInfiniteQuery(agentsQuery({})).data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <InlineSelect
      small
      narrow
      label="Agent"
      value={value ?? ''}
      options={[{ value: '', label: 'Any agent' }, ...recordOptions(agents, value, 'This agent')]}
      onChoose={(id) => onChoose(id || undefined)}
    />
  )
}

/** The options of a select. A selected record that is not loaded, such as an archived agent, stays selected as `label`. */
function recordOptions(
  records: readonly { id: string; name: string }[],
  selectedId: string | undefined,
  label: string,
): { value: string; label: string }[] {
  const options = records.map(({ id, name }) => ({ value: id, label: name }))
  return selectedId === undefined || options.some(({ value }) => value === selectedId)
    ? options
    : [...options, { value: selectedId, label }]
}
