import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../contract/text.ts'
import { agentChoicesQuery } from '../../api/agents.ts'
import { newestProjectsQuery } from '../../api/projects.ts'
import { Button } from '../button.tsx'
import { InlineSelect } from './select.tsx'

interface FilterBarProps {
  onClear?: () => void
  children: ReactNode
  end?: ReactNode
}

export function FilterBar({ onClear, children, end }: FilterBarProps) {
  return (
    <div className="mx-16 flex flex-wrap items-center gap-8 border-neutral-6 border-b py-8 md:mx-24">
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

interface FilterProps<T extends string> {
  /** For screen readers. */
  label: string
  any: string
  value: T | undefined
  options: readonly { value: T; label: string }[]
  narrow?: boolean
  onChoose: (value: T | undefined) => void
}

export function Filter<T extends string>({ label, any, value, options, narrow, onChoose }: FilterProps<T>) {
  return (
    <InlineSelect<T | ''>
      small
      narrow={narrow}
      label={label}
      value={value ?? ''}
      options={[{ value: '', label: any }, ...options]}
      onChoose={(chosen) => onChoose(chosen || undefined)}
    />
  )
}

interface RecordFilterProps {
  value: string | undefined
  onChoose: (id: string | undefined) => void
}

export function ProjectFilter(props: RecordFilterProps) {
  const projects = useQuery(newestProjectsQuery).data?.items ?? []
  const options = recordOptions(projects, props.value, t`This project`)
  return <Filter narrow label="Project" any={t`Any project`} options={options} {...props} />
}

export function AgentFilter(props: RecordFilterProps) {
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const options = recordOptions(agents, props.value, t`This agent`)
  return <Filter narrow label="Agent" any={t`Any agent`} options={options} {...props} />
}

/** A selected record that isn't loaded, such as an archived agent, stays selected as `label`. */
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
