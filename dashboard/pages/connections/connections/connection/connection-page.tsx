import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../../contract/text.ts'
import {
  type Connection,
  type Connector,
  cacheConnection,
  connectionApi,
  connectionQuery,
  connectorsQuery,
} from '../../../../api/connections.ts'
import { useSession } from '../../../../api/session.ts'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import {
  connectionName,
  connectionProblem,
  shortScope,
  ToolRisks,
} from '../../../../components/connectors/connection-labels.tsx'
import { Breadcrumb } from '../../../../components/layout/breadcrumb.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { RecordFailure } from '../../../../components/record-failure.tsx'
import { Section } from '../../../../components/section.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { Page } from '../../../../frame/page.tsx'
import { RepairButton } from '../connect/repair-button.tsx'
import { EndpointList } from '../endpoints/endpoint-list.tsx'
import { EndpointPanel } from '../endpoints/endpoint-panel.tsx'
import { useCompletedConnections } from '../use-completed-connections.ts'
import { Account } from './account.tsx'
import { Calls } from './calls.tsx'
import { ConnectionMenu } from './connection-menu.tsx'
import { Sharing } from './sharing.tsx'

const route = getRouteApi('/app/integrations/$id')
const BACK = <Breadcrumb to="/integrations">Connections</Breadcrumb>

export function ConnectionPage() {
  const { id } = route.useParams()
  const query = useQuery(connectionQuery(id))
  useCompletedConnections()
  if (query.data) return <Loaded key={id} connection={query.data} />
  return (
    <Page title="Connection" breadcrumb={BACK}>
      {query.isPending && <SkeletonRows rows={5} />}
      {query.error && (
        <RecordFailure
          error={query.error}
          onRetry={() => query.refetch()}
          title="Connection not found"
          to="/integrations"
          action="All connections"
        />
      )}
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
      toast(checked.status === 'active' ? withNames`${connectionName(checked)} works` : checked.statusReason)
    },
    onError: toastFailure,
  })
  const canCheck = isOwn && status !== 'pending' && status !== 'failed'
  return (
    <Page
      title={connectionName(connection)}
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
          lead="Agents with this app can use them. Risky calls need approval unless an agent rule allows them."
        >
          <ToolRisks tools={connector.tools} slug={connector.slug} />
        </Section>
      )}
      <Calls connection={connection} />
    </Page>
  )
}

interface ConnectionBannerProps {
  connection: Connection
  connector: Connector | undefined
  isOwn: boolean
}

const TONES: Partial<Record<Connection['status'], string>> = {
  expired: 'border-bad-line bg-bad-wash text-bad-text',
  error: 'border-warning-line bg-warning-wash text-warning-text',
  pending: 'border-info-line bg-info-wash text-info-text',
  failed: 'border-neutral-6 bg-inset text-neutral-11',
}

function ConnectionBanner({ connection, connector, isOwn }: ConnectionBannerProps) {
  const { status, heldCount, owner } = connection
  const problem = connectionProblem(connection)
  if (!problem) return null
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-24 gap-y-8 border-b px-16 py-12 text-13 md:px-24 ${TONES[status]}`}
    >
      <div className="min-w-0 flex-1 basis-qr">
        <p className="wrap-anywhere font-medium">{problem}</p>
        {heldCount > 0 && (
          <p>
            {heldCount === 1
              ? t`1 event is waiting until it works again. Nothing is lost.`
              : t`${heldCount.toLocaleString(LOCALE)} events are waiting until it works again. Nothing is lost.`}
          </p>
        )}
        {!isOwn && (
          <p>
            <Name>{owner.name}</Name> can reconnect it.
          </p>
        )}
      </div>
      <RepairButton connection={connection} connector={connector} isOwn={isOwn} />
    </div>
  )
}

interface PermissionsProps {
  connection: Connection
  connector: Connector | undefined
  isOwn: boolean
}

function Permissions({ connection, connector, isOwn }: PermissionsProps) {
  const { scopes, missingScopes } = connection
  if (connection.connector.authType !== 'oauth' || scopes.length + missingScopes.length === 0) return null
  return (
    <Section title="Permissions" lead="Scopes granted at the provider.">
      {scopes.length > 0 && <Scopes label="Granted" scopes={scopes} />}
      {missingScopes.length > 0 && (
        <div className="flex flex-col items-start gap-12 rounded-control border border-warning-line bg-warning-wash p-12">
          <Scopes label="Requested, not granted" scopes={missingScopes} />
          <p className="text-13 text-warning-text">Tools that need them fail. Reconnect to grant them.</p>
          <RepairButton connection={connection} connector={connector} isOwn={isOwn} always />
        </div>
      )}
    </Section>
  )
}

function Scopes({ label, scopes }: { label: string; scopes: string[] }) {
  return (
    <div className="flex flex-col gap-8">
      <h3 className="font-medium text-12 text-neutral-11">{label}</h3>
      <ul aria-label={label} className="flex flex-wrap gap-8">
        {scopes.map((scope) => (
          <li key={scope} title={scope} className="max-w-full truncate">
            <Badge mono>{shortScope(scope)}</Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}
