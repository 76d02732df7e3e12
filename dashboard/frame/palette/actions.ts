import { type LinkProps, useNavigate } from '@tanstack/react-router'
import {
  Bot,
  Boxes,
  Building2,
  CalendarClock,
  CirclePause,
  CirclePlay,
  CircleStop,
  CloudDownload,
  Folder,
  GraduationCap,
  Languages,
  type LucideIcon,
  MessageCirclePlus,
  Network,
  Plug,
  ShieldAlert,
  SunMoon,
  Upload,
} from 'lucide-react'
import { LANGUAGES, type Language } from '../../../contract/languages.ts'
import { t } from '../../../contract/text.ts'
import { agentChoicesQuery } from '../../api/agents.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useSession } from '../../api/session.ts'
import { withNames } from '../../components/name.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'
import { chooseLanguage } from '../../state/language.ts'
import { chooseTheme, THEMES } from '../../state/theme.ts'
import type { Command } from '../command-list.ts'
import { requestPageAction } from '../page-keys.ts'
import { useSwitchWorkspace } from '../switch-workspace.ts'

const CHOICES_MAX = 100
const THEME_LABELS = { system: t`System`, light: t`Light`, dark: t`Dark` }

/** What only the palette offers: actions without a shortcut, many of which ask for a record. */
export function usePaletteActions(): Command[] {
  const session = useSession()
  const navigate = useNavigate()
  const switchWorkspace = useSwitchWorkspace()
  const isAdmin = session.role !== 'member'
  const action = (command: Omit<Command, 'group'>): Command => ({ group: 'action', ...command })
  /** Opens the page and does there what its own key does. */
  const onPage = (label: string, icon: LucideIcon, to: LinkProps['to'], words?: string): Command =>
    action({
      label,
      icon,
      words,
      run: () => void navigate({ to }).then(() => requestPageAction(label)),
    })
  return [
    action({
      label: t`Ask an agent…`,
      icon: MessageCirclePlus,
      words: t`chat talk message`,
      choices: async () => {
        const { items } = await queryClient.fetchQuery(agentChoicesQuery)
        return items.map(({ id, name }) => ({
          id,
          label: name,
          icon: Bot,
          run: () => void navigate({ to: '/chat/new', search: { agent: id } }),
        }))
      },
    }),
    action({ label: t`New agent`, icon: Bot, run: () => void navigate({ to: '/agents/new' }) }),
    onPage(t`New schedule`, CalendarClock, '/schedules', t`cron repeat`),
    onPage(t`Upload files`, Upload, '/files'),
    onPage(t`New folder`, Folder, '/files'),
    onPage(t`New skill`, GraduationCap, '/skills'),
    onPage(t`Add source`, CloudDownload, '/knowledge', t`sync knowledge Google Drive Notion website`),
    action({
      label: t`Connect an app`,
      icon: Plug,
      words: t`integration connection`,
      run: () => void navigate({ to: '/integrations' }),
    }),
    ...(isAdmin
      ? [
          action({
            label: t`Connect a model`,
            icon: Boxes,
            words: t`provider key openai anthropic`,
            run: () => void navigate({ to: '/settings/organization/models/new' }),
          }),
          onPage(t`Add MCP server`, Network, '/mcp-servers'),
          onPage(t`New guardrail`, ShieldAlert, '/guardrails'),
        ]
      : []),
    action({
      label: t`Pause a schedule…`,
      icon: CirclePause,
      choices: () => listSchedules(true),
    }),
    action({
      label: t`Resume a schedule…`,
      icon: CirclePlay,
      choices: () => listSchedules(false),
    }),
    action({ label: t`Stop a run…`, icon: CircleStop, words: t`cancel`, choices: listActiveRuns }),
    ...(session.organizations.length > 1
      ? [
          action({
            label: t`Switch organization…`,
            icon: Building2,
            choices: async () =>
              session.organizations
                .filter(({ id }) => id !== session.organization.id)
                .map(({ id, name }) => ({
                  id,
                  label: name,
                  icon: Building2,
                  run: () => switchWorkspace({ organizationId: id, name }),
                })),
          }),
        ]
      : []),
    action({
      label: t`Theme…`,
      icon: SunMoon,
      words: t`appearance dark light`,
      choices: async () =>
        THEMES.map((theme) => ({
          id: theme,
          label: THEME_LABELS[theme],
          icon: SunMoon,
          run: () => chooseTheme(theme),
        })),
    }),
    action({
      label: t`Language…`,
      icon: Languages,
      words: 'Sprache Deutsch English',
      choices: async () =>
        Object.entries(LANGUAGES).map(([language, name]) => ({
          id: language,
          label: name,
          icon: Languages,
          run: () =>
            void chooseLanguage(language as Language, () =>
              api.security.updateProfile({ language: language as Language }),
            ),
        })),
    }),
  ]
}

async function listSchedules(enabled: boolean) {
  const { scheduleApi, refreshSchedules } = await import('../../api/schedules.ts')
  const { items } = await scheduleApi.schedules.list({ limit: CHOICES_MAX })
  return items
    .filter((schedule) => (schedule.enabled && schedule.paused === null) === enabled)
    .map(({ id, name }) => ({
      id,
      label: name,
      icon: CalendarClock,
      run: () =>
        void scheduleApi.schedules.update({ id, enabled: !enabled }).then(async () => {
          toast(enabled ? withNames`Paused ${name}` : withNames`Resumed ${name}`)
          await refreshSchedules()
        }, toastFailure),
    }))
}

async function listActiveRuns() {
  const pages = await Promise.all(
    (['running', 'waiting', 'queued'] as const).map((status) =>
      api.agentRuns.list({ status, limit: CHOICES_MAX }),
    ),
  )
  return pages
    .flatMap(({ items }) => items)
    .filter(({ canEdit }) => canEdit)
    .map(({ id, title, agentName }) => ({
      id,
      label: title ?? agentName ?? t`Run`,
      icon: CircleStop,
      run: () =>
        void api.agentRuns.cancel({ id }).then(async () => {
          toast(t`Stopping the run`)
          await queryClient.invalidateQueries({ queryKey: ['runs'] })
        }, toastFailure),
    }))
}
