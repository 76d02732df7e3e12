import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  Bell,
  BookMarked,
  BookOpen,
  Bot,
  Building2,
  Cable,
  CalendarClock,
  ChartColumn,
  CreditCard,
  Folder,
  GraduationCap,
  House,
  Inbox,
  KeyRound,
  LayoutGrid,
  ListChecks,
  ListTree,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  Phone,
  Plug,
  ScrollText,
  Settings,
  Shapes,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestionMark,
  User,
  Users,
  Webhook,
} from 'lucide-react'
import { t } from '../../contract/text.ts'
import type { Session } from '../api/session.ts'

/** For the sidebar, the palette and the `g` shortcuts. */
export type Section = {
  label: string
  icon: LucideIcon
  group: 'work' | 'agents' | 'admin' | 'settings'
  letter?: string
  inSettings?: true
  forAdmins?: true
  counts?: 'inbox' | 'approvals' | 'memory' | 'budgets'
} & ({ to: LinkProps['to']; href?: undefined } | { href: string; to?: undefined })

const SECTIONS: Section[] = [
  { label: t`Home`, to: '/', icon: House, group: 'work', letter: 'h' },
  { label: t`Inbox`, to: '/inbox', icon: Bell, group: 'work', letter: '@', counts: 'inbox' },
  { label: t`Projects`, to: '/projects', icon: Shapes, group: 'work', letter: 'p' },
  { label: t`Files`, to: '/files', icon: Folder, group: 'work', letter: 'l' },
  { label: t`Chat`, to: '/chat', icon: MessagesSquare, group: 'work', letter: 'c' },
  {
    label: t`Approvals`,
    to: '/approvals',
    icon: ShieldQuestionMark,
    group: 'work',
    letter: 'v',
    counts: 'approvals',
  },
  { label: t`Connections`, to: '/connections', icon: Cable, group: 'work', letter: '+' },
  { label: t`Webhooks`, to: '/webhooks', icon: Webhook, group: 'work', letter: 'b' },
  { label: t`Telephony`, to: '/telephony', icon: Phone, group: 'work', letter: '#' },
  { label: t`Feedback`, to: '/feedback', icon: MessageSquare, group: 'work', letter: 'f' },
  { label: t`Agents`, to: '/agents', icon: Bot, group: 'agents', letter: 'n' },
  { label: t`Runs`, to: '/runs', icon: ListTree, group: 'agents', letter: 'u' },
  { label: t`Schedules`, to: '/schedules', icon: CalendarClock, group: 'agents', letter: 'd' },
  { label: t`Memory`, to: '/memory', icon: BookMarked, group: 'agents', letter: 'g', counts: 'memory' },
  { label: t`Skills`, to: '/skills', icon: GraduationCap, group: 'agents', letter: 'i' },
  { label: t`Guardrails`, to: '/guardrails', icon: ShieldAlert, group: 'agents', letter: 'x' },
  { label: t`MCP servers`, to: '/mcp-servers', icon: Plug, group: 'agents' },
  { label: t`Usage`, to: '/usage', icon: ChartColumn, group: 'agents', letter: 't', counts: 'budgets' },
  {
    label: t`Billing`,
    to: '/billing',
    icon: CreditCard,
    group: 'agents',
    forAdmins: true,
  },
  {
    label: t`Feedback queue`,
    to: '/operate/feedback',
    icon: Inbox,
    group: 'admin',
    inSettings: true,
    letter: 'q',
  },
  { label: t`Health`, to: '/operate/health', icon: Activity, group: 'admin', inSettings: true },
  { label: t`Jobs`, to: '/operate/jobs', icon: ListChecks, group: 'admin', inSettings: true, letter: 'j' },
  { label: t`Provider events`, to: '/operate/connectors', icon: Activity, group: 'admin', inSettings: true },
  {
    label: t`Organizations`,
    to: '/operate/organizations',
    icon: Building2,
    group: 'admin',
    inSettings: true,
    letter: 'z',
  },
  { label: t`Settings`, to: '/settings', icon: Settings, group: 'settings', letter: 's' },
  { label: t`Account`, to: '/settings/account', icon: User, group: 'settings', inSettings: true },
  {
    label: t`Security`,
    to: '/settings/security',
    icon: ShieldCheck,
    group: 'settings',
    letter: 'y',
    inSettings: true,
  },
  {
    label: t`Organization`,
    to: '/settings/organization',
    icon: Building2,
    group: 'settings',
    letter: 'o',
    inSettings: true,
  },
  {
    label: t`Members`,
    to: '/settings/organization/members',
    icon: Users,
    group: 'settings',
    letter: 'm',
    inSettings: true,
  },
  {
    label: t`Workspaces`,
    to: '/settings/organization/workspaces',
    icon: LayoutGrid,
    group: 'settings',
    letter: 'w',
    inSettings: true,
  },
  {
    label: t`API keys`,
    to: '/settings/api-keys',
    icon: KeyRound,
    group: 'settings',
    letter: 'k',
    inSettings: true,
  },
  { label: 'MCP', to: '/settings/mcp', icon: Plug, group: 'settings', inSettings: true },
  {
    label: t`Audit log`,
    to: '/settings/organization/audit',
    icon: ScrollText,
    group: 'settings',
    letter: 'a',
    inSettings: true,
    forAdmins: true,
  },
  { label: t`API reference`, href: '/docs', icon: BookOpen, group: 'settings', letter: 'r' },
]

export const sectionsFor = ({ user, role }: Pick<Session, 'user' | 'role'>) =>
  SECTIONS.filter(
    (section) => (section.group !== 'admin' || user.operator) && (!section.forAdmins || role !== 'member'),
  )
