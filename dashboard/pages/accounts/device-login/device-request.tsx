import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, CircleHelp, Clock, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { SCOPES } from '../../../../contract/accounts/scopes.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'

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
      <Fact label="Application">{request.client_name ?? t`Unknown`}</Fact>
      <Fact label="Device">{request.hostname ?? t`Unknown`}</Fact>
      <Fact label="IP address">
        <code className="font-mono text-12">{request.ip}</code>
      </Fact>
      <Fact label="Requested">
        <Time at={request.created_at} />
      </Fact>
      <Fact label="Account">
        <Name>{user.name}</Name>, <Name>{organization.name}</Name>
      </Fact>
      <Fact label="Permissions">
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

/** The `terminal` description refers to the scope list, which isn't shown here. */
const PERMISSIONS: Record<string, string> = {
  ...SCOPES,
  terminal: t`Full API access except payments`,
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-3 gap-12 border-neutral-6 border-b py-8">
      <dt className="text-neutral-11">{label}</dt>
      <dd className="col-span-2 min-w-0 break-words">{children}</dd>
    </div>
  )
}

const isInvalidCode = (error: unknown) =>
  error instanceof ApiFailure && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code)

type Outcome = 'approved' | 'consumed' | 'denied' | 'expired' | 'unknown'

interface DeviceOutcomeProps {
  status: Outcome
  justNow?: boolean
  onOther: () => void
}

function DeviceOutcome({ status, justNow, onOther }: DeviceOutcomeProps) {
  const { icon: Icon, tone, title, lead } = OUTCOMES[status]
  return (
    <AuthLayout title={justNow ? title : (ALREADY[status] ?? title)} lead={lead}>
      <div className="flex items-center gap-16">
        <Icon aria-hidden strokeWidth={1.5} className={`size-32 ${tone}`} />
        {!justNow && <Button onClick={onOther}>Enter another code</Button>}
        <Link to="/settings/api-keys" className={buttonClass()}>
          View API keys
        </Link>
      </div>
    </AuthLayout>
  )
}

const ALREADY: Partial<Record<Outcome, string>> = {
  approved: t`Approved already`,
  denied: t`Denied already`,
}

const OUTCOMES: Record<Outcome, { icon: LucideIcon; tone: string; title: string; lead: string }> = {
  approved: {
    icon: CircleCheck,
    tone: 'text-good-text',
    title: t`Approved`,
    lead: t`Return to your terminal. You can revoke its access under API keys.`,
  },
  consumed: {
    icon: CircleCheck,
    tone: 'text-good-text',
    title: t`This code was already used`,
    lead: t`The device is signed in. You can revoke its access under API keys.`,
  },
  denied: {
    icon: Ban,
    tone: 'text-bad-text',
    title: t`Denied`,
    lead: t`The device didn’t get access. If you didn’t start this, someone may have tried to use your account.`,
  },
  expired: {
    icon: Clock,
    tone: 'text-warning-text',
    title: t`This code has expired`,
    lead: t`Run the command in your terminal again to get a new code.`,
  },
  unknown: {
    icon: CircleHelp,
    tone: 'text-warning-text',
    title: t`Invalid code`,
    lead: t`The code is mistyped or expired. Compare it with the one in your terminal.`,
  },
}
