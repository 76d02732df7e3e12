import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type McpServerDetails, mcpCallsQuery } from '../../../api/mcp-servers.ts'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'

const STATES: Record<string, [Meaning, string]> = {
  done: ['good', 'Done'],
  running: ['info', 'Running'],
  failed: ['bad', 'Failed'],
  denied: ['neutral', 'Denied'],
  canceled: ['neutral', 'Canceled'],
  unknown: ['warning', 'Unknown'],
}

/** The last calls of its tools in runs. */
export function LastCalls({ server }: { server: McpServerDetails }) {
  const items = useQuery(mcpCallsQuery(server.id)).data?.items ?? []
  return (
    <Section title="Last calls" lead="At most 50, newest first.">
      {items.length === 0 && (
        <p className="text-13 text-neutral-11">No agent has called a tool of this server yet.</p>
      )}
      {items.length > 0 && (
        <Rows label="Last calls">
          {items.map(({ runId, tool, state, startedAt, durationMs }) => {
            const [meaning, label] = STATES[state] ?? ['neutral', state]
            return (
              <Row
                key={`${runId} ${tool} ${startedAt}`}
                title={
                  <Link to="/runs/$runId" params={{ runId }} className="truncate font-mono hover:underline">
                    {tool}
                  </Link>
                }
                note={
                  <>
                    <Time at={startedAt} />
                    {durationMs !== null && ` · ${durationMs.toLocaleString('en')} ms`}
                  </>
                }
              >
                <Status meaning={meaning}>{label}</Status>
              </Row>
            )
          })}
        </Rows>
      )}
    </Section>
  )
}
