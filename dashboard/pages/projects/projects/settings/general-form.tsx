import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { failureMessage, fieldMessage, isOffline } from '../../../../api/explain.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { useSession } from '../../../../api/session.ts'
import { Button } from '../../../../components/button.tsx'
import { UnsavedEdits } from '../../../../components/dialogs/unsaved-edits.tsx'
import { FormFailure, NotSaved } from '../../../../components/failure.tsx'
import { submitOnModEnter, TextArea, TextField } from '../../../../components/forms/field.tsx'
import { toast } from '../../../../components/toast.tsx'
import { EmojiField } from '../new/emoji-field.tsx'
import { changeInLists, refreshProjects } from '../project-actions.ts'

const FIELDS = ['name', 'emoji', 'description', 'prompt'] as const
type Draft = Record<(typeof FIELDS)[number], string>

/** Sends only changed fields, so two users can edit different ones. */
export function GeneralForm({ project }: { project: ProjectDetails }) {
  const { draft, update, changed, discard } = useDraft(project)
  const { user, role } = useSession()
  const canEditPrompt = role !== 'member' || user.id === project.userId
  const save = useMutation({
    mutationFn: () => api.projects.update({ id: project.id, ...changed }),
    onSuccess: async (saved) => {
      changeInLists(project.id, saved)
      discard()
      toast(t`Saved`)
      await refreshProjects()
    },
  })
  const isChanged = Object.keys(changed).length > 0
  const fieldError = (field: keyof Draft) => fieldMessage(save.error, field)
  const hasFieldError = FIELDS.some(fieldError)
  return (
    <form
      aria-label="General"
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !save.isPending) save.mutate()
      }}
    >
      <FormFailure>
        {hasFieldError || isOffline(save.error) ? undefined : failureMessage(save.error)}
      </FormFailure>
      <div className="flex gap-12">
        <EmojiField value={draft.emoji} onChange={(emoji) => update({ emoji })} />
        <div className="min-w-0 flex-1">
          <TextField
            label="Name"
            limit={255}
            required
            autoComplete="off"
            value={draft.name}
            error={fieldError('name')}
            onChange={(event) => update({ name: event.target.value })}
          />
        </div>
      </div>
      <TextArea
        label="Description"
        limit={5000}
        counted
        rows={3}
        value={draft.description}
        error={fieldError('description')}
        onKeyDown={submitOnModEnter}
        onChange={(event) => update({ description: event.target.value })}
      />
      <TextArea
        label="Instructions"
        hint={
          canEditPrompt
            ? t`Agents read this before every run.`
            : t`Agents read this before every run. Only the project’s creator, admins and owners can change it.`
        }
        readOnly={!canEditPrompt}
        limit={12_000}
        counted
        rows={6}
        value={draft.prompt}
        error={fieldError('prompt')}
        onKeyDown={submitOnModEnter}
        onChange={(event) => update({ prompt: event.target.value })}
      />
      <UnsavedEdits isChanged={isChanged && !save.isPending} />
      {isChanged && (
        <div className="flex flex-wrap items-center gap-8">
          <Button look="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
          <Button look="quiet" onClick={discard}>
            Discard
          </Button>
          <NotSaved error={save.error} />
        </div>
      )}
    </form>
  )
}

/** Edited fields over saved ones. Unedited fields show others' concurrent changes. */
function useDraft(project: ProjectDetails) {
  const [edits, setEdits] = useState<Partial<Draft>>({})
  const saved = textsOf(project)
  const changed: Partial<Draft> = {}
  for (const field of FIELDS) {
    const text = edits[field]
    if (text !== undefined && text !== saved[field]) changed[field] = text
  }
  return {
    draft: { ...saved, ...edits },
    update: (texts: Partial<Draft>) => setEdits((previous) => ({ ...previous, ...texts })),
    changed,
    discard: () => setEdits({}),
  }
}

const textsOf = ({ name, emoji, description, prompt }: ProjectDetails): Draft => ({
  name,
  emoji: emoji ?? '',
  description: description ?? '',
  prompt: prompt ?? '',
})
