import type { Connection, Connector } from '../../../../api/connections/connections.ts'
import { problemOf } from '../../../../components/connectors/connection-labels.tsx'
import { Name } from '../../../../components/name.tsx'
import { RepairButton } from '../connect/repair-button.tsx'

interface ConnectionBannerProps {
  connection: Connection
  connector: Connector | undefined
  isOwn: boolean
}

const TONES: Partial<Record<Connection['status'], string>> = {
  expired: 'border-bad-line bg-bad-wash text-bad-text',
  error: 'border-warning-line bg-warning-wash text-warning-text',
  pending: 'border-info-line bg-info-wash text-info-text',
  failed: 'border-neutral-6 bg-neutral-2 text-neutral-11',
}

/** Why the connection does not work, the number of held events, and the button that repairs it. */
export function ConnectionBanner({ connection, connector, isOwn }: ConnectionBannerProps) {
  const { status, heldCount, owner } = connection
  const problem = problemOf(connection)
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
            {heldCount === 1 ? '1 event waits' : `${heldCount.toLocaleString('en')} events wait`} until it
            works again. None is lost.
          </p>
        )}
        {!isOwn && (
          <p>
            <Name>{owner.name}</Name> can connect it again.
          </p>
        )}
      </div>
      <RepairButton connection={connection} connector={connector} isOwn={isOwn} />
    </div>
  )
}
