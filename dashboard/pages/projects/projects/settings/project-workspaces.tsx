import { useMutation, useQuery } from '@tanstack/react-query'
import { Ellipsis, House, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { api } from '../../../../api/client.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { workspacesQuery } from '../../../../api/workspaces.ts'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { Menu, MenuAction } from '../../../../components/menu.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { refreshProjects } from '../project-actions.ts'

export function ProjectWorkspaces({ project }: { project: ProjectDetails }) {
  const workspaces = useQuery(workspacesQuery).data?.items ?? []
  const primary = workspaces.find(({ id }) => id === project.workspaceId)
  const action = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSettled: refreshProjects,
    onError: toastFailure,
  })
  const shareWith = (workspaceId: string, asPrimary: boolean) =>
    api.projects.shareWithWorkspace({ id: project.id, workspaceId, primary: asPrimary })
  const removeFrom = (workspaceId: string) =>
    api.projects.unshareFromWorkspace({ id: project.id, workspaceId })
  const share = ({ id, name }: NamedWorkspace) =>
    action.mutate(async () => {
      await shareWith(id, false)
      toast(withNames`Shared with ${name}`, {
        label: t`Undo`,
        run: () => action.mutate(() => removeFrom(id)),
      })
    })
  const unshare = ({ id, name }: NamedWorkspace) =>
    action.mutate(async () => {
      await removeFrom(id)
      toast(withNames`Removed from ${name}`, {
        label: t`Undo`,
        run: () => action.mutate(() => shareWith(id, false)),
      })
    })
  /** The server removes the project from its previous primary workspace. Undo shares it with both again. */
  const makePrimary = ({ id, name }: NamedWorkspace) =>
    action.mutate(async () => {
      await shareWith(id, true)
      toast(withNames`Primary workspace is now ${name}`, {
        label: t`Undo`,
        run: () =>
          action.mutate(async () => {
            await shareWith(project.workspaceId, true)
            await shareWith(id, false)
          }),
      })
    })
  const currentIds = new Set([project.workspaceId, ...project.sharedWorkspaces.map(({ id }) => id)])
  return (
    <div className="flex flex-col gap-12">
      <ul aria-label="Project workspaces" className="border-neutral-6 border-t">
        <WorkspaceRow name={primary?.name ?? t`A workspace you can’t access`}>
          <Badge>Primary</Badge>
        </WorkspaceRow>
        {project.sharedWorkspaces.map((workspace) => (
          <WorkspaceRow key={workspace.id} name={workspace.name}>
            <Menu
              trigger={
                <Button
                  look="quiet"
                  size="small-icon"
                  aria-label={textWithNames`Actions for ${workspace.name}`}
                >
                  <Ellipsis aria-hidden className="icon" />
                </Button>
              }
            >
              <MenuAction icon={House} label="Make primary" onSelect={() => makePrimary(workspace)} />
              <MenuAction icon={X} label="Remove from workspace" onSelect={() => unshare(workspace)} />
            </Menu>
          </WorkspaceRow>
        ))}
      </ul>
      <AddWorkspace
        others={workspaces.filter(({ id }) => !currentIds.has(id))}
        busy={action.isPending}
        onAdd={share}
      />
    </div>
  )
}

interface NamedWorkspace {
  id: string
  name: string
}

function WorkspaceRow({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <li className="flex h-row items-center gap-12 border-neutral-6 border-b text-13">
      <span className="min-w-0 flex-1 truncate" title={name}>
        <Name>{name}</Name>
      </span>
      {children}
    </li>
  )
}

interface AddWorkspaceProps {
  others: NamedWorkspace[]
  busy: boolean
  onAdd: (workspace: NamedWorkspace) => void
}

function AddWorkspace({ others, busy, onAdd }: AddWorkspaceProps) {
  const [selected, setSelected] = useState('')
  const workspace = others.find(({ id }) => id === selected)
  if (others.length === 0) {
    return <p className="text-12 text-neutral-11">Already shared with all your workspaces.</p>
  }
  return (
    <form
      className="flex items-end gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        if (!workspace || busy) return
        onAdd(workspace)
        setSelected('')
      }}
    >
      <div className="min-w-0 flex-1">
        <Select label="Share with" value={selected} onChange={(event) => setSelected(event.target.value)}>
          <option value="">Select a workspace</option>
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
