import { Link } from '@tanstack/react-router'
import type { Connection, Connector } from '../../../../api/connections/connections.ts'
import { useSession } from '../../../../api/session.ts'
import { Badge } from '../../../../components/badge.tsx'
import { AVAILABILITIES } from '../../../../components/connectors/connection-labels.tsx'
import { localizeConnectorText } from '../../../../components/connectors/connector-texts.ts'
import { Mark } from '../../../../components/connectors/mark.tsx'
import { ConnectButton } from '../connect/connect-button.tsx'

interface ConnectorRowProps {
  connector: Connector
  /** The connections with this connector. */
  connections: Connection[]
  isCurrent: boolean
}

/** A connector: the whole row opens its panel, the button connects. */
export function ConnectorRow({ connector, connections, isCurrent }: ConnectorRowProps) {
  const { slug, name, availability, availabilityReason } = connector
  const description = localizeConnectorText(connector.description)
  const { user } = useSession()
  const isConnected = connections.some(({ owner, status }) => owner.id === user.id && status === 'active')
  const availabilityLabel = AVAILABILITIES[availability]
  return (
    <li
      aria-current={isCurrent || undefined}
      className="relative flex min-h-foot min-w-0 items-start gap-12 border-neutral-6 border-b py-8 hover:bg-neutral-2 has-[[data-row-link]:focus-visible]:bg-neutral-3 aria-[current=true]:bg-accent-wash"
    >
      <Mark slug={slug} name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-8">
          <Link
            to="/connections"
            search={(before) => ({ ...before, connector: slug })}
            data-row-link={slug}
            className="row-link truncate font-medium text-13 outline-none"
          >
            {name}
          </Link>
          {availabilityLabel && (
            <span title={availabilityReason}>
              <Badge>{availabilityLabel}</Badge>
            </span>
          )}
          {isConnected && <Badge accent>Connected</Badge>}
        </div>
        <p className="line-clamp-2 text-12 text-neutral-11" title={description}>
          {description}
        </p>
      </div>
      <span className="relative">
        <ConnectButton connector={connector} isConnected={isConnected} />
      </span>
    </li>
  )
}
