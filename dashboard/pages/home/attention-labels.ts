import {
  AtSign,
  Banknote,
  Cable,
  ChartColumn,
  CircleX,
  type LucideIcon,
  MessageCircleQuestionMark,
  ShieldQuestionMark,
  Webhook,
} from 'lucide-react'
import type { AttentionKind } from '../../../contract/home/home-options.ts'

interface Label {
  icon: LucideIcon
  tone: string
  label: string
  plural: string
  /** The page with all of this kind. */
  all: '/approvals' | '/inbox' | '/runs' | '/connections' | '/webhooks' | '/usage'
}

/** Each kind with an icon, a color and a word; color alone is not accessible. */
export const ATTENTION: Record<AttentionKind, Label> = {
  approval: {
    icon: ShieldQuestionMark,
    tone: 'text-warning-text',
    label: 'Waits for your approval',
    plural: 'approvals',
    all: '/approvals',
  },
  question: {
    icon: MessageCircleQuestionMark,
    tone: 'text-warning-text',
    label: 'Asks you',
    plural: 'questions',
    all: '/approvals',
  },
  payment: {
    icon: Banknote,
    tone: 'text-warning-text',
    label: 'Payment waits for your approval',
    plural: 'payments',
    all: '/approvals',
  },
  notification: {
    icon: AtSign,
    tone: 'text-accent-text',
    label: 'Unread',
    plural: 'notifications',
    all: '/inbox',
  },
  run: { icon: CircleX, tone: 'text-bad-text', label: 'Run failed', plural: 'runs', all: '/runs' },
  connection: {
    icon: Cable,
    tone: 'text-bad-text',
    label: 'Connection',
    plural: 'connections',
    all: '/connections',
  },
  webhook: { icon: Webhook, tone: 'text-bad-text', label: 'Webhook', plural: 'webhooks', all: '/webhooks' },
  budget: {
    icon: ChartColumn,
    tone: 'text-warning-text',
    label: 'Budget',
    plural: 'budgets',
    all: '/usage',
  },
}
