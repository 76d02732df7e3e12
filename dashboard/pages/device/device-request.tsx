import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import { SCOPES } from '../../../contract/accounts/scopes.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { api } from '../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../api/explain.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { AuthFailure } from '../../components/layout/auth-failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { Time } from '../../components/time.tsx'
import { DeviceOutcome } from './device-outcome.tsx'

type Asked = OutputOf<Contract['deviceLogin']['status']>

interface DeviceRequestProps {
  code: string
  onOther: () => void
}

export function DeviceRequest({ code, onOther }: DeviceRequestProps) {
  const asked = useQuery({
    queryKey: ['device', code],
    queryFn: ({ signal }) => api.deviceLogin.status({ user_code: code }, { signal }),
    // Each look counts as a try at guessing a code.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'deny') => api.deviceLogin.approve({ user_code: code, decision }),
    onError: (error) => {
      // Somebody decided meanwhile, or the time is over: what stands now says it.
      if (error instanceof ApiFailure && ['CONFLICT', 'NOT_FOUND'].includes(error.code)) void asked.refetch()
    },
  })
  if (isUnknown(asked.error)) return <DeviceOutcome status="unknown" onOther={onOther} />
  if (asked.error && !asked.data) return <AuthFailure error={asked.error} onRetry={() => asked.refetch()} />
  if (!asked.data) return null
  const status = decide.data?.status ?? asked.data.status
  if (status !== 'pending') {
    return <DeviceOutcome status={status} justNow={decide.isSuccess} onOther={onOther} />
  }
  const deciding = decide.isPending ? decide.variables : undefined
  return (
    <AuthLayout
      title="A device asks to sign in as you"
      lead="Approve only if you started this yourself, just now, and the code matches the one on your screen."
    >
      <output aria-label="Code" className="font-mono font-strong text-28">
        {code}
      </output>
      <Facts asked={asked.data} />
      <FormFailure>
        {decide.error && !isDeclinedStepUp(decide.error) ? explainShortly(decide.error) : undefined}
      </FormFailure>
      <div className="flex gap-8">
        <Button
          look="primary"
          className="flex-1"
          busy={deciding === 'approve'}
          disabled={deciding === 'deny'}
          onClick={() => decide.mutate('approve')}
        >
          Approve
        </Button>
        <Button
          className="flex-1"
          busy={deciding === 'deny'}
          disabled={deciding === 'approve'}
          onClick={() => decide.mutate('deny')}
        >
          Deny
        </Button>
      </div>
    </AuthLayout>
  )
}

function Facts({ asked }: { asked: Asked }) {
  const { user, organization } = useSession()
  const scopes = asked.scope.split(/\s+/).filter(Boolean)
  return (
    <dl className="border-neutral-6 border-t text-13">
      <Fact name="Program">{asked.client_name ?? 'does not say'}</Fact>
      <Fact name="Computer">{asked.hostname ?? 'does not say'}</Fact>
      <Fact name="Address">
        <code className="font-mono text-12">{asked.ip}</code>
      </Fact>
      <Fact name="Asked">
        <Time at={asked.created_at} />
      </Fact>
      <Fact name="In the name of">
        {user.name}, {organization.name}
      </Fact>
      <Fact name="May then">
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>{MEANINGS[scope] ?? scope}</li>
          ))}
        </ul>
      </Fact>
    </dl>
  )
}

/** The line of the whole list speaks of what stands above it there, which here does not. */
const MEANINGS: Record<string, string> = {
  ...SCOPES,
  terminal: 'Do all that an API key of yours can, except payments',
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-3 gap-12 border-neutral-6 border-b py-8">
      <dt className="text-neutral-11">{name}</dt>
      <dd className="col-span-2 min-w-0 break-words">{children}</dd>
    </div>
  )
}

const isUnknown = (error: unknown) =>
  error instanceof ApiFailure && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code)
