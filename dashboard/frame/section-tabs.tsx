import { Link, useLocation } from '@tanstack/react-router'
import { t } from '../../contract/text.ts'
import { useSession } from '../api/session.ts'
import { TAB, TabRow } from '../components/layout/tabs.tsx'
import { SectionCount } from './section-count.tsx'
import { sectionsFor } from './sections.ts'

const GROUPS = {
  inbox: {
    label: t`Inbox`,
    tabs: [
      ['/inbox', t`Notifications`],
      ['/approvals', t`Approvals`],
      ['/approvals/replies', t`Replies`],
    ],
  },
  agents: {
    label: t`Agents`,
    tabs: [
      ['/agents', t`Agents`],
      ['/skills', t`Skills`],
      ['/memory', t`Memory`],
      ['/knowledge', t`Knowledge`],
      ['/guardrails', t`Guardrails`],
    ],
  },
  runs: {
    label: t`Runs`,
    tabs: [
      ['/runs', t`Runs`],
      ['/schedules', t`Schedules`],
    ],
  },
  integrations: {
    label: t`Integrations`,
    tabs: [
      ['/integrations', t`Apps`],
      ['/mcp-servers', t`MCP servers`],
      ['/webhooks', t`Webhooks`],
      ['/webhooks/events', t`Events`],
      ['/integrations/custom', t`Custom apps`],
    ],
  },
} as const

/** The pages of one sidebar entry. */
export function SectionTabs({ of }: { of: keyof typeof GROUPS }) {
  const { label, tabs } = GROUPS[of]
  const { pathname } = useLocation()
  const sections = sectionsFor(useSession())
  // The longest match, since some addresses begin with another tab's.
  const current = tabs
    .map(([to]) => to)
    .filter((to) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((one, other) => other.length - one.length)[0]
  return (
    <TabRow label={label}>
      {tabs.map(([to, name]) => {
        const section = sections.find((each) => each.to === to)
        if (!section) return null
        return (
          <Link
            key={to}
            to={to}
            // The router would also mark a tab whose address begins another's.
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={to === current ? 'page' : undefined}
            className={TAB}
          >
            {name}
            {section.place === 'tab' && section.counts && <SectionCount of={section.counts} />}
          </Link>
        )
      })}
    </TabRow>
  )
}
