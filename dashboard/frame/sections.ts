import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  BellRing,
  BookMarked,
  BookOpen,
  Bot,
  Boxes,
  Building2,
  CalendarClock,
  ChartColumn,
  CloudDownload,
  CreditCard,
  Folder,
  FolderArchive,
  Gauge,
  Globe,
  GraduationCap,
  HeartPulse,
  House,
  Inbox,
  KeyRound,
  LayoutGrid,
  ListChecks,
  ListTree,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  MonitorSmartphone,
  Network,
  Phone,
  Plug,
  Reply,
  ScrollText,
  Shapes,
  ShieldAlert,
  ShieldCheck,
  ShieldQuestionMark,
  SlidersHorizontal,
  TextSearch,
  User,
  Users,
  Webhook,
  Wrench,
} from 'lucide-react'
import { t } from '../../contract/text.ts'
import type { Session } from '../api/session.ts'

/** Where a section is listed: in the sidebar, as a tab of one of its entries, in the settings, or in the help menu. */
export type Place =
  | 'main'
  | 'automate'
  | 'connect'
  | 'tab'
  | 'personal'
  | 'organization'
  | 'installation'
  | 'help'

export type Count = 'inbox' | 'decisions' | 'live' | 'memory' | 'budgets'

/** For the sidebar, the settings, tabs, the palette and the `g` shortcuts. */
export type Section = {
  label: string
  icon: LucideIcon
  place: Place
  /** The key after `g`. */
  letter?: string
  /** Other pages for which the sidebar marks this entry. */
  covers?: RegExp
  /** Other words that find it in the palette, such as its former name. */
  words?: string
  forAdmins?: true
  counts?: Count
} & ({ to: NonNullable<LinkProps['to']>; href?: undefined } | { href: string; to?: undefined })

const SECTIONS: Section[] = [
  { label: t`Home`, to: '/', icon: House, place: 'main', letter: 'h' },
  {
    label: t`Inbox`,
    to: '/inbox',
    icon: Inbox,
    place: 'main',
    words: t`notifications mentions`,
    letter: 'i',
    counts: 'inbox',
    covers: /^\/approvals/,
  },
  { label: t`Chat`, to: '/chat', icon: MessageCircle, place: 'main', letter: 'c' },
  { label: t`Projects`, to: '/projects', icon: Shapes, place: 'main', letter: 'p' },
  { label: t`Files`, to: '/files', icon: Folder, place: 'main', letter: 'l' },
  {
    label: t`Agents`,
    to: '/agents',
    icon: Bot,
    place: 'automate',
    letter: 'n',
    covers: /^\/(skills|memory|knowledge|guardrails)/,
  },
  {
    label: t`Runs`,
    to: '/runs',
    icon: ListTree,
    place: 'automate',
    letter: 'u',
    counts: 'live',
    covers: /^\/schedules/,
  },
  {
    label: t`Integrations`,
    to: '/integrations',
    icon: Plug,
    place: 'connect',
    words: t`connections connectors apps`,
    letter: '+',
    covers: /^\/(mcp-servers|webhooks)/,
  },
  {
    label: t`Phone`,
    to: '/phone',
    icon: Phone,
    place: 'connect',
    words: t`telephony calls numbers text messages`,
    letter: '#',
  },

  {
    label: t`Approvals`,
    to: '/approvals',
    icon: ShieldQuestionMark,
    place: 'tab',
    letter: 'v',
    counts: 'decisions',
  },
  { label: t`Replies`, to: '/approvals/replies', icon: Reply, place: 'tab' },
  { label: t`Skills`, to: '/skills', icon: GraduationCap, place: 'tab', letter: 'x' },
  { label: t`Memory`, to: '/memory', icon: BookMarked, place: 'tab', letter: 'g', counts: 'memory' },
  {
    label: t`Knowledge`,
    to: '/knowledge',
    icon: CloudDownload,
    place: 'tab',
    words: t`sources sync Google Drive Notion Confluence GitHub Dropbox SharePoint website`,
  },
  {
    label: t`Test retrieval`,
    to: '/knowledge/test',
    icon: TextSearch,
    place: 'tab',
    words: t`knowledge passages`,
  },
  { label: t`Guardrails`, to: '/guardrails', icon: ShieldAlert, place: 'tab' },
  { label: t`Schedules`, to: '/schedules', icon: CalendarClock, place: 'tab', letter: 'd' },
  { label: t`MCP servers`, to: '/mcp-servers', icon: Network, place: 'tab' },
  { label: t`Webhooks`, to: '/webhooks', icon: Webhook, place: 'tab', letter: 'b' },
  {
    label: t`Events`,
    to: '/webhooks/events',
    icon: Activity,
    place: 'tab',
    words: t`event log webhook deliveries`,
    letter: 'e',
  },
  {
    label: t`Custom apps`,
    to: '/integrations/custom',
    icon: Wrench,
    place: 'tab',
    words: t`connectors OAuth clients OpenAPI`,
    forAdmins: true,
  },

  {
    label: t`Profile`,
    to: '/settings/account',
    icon: User,
    place: 'personal',
    words: t`account name email theme language`,
    letter: 's',
  },
  { label: t`Notifications`, to: '/settings/notifications', icon: BellRing, place: 'personal' },
  {
    label: t`Security`,
    to: '/settings/security',
    icon: ShieldCheck,
    place: 'personal',
    words: t`password passkeys authenticator sessions`,
    letter: 'y',
  },
  { label: t`API keys`, to: '/settings/api-keys', icon: KeyRound, place: 'personal', letter: 'k' },
  {
    label: t`Connected apps`,
    to: '/settings/mcp',
    icon: MonitorSmartphone,
    place: 'personal',
    words: t`MCP clients access`,
  },

  {
    label: t`General`,
    to: '/settings/organization',
    icon: Building2,
    place: 'organization',
    words: t`organization name export delete`,
    letter: 'o',
  },
  {
    label: t`Members`,
    to: '/settings/organization/members',
    icon: Users,
    place: 'organization',
    words: t`people invite roles`,
    letter: 'm',
  },
  {
    label: t`Workspaces`,
    to: '/settings/organization/workspaces',
    icon: LayoutGrid,
    place: 'organization',
    letter: 'w',
  },
  {
    label: t`Models`,
    to: '/settings/organization/models',
    icon: Boxes,
    place: 'organization',
    words: t`providers keys prices`,
  },
  {
    label: t`Web search`,
    to: '/settings/organization/web-search',
    icon: Globe,
    place: 'organization',
    words: t`internet searxng brave tavily exa kagi google`,
  },
  {
    label: t`Usage and budgets`,
    to: '/settings/organization/usage',
    icon: ChartColumn,
    place: 'organization',
    words: t`cost spend billing tokens limits`,
    letter: 't',
    counts: 'budgets',
  },
  {
    label: t`Payments`,
    to: '/settings/organization/payments',
    icon: CreditCard,
    place: 'organization',
    words: t`billing mandates machine payments`,
    forAdmins: true,
  },
  {
    label: t`Agent policy`,
    to: '/settings/organization/agent-policy',
    icon: SlidersHorizontal,
    place: 'organization',
  },
  {
    label: t`Files and public links`,
    to: '/settings/organization/files',
    icon: FolderArchive,
    place: 'organization',
    words: t`versions trash`,
    forAdmins: true,
  },
  { label: t`Quotas`, to: '/settings/organization/quotas', icon: Gauge, place: 'organization' },
  {
    label: t`Audit log`,
    to: '/settings/organization/audit',
    icon: ScrollText,
    place: 'organization',
    letter: 'a',
    forAdmins: true,
  },

  { label: t`Health`, to: '/operate/health', icon: HeartPulse, place: 'installation' },
  {
    label: t`Organizations`,
    to: '/operate/organizations',
    icon: Building2,
    place: 'installation',
    letter: 'z',
  },
  { label: t`Jobs`, to: '/operate/jobs', icon: ListChecks, place: 'installation', letter: 'j' },
  { label: t`Provider events`, to: '/operate/connectors', icon: Activity, place: 'installation' },
  {
    label: t`Feedback queue`,
    to: '/operate/feedback',
    icon: MessageSquareText,
    place: 'installation',
    letter: 'q',
  },

  { label: t`API reference`, href: '/docs', icon: BookOpen, place: 'help', letter: 'r' },
  {
    label: t`My feedback`,
    to: '/feedback',
    icon: MessageSquareText,
    place: 'help',
    words: t`submissions`,
    letter: 'f',
  },
]

export const sectionsFor = ({ user, role }: Pick<Session, 'user' | 'role'>) =>
  SECTIONS.filter(
    (section) =>
      (section.place !== 'installation' || user.operator) && (!section.forAdmins || role !== 'member'),
  )
