import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { connectorsQuery } from '../../../api/connections/connections.ts'
import { useSession } from '../../../api/session.ts'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { CustomConnectors } from './custom-connectors.tsx'
import { OAuthClients } from './oauth-clients.tsx'

/** The OAuth clients of the organization, and the connectors that it added. */
export function ConnectorSettingsPage() {
  const { role } = useSession()
  const catalog = useQuery(connectorsQuery)
  return (
    <Page title="Connectors">
      {role === 'member' ? (
        <p className="px-16 py-24 text-13 text-neutral-11 md:px-24">
          Admins set up connectors.{' '}
          <Link to="/connections" className="underline hover:text-neutral-12">
            Your connections
          </Link>
        </p>
      ) : (
        <>
          {catalog.isPending && <SkeletonRows />}
          {catalog.error && !catalog.data && (
            <Failure error={catalog.error} onRetry={() => catalog.refetch()} />
          )}
          {catalog.data && (
            <>
              <CustomConnectors />
              <OAuthClients connectors={catalog.data.items} />
            </>
          )}
        </>
      )}
    </Page>
  )
}
