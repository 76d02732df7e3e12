import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { AppFacts } from './app-facts.tsx'
import type { Preview } from './requesting-app.ts'
import { ReturnLink } from './return-link.tsx'

const ACCESS = [
  { value: 'read', label: 'Read only' },
  { value: 'write', label: 'Read and write' },
] as const

const MEANING: Record<Preview['access'], string> = {
  read: 'The app reads what you can read: projects, files, conversations, memory. It changes nothing.',
  write:
    'The app reads and changes what you can: it edits projects and files and starts agents, but cannot manage members, keys, payments or security.',
}

const DURATIONS = [
  { days: null, label: 'Until I disconnect it' },
  { days: 365, label: '1 year' },
  { days: 90, label: '90 days' },
  { days: 30, label: '30 days' },
  { days: 7, label: '7 days' },
  { days: 1, label: '1 day' },
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
  // After the sign-out, the page redirects to the sign-in, which returns here.
  const switchAccount = useMutation({
    mutationFn: () => api.accounts.signOut(),
    onSuccess: () => location.reload(),
  })
  if (decide.data) {
    const isConnected = decide.variables === 'connect'
    return (
      <AuthLayout
        title={isConnected ? 'Connected' : 'Not connected'}
        lead={isConnected ? 'Return to the app. You can close this page.' : 'The app did not get access.'}
      >
        {isConnected && <CircleCheck aria-hidden strokeWidth={1.5} className="size-32 text-good-text" />}
        <ReturnLink to={decide.data.redirect} app={app} />
      </AuthLayout>
    )
  }
  const pendingDecision = decide.isPending ? decide.variables : undefined
  return (
    <AuthLayout title="Connect an app" lead="An app requests access to Atrium on your behalf.">
      <AppFacts app={app} />
      {organizations.length > 1 && (
        <Select
          label="Organization"
          hint="The app works in this organization only."
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
        hint="Access ends earlier if the app is not used for 60 days."
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
        You can disconnect the app at any time under Settings, MCP. Changing your password disconnects it too.{' '}
        <button
          type="button"
          className="text-accent-text underline underline-offset-4"
          disabled={switchAccount.isPending}
          onClick={() => switchAccount.mutate()}
        >
          Use another account
        </button>
      </p>
    </AuthLayout>
  )
}
