import {
  Link,
  type LinkProps,
  Navigate,
  Outlet,
  useLocation,
  useMatches,
  useNavigate,
} from '@tanstack/react-router'
import {
  Activity,
  BellRing,
  Blocks,
  Bot,
  Building2,
  Cable,
  ChevronDown,
  FolderArchive,
  Gauge,
  HeartPulse,
  Inbox,
  KeyRound,
  LayoutGrid,
  ListChecks,
  Lock,
  type LucideIcon,
  Plug,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  User,
  Users,
} from 'lucide-react'
import { t } from '../../contract/text.ts'
import { type Session, useSession } from '../api/session.ts'
import { buttonClass } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { CONTROL } from '../components/forms/field.tsx'
import { Name } from '../components/name.tsx'

export function SettingsLayout() {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:flex-row">
      <SettingsNavigation />
      <Outlet />
    </div>
  )
}

/** `/operate` itself redirects to the feedback queue. */
export function OperatorLayout() {
  const isIndex = useMatches({ select: (matches) => matches.at(-1)?.routeId === '/app/operate' })
  if (isIndex) return <Navigate to="/operate/feedback" replace />
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:flex-row">
      <SettingsNavigation />
      <OperatorsOnly />
    </div>
  )
}

function OperatorsOnly() {
  const { user } = useSession()
  if (user.operator) return <Outlet />
  return (
    <Empty
      page
      icon={Lock}
      title="Operators only"
      action={
        <Link to="/" className={buttonClass()}>
          Go home
        </Link>
      }
    >
      {user.email} doesn’t have operator access. Another operator can grant it.
    </Empty>
  )
}

interface SettingsPage {
  label: string
  to: NonNullable<LinkProps['to']>
  icon: LucideIcon
  forAdmins?: true
}

interface Group {
  title: string
  pages: SettingsPage[]
}

const PERSONAL: SettingsPage[] = [
  { label: t`Account`, to: '/settings/account', icon: User },
  { label: t`Notifications`, to: '/settings/notifications', icon: BellRing },
  { label: t`Security`, to: '/settings/security', icon: ShieldCheck },
  { label: t`API keys`, to: '/settings/api-keys', icon: KeyRound },
  { label: t`MCP and apps`, to: '/settings/mcp', icon: Plug },
]

const ORGANIZATION: SettingsPage[] = [
  { label: t`General`, to: '/settings/organization', icon: Building2 },
  { label: t`Members`, to: '/settings/organization/members', icon: Users },
  { label: t`Workspaces`, to: '/settings/organization/workspaces', icon: LayoutGrid },
  { label: t`Models`, to: '/settings/organization/models', icon: Bot },
  { label: t`Connectors`, to: '/settings/organization/connectors', icon: Cable, forAdmins: true },
  { label: t`Agent policy`, to: '/settings/organization/agent-policy', icon: SlidersHorizontal },
  { label: t`Files`, to: '/settings/organization/files', icon: FolderArchive, forAdmins: true },
  { label: t`Quotas`, to: '/settings/organization/quotas', icon: Gauge },
  { label: t`Audit log`, to: '/settings/organization/audit', icon: ScrollText, forAdmins: true },
]

const INSTALLATION: SettingsPage[] = [
  { label: t`Health`, to: '/operate/health', icon: HeartPulse },
  { label: t`Organizations`, to: '/operate/organizations', icon: Blocks },
  { label: t`Jobs`, to: '/operate/jobs', icon: ListChecks },
  { label: t`Provider events`, to: '/operate/connectors', icon: Activity },
  { label: t`Feedback queue`, to: '/operate/feedback', icon: Inbox },
]

const groupsFor = ({ role, user, organization }: Session): Group[] => [
  { title: t`Personal`, pages: PERSONAL },
  {
    title: organization.name,
    pages: ORGANIZATION.filter(({ forAdmins }) => !forAdmins || role !== 'member'),
  },
  ...(user.operator ? [{ title: t`Installation`, pages: INSTALLATION }] : []),
]

function SettingsNavigation() {
  const groups = groupsFor(useSession())
  return (
    <>
      <NarrowNavigation groups={groups} />
      <nav
        aria-label="Settings"
        className="hidden w-tree shrink-0 flex-col gap-16 overflow-y-auto border-neutral-6 border-r px-8 py-12 lg:flex"
      >
        {groups.map(({ title, pages }) => (
          <section key={title} aria-label={title}>
            <h2 className="truncate px-8 pb-4 font-medium text-12 text-neutral-11">
              <Name>{title}</Name>
            </h2>
            <ul className="flex flex-col gap-px">
              {pages.map(({ label, to, icon: Icon }) => (
                <li key={label}>
                  <Link to={to} activeOptions={{ exact: to === '/settings/organization' }} className={ITEM}>
                    <Icon aria-hidden className="icon" />
                    <span className="truncate">{label}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </>
  )
}

const ITEM =
  'flex h-32 items-center gap-8 rounded-control px-8 text-13 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12 aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-neutral-12'

function NarrowNavigation({ groups }: { groups: Group[] }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const pages = groups.flatMap((group) => group.pages)
  // The longest match, since `/settings/organization` is also a prefix for other pages.
  const current = pages
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((one, other) => other.to.length - one.to.length)[0]
  return (
    <nav aria-label="Settings" className="relative border-neutral-6 border-b px-16 py-8 md:px-24 lg:hidden">
      <select
        aria-label="Settings page"
        value={current?.to ?? ''}
        onChange={(event) => void navigate({ to: event.target.value })}
        className={`h-32 appearance-none pr-32 font-medium ${CONTROL}`}
      >
        {!current && <option value="">Settings</option>}
        {groups.map(({ title, pages: listed }) => (
          <optgroup key={title} label={title}>
            {listed.map(({ label, to }) => (
              <option key={to} value={to}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="icon pointer-events-none absolute top-16 right-24 text-neutral-11 md:right-32"
      />
    </nav>
  )
}
