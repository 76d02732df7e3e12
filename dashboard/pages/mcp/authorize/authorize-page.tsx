import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiFailure } from '../../../../client/client.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { StepUpDialog } from '../../../frame/step-up-dialog.tsx'
import { Consent, ReturnLink } from './consent.tsx'
import { unpackQuery } from './request-query.ts'

const route = getRouteApi('/authorize')

/** An app asks to act for a user over MCP (OAuth 2.1). */
export function AuthorizePage() {
  const request = unpackQuery(route.useSearch().asked)
  return (
    <>
      {request ? <Request request={request} /> : <Refused>The link doesn’t contain an app request</Refused>}
      <StepUpDialog />
    </>
  )
}

function Request({ request }: { request: string }) {
  const preview = useQuery({
    queryKey: ['authorize', request],
    queryFn: ({ signal }) => api.connectedApps.preview({ request }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
  const { error, data } = preview
  if (error instanceof ApiFailure && error.code === 'BAD_REQUEST') return <Refused>{error.message}</Refused>
  if (error && !data) return <AuthFailure error={error} onRetry={() => preview.refetch()} />
  if (!data) return null
  if (!data.problem) return <Consent request={request} {...data} />
  const { description, redirect } = data.problem
  return (
    <AuthLayout
      title="Invalid request"
      lead="This request can’t be approved. Go back to the app for details."
    >
      <Reason>{description}</Reason>
      <ReturnLink to={redirect} app={data.app} />
    </AuthLayout>
  )
}

/** Never returns to the app: a forged link's author could have chosen the URL. */
function Refused({ children }: { children: string }) {
  return (
    <AuthLayout
      title="This app can’t be connected"
      lead="Nothing was sent to the app. Start again in the app or contact its developer."
    >
      <Reason>{children}</Reason>
      <Button className="self-start" onClick={() => location.assign('/')}>
        Go to Atrium
      </Button>
    </AuthLayout>
  )
}

function Reason({ children }: { children: string }) {
  return (
    <p className="wrap-anywhere rounded-control border border-neutral-6 bg-card px-12 py-8 text-13">
      {children}.
    </p>
  )
}
