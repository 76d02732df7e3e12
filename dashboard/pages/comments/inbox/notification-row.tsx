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
import type { Notification } from '../../../api/comments.ts'
import { Button } from '../../../components/button.tsx'
import { Name } from '../../../components/name.tsx'
import { localizeSentence } from '../../../components/server-sentences.ts'
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

/** One notification: a link to its subject, and its read state. */
export function NotificationRow({ notification, isCurrent, onOpen, onToggle }: NotificationRowProps) {
  const { id, kind, title, excerpt, path, projectName, readAt, createdAt } = notification
  const { history } = useRouter()
  const Icon = ICONS[kind]
  const isUnread = readAt === null
  const toggle = isUnread ? 'Mark as read' : 'Mark as unread'
  return (
    <li
      data-notification={id}
      aria-current={isCurrent || undefined}
      className="group relative flex gap-12 border-neutral-6 border-b px-16 py-12 aria-[current]:bg-neutral-3 md:px-24"
    >
      <Icon aria-hidden className={`icon mt-px ${isUnread ? 'text-accent-text' : 'text-neutral-10'}`} />
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
          className={`block text-13 after:absolute after:inset-0 ${isUnread ? 'font-medium' : 'text-neutral-11'}`}
        >
          {isUnread && <span className="sr-only">Unread: </span>}
          <Name>{localizeSentence(title)}</Name>
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
      <Button
        look="quiet"
        size="icon"
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
