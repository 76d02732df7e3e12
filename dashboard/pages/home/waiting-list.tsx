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
import { textWithNames } from '../../../contract/text-with-names.ts'
import { refreshApprovals } from '../../api/approvals.ts'
import { api } from '../../api/client.ts'
import { isDeclinedStepUp } from '../../api/explain.ts'
import { refreshCounts } from '../../api/sidebar.ts'
import { formatMoney } from '../../components/amounts.ts'
import { localizeSummary } from '../../components/approvals/approval-summaries.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { AgentFace } from '../../components/faces.tsx'
import { showHidden } from '../../components/hidden-characters.ts'
import { Name } from '../../components/name.tsx'
import { localizeRunError } from '../../components/run-errors.ts'
import { localizeSentence } from '../../components/server-sentences.ts'
import { Time } from '../../components/time.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'
import { type Attention, type Home, patchHome, refreshHome } from './home-query.ts'
import { CARD, HomeSection, PageLink, ROW, useNewKeys, useOpenPath } from './section.tsx'

/** Decisions and problems, most pressing first. Calls without a risk are decided here. */
export function WaitingList({ home: { attention, more } }: { home: Home }) {
  const isNew = useNewKeys(attention.map(({ key }) => key))
  return (
    <HomeSection
      title={t`Waiting for you`}
      note={
        attention.length > 0 && (
          <span className="min-w-24 rounded-round bg-warning-wash px-8 text-center font-strong text-12 text-warning-text tabular-nums">
            {attention.length}
          </span>
        )
      }
      end={<Link to="/inbox">Open inbox</Link>}
    >
      <div className={CARD}>
        {attention.length === 0 ? (
          <p className="flex items-center gap-12 px-16 py-12 text-13 text-neutral-11">
            <CircleCheck aria-hidden className="icon text-good-mark" />
            Nothing waits for you.
          </p>
        ) : (
          <ul aria-live="polite">
            {attention.map((item) => (
              <Entry key={item.key} item={item} isNew={isNew(item.key)} />
            ))}
          </ul>
        )}
      </div>
      {more.length > 0 && (
        <p className="flex flex-wrap gap-x-16 gap-y-4 px-16 pt-8 text-13 text-neutral-11">
          {more.map((kind) => (
            <Link
              key={kind}
              to={KINDS[kind].all}
              className="underline-offset-4 hover:text-neutral-12 hover:underline"
            >
              {KINDS[kind].allLabel}
            </Link>
          ))}
        </p>
      )}
    </HomeSection>
  )
}

function Entry({ item, isNew }: { item: Attention; isNew: boolean }) {
  const { key, kind, agent, project, path, at } = item
  const { icon: Icon, tone, label } = KINDS[kind]
  const { title, detail } = textsOf(item)
  const asks = (kind === 'approval' || kind === 'question') && agent
  return (
    <li
      className={`${ROW} grid grid-cols-[24px_minmax(0,1fr)] gap-x-12 gap-y-8 px-16 py-12 sm:grid-cols-[24px_minmax(0,1fr)_auto] ${isNew ? 'animate-wash' : ''}`}
    >
      {agent ? (
        <AgentFace agent={agent} />
      ) : (
        <span className="flex size-24 items-center justify-center">
          <Icon aria-hidden className={`icon ${tone}`} />
        </span>
      )}
      <div className="min-w-0">
        {asks ? (
          <p className="wrap-anywhere pt-2">
            <span className="font-medium">
              <Name>{agent.name}</Name>
            </span>{' '}
            <span className="text-neutral-11">
              {kind === 'question' ? t`asks you a question` : t`asks for your approval`}
            </span>
          </p>
        ) : (
          <PageLink path={path} id={key} className="wrap-anywhere line-clamp-2 pt-2 font-medium">
            <Name>{title}</Name>
          </PageLink>
        )}
        <p className="line-clamp-2 break-words text-12 text-neutral-11">
          {!asks && <span className={`font-medium ${tone}`}>{label}</span>}
          {!asks && detail && (
            <>
              {' · '}
              <Name>{detail}</Name>
            </>
          )}
          {project && (
            <>
              {!asks && ' · '}
              <Name>{project.name}</Name>
            </>
          )}
          {(!asks || project) && ' · '}
          <Time at={at} />
        </p>
      </div>
      <div className="relative z-10 flex items-start gap-8 max-sm:order-last max-sm:col-start-2 *:max-sm:flex-1">
        <Actions item={item} title={title} />
      </div>
      {asks && (
        <div className="col-start-2 rounded-control bg-inset px-12 py-8 text-13 sm:col-end-4">
          <PageLink path={path} id={key} className="wrap-anywhere line-clamp-3">
            <Name>{title}</Name>
          </PageLink>
        </div>
      )}
    </li>
  )
}

function Actions({ item, title }: { item: Attention; title: string }) {
  const { approval, kind, path, dismissible } = item
  const open = useOpenPath(path)
  if (approval?.canApprove && approval.risk === 'none') return <Decide item={item} title={title} />
  return (
    <>
      <a
        href={path}
        onClick={open}
        aria-label={textWithNames`${KINDS[kind].action}: ${title}`}
        className={buttonClass()}
      >
        {KINDS[kind].action}
      </a>
      {dismissible && <Dismiss item={item} title={title} />}
    </>
  )
}

/** Without its input, which may be long: **Review** on the approval's page shows what would leave the organization. */
function Decide({ item: { key }, title }: { item: Attention; title: string }) {
  const id = key.slice(key.indexOf(':') + 1)
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'deny') => api.approvals.decide({ id, decision }),
    onSuccess: (_, decision) => {
      patchHome(({ attention }) => ({ attention: attention.filter((other) => other.key !== key) }))
      toast(decision === 'approve' ? t`Approved` : t`Denied`)
    },
    onError: (error) => {
      if (!isDeclinedStepUp(error)) toastFailure(error)
    },
    onSettled: () => Promise.all([refreshApprovals(), refreshHome()]),
  })
  return (
    <>
      <Button
        aria-label={textWithNames`Deny: ${title}`}
        disabled={decide.isPending}
        onClick={() => decide.mutate('deny')}
      >
        Deny
      </Button>
      <Button
        look="primary"
        aria-label={textWithNames`Approve: ${title}`}
        busy={decide.isPending}
        onClick={() => decide.mutate('approve')}
      >
        Approve
      </Button>
    </>
  )
}

function Dismiss({ item: { key }, title }: { item: Attention; title: string }) {
  const dismiss = useMutation({
    mutationFn: (dismissed: boolean) => api.home.dismiss({ key, dismissed }),
    onMutate: (dismissed) => {
      if (dismissed)
        patchHome(({ attention }) => ({ attention: attention.filter((other) => other.key !== key) }))
    },
    onSuccess: (_, dismissed) => {
      void refreshHome()
      void refreshCounts()
      if (dismissed) toast(t`Removed from Home`, { label: t`Undo`, run: () => dismiss.mutate(false) })
    },
    onError: (error) => {
      toastFailure(error)
      void refreshHome()
    },
  })
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={textWithNames`Remove “${title}” from Home`}
      title="Remove from Home"
      className="max-sm:flex-none!"
      onClick={() => dismiss.mutate(true)}
    >
      <X aria-hidden className="icon" />
    </Button>
  )
}

/** User-written text, such as a run's title, isn't localized. */
function textsOf({ kind, title, detail }: Attention) {
  if (kind === 'payment') return { title: localizeAmount(title), detail }
  if (kind === 'approval') return { title: showHidden(localizeSummary(title)), detail }
  if (kind === 'run')
    return { title: showHidden(title), detail: detail && showHidden(localizeRunError(detail)) }
  const localize = kind === 'question' ? showHidden : localizeSentence
  return { title: localize(title), detail: detail && localize(detail) }
}

/** The server sends `usd 7.00`. */
function localizeAmount(text: string): string {
  const [, currency, amount] = /^([A-Za-z]{3}) (\d+(?:\.\d+)?)$/.exec(text) ?? []
  return currency && amount ? formatMoney(amount, currency) : text
}

interface Kind {
  icon: LucideIcon
  tone: string
  label: string
  action: string
  allLabel: string
  all: '/approvals' | '/inbox' | '/runs' | '/integrations' | '/webhooks' | '/settings/organization/usage'
}

/** Icon, color and word: color alone isn't accessible. */
const KINDS: Record<AttentionKind, Kind> = {
  approval: {
    icon: ShieldQuestionMark,
    tone: 'text-warning-text',
    label: t`Approval`,
    action: t`Review`,
    allLabel: t`All approvals`,
    all: '/approvals',
  },
  question: {
    icon: MessageCircleQuestionMark,
    tone: 'text-warning-text',
    label: t`Question`,
    action: t`Answer`,
    allLabel: t`All questions`,
    all: '/approvals',
  },
  payment: {
    icon: Banknote,
    tone: 'text-warning-text',
    label: t`Payment waiting for your approval`,
    action: t`Review`,
    allLabel: t`All payments`,
    all: '/approvals',
  },
  notification: {
    icon: AtSign,
    tone: 'text-selection-text',
    label: t`Unread`,
    action: t`Open`,
    allLabel: t`All notifications`,
    all: '/inbox',
  },
  run: {
    icon: CircleX,
    tone: 'text-bad-text',
    label: t`Run failed`,
    action: t`Open`,
    allLabel: t`All runs`,
    all: '/runs',
  },
  connection: {
    icon: Cable,
    tone: 'text-bad-text',
    label: t`Connection`,
    action: t`Reconnect`,
    allLabel: t`All connections`,
    all: '/integrations',
  },
  webhook: {
    icon: Webhook,
    tone: 'text-bad-text',
    label: t`Webhook`,
    action: t`Open`,
    allLabel: t`All webhooks`,
    all: '/webhooks',
  },
  budget: {
    icon: ChartColumn,
    tone: 'text-warning-text',
    label: t`Budget`,
    action: t`Open`,
    allLabel: t`All budgets`,
    all: '/settings/organization/usage',
  },
}
