import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { SCOPES } from '../../../../contract/accounts/scopes.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { DeviceOutcome } from './device-outcome.tsx'

type DeviceLogin = OutputOf<Contract['deviceLogin']['status']>

interface DeviceRequestProps {
  code: string
  onOther: () => void
}

export function DeviceRequest({ code, onOther }: DeviceRequestProps) {
  const request = useQuery({
    queryKey: ['device', code],
    queryFn: ({ signal }) => api.deviceLogin.status({ user_code: code }, { signal }),
    // Each read counts as an attempt to guess a code.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'deny') => api.deviceLogin.approve({ user_code: code, decision }),
    onError: (error) => {
      // The request was decided in another tab or has expired: refetch its status.
      if (error instanceof ApiFailure && ['CONFLICT', 'NOT_FOUND'].includes(error.code))
        void request.refetch()
    },
  })
  if (isInvalidCode(request.error)) return <DeviceOutcome status="unknown" onOther={onOther} />
  if (request.error && !request.data)
    return <AuthFailure error={request.error} onRetry={() => request.refetch()} />
  if (!request.data) return null
  const status = decide.data?.status ?? request.data.status
  if (status !== 'pending') {
    return <DeviceOutcome status={status} justNow={decide.isSuccess} onOther={onOther} />
  }
  const pendingDecision = decide.isPending ? decide.variables : undefined
  return (
    <AuthLayout
      title="Authorize device"
      lead="Approve only if you just started this sign-in and the code matches your terminal."
    >
      <output aria-label="Code" className="font-mono font-strong text-28">
        {code}
      </output>
      <RequestDetails request={request.data} />
      <FormFailure>
        {decide.error && !isDeclinedStepUp(decide.error) ? shortMessage(decide.error) : undefined}
      </FormFailure>
      <div className="flex gap-8">
        <Button
          look="primary"
          className="flex-1"
          busy={pendingDecision === 'approve'}
          disabled={pendingDecision === 'deny'}
          onClick={() => decide.mutate('approve')}
        >
          Approve
        </Button>
        <Button
          className="flex-1"
          busy={pendingDecision === 'deny'}
          disabled={pendingDecision === 'approve'}
          onClick={() => decide.mutate('deny')}
        >
          Deny
        </Button>
      </div>
    </AuthLayout>
  )
}

function RequestDetails({ request }: { request: DeviceLogin }) {
  const { user, organization } = useSession()
  const scopes = request.scope.split(/\s+/).filter(Boolean)
  return (
    <dl className="border-neutral-6 border-t text-13">
      <Fact name="Application">{request.client_name ?? 'Unknown'}</Fact>
      <Fact name="Device">{request.hostname ?? 'Unknown'}</Fact>
      <Fact name="IP address">
        <code className="font-mono text-12">{request.ip}</code>
      </Fact>
      <Fact name="Requested">
        <Time at={request.created_at} />
      </Fact>
      <Fact name="Account">
        <Name>{user.name}</Name>, <Name>{organization.name}</Name>
      </Fact>
      <Fact name="Permissions">
        <ul>
          {request.read_only && <li className="font-medium">Read only: changes nothing</li>}
          {scopes.map((scope) => (
            <li key={scope}>{PERMISSIONS[scope] ?? scope}</li>
          ))}
        </ul>
      </Fact>
    </dl>
  )
}

/** The description of the `terminal` scope refers to the list of scopes, which is not shown here. */
const PERMISSIONS: Record<string, string> = {
  ...SCOPES,
  terminal: 'Full API access except payments',
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-3 gap-12 border-neutral-6 border-b py-8">
      <dt className="text-neutral-11">{name}</dt>
      <dd className="col-span-2 min-w-0 break-words">{children}</dd>
    </div>
  )
}

const isInvalidCode = (error: unknown) =>
  error instanceof ApiFailure && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code)
