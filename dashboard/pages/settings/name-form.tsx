import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explainShortly, isDeclinedStepUp } from '../../api/explain.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { toast } from '../../components/toast.tsx'

interface NameFormProps {
  label: string
  hint?: string
  name: string
  autoComplete?: string
  onSave: (name: string) => Promise<unknown>
}

/** A name, and a button that wakes when it was changed. */
export function NameForm({ label, hint, name, autoComplete = 'off', onSave }: NameFormProps) {
  const [draft, setDraft] = useState(name)
  const save = useMutation({ mutationFn: onSave, onSuccess: () => toast('Saved') })
  const changed = draft.trim() !== name && draft.trim() !== ''
  const error = save.error && !isDeclinedStepUp(save.error) ? explainShortly(save.error) : undefined
  return (
    <form
      className="flex max-w-form flex-col items-start gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (changed && !save.isPending) save.mutate(draft.trim())
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
      <Button type="submit" busy={save.isPending} disabled={!changed}>
        Save
      </Button>
    </form>
  )
}
