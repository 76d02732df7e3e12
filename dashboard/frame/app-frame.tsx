import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { useStepUpRequest } from '../api/step-up.ts'
import { useCanCreateProjects } from '../api/workspaces.ts'
import { Button } from '../components/button.tsx'
import { Modal } from '../components/dialogs/dialog.tsx'
import { Name } from '../components/name.tsx'
import { closeOverlay, openOverlay, useDock, useOverlay } from '../state/overlay.ts'
import { useTour } from '../state/tour.ts'
import { OutageBanner, ReachabilityBanner } from './banners.tsx'
import { type Command, commandsFor } from './command-list.ts'
import { useKeyboard } from './keyboard.ts'
import { Palette } from './palette/palette.tsx'
import { Rail } from './rail.tsx'
import { useRailCollapsed } from './rail-state.ts'
import { ShortcutsSheet } from './shortcuts-sheet.tsx'
import { useSignOut } from './sign-out.ts'

/** Loaded on demand: most visits change nothing that requires step-up. */
const StepUpDialog = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

interface AppFrameProps {
  SendFeedback: ComponentType<{ onClose: () => void }>
}

/** Clips and is positioned, so nothing can scroll it, not even focusing a hidden control. */
export function AppFrame({ SendFeedback }: AppFrameProps) {
  const commands = useCommands()
  const collapsed = useRailCollapsed()
  const dock = useDock()
  useKeyboard(commands)
  return (
    <div data-frame className="relative flex h-dvh overflow-clip">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-8 focus:left-8 focus:z-40 focus:rounded-control focus:bg-float focus:px-12 focus:py-8 focus:text-13 focus:shadow-float"
      >
        Skip to content
      </a>
      <div className={`hidden shrink-0 border-neutral-6 border-r md:block ${collapsed ? '' : 'w-rail'}`}>
        <Rail collapsed={collapsed} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <ReachabilityBanner />
        <OutageBanner />
        <PhoneBar />
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      {dock}
      <Overlays commands={commands} SendFeedback={SendFeedback} />
      <StepUp />
      <GuidedTour />
    </div>
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

function PhoneBar() {
  const { organization } = useSession()
  return (
    <header className="flex h-48 shrink-0 items-center gap-8 border-neutral-6 border-b bg-app px-8 md:hidden">
      <Button look="quiet" size="icon" aria-label="Open menu" onClick={() => openOverlay('menu')}>
        <MenuIcon aria-hidden className="icon" />
      </Button>
      <span className="min-w-0 flex-1 truncate font-medium text-13">
        <Name>{organization.name}</Name>
      </span>
      <Button
        look="quiet"
        size="icon"
        aria-label="Search"
        data-tour="search"
        onClick={() => openOverlay('palette')}
      >
        <Search aria-hidden className="icon" />
      </Button>
    </header>
  )
}

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
