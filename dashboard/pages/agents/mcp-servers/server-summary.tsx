import { MCP_STATES } from '../../../../contract/agents/mcp-server-options.ts'
import type { McpServer } from '../../../api/mcp-servers.ts'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { ServerStatus } from './server-states.tsx'

/** The summary for members who are not admins. */
export function ServerSummary({ server }: { server: Pick<McpServer, 'host' | 'state' | 'toolNames'> }) {
  const { host, state, toolNames } = server
  return (
    <>
      <Section title="Connection" lead="Admins manage MCP servers.">
        <Rows label="Connection">
          <Row title={<span className="truncate">{host}</span>} note={MCP_STATES[state].description}>
            <ServerStatus state={state} />
          </Row>
        </Rows>
      </Section>
      <Section title="Tools" lead="Agents that list this server can use them.">
        <Rows label="Tools">
          {toolNames.map(({ name, callName }) => (
            <Row key={callName} title={<span className="font-medium">{name}</span>} note={callName} />
          ))}
        </Rows>
        {toolNames.length === 0 && <p className="text-13 text-neutral-11">No tool is on.</p>}
      </Section>
    </>
  )
}
