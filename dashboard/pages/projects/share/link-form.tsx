import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { ACCESSES, offered } from './access-labels.ts'
import { type Expiry, expiresAtOf } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { type Share, useSharing } from './sharing-queries.ts'

interface LinkFormProps {
  projectId: string
  /** The link that is changed; without it one is made. */
  share: Share | null
  onDone: (share: Share) => void
  onCancel: () => void
}

/** What a link lets people do, until when, and whether they need a password. */
export function LinkForm({ projectId, share, onDone, onCancel }: LinkFormProps) {
  const [access, setAccess] = useState(share?.access ?? 'view')
  const [expiry, setExpiry] = useState<Expiry>({ choice: share?.expiresAt ? 'keep' : 'never', date: '' })
  const [password, setPassword] = useState('')
  const [dropsPassword, setDropsPassword] = useState(false)
  const save = useSharing(
    projectId,
    () =>
      api.sharing.share({
        projectId,
        access,
        expiresAt: expiresAtOf(expiry),
        ...(dropsPassword ? { password: null } : password !== '' && { password }),
      }),
    onDone,
  )
  const failure = save.error && !isDeclinedStepUp(save.error) ? explainShortly(save.error) : undefined
  return (
    <form
      aria-label={share ? 'Change the share link' : 'New share link'}
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      <FormFailure>{failure}</FormFailure>
      <div className="grid gap-12 sm:grid-cols-2">
        <Select
          label="Whoever has it"
          value={access}
          onChange={(event) => setAccess(event.target.value as Share['access'])}
        >
          {offered(share).map((name) => (
            <option key={name} value={name}>
              {ACCESSES[name].can}
            </option>
          ))}
        </Select>
        <ExpiryField value={expiry} onChange={setExpiry} current={share?.expiresAt} />
      </div>
      {!dropsPassword && (
        <PasswordField
          label={share?.hasPassword ? 'New password' : 'Password'}
          hint={
            share?.hasPassword
              ? 'Leave it empty to keep the one there is. A new one ends open viewers.'
              : 'Optional, at least 8 characters. Hand it on by another way than the link.'
          }
          autoComplete="new-password"
          minLength={8}
          maxLength={200}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      {share?.hasPassword && (
        <label className="flex items-center gap-8 text-13">
          <input
            type="checkbox"
            checked={dropsPassword}
            onChange={(event) => setDropsPassword(event.target.checked)}
            className="size-16"
          />
          Take the password away
        </label>
      )}
      <div className="flex gap-8">
        <Button look="primary" type="submit" busy={save.isPending}>
          {share ? 'Save the link' : 'Make the link'}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
