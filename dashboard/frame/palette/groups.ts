import {
  Activity,
  BookMarked,
  Bot,
  CalendarClock,
  File,
  GraduationCap,
  ListTree,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  Phone,
  Shapes,
  Smartphone,
  Star,
  StickyNote,
  Table2,
  Webhook,
} from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { projectRef } from '../../api/projects.ts'
import type { Favourite } from '../../api/sidebar.ts'
import { localStore } from '../../state/store.ts'
import type { Choice, Command } from '../command-list.ts'
import { pageKeys } from '../page-keys.ts'
import type { FoundItem } from './use-search-results.ts'

export interface Option {
  id: string
  label: string
  icon: LucideIcon
  emoji?: string | undefined
  keys?: string | undefined
  snippet?: string | null
  updatedAt?: string
  choices?: Command['choices']
  run: () => void
}

export interface Group {
  label: string
  options: Option[]
}

const TYPES: Record<FoundItem['type'], { label: string; icon: LucideIcon }> = {
  project: { label: t`Projects`, icon: Shapes },
  agent: { label: t`Agents`, icon: Bot },
  file: { label: t`Files`, icon: File },
  session: { label: t`Conversations`, icon: MessagesSquare },
  message: { label: t`Messages`, icon: MessageSquareText },
  block: { label: t`Blocks`, icon: StickyNote },
  table: { label: t`Tables`, icon: Table2 },
  memory: { label: t`Memory`, icon: BookMarked },
  skill: { label: t`Skills`, icon: GraduationCap },
  schedule: { label: t`Schedules`, icon: CalendarClock },
  run: { label: t`Runs`, icon: ListTree },
  webhook: { label: t`Webhooks`, icon: Webhook },
  call: { label: t`Calls`, icon: Phone },
  sms: { label: t`Text messages`, icon: Smartphone },
  event: { label: t`Events`, icon: Activity },
}

interface GroupsOptions {
  commands: Command[]
  typed: string
  items: FoundItem[]
  favourites: Favourite[]
  open: (path: string) => void
}

/** Commands first, since they need no request, starting with the best match's kind; then records in the same way. */
export function buildPaletteGroups({ commands, typed, items, favourites, open }: GroupsOptions): Group[] {
  const available = availableCommands(commands)
  const optionOf = recordOption(open)
  const ofGroup = (group: Command['group'], list: Command[]) =>
    list.filter((command) => command.group === group).map(commandOption)
  if (typed.trim() === '') {
    const recent = recentCommands(available)
    return [
      { label: t`Recent`, options: [...recent.map(commandOption), ...items.map(optionOf)] },
      { label: t`Favorites`, options: favourites.map(favouriteOption(open)) },
      { label: t`Actions`, options: ofGroup('action', available) },
      { label: t`Pages`, options: ofGroup('page', available) },
    ].filter(({ options }) => options.length > 0)
  }
  const matching = matchingCommands(available, typed)
  const byType = Map.groupBy(items, ({ type }) => type)
  const commandGroups = [
    { label: t`Pages`, options: ofGroup('page', matching) },
    { label: t`Actions`, options: ofGroup('action', matching) },
  ]
  return [
    ...(matching[0]?.group === 'action' ? commandGroups.toReversed() : commandGroups),
    ...[...byType].map(([type, found]) => ({ label: TYPES[type].label, options: found.map(optionOf) })),
  ].filter(({ options }) => options.length > 0)
}

/** What a command asks for, once it has been chosen. */
export const buildChoiceGroup = (label: string, choices: Choice[], typed: string): Group => ({
  label,
  options: choices
    .map((choice) => ({
      choice,
      score: typed.trim() ? scoreOf(choice.label, typed.trim().toLowerCase()) : 0,
    }))
    .filter(({ score }) => score >= 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ choice }) => choice),
})

const RECENT_KEY = 'atrium.palette'
const RECENT_MAX = 3

const readRecent = () => (localStore.read(RECENT_KEY) ?? '').split('\n').filter(Boolean)

/** The last commands, newest first. */
export const recordCommand = (id: string) =>
  localStore.write(
    RECENT_KEY,
    [id, ...readRecent().filter((other) => other !== id)].slice(0, RECENT_MAX).join('\n'),
  )

const recentCommands = (available: Command[]) =>
  readRecent().flatMap((id) => available.find((command) => commandId(command) === id) ?? [])

const availableCommands = (commands: Command[]): Command[] => [
  ...commands.filter((command) => !command.desktopOnly || isDesktop()),
  ...pageKeys()
    .filter(({ label }) => !commands.some((command) => command.label === label))
    .map((key): Command => ({ ...key, group: 'action', run: () => void key.run() })),
]

/** KEY_HINT's media query. */
const isDesktop = () => matchMedia('(width >= 860px) and (not (pointer: coarse))').matches

/** Scattered letters match by chance, so most must begin a word or be consecutive. */
function matchingCommands(commands: Command[], typed: string): Command[] {
  const text = typed.trim().toLowerCase()
  const letters = text.replaceAll(' ', '').length
  return commands
    .map((command) => ({ command, score: commandScore(command, text) }))
    .filter(({ score }) => score >= letters - 1)
    .toSorted((a, b) => b.score - a.score)
    .map(({ command }) => command)
}

/** Its own name counts more than the other words that find it. */
const commandScore = ({ label, words = '' }: Command, text: string) =>
  Math.max(
    scoreOf(label, text),
    words.toLowerCase().includes(text) ? 2 * text.length : Number.NEGATIVE_INFINITY,
  )

const scoreOf = (label: string, text: string) =>
  label.toLowerCase().includes(text) ? 3 * text.length : (fuzzyScore(text, label) ?? Number.NEGATIVE_INFINITY)

const commandId = ({ id, label }: Command) => `command ${id ?? label}`

const commandOption = (command: Command): Option => {
  const { label, icon, emoji, keys, choices, run } = command
  return { id: commandId(command), label, icon, emoji, keys, choices, run: () => run?.() }
}

const favouriteOption =
  (open: (path: string) => void) =>
  (project: Favourite): Option => ({
    id: `favourite ${project.id}`,
    label: project.name,
    icon: Star,
    emoji: project.emoji ?? undefined,
    run: () => open(`/projects/${projectRef(project)}`),
  })

const recordOption =
  (open: (path: string) => void) =>
  ({ type, id, title, snippet, url, projectId, updatedAt }: FoundItem): Option => ({
    id: `${type} ${id} ${projectId}`,
    label: title,
    icon: TYPES[type].icon,
    snippet,
    updatedAt,
    run: () => {
      // An empty search lists opened records first. A failed report affects only this order.
      api.search.opened({ type, id }).catch(() => {})
      const { pathname, search } = new URL(url)
      open(pathname + search)
    },
  })

/**
 * Returns null unless the text contains the letters in order. Word starts and consecutive letters score higher, so `fq`
 * ranks "Feedback queue" above a text that merely contains both.
 */
function fuzzyScore(typed: string, text: string): number | null {
  const letters = typed.toLowerCase().replaceAll(' ', '')
  const target = text.toLowerCase()
  let score = 0
  let position = -1
  for (const letter of letters) {
    const found = target.indexOf(letter, position + 1)
    if (found < 0) return null
    if (found === 0 || target[found - 1] === ' ') score += 3
    else if (found === position + 1) score += 2
    else score -= 1
    position = found
  }
  return score - target.length / 100
}
