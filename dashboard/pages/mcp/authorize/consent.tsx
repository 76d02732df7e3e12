import { useMutation } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Name } from '../../../components/name.tsx'

type Preview = OutputOf<Contract['connectedApps']['preview']>
type RequestingApp = Preview['app']

const ACCESS = [
  { value: 'read', label: t`Read only` },
  { value: 'write', label: t`Read and write` },
] as const

const MEANING: Record<Preview['access'], string> = {
  read: t`The app can read what you can: projects, files, conversations and memory. It can’t change anything.`,
  write: t`The app can read and change what you can: edit projects and files, and start agents. It can’t manage members, keys, payments or security.`,
}

const DURATIONS = [
  { days: null, label: t`Until I disconnect it` },
  { days: 365, label: t`1 year` },
  { days: 90, label: t`90 days` },
  { days: 30, label: t`30 days` },
  { days: 7, label: t`7 days` },
  { days: 1, label: t`1 day` },
] as const

export function Consent({ request, app, access: requestedAccess }: Preview & { request: string }) {
  const { organization, organizations } = useSession()
  const [organizationId, setOrganizationId] = useState(organization.id)
  const [access, setAccess] = useState(requestedAccess)
  const [duration, setDuration] = useState('0')
  const decide = useMutation({
    mutationFn: (decision: 'connect' | 'deny') => {
      if (decision === 'deny') return api.connectedApps.deny({ request })
      const { days } = DURATIONS[Number(duration)]!
      return api.connectedApps.connect({ request, organizationId, access, days })
    },
    onSuccess: ({ redirect }) => location.assign(redirect),
  })
  // After sign-out the page redirects to sign-in, which returns here.
  const switchAccount = useMutation({
    mutationFn: () => api.accounts.signOut(),
    onSuccess: () => location.reload(),
  })
  if (decide.data) {
    const isConnected = decide.variables === 'connect'
    return (
      <AuthLayout
        title={isConnected ? t`Connected` : t`Not connected`}
        lead={isConnected ? t`Go back to the app. You can close this page.` : t`The app didn’t get access.`}
      >
        {isConnected && <CircleCheck aria-hidden strokeWidth={1.5} className="size-32 text-good-text" />}
        <ReturnLink to={decide.data.redirect} app={app} />
      </AuthLayout>
    )
  }
  const pendingDecision = decide.isPending ? decide.variables : undefined
  return (
    <AuthLayout title="Connect an app" lead="An app wants to use Atrium on your behalf.">
      <AppFacts app={app} />
      {organizations.length > 1 && (
        <Select
          label="Organization"
          hint="The app only works in this organization."
          value={organizationId}
          onChange={(event) => setOrganizationId(event.target.value)}
        >
          {organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <div className="flex flex-col items-start gap-4">
        <span aria-hidden className="font-medium text-13">
          Access
        </span>
        <Segments label="Access" value={access} options={ACCESS} onChoose={setAccess} />
        <p className="text-13 text-neutral-11">{MEANING[access]}</p>
      </div>
      <Select
        label="Duration"
        hint="Access ends sooner if the app isn’t used for 60 days."
        value={duration}
        onChange={(event) => setDuration(event.target.value)}
      >
        {DURATIONS.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </Select>
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      <div className="flex gap-8">
        <Button
          look="primary"
          className="flex-1"
          busy={pendingDecision === 'connect'}
          disabled={pendingDecision === 'deny'}
          onClick={() => decide.mutate('connect')}
        >
          Connect
        </Button>
        <Button
          className="flex-1"
          busy={pendingDecision === 'deny'}
          disabled={pendingDecision === 'connect'}
          onClick={() => decide.mutate('deny')}
        >
          Deny
        </Button>
      </div>
      <p className="text-12 text-neutral-11">
        You can disconnect the app any time under Settings, Connected apps. Changing your password also
        disconnects it.{' '}
        <button
          type="button"
          className="text-selection-text underline underline-offset-4"
          disabled={switchAccount.isPending}
          onClick={() => switchAccount.mutate()}
        >
          Use another account
        </button>
      </p>
    </AuthLayout>
  )
}

/** Apps choose their own name, so show their hosts too. */
function AppFacts({ app }: { app: RequestingApp }) {
  const { user, organization, organizations } = useSession()
  const warning = warningOf(app)
  return (
    <>
      <dl className="border-neutral-6 border-t text-13">
        <Fact label="App">
          <strong className="font-strong">
            <Name>{app.name}</Name>
          </strong>
        </Fact>
        <Fact label={app.identified ? t`Published by` : t`From`}>
          {app.local && !app.identified && <span className="block">A program on this computer</span>}
          <Host>{app.host}</Host>
        </Fact>
        {app.returnsTo !== app.host && (
          <Fact label="Returns to">
            <Host>{app.returnsTo}</Host>
          </Fact>
        )}
        <Fact label="Account">
          <Name>{user.name}</Name> (<Name>{user.email}</Name>)
        </Fact>
        {organizations.length < 2 && (
          <Fact label="Organization">
            <Name>{organization.name}</Name>
          </Fact>
        )}
      </dl>
      {warning && (
        <p className="flex gap-8 rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          <TriangleAlert aria-hidden className="icon mt-4 shrink-0" />
          {warning}
        </p>
      )}
    </>
  )
}

function warningOf({ identified, local, host, returnsTo }: RequestingApp): string | null {
  if (local) {
    return t`A program on this computer gets access, and any program can use this name. Only connect it if you just started this in an app you trust.`
  }
  if (!identified)
    return t`The app chose its own name, and nobody has verified it. Only connect it if you know its host.`
  return host === returnsTo ? null : t`The app returns to a different host than the one that published it.`
}

/** Always left to right and never truncated: a host name's end identifies its owner. */
function Host({ children }: { children: string }) {
  return (
    <code dir="ltr" className="break-all font-mono text-12">
      {children}
    </code>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-3 gap-12 border-neutral-6 border-b py-8">
      <dt className="text-neutral-11">{label}</dt>
      <dd className="wrap-anywhere col-span-2 min-w-0">{children}</dd>
    </div>
  )
}

/** The server has checked the URL: https, a loopback host, or an app's scheme. */
export function ReturnLink({ to, app }: { to: string; app: RequestingApp }) {
  return (
    <a href={to} rel="noreferrer" className={`${buttonClass()} max-w-full self-start`}>
      <span className="truncate">
        Return to <Name>{app.local ? app.name : app.returnsTo}</Name>
      </span>
    </a>
  )
}
