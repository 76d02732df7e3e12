import type { LinkProps } from '@tanstack/react-router'
import { BookOpen, House, Inbox, KeyRound, ListChecks, type LucideIcon, MessageSquare } from 'lucide-react'

/** Where one can go. A new page of the rail, the palette and the `g` shortcuts is one row here. */
export type Section = {
  label: string
  icon: LucideIcon
  group: 'work' | 'operate' | 'settings'
  /** The letter that follows `g`. */
  letter: string
} & ({ to: LinkProps['to']; href?: undefined } | { href: string; to?: undefined })

const SECTIONS: Section[] = [
  { label: 'Home', to: '/', icon: House, group: 'work', letter: 'h' },
  { label: 'Feedback', to: '/feedback', icon: MessageSquare, group: 'work', letter: 'f' },
  { label: 'Feedback queue', to: '/operate/feedback', icon: Inbox, group: 'operate', letter: 'q' },
  { label: 'Jobs', to: '/operate/jobs', icon: ListChecks, group: 'operate', letter: 'j' },
  { label: 'API keys', to: '/settings/api-keys', icon: KeyRound, group: 'settings', letter: 'k' },
  { label: 'API reference', href: '/docs', icon: BookOpen, group: 'settings', letter: 'r' },
]

export const sectionsFor = (person: { operator: boolean }) =>
  SECTIONS.filter((section) => section.group !== 'operate' || person.operator)
