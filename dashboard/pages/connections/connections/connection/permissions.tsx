import type { Connection, Connector } from '../../../../api/connections/connections.ts'
import { Badge } from '../../../../components/badge.tsx'
import { shortScope } from '../../../../components/connectors/connection-labels.tsx'
import { Section } from '../../../../components/section.tsx'
import { RepairButton } from '../connect/repair-button.tsx'

interface PermissionsProps {
  connection: Connection
  connector: Connector | undefined
  isOwn: boolean
}

/** Granted and missing permissions. */
export function Permissions({ connection, connector, isOwn }: PermissionsProps) {
  const { scopes, missingScopes } = connection
  if (connection.connector.authType !== 'oauth' || scopes.length + missingScopes.length === 0) return null
  return (
    <Section title="Permissions" lead="The scopes that were granted at the provider.">
      {scopes.length > 0 && <Scopes label="Granted" scopes={scopes} />}
      {missingScopes.length > 0 && (
        <div className="flex flex-col items-start gap-12 rounded-control border border-warning-line bg-warning-wash p-12">
          <Scopes label="Requested, not granted" scopes={missingScopes} />
          <p className="text-13 text-warning-text">Tools that need them fail. To grant them, reconnect.</p>
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
