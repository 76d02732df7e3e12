import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { failureMessage } from '../../../../api/explain.ts'
import { projectsApi } from '../../../../api/project-pages.ts'
import type { Project } from '../../../../api/projects.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../../components/dialogs/use-create-dialog.ts'
import { TextArea, TextField } from '../../../../components/forms/field.tsx'
import { withNames } from '../../../../components/name.tsx'
import { toast } from '../../../../components/toast.tsx'
import { refreshTemplates, type Template } from './templates-queries.ts'

export function SaveTemplateDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [draft, setDraft] = useState({ name: project.name, description: '' })
  const { form } = useCreateDialog({
    create: (keyOf) => {
      const request = { projectId: project.id, ...templateOf(draft) }
      return projectsApi.templates.create(request, { idempotencyKey: keyOf(request) })
    },
    onCreated: async (template) => {
      await refreshTemplates()
      toast(withNames`Saved the template “${template.name}”`, {
        label: t`Undo`,
        run: () => void projectsApi.templates.remove({ id: template.id }).finally(refreshTemplates),
      })
      onClose()
    },
    onClose,
  })
  return (
    <FormDialog
      title="Save as template"
      lead="Everyone in the organization can start projects from this canvas. Files, conversations, memories and agent replies aren’t copied."
      action="Save template"
      {...form}
    >
      <TemplateFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}

export function EditTemplateDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const [draft, setDraft] = useState({ name: template.name, description: template.description ?? '' })
  const save = useMutation({
    mutationFn: () => projectsApi.templates.update({ id: template.id, ...templateOf(draft) }),
    onSuccess: async () => {
      await refreshTemplates()
      toast(t`Template saved`)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Edit template"
      action="Save"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TemplateFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}

interface TemplateDraft {
  name: string
  description: string
}

interface TemplateFieldsProps {
  draft: TemplateDraft
  onChange: (draft: TemplateDraft) => void
}

const TemplateFields = ({ draft, onChange }: TemplateFieldsProps) => (
  <>
    <TextField
      label="Name"
      required
      limit={255}
      autoComplete="off"
      data-autofocus
      value={draft.name}
      onChange={(event) => onChange({ ...draft, name: event.target.value })}
    />
    <TextArea
      label="Description"
      hint="Describe when to use the template."
      limit={1000}
      rows={3}
      value={draft.description}
      onChange={(event) => onChange({ ...draft, description: event.target.value })}
    />
  </>
)

/** In the API's format. */
const templateOf = ({ name, description }: TemplateDraft) => ({
  name,
  description: description.trim() || null,
})
