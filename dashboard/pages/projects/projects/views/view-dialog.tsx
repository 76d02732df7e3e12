import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../../api/explain.ts'
import { type ProjectView, refreshViews, type ViewSettings } from '../../../../api/projects/project-views.ts'
import { projectsApi } from '../../../../api/projects/projects-api.ts'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { Switch } from '../../../../components/forms/switch.tsx'
import { withNames } from '../../../../components/name.tsx'
import { toast } from '../../../../components/toast.tsx'

interface ViewDialogProps {
  /** The view to rename or share; a new one without it. */
  view: ProjectView | undefined
  /** The current filter, order and layout of the list, for a new view. */
  settings: ViewSettings
  onCreated: (view: ProjectView) => void
  onClose: () => void
}

export function ViewDialog({ view, settings, onCreated, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const save = useMutation({
    mutationFn: () =>
      view
        ? projectsApi.projectViews.update({ id: view.id, name, shared })
        : projectsApi.projectViews.create({ name, shared, settings }),
    onSuccess: async (saved) => {
      await refreshViews()
      toast(withNames`Saved the view “${saved.name}”`)
      onClose()
      if (!view) onCreated(saved)
    },
  })
  return (
    <FormDialog
      title={view ? 'Rename or share view' : 'Save view'}
      lead={view ? undefined : 'Saves the filters, the sort order and the layout of the list.'}
      action="Save view"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        limit={80}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Switch
        label="Share with the organization"
        description="All members can open the view and see the projects that they have access to."
        checked={shared}
        onChange={setShared}
      />
    </FormDialog>
  )
}
