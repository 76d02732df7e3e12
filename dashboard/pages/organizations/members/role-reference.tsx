import type { Role } from '../../../../contract/accounts/accounts.ts'
import { Section } from '../../../components/section.tsx'
import { ROLE_LABELS } from '../organization/role-labels.ts'

/** The permissions of each role; `npm run roles` writes the complete table into SECURITY.md. */
const PERMISSIONS: Record<Role, string> = {
  owner: 'Everything an admin can. Adds and removes owners, and transfers ownership.',
  admin:
    'Sees every workspace. Manages members, workspaces, models, connectors, webhooks, budgets and the agent policy. Reads the audit log.',
  member:
    'Sees the workspaces they are added to, as editor or viewer. Creates projects, agents and API keys of their own.',
}

export function RoleReference() {
  return (
    <Section
      title="Roles"
      lead="A role is for the whole organization. Access to projects follows from workspaces."
    >
      <dl className="flex flex-col text-13">
        {(Object.keys(PERMISSIONS) as Role[]).map((role) => (
          <div
            key={role}
            className="flex flex-col gap-x-16 border-neutral-6 border-b py-8 last:border-b-0 sm:flex-row"
          >
            <dt className="w-when shrink-0 font-medium">{ROLE_LABELS[role].label}</dt>
            <dd className="text-neutral-11">{PERMISSIONS[role]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
