import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { failureMessage } from '../../../api/explain.ts'
import {
  cacheMcpServer,
  type McpServerDetails,
  mcpServerApi,
  mcpServerQuery,
} from '../../../api/mcp-servers.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { Connection } from './connection.tsx'
import { LastCalls } from './last-calls.tsx'
import { PendingTools } from './pending-tools.tsx'
import { ServerMenu } from './server-menu.tsx'
import { ServerSettings } from './server-settings.tsx'
import { ServerSummary } from './server-summary.tsx'
import { SignInProblem } from './sign-in-problem.tsx'
import { ToolList } from './tool-list.tsx'

const route = getRouteApi('/app/mcp-servers/$id')
const BACK = <Breadcrumb to="/mcp-servers">MCP servers</Breadcrumb>

/** One MCP server: its connection, its tools and their changes. */
export function McpServerPage() {
  const { id } = route.useParams()
  const { role } = useSession()
  const server = useQuery(mcpServerQuery(id))
  if (server.data && role !== 'member') return <Loaded key={id} server={server.data} />
  return (
    <Page title={server.data?.name ?? 'MCP server'} breadcrumb={BACK}>
      {server.isPending && <SkeletonRows rows={5} />}
      {server.error && <Failure error={server.error} onRetry={() => server.refetch()} />}
      {server.data && <ServerSummary server={server.data} />}
    </Page>
  )
}

function Loaded({ server }: { server: McpServerDetails }) {
  const { id, name, tools } = server
  const { error } = route.useSearch()
  const check = useMutation({
    mutationFn: () => mcpServerApi.mcpServers.check({ id }),
    onSuccess: async ({ problem, latencyMs, server: checked }) => {
      await cacheMcpServer(checked)
      toast(problem ? withNames`${name}: ${problem}` : withNames`${name} responds in ${latencyMs} ms`)
    },
    onError: (failure) => toast(failureMessage(failure) ?? 'The check failed'),
  })
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
