import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { AGENT_TOOL_NAMES, AGENT_TOOLS } from '../../../../contract/agents/agent-options.ts'
import type { Agent } from '../../../api/agents.ts'
import { Name } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { AgentEmoji } from './agent-emoji.tsx'

export const agentColumns: Column<Agent>[] = [
  { header: 'Name', wide: true, cell: (agent) => <NameCell agent={agent} /> },
  { header: 'Model', visibleFrom: 'medium', cell: (agent) => <ModelCell agent={agent} /> },
  {
    header: 'Tools',
    visibleFrom: 'wide',
    cell: ({ tools }) => <span className="whitespace-nowrap text-neutral-11">{toolNames(tools)}</span>,
  },
  timeColumn('Changed', ({ updatedAt }) => updatedAt, { visibleFrom: 'medium' }),
]

const toolNames = (tools: Agent['tools']) =>
  AGENT_TOOL_NAMES.filter((name) => tools[name])
    .map((name) => AGENT_TOOLS[name].label)
    .join(', ') || 'None'

function NameCell({ agent }: { agent: Agent }) {
  const { id, name, emoji, description } = agent
  return (
    <span className="flex min-w-0 items-center gap-8">
      <AgentEmoji emoji={emoji} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-8">
          <Link
            to="/agents/$id"
            params={{ id }}
            data-row-link={id}
            title={name}
            className="row-link min-w-0 max-w-full shrink-0 truncate font-medium outline-none"
          >
            <Name>{name}</Name>
          </Link>
          {description && (
            <span className="min-w-0 flex-1 truncate text-neutral-11 @max-medium:hidden">{description}</span>
          )}
        </span>
        <span className="block text-12 @medium:hidden">
          <ModelCell agent={agent} />
        </span>
      </span>
    </span>
  )
}

function ModelCell({ agent: { model, warnings } }: { agent: Agent }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-4 text-neutral-11">
      {warnings.length > 0 && (
        <TriangleAlert role="img" aria-label="Warning" className="size-12 shrink-0 text-warning-text">
          <title>{warnings.map(({ message }) => message).join('; ')}</title>
        </TriangleAlert>
      )}
      <span className="truncate">{model ?? 'Default model'}</span>
    </span>
  )
}
