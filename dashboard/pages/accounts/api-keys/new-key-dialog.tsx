import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { OFFERED_READ_SCOPES, type Scope } from '../../../../contract/accounts/scopes.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { Code } from '../../../components/code.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { SecretDialog } from '../../../components/dialogs/secret-dialog.tsx'
import { useCreateDialog } from '../../../components/dialogs/use-create-dialog.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { apiKeysQuery, type CreatedKey } from './api-keys-queries.ts'
import { exampleRequest } from './example-request.ts'
import { KeyAbilities, ScopePicker } from './scopes.tsx'

const route = getRouteApi('/app/settings/api-keys/new')

const ACCESS = [
  { value: 'read', label: t`Read only` },
  { value: 'write', label: t`Read and write` },
] as const

type KeyAccess = (typeof ACCESS)[number]['value']

const DESCRIPTIONS: Record<KeyAccess, string> = {
  read: t`Reads what you can read and changes nothing. You can’t change this later.`,
  write: t`Can change and delete everything you can. If it only needs to read, create a read-only key.`,
}

export function NewKeyDialog() {
  const [created, setCreated] = useState<CreatedKey>()
  const navigate = useNavigate()
  const close = () => navigate({ to: '/settings/api-keys' })
  if (created) return <CopyKeyDialog created={created} onDone={close} />
  return <Form onCreated={setCreated} onClose={close} />
}

function Form({ onCreated, onClose }: { onCreated: (created: CreatedKey) => void; onClose: () => void }) {
  const { access: initialAccess, use, days } = route.useSearch()
  const [name, setName] = useState(use === 'mcp' ? 'MCP' : '')
  const [access, setAccess] = useState<KeyAccess>(initialAccess ?? 'read')
  const [scopes, setScopes] = useState<Scope[]>([use === 'mcp' ? 'mcp:read' : 'files:read'])
  const [expiry, setExpiry] = useState(isExpiryChoice(days) ? days : 'never')
  const [date, setDate] = useState('')
  const readOnly = access === 'read'
  const chooseAccess = (chosen: KeyAccess) => {
    setAccess(chosen)
    if (chosen === 'read') setScopes(scopes.filter((scope) => OFFERED_READ_SCOPES.includes(scope)))
  }
  const queries = useQueryClient()
  const { form, error } = useCreateDialog({
    create: () => api.apiKeys.create({ name, scopes, readOnly, expiresAt: expiryOf(expiry, date) }),
    onCreated: (created) => {
      onCreated(created)
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
    },
    onClose,
  })
  return (
    <FormDialog size="normal" title="New API key" action="Create key" {...form} failure={errorText(error)}>
      <TextField
        label="Name"
        hint="Where you’ll use this key."
        placeholder="Nightly import"
        required
        limit={120}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-col items-start gap-8">
        <Segments label="Access" value={access} options={ACCESS} onChoose={chooseAccess} />
        <p className="text-13 text-neutral-11">{DESCRIPTIONS[access]}</p>
      </div>
      <ScopePicker selected={scopes} onChange={setScopes} readOnly={readOnly} />
      <div className="grid gap-16 sm:grid-cols-2">
        <Select
          label="Expires"
          hint={expiry === 'never' ? undefined : t`We’ll notify you seven days before.`}
          value={expiry}
          onChange={(event) => setExpiry(event.target.value)}
        >
          {EXPIRY_CHOICES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        {expiry === 'date' && (
          <TextField
            label="Expiry date"
            type="date"
            required
            min={firstExpiryDay()}
            value={date}
            onChange={(event) => setDate(event.target.value)}
          />
        )}
      </div>
      <details className="@container rounded-control border border-neutral-6 px-12 py-8">
        <summary className="font-medium text-13">What this key can do</summary>
        <div className="mt-8">
          <KeyAbilities scopes={scopes} readOnly={readOnly} />
        </div>
      </details>
    </FormDialog>
  )
}

/** The API reports the limit on new keys as a bad request. */
function errorText(error: Error | null): string | undefined {
  if (!error || isDeclinedStepUp(error)) return undefined
  if (error instanceof ApiFailure && error.reason === 'rate_limited') {
    return t`You can create 5 keys per minute. Try again in a minute.`
  }
  return shortMessage(error)
}

/** The only time the key is shown in full. */
function CopyKeyDialog({ created, onDone }: { created: CreatedKey; onDone: () => void }) {
  return (
    <SecretDialog
      title="Copy your key"
      what="key"
      value={created.key}
      about={t`The key “${created.name}” is shown only once. Atrium stores only its hash.`}
      onClose={onDone}
    >
      <div>
        <p className="mb-8 text-12 text-neutral-11">Example request:</p>
        <Code command what="example request">
          {exampleRequest(created.key)}
        </Code>
      </div>
    </SecretDialog>
  )
}

const DAY_MS = 86_400_000

const EXPIRY_CHOICES = [
  { value: 'never', label: t`Never` },
  { value: '7', label: t`In 7 days` },
  { value: '30', label: t`In 30 days` },
  { value: '90', label: t`In 90 days` },
  { value: '365', label: t`In one year` },
  { value: 'date', label: t`Custom date…` },
]

const isExpiryChoice = (text: string | undefined): text is string =>
  EXPIRY_CHOICES.some(({ value }) => value === text)

/** A date means that day's end in the browser's time zone. */
function expiryOf(choice: string, date: string): string | null {
  if (choice === 'never') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString()
}

/** Tomorrow. */
const firstExpiryDay = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
