import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import type { ProjectDetails } from '../../../api/projects.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { submitOnModEnter } from '../../../components/forms/mod-enter.ts'
import { toast } from '../../../components/toast.tsx'
import { EmojiField } from '../emoji-field.tsx'
import { changeInLists, refreshProjects } from '../project-lists.ts'

const FIELDS = ['name', 'emoji', 'description', 'prompt'] as const
type Draft = Record<(typeof FIELDS)[number], string>

/** What it is called and what it is about. Only what was changed here is sent, so two people can work on different fields. */
export function AboutForm({ project }: { project: ProjectDetails }) {
  const { draft, write, changed, forget } = useDraft(project)
  const save = useMutation({
    mutationFn: () => api.projects.update({ id: project.id, ...changed }),
    onSuccess: async (saved) => {
      changeInLists(project.id, saved)
      forget()
      toast('Saved')
      await refreshProjects()
    },
  })
  const isChanged = Object.keys(changed).length > 0
  const said = (field: keyof Draft) =>
    save.error instanceof ApiFailure ? save.error.fieldMessage(`body.${field}`) : undefined
  const isSaid = FIELDS.some(said)
  return (
    <form
      aria-label="About the project"
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !save.isPending) save.mutate()
      }}
    >
      <FormFailure>{save.error && !isSaid ? explainShortly(save.error) : undefined}</FormFailure>
      <div className="flex gap-12">
        <EmojiField value={draft.emoji} onChange={(emoji) => write({ emoji })} />
        <div className="min-w-0 flex-1">
          <TextField
            label="Name"
            limit={255}
            required
            autoComplete="off"
            value={draft.name}
            error={said('name')}
            onChange={(event) => write({ name: event.target.value })}
          />
        </div>
      </div>
      <TextArea
        label="Description"
        limit={5000}
        counted
        rows={3}
        value={draft.description}
        error={said('description')}
        onKeyDown={submitOnModEnter}
        onChange={(event) => write({ description: event.target.value })}
      />
      <TextArea
        label="Prompt"
        hint="Everything that works here reads it first."
        limit={12_000}
        counted
        rows={6}
        value={draft.prompt}
        error={said('prompt')}
        onKeyDown={submitOnModEnter}
        onChange={(event) => write({ prompt: event.target.value })}
      />
      {isChanged && (
        <div className="flex gap-8">
          <Button look="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
          <Button look="quiet" onClick={forget}>
            Discard
          </Button>
        </div>
      )}
    </form>
  )
}

/** What is being written over what is known; what somebody else changes meanwhile shows where nothing is being written. */
function useDraft(project: ProjectDetails) {
  const [written, setWritten] = useState<Partial<Draft>>({})
  const known = textsOf(project)
  const changed: Partial<Draft> = {}
  for (const field of FIELDS) {
    const text = written[field]
    if (text !== undefined && text !== known[field]) changed[field] = text
  }
  useEffect(() => warnBeforeLeaving(Object.keys(changed).length > 0))
  return {
    draft: { ...known, ...written },
    write: (texts: Partial<Draft>) => setWritten((before) => ({ ...before, ...texts })),
    changed,
    forget: () => setWritten({}),
  }
}

const textsOf = ({ name, emoji, description, prompt }: ProjectDetails): Draft => ({
  name,
  emoji: emoji ?? '',
  description: description ?? '',
  prompt: prompt ?? '',
})

/** The browser asks before it throws away what was written. */
function warnBeforeLeaving(unsaved: boolean) {
  if (!unsaved) return
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}
