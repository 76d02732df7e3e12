import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { fileApi } from '../../../../api/files/files.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { PasswordField } from '../../../../components/forms/password-field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { withNames } from '../../../../components/name.tsx'
import type { FileEntry } from '../files-queries.ts'

const DAY_MS = 86_400_000
const EXPIRIES = [
  { value: '1', label: 'After a day' },
  { value: '7', label: 'After a week' },
  { value: '30', label: 'After 30 days' },
  { value: '', label: 'Never' },
] as const

interface CreateLinkDialogProps {
  file: FileEntry
  onCreated: (url: string) => void
  onClose: () => void
}

export function CreateLinkDialog({ file, onCreated, onClose }: CreateLinkDialogProps) {
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
      title={withNames`Public link of ${file.name}`}
      action="Create link"
      lead="Anyone with the link can view this file or folder without an account. You can revoke the link at any time."
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
