import { useMutation, useQuery } from '@tanstack/react-query'
import { Globe, Lock, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { failureMessage, fieldMessage, shortMessage } from '../../../../api/explain.ts'
import { fileApi, type PublicLink, publicLinksQuery } from '../../../../api/files.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { Button } from '../../../../components/button.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { SecretDialog } from '../../../../components/dialogs/secret-dialog.tsx'
import { PasswordField } from '../../../../components/forms/password-field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { PanelSection } from '../../../../components/layout/panel.tsx'
import { withNames } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { toast } from '../../../../components/toast.tsx'
import { Creator } from '../creator.tsx'
import { type FileEntry, isFolder } from '../files-queries.ts'

export function PublicLinksSection({ file, readOnly }: { file: FileEntry; readOnly: boolean }) {
  const [isCreating, setCreating] = useState(false)
  const [createdUrl, setCreatedUrl] = useState<string>()
  const { data } = useQuery(publicLinksQuery(file.id))
  const refresh = () => queryClient.invalidateQueries(publicLinksQuery(file.id))
  if (!data || (data.items.length === 0 && !data.canCreate)) return null
  const revoke = async ({ id: linkId }: PublicLink) => {
    try {
      await fileApi.publicLinks.revoke({ id: file.id, linkId })
      toast(t`Public link revoked`)
    } catch (error) {
      toast(shortMessage(error))
    }
    await refresh()
  }
  const renew = async ({ id: linkId }: PublicLink) => {
    try {
      setCreatedUrl((await fileApi.publicLinks.renew({ id: file.id, linkId })).url!)
    } catch (error) {
      toast(shortMessage(error))
    }
    await refresh()
  }
  return (
    <PanelSection title="Public links">
      <ul className="flex flex-col">
        {data.items.map((link) => (
          <li
            key={link.id}
            className="flex min-h-row items-center gap-8 border-neutral-6 border-b py-4 text-13 last:border-b-0"
          >
            <Globe aria-hidden className={`icon ${link.active ? 'text-good-text' : 'text-neutral-9'}`} />
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-4">
                {link.active ? t`Active` : t`Inactive`}
                {link.hasPassword && (
                  <Lock role="img" aria-label="Password protected" className="size-12 text-neutral-11" />
                )}
              </span>
              <span className="block truncate text-12 text-neutral-11">
                <Creator userId={link.createdBy} />, <Time at={link.createdAt} />
                {link.expiresAt && link.active && (
                  <>
                    {' '}
                    · expires <Time at={link.expiresAt} isExpected />
                  </>
                )}
              </span>
            </span>
            {data.canCreate && (
              <Button size="small" title={RENEWAL} onClick={() => renew(link)}>
                <RotateCw aria-hidden className="size-12" />
                New URL
              </Button>
            )}
            {!readOnly && (
              <Button
                look="quiet"
                size="small-icon"
                aria-label="Revoke public link"
                title="Revoke"
                onClick={() => revoke(link)}
              >
                <Trash2 aria-hidden className="icon" />
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.items.length > 0 && data.canCreate && <p className="mt-4 text-12 text-neutral-11">{RENEWAL}</p>}
      {data.canCreate && (
        <Button size="small" className="mt-8" onClick={() => setCreating(true)}>
          <Globe aria-hidden className="icon" />
          Create public link
        </Button>
      )}
      {isCreating && (
        <CreateLinkDialog
          file={file}
          onClose={() => setCreating(false)}
          onCreated={(url) => {
            setCreating(false)
            setCreatedUrl(url)
            void refresh()
          }}
        />
      )}
      {createdUrl && (
        <SecretDialog
          title="Public link"
          what="public link"
          value={createdUrl}
          about={t`Anyone with this link can view ${isFolder(file) ? t`the folder and its contents` : t`the file`}. It’s shown only once.`}
          onClose={() => setCreatedUrl(undefined)}
        />
      )}
    </PanelSection>
  )
}

const RENEWAL = t`A link’s URL is shown only once. A new URL keeps the settings, and the old one stops working.`

const DAY_MS = 86_400_000
const EXPIRIES = [
  { value: '1', label: t`After a day` },
  { value: '7', label: t`After a week` },
  { value: '30', label: t`After 30 days` },
  { value: '', label: t`Never` },
] as const

interface CreateLinkDialogProps {
  file: FileEntry
  onCreated: (url: string) => void
  onClose: () => void
}

function CreateLinkDialog({ file, onCreated, onClose }: CreateLinkDialogProps) {
  const [days, setDays] = useState<string>('7')
  const [password, setPassword] = useState('')
  const create = useMutation({
    mutationFn: () =>
      fileApi.publicLinks.create({
        id: file.id,
        expiresAt: days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
        password: password || null,
      }),
    onSuccess: ({ url }) => onCreated(url!),
  })
  return (
    <FormDialog
      title={withNames`Public link for ${file.name}`}
      action="Create link"
      lead="Anyone with the link can view this file or folder without an account. You can revoke it at any time."
      failure={failureMessage(create.error)}
      busy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Select label="Expires" value={days} onChange={(event) => setDays(event.target.value)}>
        {EXPIRIES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <PasswordField
        label="Password (optional)"
        autoComplete="new-password"
        hint="At least 12 characters"
        error={fieldMessage(create.error, 'password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  )
}
