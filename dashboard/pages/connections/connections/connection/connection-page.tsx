import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { connectionApi } from '../../../../api/connections/connection-api.ts'
import {
  type Connection,
  cacheConnection,
  connectionQuery,
  connectorsQuery,
} from '../../../../api/connections/connections.ts'
import { useSession } from '../../../../api/session.ts'
import { Button } from '../../../../components/button.tsx'
import { nameOf } from '../../../../components/connectors/connection-labels.tsx'
import { ToolRisks } from '../../../../components/connectors/tool-risks.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { Breadcrumb } from '../../../../components/layout/breadcrumb.tsx'
import { withNames } from '../../../../components/name.tsx'
import { Section } from '../../../../components/section.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { Page } from '../../../../frame/page.tsx'
import { EndpointList } from '../endpoints/endpoint-list.tsx'
import { EndpointPanel } from '../endpoints/endpoint-panel.tsx'
import { useCompletedConnections } from '../use-completed-connections.ts'
import { Account } from './account.tsx'
import { Calls } from './calls.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { ConnectionMenu } from './connection-menu.tsx'
import { Permissions } from './permissions.tsx'
import { Sharing } from './sharing.tsx'

const route = getRouteApi('/app/connections/$id')
const BACK = <Breadcrumb to="/connections">Connections</Breadcrumb>

/** One connection: its account and health, the tools of agents, and their calls. */
export function ConnectionPage() {
  const { id } = route.useParams()
  const query = useQuery(connectionQuery(id))
  useCompletedConnections()
  if (query.data) return <Loaded key={id} connection={query.data} />
  return (
    <Page title="Connection" breadcrumb={BACK}>
      {query.isPending && <SkeletonRows rows={5} />}
      {query.error && <Failure error={query.error} onRetry={() => query.refetch()} />}
    </Page>
  )
}

function Loaded({ connection }: { connection: Connection }) {
  const { id, connectorSlug, owner, status } = connection
  const { user } = useSession()
  const connector = useQuery(connectorsQuery).data?.items.find(({ slug }) => slug === connectorSlug)
  const isOwn = owner.id === user.id
  const { endpoint: open } = route.useSearch()
  const check = useMutation({
    mutationFn: () => connectionApi.connections.check({ id }),
    onSuccess: async (checked) => {
      await cacheConnection(checked)
      toast(checked.status === 'active' ? withNames`${nameOf(checked)} works` : checked.statusReason)
    },
    onError: toastFailure,
  })
  const canCheck = isOwn && status !== 'pending' && status !== 'failed'
  return (
    <Page
      title={nameOf(connection)}
      breadcrumb={BACK}
      panel={open && connector && <EndpointPanel id={open} connection={connection} connector={connector} />}
      action={
        isOwn && (
          <span className="flex items-center gap-8">
            {canCheck && (
              <Button busy={check.isPending} onClick={() => check.mutate()}>
                Check now
              </Button>
            )}
            <ConnectionMenu connection={connection} connector={connector} />
          </span>
        )
      }
    >
      <ConnectionBanner connection={connection} connector={connector} isOwn={isOwn} />
      <Account connection={connection} isOwn={isOwn} />
      <Permissions connection={connection} connector={connector} isOwn={isOwn} />
      <Sharing connection={connection} isOwn={isOwn} />
      {connector?.receives && (
        <EndpointList connection={connection} connector={connector} isOwn={isOwn} current={open} />
      )}
      {connector && (
        <Section
          title="Tools"
          lead="Agents that list this connector can use them. Calls with a risk require approval unless a rule of the agent allows them."
        >
          <ToolRisks tools={connector.tools} slug={connector.slug} />
        </Section>
      )}
      <Calls connection={connection} />
    </Page>
  )
}
