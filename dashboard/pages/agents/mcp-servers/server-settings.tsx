import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failureMessage } from '../../../api/explain.ts'
import { cacheMcpServer, type McpServerDetails, mcpServerApi } from '../../../api/mcp-servers.ts'
import { Switch } from '../../../components/forms/switch.tsx'
import { Name } from '../../../components/name.tsx'
import { Section } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'

/** Whether agents can use the server, whether its hints are trusted, and which agents list it. */
export function ServerSettings({ server }: { server: McpServerDetails }) {
  const { id, enabled, trusted, agents } = server
  const save = useMutation({
    mutationFn: (change: { enabled?: boolean; trusted?: boolean }) =>
      mcpServerApi.mcpServers.update({ id, ...change }),
    onSuccess: cacheMcpServer,
    onError: (error) => toast(failureMessage(error) ?? 'The change was not saved'),
  })
  return (
    <Section title="Use" lead="Agents choose their servers in their settings.">
      <div className="border-neutral-6 border-t">
        <Switch
          label="Enabled"
          description="Agents that list the server can use its tools."
          checked={enabled}
          onChange={(on) => save.mutate({ enabled: on })}
        />
        <Switch
          label="Trust its hints"
          description="A tool that the server calls read-only runs without approval, and one that it calls idempotent is repeated after a crash. Turn it on only for a server that you trust."
          checked={trusted}
          onChange={(on) => save.mutate({ trusted: on })}
        />
      </div>
      <p className="text-13 text-neutral-11">
        {agents.length === 0 ? 'No agent lists this server yet.' : 'Agents: '}
        {agents.map((agent, index) => (
          <span key={agent.id}>
            {index > 0 && ', '}
            <Link to="/agents/$id" params={{ id: agent.id }} className="underline hover:text-neutral-12">
              <Name>{agent.name}</Name>
            </Link>
          </span>
        ))}
      </p>
    </Section>
  )
}
