import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../api/explain.ts'
import { projectsApi } from '../../../api/projects/projects-api.ts'
import { refreshTemplates, type Template } from '../../../api/projects/templates.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { toast } from '../../../components/toast.tsx'

export function EditTemplateDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const [name, setName] = useState(template.name)
  const [description, setDescription] = useState(template.description ?? '')
  const save = useMutation({
    mutationFn: () =>
      projectsApi.templates.update({ id: template.id, name, description: description.trim() || null }),
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
      <TextField
        label="Name"
        required
        limit={255}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Description"
        limit={1000}
        rows={3}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  )
}
