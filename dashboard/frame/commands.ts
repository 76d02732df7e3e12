import { useNavigate } from '@tanstack/react-router'
import {
  Activity,
  Command as CommandIcon,
  Keyboard,
  KeyRound,
  LayoutGrid,
  LogOut,
  type LucideIcon,
  PanelLeft,
  Plus,
  Send,
  SquareTerminal,
  SunMoon,
  Trash2,
  UserPlus,
  Webhook,
} from 'lucide-react'
import { useSession } from '../api/session.ts'
import { openOverlay } from '../state/overlay.ts'
import { chooseTheme, shownTheme } from '../state/theme.ts'
import { toggleRail } from './rail-state.ts'
import { sectionsFor } from './sections.ts'
import { useSignOut } from './sign-out.ts'

/** Anything a person can do from anywhere: the palette lists it, its keys run it, the shortcuts sheet shows them. */
export interface Command {
  label: string
  /** Where two may be called the same. */
  id?: string
  /** An emoji that stands in the place of the icon. */
  mark?: string
  group: 'Go to' | 'Open' | 'Do'
  icon: LucideIcon
  /** `g f` is one after the other, `mod+k` both at once. */
  keys?: string
  /** Of use only with a keyboard and a wide screen, so phones and tablets do not list it. */
  deskOnly?: true
  run: () => void
}

export function useCommands(): Command[] {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const session = useSession()

  const places = sectionsFor(session).map(
    (section): Command => ({
      label: section.label,
      group: 'Go to',
      icon: section.icon,
      keys: section.letter && `g ${section.letter}`,
      run: () => (section.href ? location.assign(section.href) : navigate({ to: section.to })),
    }),
  )
  return [
    ...places,
    { label: 'Trash', group: 'Go to', icon: Trash2, run: () => navigate({ to: '/files/trash' }) },
    {
      label: 'Deleted projects',
      group: 'Go to',
      icon: Trash2,
      run: () => navigate({ to: '/projects/trash' }),
    },
    {
      label: 'Event log',
      group: 'Go to',
      icon: Activity,
      keys: 'g e',
      run: () => navigate({ to: '/webhooks/events' }),
    },
    { label: 'Send feedback', group: 'Do', icon: Send, keys: 'f', run: () => openOverlay('send-feedback') },
    {
      label: 'New project',
      group: 'Do',
      icon: Plus,
      keys: 'n',
      run: () => navigate({ to: '/projects/new' }),
    },
    {
      label: 'New API key',
      group: 'Do',
      icon: KeyRound,
      run: () => navigate({ to: '/settings/api-keys/new' }),
    },
    { label: 'New webhook', group: 'Do', icon: Webhook, run: () => navigate({ to: '/webhooks/new' }) },
    ...(session.role === 'member'
      ? []
      : [
          {
            label: 'Invite somebody',
            group: 'Do' as const,
            icon: UserPlus,
            run: () => navigate({ to: '/settings/members/invite' }),
          },
          {
            label: 'New workspace',
            group: 'Do' as const,
            icon: LayoutGrid,
            run: () => navigate({ to: '/settings/workspaces/new' }),
          },
        ]),
    {
      label: 'Connect a device',
      group: 'Do',
      icon: SquareTerminal,
      run: () => navigate({ to: '/device', search: {} }),
    },
    {
      label: 'Switch between light and dark',
      group: 'Do',
      icon: SunMoon,
      run: () => chooseTheme(shownTheme() === 'dark' ? 'light' : 'dark'),
    },
    {
      label: 'Collapse or expand the sidebar',
      group: 'Do',
      icon: PanelLeft,
      keys: '[',
      deskOnly: true,
      run: toggleRail,
    },
    {
      label: 'Keyboard shortcuts',
      group: 'Do',
      icon: Keyboard,
      keys: '?',
      deskOnly: true,
      run: () => openOverlay('shortcuts'),
    },
    { label: 'Sign out', group: 'Do', icon: LogOut, run: signOut },
  ]
}

/** Opens the list of all the others, so it is not among them. */
export const paletteCommand: Command = {
  label: 'Find a page or an action',
  group: 'Do',
  icon: CommandIcon,
  keys: 'mod+k',
  run: () => openOverlay('palette'),
}
