import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../contract/text.ts'
import { failureMessage, isOffline } from '../api/explain.ts'
import { Button } from './button.tsx'
import { NotSaved } from './failure.tsx'
import { TextField } from './forms/field.tsx'
import { toast } from './toast.tsx'

interface NameFormProps {
  label: string
  hint?: string
  name: string
  autoComplete?: string
  onSave: (name: string) => Promise<unknown>
}

export function NameForm({ label, hint, name, autoComplete = 'off', onSave }: NameFormProps) {
  const [draft, setDraft] = useState(name)
  const save = useMutation({ mutationFn: onSave, onSuccess: () => toast(t`Saved`) })
  const isChanged = draft.trim() !== name && draft.trim() !== ''
  const error = isOffline(save.error) ? undefined : failureMessage(save.error)
  return (
    <form
      className="flex max-w-form flex-col items-start gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !save.isPending) save.mutate(draft.trim())
      }}
    >
      <div className="w-full">
        <TextField
          label={label}
          hint={hint}
          error={error}
          autoComplete={autoComplete}
          required
          maxLength={120}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </div>
      <div className="flex flex-wrap items-center gap-12">
        <Button type="submit" busy={save.isPending} disabled={!isChanged}>
          Save
        </Button>
        <NotSaved error={save.error} />
      </div>
    </form>
  )
}
