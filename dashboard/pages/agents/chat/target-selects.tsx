import { InlineSelect } from '../../../components/forms/select.tsx'
import type { TargetOptions } from './use-target-options.ts'

/** The project and the agent of a new chat. */
export function TargetSelects({ options }: { options: TargetOptions }) {
  const { projects, agents, projectId, agentId, choose } = options
  return (
    <>
      {projectId !== undefined && (
        <InlineSelect
          label="Project"
          value={projectId}
          options={projects.map(({ id, name, emoji }) => ({ value: id, label: labelOf(name, emoji) }))}
          onChoose={(id) => choose({ projectId: id })}
          narrow
        />
      )}
      {agentId !== undefined && (
        <InlineSelect
          label="Agent"
          value={agentId}
          options={agents.map(({ id, name, emoji }) => ({ value: id, label: labelOf(name, emoji) }))}
          onChoose={(id) => choose({ agentId: id })}
          narrow
        />
      )}
    </>
  )
}

const labelOf = (name: string, emoji: string | null) => (emoji ? `${emoji} ${name}` : name)
