import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ArrowLeft, PanelLeft, Search, Settings } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { t } from '../../contract/text.ts'
import { useSession } from '../api/session.ts'
import { favouritesQuery } from '../api/sidebar.ts'
import { Button } from '../components/button.tsx'
import { KEY_HINT, Keys } from '../components/kbd.tsx'
import { Name } from '../components/name.tsx'
import { openOverlay } from '../state/overlay.ts'
import { AccountMenu } from './account-menu.tsx'
import { HelpMenu } from './help-menu.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { preloadPalette } from './palette/palette.tsx'
import { toggleRail } from './rail-state.ts'

import { SectionCount } from './section-count.tsx'
import { type Place, type Section, sectionsFor } from './sections.ts'
import { useShowsPhone } from './shows-phone.ts'

const RailFavourites = lazy(() => import('./rail-favourites.tsx'))

/** Pages on which the settings replace the sidebar. */
const SETTINGS = /^\/(settings|operate)(\/|$)/

interface RailProps {
  collapsed?: boolean
  /** The drawer on phones can't collapse. */
  inDrawer?: boolean
}

export function Rail({ collapsed = false, inDrawer = false }: RailProps) {
  const { pathname } = useLocation()
  const isSettings = SETTINGS.test(pathname)
  return (
    <nav
      aria-label={isSettings ? t`Settings` : t`Sections`}
      className="flex h-full flex-col gap-8 bg-app py-8 pr-8 pl-8"
    >
      {isSettings ? (
        <SettingsSections collapsed={collapsed} />
      ) : (
        <AppSections collapsed={collapsed} inDrawer={inDrawer} />
      )}
    </nav>
  )
}

function AppSections({ collapsed, inDrawer }: Required<RailProps>) {
  const sections = useSections()
  const { data: favourites } = useQuery(favouritesQuery)
  const showsPhone = useShowsPhone()
  const list = (place: Place) =>
    sections.filter((section) => section.place === place && (section.to !== '/phone' || showsPhone))
  return (
    <>
      <OrganizationMenu collapsed={collapsed} />
      <SearchBox collapsed={collapsed} />
      <div className="flex min-h-0 flex-1 flex-col gap-12 overflow-y-auto">
        <ul className="flex flex-col gap-2">
          {list('main').map((section) => (
            <li key={section.label}>
              <RailLink section={section} collapsed={collapsed} />
              {section.to === '/projects' && favourites?.[0] && !collapsed && (
                <Suspense>
                  <RailFavourites favourites={favourites} item={ITEM} />
                </Suspense>
              )}
            </li>
          ))}
        </ul>
        <Group label={t`Automate`} sections={list('automate')} collapsed={collapsed} />
        <Group label={t`Connect`} sections={list('connect')} collapsed={collapsed} />
      </div>
      <div className={`flex gap-2 ${collapsed ? 'flex-col items-center' : 'items-center *:not-first:w-24'}`}>
        <AccountMenu collapsed={collapsed} />
        <HelpMenu />
        <Link
          to="/settings/account"
          aria-label="Settings"
          title="Settings"
          className="inline-flex size-32 shrink-0 items-center justify-center rounded-control text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12"
        >
          <Settings aria-hidden className="icon" />
        </Link>
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
    </>
  )
}

function SettingsSections({ collapsed }: { collapsed: boolean }) {
  const { user, organization } = useSession()
  const sections = useSections()
  const list = (place: Place) => sections.filter((section) => section.place === place)
  return (
    <>
      <Link to="/" title={collapsed ? t`Back to app` : undefined} className={`${ITEM} font-medium`}>
        <ArrowLeft aria-hidden className="icon" />
        <Label collapsed={collapsed}>Back to app</Label>
      </Link>
      <SearchBox collapsed={collapsed} />
      <div className="flex min-h-0 flex-1 flex-col gap-12 overflow-y-auto pt-8">
        <Group label={user.name} sections={list('personal')} collapsed={collapsed} />
        <Group label={organization.name} sections={list('organization')} collapsed={collapsed} />
        <Group label={t`Installation`} sections={list('installation')} collapsed={collapsed} />
      </div>
      <div className={`flex gap-2 ${collapsed ? 'flex-col items-center' : 'items-center'}`}>
        <AccountMenu collapsed={collapsed} />
        <HelpMenu />
      </div>
    </>
  )
}

const useSections = () => sectionsFor(useSession())

function SearchBox({ collapsed }: { collapsed: boolean }) {
  return (
    <button
      type="button"
      title={collapsed ? t`Search` : undefined}
      data-tour="search"
      onClick={() => openOverlay('palette')}
      onPointerEnter={preloadPalette}
      className={collapsed ? ITEM : `${ITEM} shrink-0 bg-card shadow-card`}
    >
      <Search aria-hidden className="icon" />
      <Label collapsed={collapsed}>Search or jump to</Label>
      {!collapsed && (
        <span className={`ml-auto ${KEY_HINT}`}>
          <Keys keys="mod+k" />
        </span>
      )}
    </button>
  )
}

interface GroupProps {
  label: string
  sections: Section[]
  collapsed: boolean
}

function Group({ label, sections, collapsed }: GroupProps) {
  if (sections.length === 0) return null
  return (
    <section aria-label={label}>
      {collapsed ? (
        <hr className="mx-8 mb-8 border-neutral-6" />
      ) : (
        <h2 className="truncate px-8 pb-4 text-12 text-neutral-11">
          <Name>{label}</Name>
        </h2>
      )}
      <ul className="flex flex-col gap-2">
        {sections.map((section) => (
          <li key={section.label}>
            <RailLink section={section} collapsed={collapsed} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RailLink({ section, collapsed }: { section: Section; collapsed: boolean }) {
  const { icon: Icon, label } = section
  const { pathname } = useLocation()
  const title = collapsed ? label : undefined
  const inside = (
    <>
      <Icon aria-hidden className="icon" />
      <Label collapsed={collapsed}>{label}</Label>
      {section.counts && <SectionCount of={section.counts} collapsed={collapsed} />}
    </>
  )
  if (section.href)
    return (
      <a href={section.href} title={title} className={ITEM}>
        {inside}
      </a>
    )
  return (
    <Link
      ref={scrollToCurrent}
      to={section.to}
      title={title}
      activeOptions={{ exact: section.to === '/' || section.to === '/settings/organization' }}
      data-covers={section.covers?.test(pathname) || undefined}
      className={ITEM}
    >
      {inside}
    </Link>
  )
}

/** On a low screen, the sections scroll. */
function scrollToCurrent(link: HTMLElement | null) {
  if (link?.ariaCurrent) link.scrollIntoView({ block: 'nearest' })
}

function Label({ collapsed, children }: { collapsed: boolean; children: ReactNode }) {
  return <span className={collapsed ? 'sr-only' : 'truncate'}>{children}</span>
}

const ITEM =
  'relative flex h-32 w-full items-center gap-8 rounded-control px-8 font-medium text-13 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12 aria-[current=page]:bg-selected aria-[current=page]:text-neutral-12 data-covers:bg-selected data-covers:text-neutral-12'
