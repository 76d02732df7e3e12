import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PanelLeft, Search, Send } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { t } from '../../contract/text.ts'
import { openCountQuery } from '../api/approvals.ts'
import { proposedCountQuery } from '../api/memory.ts'
import { useSession } from '../api/session.ts'
import { favouritesQuery, unreadQuery } from '../api/sidebar.ts'
import { pausedCountQuery } from '../api/usage.ts'
import { Button } from '../components/button.tsx'
import { KEY_HINT, Keys } from '../components/kbd.tsx'
import { openOverlay } from '../state/overlay.ts'
import { AccountMenu } from './account-menu.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { preloadPalette } from './palette/palette.tsx'
import { toggleRail } from './rail-state.ts'
import { type Section, sectionsFor } from './sections.ts'

const RailFavourites = lazy(() => import('./rail-favourites.tsx'))

interface RailProps {
  collapsed?: boolean
  /** The drawer on phones can't collapse. */
  inDrawer?: boolean
}

export function Rail({ collapsed = false, inDrawer }: RailProps) {
  const session = useSession()
  const { data: favourites } = useQuery(favouritesQuery)
  const sections = sectionsFor(session)
  const group = (name: Section['group']) =>
    sections
      .filter((section) => section.group === name && !section.inSettings)
      .map((section) => <RailLink key={section.label} section={section} collapsed={collapsed} />)
  return (
    <nav aria-label="Sections" className="flex h-full flex-col gap-8 bg-app p-8">
      <OrganizationMenu collapsed={collapsed} />
      <SearchBox collapsed={collapsed} />
      <div className="flex min-h-0 flex-1 flex-col gap-12 overflow-y-auto">
        <ul className="flex flex-col gap-px">{group('work')}</ul>
        {favourites?.[0] && !collapsed && (
          <Suspense>
            <RailFavourites favourites={favourites} item={ITEM} />
          </Suspense>
        )}
        <div>
          <GroupLabel collapsed={collapsed}>Agents</GroupLabel>
          <ul className="flex flex-col gap-px">{group('agents')}</ul>
        </div>
      </div>
      <ul className="flex shrink-0 flex-col gap-px border-neutral-6 border-t pt-8">
        {group('settings')}
        <li>
          <button
            type="button"
            title={collapsed ? t`Send feedback` : undefined}
            onClick={() => openOverlay('send-feedback')}
            className={ITEM}
          >
            <Send aria-hidden className="icon" />
            <Label collapsed={collapsed}>Send feedback</Label>
          </button>
        </li>
      </ul>
      <div
        className={`flex gap-4 border-neutral-6 border-t pt-8 ${collapsed ? 'flex-col items-center' : 'items-center'}`}
      >
        <AccountMenu collapsed={collapsed} />
        {!inDrawer && (
          <Button
            look="quiet"
            size="icon"
            aria-label={collapsed ? t`Expand sidebar` : t`Collapse sidebar`}
            title={collapsed ? t`Expand sidebar` : t`Collapse sidebar`}
            onClick={toggleRail}
          >
            <PanelLeft aria-hidden className="icon" />
          </Button>
        )}
      </div>
    </nav>
  )
}

function SearchBox({ collapsed }: { collapsed: boolean }) {
  return (
    <button
      type="button"
      title={collapsed ? t`Search` : undefined}
      data-tour="search"
      onClick={() => openOverlay('palette')}
      onPointerEnter={preloadPalette}
      className={collapsed ? ITEM : `${ITEM} shrink-0 border border-neutral-7 bg-card`}
    >
      <Search aria-hidden className="icon" />
      <Label collapsed={collapsed}>Search</Label>
      {!collapsed && (
        <span className={`ml-auto ${KEY_HINT}`}>
          <Keys keys="mod+k" />
        </span>
      )}
    </button>
  )
}

function RailLink({ section, collapsed }: { section: Section; collapsed: boolean }) {
  const { icon: Icon, label } = section
  const inside = (
    <>
      <Icon aria-hidden className="icon" />
      <Label collapsed={collapsed}>{label}</Label>
      {section.counts && <OpenCount of={section.counts} collapsed={collapsed} />}
    </>
  )
  const title = collapsed ? label : undefined
  return (
    <li>
      {section.href ? (
        <a href={section.href} title={title} className={ITEM}>
          {inside}
        </a>
      ) : (
        <Link
          ref={scrollToCurrent}
          to={section.to}
          title={title}
          activeOptions={{ exact: section.to === '/' }}
          className={ITEM}
        >
          {inside}
        </Link>
      )}
    </li>
  )
}

/** On a low screen, the sections scroll. */
function scrollToCurrent(link: HTMLElement | null) {
  if (link?.ariaCurrent) link.scrollIntoView({ block: 'nearest' })
}

/** The server counts at most 100. */
const COUNT_MAX = 99

const COUNTS = {
  inbox: { query: unreadQuery, what: 'unread' },
  approvals: { query: openCountQuery, what: 'open' },
  memory: { query: proposedCountQuery, what: 'open' },
  budgets: { query: pausedCountQuery, what: t`paused budgets` },
}

function OpenCount({ of, collapsed }: { of: keyof typeof COUNTS; collapsed: boolean }) {
  const { query, what } = COUNTS[of]
  const { data: count = 0 } = useQuery(query as typeof openCountQuery)
  if (count === 0) return null
  return (
    <span
      className={`rounded-round bg-selection-solid px-4 text-12 text-on-accent tabular-nums ${collapsed ? 'absolute top-0 right-0' : 'ml-auto min-w-16 text-center'}`}
    >
      {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
      <span className="sr-only"> {what}</span>
    </span>
  )
}

function GroupLabel({ collapsed, children }: { collapsed: boolean; children: ReactNode }) {
  if (collapsed) return <hr className="mx-8 mb-8 border-neutral-6" />
  return <h2 className="px-8 pb-4 font-medium text-12 text-neutral-11">{children}</h2>
}

function Label({ collapsed, children }: { collapsed: boolean; children: ReactNode }) {
  return <span className={collapsed ? 'sr-only' : 'truncate'}>{children}</span>
}

const ITEM =
  'relative flex h-32 w-full items-center gap-8 rounded-control px-8 text-13 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12 aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-neutral-12'
