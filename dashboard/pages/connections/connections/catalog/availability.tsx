import type { Connector } from '../../../../api/connections/connections.ts'
import { useSession } from '../../../../api/session.ts'
import { AVAILABILITIES } from '../../../../components/connectors/connection-labels.tsx'
import { localizeConnectorText } from '../../../../components/connectors/connector-texts.ts'

/** Why a connector cannot be connected or is unreliable, and who can change that. */
export function Availability({ connector }: { connector: Connector }) {
  const { availability, availabilityReason, name } = connector
  const { role } = useSession()
  const label = AVAILABILITIES[availability]
  if (!label) return null
  const isAdmin = role !== 'member'
  const help =
    availability === 'unconfigured'
      ? isAdmin
        ? `Register an OAuth client of your organization at ${name} and enter it here.`
        : `Ask an admin of your organization to set up ${name}.`
      : null
  return (
    <div className="rounded-control border border-neutral-6 bg-neutral-2 px-12 py-8 text-13">
      <p className="font-medium">{label}</p>
      <p className="text-neutral-11">
        {[availabilityReason && localizeConnectorText(availabilityReason), help].filter(Boolean).join(' ')}
      </p>
    </div>
  )
}
