import { Link, type LinkProps } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'

const TABS: { label: string; to: LinkProps['to']; forAdmins?: true }[] = [
  { label: 'Account', to: '/settings/account' },
  { label: 'Notifications', to: '/settings/notifications' },
  { label: 'Security', to: '/settings/security' },
  { label: 'Organization', to: '/settings/organization' },
  { label: 'Members', to: '/settings/members' },
  { label: 'Workspaces', to: '/settings/workspaces' },
  { label: 'Models', to: '/settings/models' },
  { label: 'Connectors', to: '/settings/connectors', forAdmins: true },
  { label: 'Agent policy', to: '/settings/agent-policy' },
  { label: 'Quotas', to: '/settings/usage' },
  { label: 'API keys', to: '/settings/api-keys' },
  { label: 'MCP', to: '/settings/mcp' },
  { label: 'Audit log', to: '/settings/audit', forAdmins: true },
]

export function SettingsTabs() {
  const { role } = useSession()
  return (
    <TabRow label="Settings">
      {TABS.filter((tab) => !tab.forAdmins || role !== 'member').map(({ label, to }) => (
        <Link key={label} to={to} className={TAB}>
          {label}
        </Link>
      ))}
    </TabRow>
  )
}
