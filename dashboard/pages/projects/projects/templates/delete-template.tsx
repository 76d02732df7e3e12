import { projectsApi } from '../../../../api/projects/projects-api.ts'
import { refreshTemplates, type Template } from '../../../../api/projects/templates.ts'
import { DeleteDialog } from '../../../../components/dialogs/delete-dialog.tsx'
import { Name } from '../../../../components/name.tsx'

export const DeleteTemplate = ({ template, onClose }: { template: Template; onClose: () => void }) => (
  <DeleteDialog
    kind="template"
    name={template.name}
    remove={() => projectsApi.templates.remove({ id: template.id })}
    refresh={refreshTemplates}
    onClose={onClose}
  >
    <Name>{template.name}</Name> is deleted for everyone in the organization. Projects that were started from
    it stay as they are.
  </DeleteDialog>
)
