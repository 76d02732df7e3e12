import { Link as LinkIcon, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { Button } from '../../../../components/button.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { PasswordField } from '../../../../components/forms/password-field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { Status } from '../../../../components/status.tsx'
import { Time } from '../../../../components/time.tsx'
import { toast } from '../../../../components/toast.tsx'
import { type Expiry, ExpiryField, toExpiresAt } from './expiry-field.tsx'
import { ACCESSES, type Share, useSharingMutation } from './sharing-queries.ts'

interface ShareLinkProps {
  projectId: string
  share: Share | null
  /** The response contains the URL only once. */
  onCreated: (url: string) => void
}

export function ShareLink({ projectId, share, onCreated }: ShareLinkProps) {
  const [editing, setEditing] = useState(false)
  if (editing) {
    return (
      <LinkForm
        projectId={projectId}
        share={share}
        onCancel={() => setEditing(false)}
        onDone={({ url }) => {
          setEditing(false)
          if (url) onCreated(url)
          else toast(t`Share link saved`)
        }}
      />
    )
  }
  if (!share) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-12">
        <p className="text-13 text-neutral-11">Off. Only members can see the project.</p>
        <Button onClick={() => setEditing(true)}>
          <LinkIcon aria-hidden className="icon" />
          Create share link
        </Button>
      </div>
    )
  }
  return (
    <ExistingLink projectId={projectId} share={share} onEdit={() => setEditing(true)} onCreated={onCreated} />
  )
}

function ExistingLink({
  projectId,
  share,
  onEdit,
  onCreated,
}: ShareLinkProps & { share: Share; onEdit: () => void }) {
  const rotate = useSharingMutation(
    projectId,
    () => api.sharing.share({ projectId, rotate: true }),
    ({ url }) => url && onCreated(url),
  )
  const revoke = useSharingMutation(
    projectId,
    () => api.sharing.unshare({ projectId }),
    () => toast(t`Share link revoked. Guests no longer have access.`),
  )
  const error = rotate.error ?? revoke.error
  return (
    <div className="flex flex-col gap-12">
      <FormFailure>{failureMessage(error)}</FormFailure>
      <div className="text-13">
        <p className="flex items-start gap-12">
          <Status meaning={isExpired(share) ? 'warning' : 'good'}>
            {isExpired(share) ? t`Expired` : t`On`}
          </Status>
          <span>
            {share.hasPassword ? ACCESSES[share.access].withPassword : ACCESSES[share.access].withoutPassword}
          </span>
        </p>
        <p className="mt-4 text-12 text-neutral-11">
          <ExpiryText share={share} /> · created <Time at={share.createdAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-8">
        <Button onClick={onEdit}>Edit</Button>
        <Button
          title="Creates a new link. The old one stops working immediately."
          busy={rotate.isPending}
          onClick={() => rotate.mutate()}
        >
          <RotateCcw aria-hidden className="icon" />
          Replace link
        </Button>
        <Button busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      </div>
    </div>
  )
}

function ExpiryText({ share }: { share: Share }) {
  if (!share.expiresAt) return t`Never expires`
  return (
    <>
      {isExpired(share) ? t`Expired` : t`Expires`} <Time at={share.expiresAt} isExpected />
    </>
  )
}

const isExpired = ({ expiresAt }: Share) => expiresAt !== null && new Date(expiresAt).getTime() <= Date.now()

interface LinkFormProps {
  projectId: string
  /** Null creates a link. */
  share: Share | null
  onDone: (share: Share) => void
  onCancel: () => void
}

function LinkForm({ projectId, share, onDone, onCancel }: LinkFormProps) {
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
        expiresAt: toExpiresAt(expiry),
        ...(removesPassword ? { password: null } : password !== '' && { password }),
      }),
    onDone,
  )
  return (
    <form
      aria-label={share ? t`Edit share link` : t`New share link`}
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
          label={share?.hasPassword ? t`New password` : t`Password`}
          hint={
            share?.hasPassword
              ? t`Leave empty to keep the current password. A new password signs out current guests.`
              : t`Optional, at least 12 characters. Send it separately from the link.`
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
          {share ? t`Save` : t`Create link`}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
