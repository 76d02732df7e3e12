import { useQuery } from '@tanstack/react-query'
import { agentChoicesQuery } from '../api/agents.ts'
import { AgentFace } from './faces.tsx'

interface ListedAgentFaceProps {
  agent: { id: string; name: string }
  size?: number
  isLive?: boolean | undefined
}

/** For records that name their agent but not its emoji, so that an agent looks the same on every page. */
export function ListedAgentFace({ agent, ...props }: ListedAgentFaceProps) {
  const listed = useQuery(agentChoicesQuery).data?.items.find(({ id }) => id === agent.id)
  return <AgentFace agent={listed ?? agent} {...props} />
}
