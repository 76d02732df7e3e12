import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { agentChoicesQuery } from '../../../../api/agents.ts'
import { Name } from '../../../../components/name.tsx'
import { useCanvas } from '../../canvas-context.ts'
import type { Block } from '../../store/items.ts'
import { agentIdOf } from './agent-state.ts'

const DEFAULT_AGENT = 'Default agent'

/** The agent of a block: a select for editors, its name for other members. Guests cannot read agents. */
export function AgentChoice({ block, canChoose }: { block: Block; canChoose: boolean }) {
  const { store, isGuest } = useCanvas()
  const { data } = useQuery({ ...agentChoicesQuery, enabled: !isGuest })
  if (isGuest) return <p className="truncate text-12 text-neutral-11">Agent</p>
  const agentId = agentIdOf(block)
  const agents = data?.items ?? []
  const currentAgent = agents.find(({ id }) => id === agentId)
  const name = agentId === null ? DEFAULT_AGENT : (currentAgent?.name ?? (data ? 'Unknown agent' : 'Agent'))
  if (!canChoose)
    return (
      <p className="truncate text-12 text-neutral-11">
        <Name>{name}</Name>
      </p>
    )
  const choose = (value: string) => {
    const { agentId: _former, ...metadata } = store.items.blocks.get(block.id)?.metadata ?? {}
    const next = value === '' ? metadata : { ...metadata, agentId: value }
    store.change({ update: { blocks: [{ id: block.id, metadata: next }] } })
  }
  return (
    // A native list: it opens above the canvas, at any zoom.
    <span className="nodrag nopan relative inline-flex max-w-full items-center text-12 text-neutral-11 hover:text-neutral-12">
      <select
        aria-label="Agent"
        tabIndex={-1}
        value={agentId ?? ''}
        onChange={(event) => choose(event.target.value)}
        className="field-sizing-content max-w-full cursor-pointer appearance-none truncate rounded-control bg-transparent pr-16"
      >
        <option value="">{DEFAULT_AGENT}</option>
        {agentId !== null && !currentAgent && <option value={agentId}>{name}</option>}
        {agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.emoji ? `${agent.emoji} ${agent.name}` : agent.name}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="canvas-control pointer-events-none absolute right-0 size-12" />
    </span>
  )
}
