import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Copy, Settings } from 'lucide-react'
import { t } from '../../contract/text.ts'
import { useSession } from '../api/session.ts'
import { workspacesQuery } from '../api/workspaces.ts'
import { copyWithToast } from '../components/copy.tsx'
import { Logo } from '../components/layout/logo.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../components/menu.tsx'
import { Name } from '../components/name.tsx'
import { useSwitchWorkspace } from './switch-workspace.ts'

export function OrganizationMenu({ collapsed }: { collapsed: boolean }) {
  const { organization, workspace, role } = useSession()
  const navigate = useNavigate()
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex h-48 w-full items-center gap-8 rounded-control p-4 text-left transition-colors hover:bg-hover data-[state=open]:bg-neutral-4"
        >
          <Logo size={24} />
          <span className="sr-only">Organization {collapsed && organization.name}</span>
          {!collapsed && (
            <>
              <span className="min-w-0 flex-1">
                <span className="block truncate font-strong text-13">
                  <Name>{organization.name}</Name>
                </span>
                {workspace && (
                  <span className="block truncate text-12 text-neutral-11">
                    <Name>{workspace.name}</Name>
                  </span>
                )}
              </span>
              <ChevronsUpDown aria-hidden className="icon text-neutral-11" />
            </>
          )}
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-strong text-13 text-neutral-12">
          <Name>{organization.name}</Name>
        </span>
        {workspace && `${workspace.name} · `}
        {ROLES[role]}
      </MenuLabel>
      <MenuSeparator />
      <Switcher />
      <MenuItem onSelect={() => navigate({ to: '/settings/organization' })}>
        <Settings aria-hidden className="icon text-neutral-11" />
        Organization settings
      </MenuItem>
      <MenuItem onSelect={() => copyWithToast(organization.id, t`organization ID`)}>
        <Copy aria-hidden className="icon text-neutral-11" />
        Copy organization ID
      </MenuItem>
      {workspace && (
        <MenuItem onSelect={() => copyWithToast(workspace.id, t`workspace ID`)}>
          <Copy aria-hidden className="icon text-neutral-11" />
          Copy workspace ID
        </MenuItem>
      )}
    </Menu>
  )
}

/** Mounted while the menu is open, so workspaces load on demand. */
function Switcher() {
  const { organization, organizations, workspace } = useSession()
  const workspaces = useQuery(workspacesQuery).data?.items ?? []
  const switchWorkspace = useSwitchWorkspace()
  return (
    <>
      {workspaces.length > 1 && (
        <>
          <MenuChoice
            closes
            label="Workspace"
            value={workspace?.id ?? ''}
            options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            onChoose={(workspaceId) =>
              switchWorkspace({
                organizationId: organization.id,
                workspaceId,
                name: workspaces.find(({ id }) => id === workspaceId)?.name ?? organization.name,
              })
            }
          />
          <MenuSeparator />
        </>
      )}
      {organizations.length > 1 && (
        <>
          <MenuChoice
            closes
            label="Organization"
            value={organization.id}
            options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            onChoose={(organizationId) =>
              switchWorkspace({
                organizationId,
                name: organizations.find(({ id }) => id === organizationId)?.name ?? t`another organization`,
              })
            }
          />
          <MenuSeparator />
        </>
      )}
    </>
  )
}

const ROLES = { owner: t`Owner`, admin: t`Admin`, member: t`Member` }
