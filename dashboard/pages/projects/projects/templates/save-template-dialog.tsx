import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../../api/explain.ts'
import { projectsApi } from '../../../../api/projects/projects-api.ts'
import { refreshTemplates } from '../../../../api/projects/templates.ts'
import type { Project } from '../../../../api/projects.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { withNames } from '../../../../components/name.tsx'
import { toast } from '../../../../components/toast.tsx'
import { createRequestKey } from '../../../../state/request-key.ts'
import { TemplateFields, templateOf } from './template-fields.tsx'

export function SaveTemplateDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [draft, setDraft] = useState({ name: project.name, description: '' })
  const [requestKey] = useState(createRequestKey)
  const save = useMutation({
    mutationFn: () => {
      const request = { projectId: project.id, ...templateOf(draft) }
      return projectsApi.templates.create(request, { idempotencyKey: requestKey.of(request) })
    },
    onSuccess: async (template) => {
      await refreshTemplates()
      toast(withNames`Saved the template “${template.name}”`, {
        label: 'Undo',
        run: () => void projectsApi.templates.remove({ id: template.id }).finally(refreshTemplates),
      })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Save as template"
      lead="Everyone in the organization can start projects from a copy of this canvas. Files, conversations, memory and answers of agents are left out."
      action="Save template"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TemplateFields draft={draft} onChange={setDraft} />
    </FormDialog>
  )
}
