import { Link, Navigate, Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router'
import { ChevronDown, Lock } from 'lucide-react'
import { t } from '../../contract/text.ts'
import { useSession } from '../api/session.ts'
import { buttonClass } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { CONTROL } from '../components/forms/field.tsx'
import { type Place, sectionsFor } from './sections.ts'

/** Lists end with the sheet; what is narrower, such as an empty state, keeps its own width. */
const SETTINGS = 'flex min-h-0 min-w-0 flex-1 flex-col [&_[data-scroll]>*:not([class*=max-w-])]:max-w-sheet'

export function SettingsLayout() {
  return (
    <div className={SETTINGS}>
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
    <div className={SETTINGS}>
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

const GROUPS: Place[] = ['personal', 'organization', 'installation']

/** On phones, where the settings don't replace a sidebar. */
function SettingsNavigation() {
  const { user, organization, role } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const pages = sectionsFor({ user, role }).filter(({ place }) => GROUPS.includes(place))
  const titles: Partial<Record<Place, string>> = {
    personal: user.name,
    organization: organization.name,
    installation: t`Installation`,
  }
  // The longest match, since `/settings/organization` is also a prefix for other pages.
  const current = pages
    .filter(({ to }) => to && (pathname === to || pathname.startsWith(`${to}/`)))
    .toSorted((one, other) => (other.to?.length ?? 0) - (one.to?.length ?? 0))[0]
  return (
    <nav aria-label="Settings" className="relative border-neutral-6 border-b px-16 py-8 md:hidden">
      <select
        aria-label="Settings page"
        value={current?.to ?? ''}
        onChange={(event) => void navigate({ to: event.target.value })}
        className={`h-32 appearance-none pr-32 font-medium ${CONTROL}`}
      >
        {!current && <option value="">Settings</option>}
        {GROUPS.map((group) => {
          const listed = pages.filter(({ place }) => place === group)
          if (listed.length === 0) return null
          return (
            <optgroup key={group} label={titles[group]}>
              {listed.map(({ label, to }) => (
                <option key={to} value={to}>
                  {label}
                </option>
              ))}
            </optgroup>
          )
        })}
      </select>
      <ChevronDown
        aria-hidden
        className="icon pointer-events-none absolute top-16 right-24 text-neutral-11"
      />
    </nav>
  )
}
