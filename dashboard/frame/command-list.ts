import type { useNavigate } from '@tanstack/react-router'
import {
  Command as CommandIcon,
  Keyboard,
  KeyRound,
  LayoutGrid,
  LogOut,
  type LucideIcon,
  PanelLeft,
  Plus,
  Send,
  SquarePen,
  SquareTerminal,
  Trash2,
  UserPlus,
  Webhook,
} from 'lucide-react'
import { t } from '../../contract/text.ts'
import type { Session } from '../api/session.ts'
import { openOverlay } from '../state/overlay.ts'
import { toggleRail } from './rail-state.ts'
import { sectionsFor } from './sections.ts'

/** Available on every page: listed in the palette, and in the shortcuts dialog with its keys. */
export interface Command {
  label: string
  /** Required if two commands can have the same label. */
  id?: string
  /** Replaces the icon. */
  emoji?: string
  group: 'page' | 'action'
  icon: LucideIcon
  /** `g f` is a sequence, `mod+k` a combination. */
  keys?: string
  /** Needs a keyboard and a wide screen, so phones and tablets don't list it. */
  desktopOnly?: true
  /** Other words that find it in the palette. */
  words?: string
  /** What the palette asks for before it runs: records, or values. */
  choices?: () => Promise<Choice[]>
  run?: () => void
}

export interface Choice {
  id: string
  label: string
  icon: LucideIcon
  run: () => void
}

interface CommandOptions {
  canCreateProjects: boolean
  navigate: ReturnType<typeof useNavigate>
  signOut: () => void
}

export function commandsFor(
  session: Pick<Session, 'user' | 'role'>,
  { canCreateProjects, navigate, signOut }: CommandOptions,
): Command[] {
  const pages = sectionsFor(session).map(
    (section): Command => ({
      label: section.label,
      group: 'page',
      icon: section.icon,
      words: section.words,
      keys: section.letter && `g ${section.letter}`,
      run: () => (section.href ? location.assign(section.href) : navigate({ to: section.to })),
    }),
  )
  return [
    ...pages,
    { label: t`Trash`, group: 'page', icon: Trash2, run: () => navigate({ to: '/files/trash' }) },
    {
      label: t`Deleted projects`,
      group: 'page',
      icon: Trash2,
      run: () => navigate({ to: '/projects/trash' }),
    },
    {
      label: t`New chat`,
      group: 'action',
      icon: SquarePen,
      run: () => navigate({ to: '/chat/new' }),
    },
    {
      label: t`Send feedback`,
      group: 'action',
      icon: Send,
      keys: 'f',
      run: () => openOverlay('send-feedback'),
    },
    ...(canCreateProjects
      ? [
          {
            label: t`New project`,
            group: 'action' as const,
            icon: Plus,
            keys: 'n',
            run: () => navigate({ to: '/projects/new' }),
          },
        ]
      : []),
    {
      label: t`New API key`,
      group: 'action',
      icon: KeyRound,
      run: () => navigate({ to: '/settings/api-keys/new' }),
    },
    ...(session.role === 'member'
      ? []
      : [
          {
            label: t`New webhook`,
            group: 'action' as const,
            icon: Webhook,
            run: () => navigate({ to: '/webhooks/new' }),
          },
          {
            label: t`Invite members`,
            group: 'action' as const,
            icon: UserPlus,
            run: () => navigate({ to: '/settings/organization/members/invite' }),
          },
          {
            label: t`New workspace`,
            group: 'action' as const,
            icon: LayoutGrid,
            run: () => navigate({ to: '/settings/organization/workspaces/new' }),
          },
        ]),
    {
      label: t`Connect a device`,
      group: 'action',
      icon: SquareTerminal,
      run: () => navigate({ to: '/device', search: {} }),
    },
    {
      label: t`Toggle sidebar`,
      group: 'action',
      icon: PanelLeft,
      keys: '[',
      desktopOnly: true,
      run: toggleRail,
    },
    {
      label: t`Keyboard shortcuts`,
      group: 'action',
      icon: Keyboard,
      keys: '?',
      desktopOnly: true,
      run: () => openOverlay('shortcuts'),
    },
    { label: t`Sign out`, group: 'action', icon: LogOut, run: signOut },
  ]
}

/** The palette doesn't list the command that opens it. */
export const paletteCommand: Command = {
  label: t`Search`,
  group: 'action',
  icon: CommandIcon,
  keys: 'mod+k',
  run: () => openOverlay('palette'),
}
