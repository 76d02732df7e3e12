import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { t } from '../../contract/text.ts'
import { agentFacesQuery } from '../api/agents.ts'
import { useSession } from '../api/session.ts'
import { useStepUpRequest } from '../api/step-up.ts'
import { useCanCreateProjects } from '../api/workspaces.ts'
import { useOpenedCitation } from '../components/citations/open-citation.ts'
import { Modal } from '../components/dialogs/dialog.tsx'
import { type ChosenFace, ChosenFaces } from '../components/faces.tsx'
import { Failure } from '../components/failure.tsx'
import { closeOverlay, openOverlay, useDock, useOverlay } from '../state/overlay.ts'
import { useTour } from '../state/tour.ts'
import { OutageBanner, ReachabilityBanner } from './banners.tsx'
import { type Command, commandsFor } from './command-list.ts'
import { useKeyboard } from './keyboard.ts'
import { Palette } from './palette/palette.tsx'
import { Rail } from './rail.tsx'
import { useRailCollapsed } from './rail-state.ts'
import { SectionCount } from './section-count.tsx'
import { sectionsFor } from './sections.ts'
import { ShortcutsSheet } from './shortcuts-sheet.tsx'
import { useSignOut } from './sign-out.ts'

/** Loaded on demand: most visits change nothing that requires step-up. */
const StepUpDialog = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

interface AppFrameProps {
  SendFeedback: ComponentType<{ onClose: () => void }>
}

const NO_FACES: ReadonlyMap<string, ChosenFace> = new Map()

/** Clips and is positioned, so nothing can scroll it, not even focusing a hidden control. */
export function AppFrame({ SendFeedback }: AppFrameProps) {
  const commands = useCommands()
  const collapsed = useRailCollapsed()
  const dock = useDock()
  const faces = useQuery(agentFacesQuery).data
  useKeyboard(commands)
  return (
    <ChosenFaces value={faces ?? NO_FACES}>
      <div data-frame className="relative flex h-dvh overflow-clip">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-8 focus:left-8 focus:z-40 focus:rounded-control focus:bg-float focus:px-12 focus:py-8 focus:text-13 focus:shadow-float"
        >
          Skip to content
        </a>
        <div className={`hidden shrink-0 md:block ${collapsed ? '' : 'w-rail'}`}>
          <Rail collapsed={collapsed} />
        </div>
        <div className="relative flex min-w-0 flex-1 flex-col overflow-clip bg-page md:my-8 md:mr-8 md:rounded-panel md:shadow-page">
          <ReachabilityBanner />
          <OutageBanner />
          <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 outline-none">
            <Outlet />
          </main>
          <PhoneTabs />
        </div>
        {dock}
        <Overlays commands={commands} SendFeedback={SendFeedback} />
        <StepUp />
        <GuidedTour />
        <OpenedCitation />
      </div>
    </ChosenFaces>
  )
}

function StepUp() {
  if (!useStepUpRequest()) return null
  return (
    <Suspense>
      <StepUpDialog />
    </Suspense>
  )
}

const Tour = lazy(async () => ({ default: (await import('../tour/tour.tsx')).Tour }))

function GuidedTour() {
  if (!useTour()) return null
  return (
    <Suspense>
      <Tour />
    </Suspense>
  )
}

/** With the libraries that draw a file. A failure, such as offline, must not take the conversation away. */
const citationViewerQuery = queryOptions({
  queryKey: ['citation-viewer'],
  queryFn: async () => (await import('../pages/files/files/viewer/citation-viewer.tsx')).CitationViewer,
  networkMode: 'always',
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

function OpenedCitation() {
  const { citation, close } = useOpenedCitation()
  const { data: Viewer, error } = useQuery({ ...citationViewerQuery, enabled: citation !== undefined })
  if (!citation) return null
  if (Viewer) return <Viewer citation={citation} onClose={close} />
  if (!error) return null
  return (
    <Modal label={t`Source`} onClose={close} className="max-w-dialog">
      <Failure error={error} onRetry={() => location.reload()} />
    </Modal>
  )
}

const PHONE_TABS = ['/', '/inbox', '/chat', '/projects'] as const

/** The entries used most, at the bottom of a phone; the fifth opens the whole sidebar. */
function PhoneTabs() {
  const { pathname } = useLocation()
  const sections = sectionsFor(useSession())
  return (
    <nav
      aria-label="Main"
      className="grid shrink-0 grid-cols-5 border-neutral-6 border-t bg-app pt-4 pb-8 md:hidden"
    >
      {PHONE_TABS.map((to) => {
        const section = sections.find((each) => each.to === to)
        if (!section) return null
        const { icon: Icon, label } = section
        return (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/' }}
            data-covers={section.covers?.test(pathname) || undefined}
            className={PHONE_TAB}
          >
            <Icon aria-hidden className="size-24 p-2" />
            {label}
            {section.counts && (
              <span className="absolute top-0 left-1/2 ml-4">
                <SectionCount of={section.counts} />
              </span>
            )}
          </Link>
        )
      })}
      <button type="button" aria-label="Open menu" onClick={() => openOverlay('menu')} className={PHONE_TAB}>
        <MenuIcon aria-hidden className="size-24 p-2" />
        Menu
      </button>
    </nav>
  )
}

const PHONE_TAB =
  'relative flex min-h-48 flex-col items-center justify-center gap-2 font-medium text-12 text-neutral-11 -outline-offset-2 aria-[current=page]:text-neutral-12 data-covers:text-neutral-12'

function Overlays({ commands, SendFeedback }: AppFrameProps & { commands: ReturnType<typeof useCommands> }) {
  const overlay = useOverlay()
  const { history } = useRouter()
  // Closes when navigation starts: a slow page must not close an overlay opened in between.
  useEffect(() => {
    let { pathname } = history.location
    return history.subscribe(({ location }) => {
      if (location.pathname !== pathname) closeOverlay()
      pathname = location.pathname
    })
  }, [history])
  return (
    <>
      {overlay === 'palette' && <Palette commands={commands} onClose={closeOverlay} />}
      {overlay === 'shortcuts' && <ShortcutsSheet commands={commands} onClose={closeOverlay} />}
      {overlay === 'send-feedback' && <SendFeedback onClose={closeOverlay} />}
      {overlay === 'menu' && (
        <Modal label="Menu" onClose={closeOverlay} full className="max-w-rail">
          <Rail inDrawer />
        </Modal>
      )}
    </>
  )
}

function useCommands(): Command[] {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const session = useSession()
  const canCreateProjects = useCanCreateProjects()
  return commandsFor(session, { canCreateProjects, navigate, signOut })
}
