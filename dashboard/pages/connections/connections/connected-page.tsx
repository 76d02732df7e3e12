import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { t } from '../../../../contract/text.ts'
import { connectionApi, connectionQuery } from '../../../api/connections.ts'
import { failureMessage } from '../../../api/explain.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { publishAuthorizationResult } from '../../../components/connectors/authorization-result.ts'
import { accountName, connectionName, shortScope } from '../../../components/connectors/connection-labels.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { nextPath } from '../../accounts/sign-in/use-sign-in.ts'

const route = getRouteApi('/integrations/connected')

/** Providers redirect here. Also refreshes the tab that started the authorization. */
export function ConnectedPage() {
  const { connection: id, error, returnTo } = route.useSearch()
  const session = useQuery(sessionQuery)
  const isSignedIn = Boolean(session.data)
  const query = useQuery({ ...connectionQuery(id ?? ''), enabled: isSignedIn && Boolean(id), retry: false })
  useEffect(() => publishAuthorizationResult({ connectionId: id, error }), [id, error])
  if (error) return <AuthorizationProblem code={error} connectionId={id} isSignedIn={isSignedIn} />
  const connection = query.data
  const account = connection && accountName(connection)
  return (
    <AuthLayout
      title={connection ? t`${connectionName(connection)} connected` : t`Connected`}
      lead={
        account
          ? t`Agents can now work there as ${account}. You can close this tab.`
          : t`You can close this tab and go back to the previous one.`
      }
    >
      {connection && connection.missingScopes.length > 0 && (
        <p className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          Not granted: {connection.missingScopes.map(shortScope).join(', ')}. Some tools won’t work. Reconnect
          to grant more.
        </p>
      )}
      <div className="flex flex-wrap gap-8">
        <Button look="primary" onClick={() => window.close()}>
          Close tab
        </Button>
        {returnTo ? (
          <a href={nextPath(returnTo)} className={buttonClass()}>
            Return
          </a>
        ) : id ? (
          <Link to="/integrations/$id" params={{ id }} className={buttonClass()}>
            Show connection
          </Link>
        ) : (
          <Link to="/integrations" className={buttonClass()}>
            Show integrations
          </Link>
        )}
      </div>
    </AuthLayout>
  )
}

const NOTHING_STORED = t`Nothing was saved.`

const PROBLEMS: Record<string, [title: string, meaning: string]> = {
  access_denied: [
    t`Permission not granted`,
    t`Authorization was declined at the provider. ${NOTHING_STORED}`,
  ],
  expired: [
    t`Authorization expired`,
    t`It wasn’t completed within ten minutes, or was already completed. Start again.`,
  ],
  other_session: [
    t`Started in another session`,
    t`Only the browser session that started this authorization can complete it, so nobody connects an account for someone else. ${NOTHING_STORED}`,
  ],
  not_configured: [
    t`The OAuth client was removed`,
    t`An admin needs to set up the app again. ${NOTHING_STORED}`,
  ],
  unavailable: [t`The provider isn’t responding`, t`${NOTHING_STORED} Try again in a moment.`],
  check_failed: [
    t`This account can’t be used`,
    t`The provider granted permission but refused the first request. Try again or choose another account.`,
  ],
  revoked: [
    t`The connection was revoked`,
    t`It was revoked before authorization finished. Connect it again.`,
  ],
  refused: [
    t`The provider refused the authorization`,
    t`${NOTHING_STORED} Try again. If it still fails, ask an admin to check the OAuth client.`,
  ],
}

/** After these problems the same connection can be authorized again. */
const REPEATABLE = ['access_denied', 'unavailable', 'check_failed', 'refused', 'expired']

interface AuthorizationProblemProps {
  code: string
  connectionId: string | undefined
  isSignedIn: boolean
}

function AuthorizationProblem({ code, connectionId, isSignedIn }: AuthorizationProblemProps) {
  const [title, meaning] = PROBLEMS[code] ?? PROBLEMS.refused!
  const again = useMutation({
    mutationFn: async (id: string) => {
      const { status, connectorSlug, label, config } = await connectionApi.connections.get({ id })
      // A connection that never worked has failed for good.
      return status === 'failed'
        ? connectionApi.connections.start({ connectorSlug, label: label ?? undefined, config })
        : connectionApi.connections.postOAuth({ id })
    },
    onSuccess: ({ oauthUrl }) => {
      if (oauthUrl) window.location.assign(oauthUrl)
    },
  })
  const canRepeat = isSignedIn && connectionId && REPEATABLE.includes(code)
  return (
    <AuthLayout title={title} lead={meaning}>
      <FormFailure>{failureMessage(again.error)}</FormFailure>
      <div className="flex flex-wrap gap-8">
        {canRepeat && (
          <Button
            look="primary"
            busy={again.isPending || again.isSuccess}
            onClick={() => again.mutate(connectionId)}
          >
            Try again
          </Button>
        )}
        <Link to="/integrations" className={buttonClass(canRepeat ? 'plain' : 'primary')}>
          {isSignedIn ? t`Show integrations` : t`Sign in`}
        </Link>
      </div>
    </AuthLayout>
  )
}
