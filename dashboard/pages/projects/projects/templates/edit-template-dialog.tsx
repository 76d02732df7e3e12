import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../../api/explain.ts'
import { projectsApi } from '../../../../api/projects/projects-api.ts'
import { refreshTemplates, type Template } from '../../../../api/projects/templates.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { toast } from '../../../../components/toast.tsx'
import { TemplateFields, templateOf } from './template-fields.tsx'

export function EditTemplateDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const [draft, setDraft] = useState({ name: template.name, description: template.description ?? '' })
  const save = useMutation({
    mutationFn: () => projectsApi.templates.update({ id: template.id, ...templateOf(draft) }),
    onSuccess: async () => {
      await refreshTemplates()
      toast('Template saved')
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
