import { useQuery } from '@tanstack/react-query'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { InlineSelect } from '../../../components/forms/inline-select.tsx'

interface AgentSelectProps {
  /** Undefined: the default agent. */
  value: string | undefined
  onChoose: (agentId: string | undefined) => void
}

export function AgentSelect({ value, onChoose }: AgentSelectProps) {
  const { data } = useQuery(agentChoicesQuery)
  const agents = (data?.items ?? []).map(({ id, name, emoji }) => ({
    value: id,
    label: emoji ? `${emoji} ${name}` : name,
  }))
  return (
    <InlineSelect
      label="Agent"
      value={value ?? ''}
      options={[{ value: '', label: 'Default agent' }, ...agents]}
      onChoose={(id) => onChoose(id || undefined)}
      narrow
    />
  )
}
