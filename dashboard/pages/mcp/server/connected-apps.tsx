import { useQuery } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Row, Rows } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { type ConnectedApp, connectedAppsQuery } from './mcp-queries.ts'

export function ConnectedApps() {
  const apps = useQuery(connectedAppsQuery)
  const [disconnecting, setDisconnecting] = useState<ConnectedApp>()
  if (apps.isPending) return <SkeletonRows rows={2} />
  if (apps.error && !apps.data) return <Failure error={apps.error} onRetry={() => apps.refetch()} />
  const { items } = apps.data!
  if (items.length === 0) return <p className="text-13 text-neutral-11">No apps are connected.</p>
  return (
    <>
      <Rows label="Connected apps">
        {items.map((app) => (
          <AppRow key={app.id} app={app} onDisconnect={() => setDisconnecting(app)} />
        ))}
      </Rows>
      {disconnecting && <DisconnectDialog app={disconnecting} onClose={() => setDisconnecting(undefined)} />}
    </>
  )
}

function AppRow({ app, onDisconnect }: { app: ConnectedApp; onDisconnect: () => void }) {
  return (
    <Row
      icon={<Plug aria-hidden className="icon shrink-0 text-neutral-11" />}
      title={
        <>
          <span className="truncate font-medium">
            <Name>{app.name}</Name>
          </span>
          <Badge>{app.access === 'write' ? t`Read and write` : t`Read only`}</Badge>
        </>
      }
      note={
        <>
          <code dir="ltr" className="font-mono">
            {app.host}
          </code>{' '}
          · Connected <Time at={app.createdAt} /> ·{' '}
          {app.lastUsedAt ? (
            <>
              Last used <Time at={app.lastUsedAt} />
            </>
          ) : (
            t`Never used`
          )}
          {app.expiresAt && (
            <>
              {' '}
              · Expires <Time at={app.expiresAt} />
            </>
          )}
        </>
      }
    >
      <Button
        size="small"
        look="quiet"
        aria-label={textWithNames`Disconnect ${app.name}`}
        onClick={onDisconnect}
      >
        Disconnect
      </Button>
    </Row>
  )
}

function DisconnectDialog({ app, onClose }: { app: ConnectedApp; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Disconnect app"
      phrase={app.name}
      action="Disconnect app"
      mutate={() => api.connectedApps.revoke({ id: app.id })}
      invalidates={[connectedAppsQuery.queryKey]}
      success={withNames`Disconnected ${app.name}`}
      onClose={onClose}
    >
      <p>
        Requests from <Name>{app.name}</Name> (<code className="font-mono text-12">{app.host}</code>) will be
        rejected. You can connect the app again later.
      </p>
    </ConfirmDialog>
  )
}
