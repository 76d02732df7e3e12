import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import { type Workspace, workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { toast } from '../../../components/toast.tsx'

/** Where one's API keys and sign-ins begin; there is always one such place, so it is chosen and never taken away. */
export function DefaultWorkspace({ workspace }: { workspace: Workspace }) {
  const queries = useQueryClient()
  const choose = useMutation({
    mutationFn: (workspaceId: string) => api.workspaces.chooseDefault({ workspaceId }),
    onError: (error) => toast(explainShortly(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  })
  if (workspace.isDefault) {
    return <p className="text-13 text-neutral-11">Your API keys and sign-ins begin here.</p>
  }
  const chooseThis = () => {
    const before = queries.getQueryData(workspacesQuery.queryKey)?.items.find(({ isDefault }) => isDefault)
    const undo = before && { label: 'Undo', run: () => choose.mutate(before.id) }
    choose.mutate(workspace.id, {
      onSuccess: () => toast(`You begin in ${workspace.name} from now on`, undo),
    })
  }
  return (
    <Button className="self-start" busy={choose.isPending} onClick={chooseThis}>
      Make it your default
    </Button>
  )
}
