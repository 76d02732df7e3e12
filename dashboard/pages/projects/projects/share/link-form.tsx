import { useState } from 'react'
import { api } from '../../../../api/client.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { Button } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { PasswordField } from '../../../../components/forms/password-field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { ACCESSES } from './access-labels.ts'
import { type Expiry, expiresAtOf } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { type Share, useSharingMutation } from './sharing-queries.ts'

interface LinkFormProps {
  projectId: string
  /** The link to edit; null creates one. */
  share: Share | null
  onDone: (share: Share) => void
  onCancel: () => void
}

export function LinkForm({ projectId, share, onDone, onCancel }: LinkFormProps) {
  const [access, setAccess] = useState(share?.access ?? 'view')
  const [expiry, setExpiry] = useState<Expiry>({ choice: share?.expiresAt ? 'keep' : 'never', date: '' })
  const [password, setPassword] = useState('')
  const [removesPassword, setRemovesPassword] = useState(false)
  const save = useSharingMutation(
    projectId,
    () =>
      api.sharing.share({
        projectId,
        access,
        expiresAt: expiresAtOf(expiry),
        ...(removesPassword ? { password: null } : password !== '' && { password }),
      }),
    onDone,
  )
  return (
    <form
      aria-label={share ? 'Edit share link' : 'New share link'}
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      <FormFailure>{failureMessage(save.error)}</FormFailure>
      <div className="grid gap-12 sm:grid-cols-2">
        <Select
          label="Anyone with the link"
          value={access}
          onChange={(event) => setAccess(event.target.value as Share['access'])}
        >
          {(Object.keys(ACCESSES) as (keyof typeof ACCESSES)[]).map((name) => (
            <option key={name} value={name}>
              {ACCESSES[name].option}
            </option>
          ))}
        </Select>
        <ExpiryField value={expiry} onChange={setExpiry} current={share?.expiresAt} />
      </div>
      {!removesPassword && (
        <PasswordField
          label={share?.hasPassword ? 'New password' : 'Password'}
          hint={
            share?.hasPassword
              ? 'Leave empty to keep the current password. A new password signs out current guests.'
              : 'Optional, at least 12 characters. Send it separately from the link.'
          }
          autoComplete="new-password"
          minLength={12}
          maxLength={200}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      {share?.hasPassword && (
        <label className="flex items-center gap-8 text-13">
          <input
            type="checkbox"
            checked={removesPassword}
            onChange={(event) => setRemovesPassword(event.target.checked)}
            className="size-16"
          />
          Remove password
        </label>
      )}
      <div className="flex gap-8">
        <Button look="primary" type="submit" busy={save.isPending}>
          {share ? 'Save' : 'Create link'}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
