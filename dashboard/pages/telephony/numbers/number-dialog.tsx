import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { cacheNumber, type PhoneNumber, telephonyApi } from '../telephony-queries.ts'
import { type NumberDraft, toDraft, toSettings } from './number-draft.ts'

const FIELDS = ['language', 'voice', 'greeting', 'recordingNotice', 'maxMinutes', 'allowedPrefixes']

export function NumberDialog({ number, onClose }: { number: PhoneNumber; onClose: () => void }) {
  const [draft, setDraft] = useState(() => toDraft(number))
  const projects = (useQuery(newestProjectsQuery).data?.items ?? []).filter(({ canEdit }) => canEdit)
  const isListed = projects.some(({ id }) => id === number.projectId)
  const save = useMutation({
    mutationFn: () => telephonyApi.phoneNumbers.update({ id: number.id, ...toSettings(draft, number) }),
    onSuccess: async (changed) => {
      await cacheNumber(changed)
      toast(withNames`Saved ${changed.e164}`)
      onClose()
    },
  })
  const errorOf = (name: string) =>
    fieldMessage(save.error, name) ??
    fieldMessage(save.error, `settings.${name}`) ??
    fieldMessage(save.error, `settings.${name}.0`)
  const hasFieldError = ['label', 'projectId', ...FIELDS].some(errorOf)
  const field = (name: keyof NumberDraft, label: string) => ({
    label,
    autoComplete: 'off',
    value: draft[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  })
  return (
    <FormDialog
      size="normal"
      title={withNames`Edit ${number.e164}`}
      action="Save changes"
      failure={hasFieldError ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField {...field('label', t`Label (optional)`)} limit={TELEPHONY_LIMITS.label} data-autofocus />
      <Select
        label="Project"
        hint="Applies to new conversations."
        error={errorOf('projectId')}
        value={draft.projectId}
        onChange={(event) => setDraft({ ...draft, projectId: event.target.value })}
      >
        {!isListed && <option value={number.projectId}>{number.projectName ?? t`Current project`}</option>}
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <div className="grid gap-16 sm:grid-cols-2">
        <TextField
          {...field('language', t`Language`)}
          required
          placeholder="en-US"
          hint="Such as en-US or de-DE."
        />
        <TextField {...field('voice', t`Voice (optional)`)} placeholder="Carrier default" />
      </div>
      <TextArea
        {...field('greeting', t`Greeting (optional)`)}
        rows={2}
        limit={TELEPHONY_LIMITS.greeting}
        hint="The first sentence callers hear when an agent answers."
      />
      <TextArea
        {...field('recordingNotice', t`Recording notice (optional)`)}
        rows={2}
        limit={TELEPHONY_LIMITS.greeting}
        hint="Spoken before recording starts. Leave empty for a default notice in the number’s language."
      />
      <TextField
        {...field('maxMinutes', t`Maximum call length (minutes)`)}
        type="number"
        required
        min={1}
        max={TELEPHONY_LIMITS.callMinutes}
      />
      <TextField
        {...field('allowedPrefixes', t`Other countries (optional)`)}
        placeholder="+43, +41"
        hint="This number can call and text its own country and numbers starting with these prefixes. Premium-rate numbers work only if you list their prefix."
      />
    </FormDialog>
  )
}
