import { useMutation, useQuery } from '@tanstack/react-query'
import { Ellipsis, House, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import type { ProjectDetails } from '../../../api/projects.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { toast } from '../../../components/toast.tsx'
import { refreshProjects } from '../project-lists.ts'

/** Where a project is: its home, and the workspaces it is shared into. */
export function ProjectWorkspaces({ project }: { project: ProjectDetails }) {
  const all = useQuery(workspacesQuery).data?.items ?? []
  const home = all.find(({ id }) => id === project.workspaceId)
  const act = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSettled: refreshProjects,
    onError: (error) => toast(explainShortly(error)),
  })
  const put = (workspaceId: string, primary: boolean) =>
    api.projects.shareWithWorkspace({ id: project.id, workspaceId, primary })
  const takeOut = (workspaceId: string) => api.projects.unshareFromWorkspace({ id: project.id, workspaceId })
  const share = ({ id, name }: Named) =>
    act.mutate(async () => {
      await put(id, false)
      toast(`Shared into ${name}`, { label: 'Undo', run: () => act.mutate(() => takeOut(id)) })
    })
  const unshare = ({ id, name }: Named) =>
    act.mutate(async () => {
      await takeOut(id)
      toast(`Taken out of ${name}`, { label: 'Undo', run: () => act.mutate(() => put(id, false)) })
    })
  /** Moving takes it out of the old home; taking that back shares it into both again. */
  const moveHome = ({ id, name }: Named) =>
    act.mutate(async () => {
      await put(id, true)
      toast(`At home in ${name} now, and no longer in ${home?.name ?? 'its old home'}`, {
        label: 'Undo',
        run: () =>
          act.mutate(async () => {
            await put(project.workspaceId, true)
            await put(id, false)
          }),
      })
    })
  const inside = new Set([project.workspaceId, ...project.sharedWorkspaces.map(({ id }) => id)])
  return (
    <div className="flex flex-col gap-12">
      <ul aria-label="Workspaces of the project" className="border-neutral-6 border-t">
        <WorkspaceRow name={home?.name ?? 'A workspace that you do not belong to'}>
          <Badge>home</Badge>
        </WorkspaceRow>
        {project.sharedWorkspaces.map((workspace) => (
          <WorkspaceRow key={workspace.id} name={workspace.name}>
            <Menu
              trigger={
                <Button look="quiet" size="small-icon" aria-label={`Actions for ${workspace.name}`}>
                  <Ellipsis aria-hidden className="icon" />
                </Button>
              }
            >
              <MenuAction icon={House} label="Move its home here" onSelect={() => moveHome(workspace)} />
              <MenuAction icon={X} label="Take it out" onSelect={() => unshare(workspace)} />
            </Menu>
          </WorkspaceRow>
        ))}
      </ul>
      <AddWorkspace others={all.filter(({ id }) => !inside.has(id))} busy={act.isPending} onAdd={share} />
    </div>
  )
}

interface Named {
  id: string
  name: string
}

function WorkspaceRow({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <li className="flex h-row items-center gap-12 border-neutral-6 border-b text-13">
      <span className="min-w-0 flex-1 truncate" title={name}>
        {name}
      </span>
      {children}
    </li>
  )
}

interface AddWorkspaceProps {
  others: Named[]
  busy: boolean
  onAdd: (workspace: Named) => void
}

function AddWorkspace({ others, busy, onAdd }: AddWorkspaceProps) {
  const [chosen, setChosen] = useState('')
  const workspace = others.find(({ id }) => id === chosen)
  if (others.length === 0) {
    return <p className="text-12 text-neutral-11">It is in every workspace that you can see.</p>
  }
  return (
    <form
      className="flex items-end gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        if (!workspace || busy) return
        onAdd(workspace)
        setChosen('')
      }}
    >
      <div className="min-w-0 flex-1">
        <Select label="Share into" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">Choose a workspace</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Button type="submit" busy={busy} disabled={!workspace}>
        Share
      </Button>
    </form>
  )
}
