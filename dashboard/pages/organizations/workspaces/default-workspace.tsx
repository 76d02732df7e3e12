import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { type Workspace, workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'

/** Sets the default workspace. There is always exactly one, so it can be changed but not cleared. */
export function DefaultWorkspace({ workspace }: { workspace: Workspace }) {
  const queries = useQueryClient()
  const setDefault = useMutation({
    mutationFn: (workspaceId: string) => api.workspaces.chooseDefault({ workspaceId }),
    onError: (error) => toast(shortMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  })
  if (workspace.isDefault) {
    return (
      <p className="text-13 text-neutral-11">This is your default workspace for sign-ins and API keys.</p>
    )
  }
  const setThis = () => {
    const before = queries.getQueryData(workspacesQuery.queryKey)?.items.find(({ isDefault }) => isDefault)
    const undo = before && { label: 'Undo', run: () => setDefault.mutate(before.id) }
    setDefault.mutate(workspace.id, {
      onSuccess: () => toast(withNames`${workspace.name} is now your default workspace`, undo),
    })
  }
  return (
    <Button className="self-start" busy={setDefault.isPending} onClick={setThis}>
      Set as default
    </Button>
  )
}
