import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import {
  AtSign,
  Cable,
  CalendarClock,
  ChartColumn,
  KeyRound,
  ListTree,
  type LucideIcon,
  Mail,
  MailOpen,
  MessageSquare,
  ShieldQuestionMark,
  UserPlus,
  Webhook,
} from 'lucide-react'
import type { NotificationKind } from '../../../../contract/comments/notification-options.ts'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import type { Notification } from '../../../api/comments.ts'
import { Button } from '../../../components/button.tsx'
import { AgentFace, PersonFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { localizeSentence, splitSentence } from '../../../components/server-sentences.ts'
import { Time } from '../../../components/time.tsx'

const ICONS: Record<NotificationKind, LucideIcon> = {
  mention: AtSign,
  reply: MessageSquare,
  approval: ShieldQuestionMark,
  run: ListTree,
  schedule: CalendarClock,
  connection: Cable,
  webhook: Webhook,
  budget: ChartColumn,
  key: KeyRound,
  invitation: UserPlus,
}

interface NotificationRowProps {
  notification: Notification
  isCurrent: boolean
  onOpen: () => void
  onToggle: () => void
}

export function NotificationRow({ notification, isCurrent, onOpen, onToggle }: NotificationRowProps) {
  const { id, title, actor, excerpt, path, projectName, readAt, createdAt } = notification
  const { history } = useRouter()
  const agent = useActingAgent(notification)
  const isUnread = readAt === null
  const toggle = isUnread ? t`Mark as read` : t`Mark as unread`
  return (
    <li
      data-notification={id}
      aria-current={isCurrent || undefined}
      className="group relative flex items-start gap-12 rounded-control px-12 py-12 hover:bg-hover aria-[current]:bg-selected"
    >
      <Face notification={notification} agent={agent} />
      <div className="min-w-0 flex-1">
        <a
          href={path}
          onClick={(event) => {
            onOpen()
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            // Leaving the page would cancel the request that marks it as read.
            event.preventDefault()
            history.push(path)
          }}
          className={`wrap-anywhere block pt-2 text-13 after:absolute after:inset-0 ${isUnread ? '' : 'text-neutral-11'}`}
        >
          {isUnread && <span className="sr-only">Unread: </span>}
          <Sentence title={title} who={actor?.name ?? agent?.name} />
        </a>
        {excerpt && (
          <p className="line-clamp-2 break-words text-13 text-neutral-11">
            <Name>{excerpt}</Name>
          </p>
        )}
        <p className="text-12 text-neutral-11">
          {projectName && (
            <>
              <Name>{projectName}</Name> ·{' '}
            </>
          )}
          <Time at={createdAt} />
        </p>
      </div>
      {isUnread && <span aria-hidden className="mt-8 size-8 shrink-0 rounded-round bg-selection" />}
      <Button
        look="quiet"
        size="small-icon"
        aria-label={toggle}
        title={`${toggle} (E)`}
        className="relative z-10"
        onClick={onToggle}
      >
        {isUnread ? <MailOpen aria-hidden className="icon" /> : <Mail aria-hidden className="icon" />}
      </Button>
    </li>
  )
}

function Sentence({ title, who }: { title: string; who: string | undefined }) {
  return (
    <bdi>
      {splitSentence(localizeSentence(title), who).map(({ text, isName }, index) =>
        isName ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sentence's parts have no identity but their order.
          <b key={index} className="font-medium">
            <Name>{text}</Name>
          </b>
        ) : (
          text
        ),
      )}
    </bdi>
  )
}

/** A notification has no agent: its sentence begins with the name. */
function useActingAgent({ kind, title }: Notification) {
  const isByAgent = kind === 'approval' || kind === 'run'
  const agents = useQuery({ ...agentChoicesQuery, enabled: isByAgent }).data?.items
  return isByAgent ? agents?.find(({ name }) => title.startsWith(name)) : undefined
}

interface FaceProps {
  notification: Notification
  agent: { id: string; name: string } | undefined
}

/** Who acted, or else what happened. */
function Face({ notification: { kind, actor }, agent }: FaceProps) {
  if (actor) return <PersonFace person={{ id: actor.id ?? actor.name, name: actor.name }} />
  if (agent) return <AgentFace agent={agent} />
  const Icon = ICONS[kind]
  return (
    <span className="grid size-24 shrink-0 place-items-center rounded-square bg-neutral-4 text-neutral-11">
      <Icon aria-hidden className="icon" />
    </span>
  )
}
