import { useInfiniteQuery } from '@tanstack/react-query'
import { versionsQuery } from '../../../api/agents.ts'
import { labelOf } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { VersionRow } from './versions/version-row.tsx'

interface ConflictDialogProps {
  id: string
  /** The version that the user has edited. */
  since: number
  /** The settings that the user has edited. */
  fields: string[]
  onReload: () => void
  onOverwrite: () => void
  onClose: () => void
}

/** Shows the changes of others since the user began to edit, and lets the user choose between them and the edits. */
export function ConflictDialog({ id, since, fields, onReload, onOverwrite, onClose }: ConflictDialogProps) {
  const versions = useInfiniteQuery({ ...versionsQuery(id), staleTime: 0 })
  const newerVersions = versions.data?.pages[0]?.items.filter(({ version }) => version > since) ?? []
  return (
    <Dialog title="The agent was changed while you edited it" onClose={onClose}>
      <div className="flex flex-col gap-12">
        <p className="text-neutral-11">
          Overwriting saves your {fields.map((field) => labelOf(field).toLowerCase()).join(', ')} and leaves
          other settings as they are now. Both stay in the versions.
        </p>
        <ul aria-label="Changes by others" className="border-neutral-6 border-t">
          {newerVersions.map((version) => (
            <li key={version.version} className="border-neutral-6 border-b py-8">
              <VersionRow version={version} />
            </li>
          ))}
        </ul>
        <DialogFooter>
          <Button look="quiet" onClick={onReload}>
            Discard my edits
          </Button>
          <Button look="primary" data-autofocus onClick={onOverwrite}>
            Overwrite
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
