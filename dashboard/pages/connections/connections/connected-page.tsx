import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { connectionQuery } from '../../../api/connections/connections.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { publishAuthorizationResult } from '../../../components/connectors/authorization-result.ts'
import { accountOf, nameOf, shortScope } from '../../../components/connectors/connection-labels.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { nextPath } from '../../accounts/sign-in/use-sign-in.ts'
import { AuthorizationProblem } from './connect/authorization-problem.tsx'

const route = getRouteApi('/connections/connected')

/** The page to which a provider redirects: shows the result, and refreshes the tab that started the authorization. */
export function ConnectedPage() {
  const { connection: id, error, returnTo } = route.useSearch()
  const session = useQuery(sessionQuery)
  const isSignedIn = Boolean(session.data)
  const query = useQuery({ ...connectionQuery(id ?? ''), enabled: isSignedIn && Boolean(id), retry: false })
  useEffect(() => publishAuthorizationResult({ connectionId: id, error }), [id, error])
  if (error) return <AuthorizationProblem code={error} connectionId={id} isSignedIn={isSignedIn} />
  const connection = query.data
  const account = connection && accountOf(connection)
  return (
    <AuthLayout
      title={connection ? `${nameOf(connection)} is connected` : 'Connected'}
      lead={
        account
          ? `Agents can now work there as ${account}. You can close this tab.`
          : 'You can close this tab and return to the previous one.'
      }
    >
      {connection && connection.missingScopes.length > 0 && (
        <p className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          Not granted: {connection.missingScopes.map(shortScope).join(', ')}. Some tools will not work. To
          grant more, reconnect.
        </p>
      )}
      <div className="flex flex-wrap gap-8">
        <Button look="primary" onClick={() => window.close()}>
          Close this tab
        </Button>
        {returnTo ? (
          <a href={nextPath(returnTo)} className={buttonClass()}>
            Return
          </a>
        ) : id ? (
          <Link to="/connections/$id" params={{ id }} className={buttonClass()}>
            Show the connection
          </Link>
        ) : (
          <Link to="/connections" className={buttonClass()}>
            Show connections
          </Link>
        )}
      </div>
    </AuthLayout>
  )
}
