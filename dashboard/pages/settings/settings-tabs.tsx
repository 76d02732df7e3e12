import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSession } from '../../api/session.ts'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'

const TABS: { label: string; to: LinkProps['to']; forAdmins?: true }[] = [
  { label: 'Account', to: '/settings/account' },
  { label: 'Security', to: '/settings/security' },
  { label: 'Organization', to: '/settings/organization' },
  { label: 'Members', to: '/settings/members' },
  { label: 'Workspaces', to: '/settings/workspaces' },
  { label: 'API keys', to: '/settings/api-keys' },
  { label: 'Audit log', to: '/settings/audit', forAdmins: true },
]

export function SettingsTabs() {
  const { role } = useSession()
  const row = useRef<HTMLDivElement>(null)
  // On narrow screens the row scrolls; bring the current tab into view.
  useEffect(() => {
    row.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest', behavior: 'instant' })
  }, [])
  return (
    <div ref={row} className="min-w-0">
      <TabRow label="Settings">
        {TABS.filter((tab) => !tab.forAdmins || role !== 'member').map(({ label, to }) => (
          <Link key={label} to={to} className={TAB}>
            {label}
          </Link>
        ))}
      </TabRow>
    </div>
  )
}
