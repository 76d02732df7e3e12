import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { MCP_STATES } from '../../../../contract/agents/mcp-server-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import {
  cacheMcpServer,
  type McpServer,
  type McpServerDetails,
  mcpCallsQuery,
  mcpServerApi,
  mcpServerQuery,
} from '../../../api/mcp-servers.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { Name } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { useCheck } from './check-server.ts'
import { Connection } from './connection.tsx'
import { PendingTools } from './pending-tools.tsx'
import { ServerMenu } from './server-menu.tsx'
import { ServerStatus, SignInProblem } from './server-states.tsx'
import { ToolList } from './tool-list.tsx'

const route = getRouteApi('/app/mcp-servers/$id')
const BACK = <Breadcrumb to="/mcp-servers">MCP servers</Breadcrumb>

export function McpServerPage() {
  const { id } = route.useParams()
  const { role } = useSession()
  const server = useQuery(mcpServerQuery(id))
  if (server.data && role !== 'member') return <Loaded key={id} server={server.data} />
  return (
    <Page title={server.data?.name ?? t`MCP server`} breadcrumb={BACK}>
      {server.isPending && <SkeletonRows rows={5} />}
      {server.error && (
        <RecordFailure
          error={server.error}
          onRetry={() => server.refetch()}
          title="MCP server not found"
          to="/mcp-servers"
          action="All MCP servers"
        />
      )}
      {server.data && <ServerSummary server={server.data} />}
    </Page>
  )
}

function Loaded({ server }: { server: McpServerDetails }) {
  const { name, tools } = server
  const { error } = route.useSearch()
  const check = useCheck(server)
  return (
    <Page
      title={name}
      breadcrumb={BACK}
      action={
        <span className="flex items-center gap-8">
          <Button busy={check.isPending} onClick={() => check.mutate()}>
            Check
          </Button>
          <ServerMenu server={server} />
        </span>
      }
    >
      <SignInProblem code={error} />
      <Connection server={server} />
      <PendingTools key={tools.map(({ hash }) => hash).join(' ')} server={server} />
      <ToolList server={server} />
      <ServerSettings server={server} />
      <LastCalls server={server} />
    </Page>
  )
}

function ServerSummary({ server }: { server: Pick<McpServer, 'host' | 'state' | 'toolNames'> }) {
  const { host, state, toolNames } = server
  return (
    <>
      <Section title="Server connection" lead="Admins manage MCP servers.">
        <Rows label="Server connection">
          <Row title={<span className="truncate">{host}</span>} note={MCP_STATES[state].description}>
            <ServerStatus state={state} />
          </Row>
        </Rows>
      </Section>
      <Section title="Tools" lead="Agents that use this server can call them.">
        <Rows label="Tools">
          {toolNames.map(({ name, callName }) => (
            <Row key={callName} title={<span className="font-medium">{name}</span>} note={callName} />
          ))}
        </Rows>
        {toolNames.length === 0 && <p className="text-13 text-neutral-11">No tools are on.</p>}
      </Section>
    </>
  )
}

function ServerSettings({ server }: { server: McpServerDetails }) {
  const { id, enabled, trusted, agents } = server
  const save = useMutation({
    mutationFn: (change: { enabled?: boolean; trusted?: boolean }) =>
      mcpServerApi.mcpServers.update({ id, ...change }),
    onSuccess: cacheMcpServer,
    onError: (error) => toast(failureMessage(error) ?? t`Change not saved`),
  })
  return (
    <Section title="Usage" lead="Choose servers in each agent’s settings.">
      <div className="border-neutral-6 border-t">
        <Switch
          label="Enabled"
          description="Agents that use the server can call its tools."
          checked={enabled}
          onChange={(on) => save.mutate({ enabled: on })}
        />
        <Switch
          label="Trust its tool annotations"
          description="Tools the server marks as read-only run without approval; those it marks as idempotent are retried after a crash. Only turn this on for servers you trust."
          checked={trusted}
          onChange={(on) => save.mutate({ trusted: on })}
        />
      </div>
      <p className="text-13 text-neutral-11">
        {agents.length === 0 ? t`No agents use this server yet.` : t`Agents: `}
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

const STATES: Record<string, [Meaning, string]> = {
  done: ['good', t`Done`],
  running: ['info', t`Running`],
  failed: ['bad', t`Failed`],
  denied: ['neutral', t`Denied`],
  canceled: ['neutral', t`Canceled`],
  unknown: ['warning', t`Unknown`],
}

function LastCalls({ server }: { server: McpServerDetails }) {
  const items = useQuery(mcpCallsQuery(server.id)).data?.items ?? []
  return (
    <Section title="Recent calls" lead="Up to 50, newest first.">
      {items.length === 0 && (
        <p className="text-13 text-neutral-11">No agent has called this server’s tools yet.</p>
      )}
      {items.length > 0 && (
        <Rows label="Recent calls">
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
                    {durationMs !== null && ` · ${durationMs.toLocaleString(LOCALE)} ms`}
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
