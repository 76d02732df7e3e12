import {
  Activity,
  ArrowDownToLine,
  BookOpen,
  Bot,
  Brain,
  Building2,
  CreditCard,
  File,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessageCircle,
  MessageSquare,
  Phone,
  Plug,
  Shapes,
  Webhook,
} from 'lucide-react'
import type { WebhookEvent } from '../webhooks-queries.ts'

/** What the event is about; received ones arrive from outside. */
export function EventMark({ type, direction }: Pick<WebhookEvent, 'type' | 'direction'>) {
  const Icon = direction === 'inbound' ? ArrowDownToLine : (ICONS[type.split('.')[0]!] ?? Activity)
  return (
    <span className="grid size-24 shrink-0 place-items-center rounded-square bg-neutral-4 text-neutral-11">
      <Icon aria-hidden className="icon" />
    </span>
  )
}

const ICONS: Record<string, LucideIcon> = {
  ...{ agent: Bot, billing: CreditCard, call: Phone, comment: MessageSquare, connection: Plug },
  ...{ feedback: MessageSquare, file: File, key: KeyRound, memory: Brain, organization: Building2 },
  ...{ project: Shapes, session: MessageCircle, skill: BookOpen, sms: Phone, task: ListChecks },
  ...{ webhook: Webhook },
}
