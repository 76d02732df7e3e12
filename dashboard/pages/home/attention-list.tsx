import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  AtSign,
  Banknote,
  Cable,
  ChartColumn,
  CircleCheck,
  CircleX,
  type LucideIcon,
  MessageCircleQuestionMark,
  ShieldQuestionMark,
  Webhook,
  X,
} from 'lucide-react'
import type { AttentionKind } from '../../../contract/home/home-options.ts'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { formatMoney } from '../../components/amounts.ts'
import { Button } from '../../components/button.tsx'
import { Block } from '../../components/layout/block.tsx'
import { Name } from '../../components/name.tsx'
import { localizeSentence } from '../../components/server-sentences.ts'
import { toast, toastFailure } from '../../components/toast.tsx'
import { type Attention, type Home, patchHome, refreshHome } from './home-query.ts'
import { PageLink, Row, useNewKeys } from './row.tsx'

export function AttentionList({ home }: { home: Home }) {
  const { attention, more, unreadCount } = home
  const isNew = useNewKeys(attention.map(({ key }) => key))
  return (
    <Block
      title="Needs your attention"
      note={attention.length > 0 && String(attention.length)}
      headingEnd={
        unreadCount > 0 && (
          <Link to="/inbox">
            {unreadCount === 1
              ? t`1 unread notification`
              : t`${unreadCount > 99 ? '99+' : unreadCount} unread notifications`}
          </Link>
        )
      }
    >
      {attention.length === 0 ? (
        <p className="flex items-center gap-12 py-12 text-13 text-neutral-11">
          <CircleCheck aria-hidden className="icon ml-4 text-good-text" />
          No pending decisions or problems.
        </p>
      ) : (
        <ul aria-live="polite">
          {attention.map((item) => (
            <Entry key={item.key} item={item} isNew={isNew(item.key)} />
          ))}
        </ul>
      )}
      {more.length > 0 && <More kinds={more} />}
    </Block>
  )
}

function Entry({ item, isNew }: { item: Attention; isNew: boolean }) {
  const { key, kind, project, path, at, dismissible } = item
  // User-written text, such as a run's title, isn't localized.
  const isOwnText = kind === 'run' || kind === 'approval' || kind === 'question'
  const localize = isOwnText ? (text: string) => text : localizeSentence
  const title = kind === 'payment' ? localizeAmount(item.title) : localize(item.title)
  const detail = item.detail === null ? null : kind === 'payment' ? item.detail : localize(item.detail)
  const { icon, tone, label } = ATTENTION[kind]
  const dismiss = useMutation({
    mutationFn: (dismissed: boolean) => api.home.dismiss({ key, dismissed }),
    onMutate: (dismissed) => {
      if (dismissed)
        patchHome(({ attention }) => ({ attention: attention.filter((other) => other.key !== key) }))
    },
    onSuccess: (_, dismissed) => {
      void refreshHome()
      if (dismissed) toast(t`Removed from Home`, { label: t`Undo`, run: () => dismiss.mutate(false) })
    },
    onError: (error) => {
      toastFailure(error)
      void refreshHome()
    },
  })
  return (
    <Row
      icon={icon}
      tone={tone}
      at={at}
      isNew={isNew}
      link={
        <PageLink path={path} id={key}>
          <Name>{title}</Name>
        </PageLink>
      }
      action={
        dismissible && (
          <Button
            look="quiet"
            size="small-icon"
            aria-label={t`Remove “${title}” from Home`}
            title="Remove from Home"
            className="relative z-10"
            onClick={() => dismiss.mutate(true)}
          >
            <X aria-hidden className="icon" />
          </Button>
        )
      }
    >
      <span className="font-medium">{label}</span>
      {detail && (
        <>
          {' · '}
          <Name>{detail}</Name>
        </>
      )}
      {project && (
        <>
          {' · '}
          <Name>{project.name}</Name>
        </>
      )}
    </Row>
  )
}

/** The server sends `usd 7.00`. */
function localizeAmount(text: string): string {
  const [, currency, amount] = /^([A-Za-z]{3}) (\d+(?:\.\d+)?)$/.exec(text) ?? []
  return currency && amount ? formatMoney(amount, currency) : text
}

function More({ kinds }: { kinds: AttentionKind[] }) {
  return (
    <p className="flex flex-wrap gap-x-16 gap-y-4 py-8 pl-32 text-13 text-neutral-11">
      {kinds.map((kind) => (
        <Link
          key={kind}
          to={ATTENTION[kind].all}
          className="underline-offset-4 hover:text-neutral-12 hover:underline"
        >
          {ATTENTION[kind].allLabel}
        </Link>
      ))}
    </p>
  )
}

interface Label {
  icon: LucideIcon
  tone: string
  label: string
  allLabel: string
  all: '/approvals' | '/inbox' | '/runs' | '/integrations' | '/webhooks' | '/settings/organization/usage'
}

/** Icon, color and word: color alone isn't accessible. */
const ATTENTION: Record<AttentionKind, Label> = {
  approval: {
    icon: ShieldQuestionMark,
    tone: 'text-warning-text',
    label: t`Waiting for your approval`,
    allLabel: t`All approvals`,
    all: '/approvals',
  },
  question: {
    icon: MessageCircleQuestionMark,
    tone: 'text-warning-text',
    label: t`Has a question for you`,
    allLabel: t`All questions`,
    all: '/approvals',
  },
  payment: {
    icon: Banknote,
    tone: 'text-warning-text',
    label: t`Payment waiting for your approval`,
    allLabel: t`All payments`,
    all: '/approvals',
  },
  notification: {
    icon: AtSign,
    tone: 'text-selection-text',
    label: t`Unread`,
    allLabel: t`All notifications`,
    all: '/inbox',
  },
  run: { icon: CircleX, tone: 'text-bad-text', label: t`Run failed`, allLabel: t`All runs`, all: '/runs' },
  connection: {
    icon: Cable,
    tone: 'text-bad-text',
    label: t`Connection`,
    allLabel: t`All connections`,
    all: '/integrations',
  },
  webhook: {
    icon: Webhook,
    tone: 'text-bad-text',
    label: t`Webhook`,
    allLabel: t`All webhooks`,
    all: '/webhooks',
  },
  budget: {
    icon: ChartColumn,
    tone: 'text-warning-text',
    label: t`Budget`,
    allLabel: t`All budgets`,
    all: '/settings/organization/usage',
  },
}
