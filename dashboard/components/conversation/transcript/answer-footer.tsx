import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, RotateCw, Shapes, Undo2 } from 'lucide-react'
import { lazy, memo, Suspense, useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { branchesQuery, conversationRunsQuery, type Message } from '../../../api/conversations.ts'
import { queryClient } from '../../../api/query-client.ts'
import { changesQuery, type RunChange } from '../../../api/runs.ts'
import { formatCost, formatDuration, isCostKnown } from '../../amounts.ts'
import { Button } from '../../button.tsx'
import { Copy } from '../../copy.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import type { FooterEntry } from '../view/answers.ts'
import { messageWith, parseAttachments } from '../view/attachments.ts'
import { ReadAloud } from '../voice/read-aloud.tsx'
import { RatingButtons } from './rating.tsx'
import { useBranch } from './use-branch.ts'

const UndoDialog = lazy(async () => ({
  default: (await import('../../runs/undo-dialog.tsx')).UndoDialog,
}))

type FooterProps = Omit<FooterEntry, 'kind' | 'key' | 'seq'>

/** What an answer changed, and what to do with it. */
export const AnswerFooter = memo(function AnswerFooter(footer: FooterProps) {
  const { runId, run, message, questions, previousSentAt, mayHaveChanged } = footer
  const { canWrite } = useOpenConversation()
  const question = questions.at(-1)
  return (
    <div className="group/footer flex flex-col gap-8">
      <div className="-mx-4 flex min-h-24 flex-wrap items-center gap-x-2 gap-y-4 text-12 text-neutral-11">
        {mayHaveChanged && run && <Changes run={run} />}
        {canWrite && question && <Regenerate question={question} />}
        <Versions questions={questions} previousSentAt={previousSentAt} />
        {message && <Copy value={message.text} what="reply" />}
        {message && <ReadAloud message={message} />}
        {message && <RatingButtons key={message.id} message={message} />}
        {run && <Facts run={run} runId={runId} />}
      </div>
    </div>
  )
}, isSameFooter)

function isSameFooter(before: FooterProps, after: FooterProps): boolean {
  return (
    before.runId === after.runId &&
    before.run === after.run &&
    before.message === after.message &&
    before.mayHaveChanged === after.mayHaveChanged &&
    before.previousSentAt === after.previousSentAt &&
    before.questions.length === after.questions.length &&
    before.questions.every((question, index) => question === after.questions[index])
  )
}

type Run = NonNullable<FooterEntry['run']>

function Changes({ run }: { run: Run }) {
  const [isUndoing, setUndoing] = useState(false)
  const changes = useInfiniteQuery(changesQuery(run.id)).data
  const items = changes?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0) return null
  const isUndone = run.undoRunId !== null
  return (
    <>
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        title="Show what this run changed"
        className="inline-flex h-24 items-center gap-4 rounded-control px-4 font-medium hover:bg-hover hover:text-neutral-12"
      >
        <Shapes aria-hidden className="icon text-neutral-9" />
        <span className={isUndone ? 'line-through' : ''}>
          {countChanges(items)}
          {changes?.pages.at(-1)?.nextCursor ? '+' : ''}
        </span>
        {isUndone && <span className="font-regular">{t`undone`}</span>}
      </Link>
      {run.canEdit && !isUndone && (
        <Button look="quiet" size="small" className="text-neutral-12" onClick={() => setUndoing(true)}>
          <Undo2 aria-hidden className="icon" />
          Undo
        </Button>
      )}
      <span aria-hidden className="mx-4 h-12 w-px bg-neutral-6" />
      {isUndoing && (
        <Suspense>
          <UndoDialog
            run={run}
            onClose={() => {
              setUndoing(false)
              void queryClient.invalidateQueries({ queryKey: conversationRunsQuery(run.sessionId).queryKey })
            }}
          />
        </Suspense>
      )}
    </>
  )
}

const COUNTS: Record<RunChange['kind'], (count: number) => string> = {
  block: (count) => counted(count, 'block', 'blocks'),
  edge: (count) => counted(count, 'connection', 'connections'),
  file: (count) => counted(count, 'file', 'files'),
  memory: (count) => counted(count, 'memory', 'memories'),
  table: (count) => counted(count, 'table', 'tables'),
}

/** `2 blocks, 1 file` */
function countChanges(items: readonly Pick<RunChange, 'kind'>[]): string {
  const kinds = Object.keys(COUNTS) as RunChange['kind'][]
  return kinds
    .map((kind) => [kind, items.filter((item) => item.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => COUNTS[kind](count))
    .join(', ')
}

function Regenerate({ question }: { question: Message }) {
  const branch = useBranch()
  return (
    <Button
      look="quiet"
      size="small-icon"
      aria-label="Regenerate in a branch"
      title="Regenerate in a branch"
      busy={branch.isPending}
      onClick={() =>
        branch.mutate({ seq: question.seq, message: messageWith(question.text, parseAttachments(question)) })
      }
    >
      {!branch.isPending && <RotateCw aria-hidden className="icon" />}
    </Button>
  )
}

/** `‹ 2/3 ›`: the conversation's branches from the message that this answers. */
function Versions(messages: Pick<FooterProps, 'questions' | 'previousSentAt'>) {
  const { conversation, onOpen } = useOpenConversation()
  const versions = useVersions(messages)
  const index = versions.indexOf(conversation.id)
  if (versions.length < 2 || index === -1) return null
  const button = (label: string, target: string | undefined, Icon: typeof ChevronLeft) => (
    <Button
      look="quiet"
      size="small-icon"
      aria-label={label}
      title={label}
      disabled={target === undefined}
      onClick={() => target && onOpen(target)}
    >
      <Icon aria-hidden className="icon" />
    </Button>
  )
  return (
    <span className="inline-flex items-center tabular-nums">
      {button(t`Previous version`, versions[index - 1], ChevronLeft)}
      <span>
        <span aria-hidden>{`${index + 1}/${versions.length}`}</span>
        <span className="sr-only">
          Version {index + 1} of {versions.length}
        </span>
      </span>
      {button(t`Next version`, versions[index + 1], ChevronRight)}
    </span>
  )
}

/** Oldest first; the original conversation comes before its branches. */
function useVersions({
  questions,
  previousSentAt,
}: Pick<FooterProps, 'questions' | 'previousSentAt'>): string[] {
  const { conversation, branches } = useOpenConversation()
  const { branchedFrom, projectId } = conversation
  const branchedAt = Date.parse(conversation.createdAt)
  const [first] = questions
  // The messages above were copied, with their times.
  const isAtStart = previousSentAt === null ? first?.seq === 1 : Date.parse(previousSentAt) < branchedAt
  const isBranch =
    branchedFrom !== null && first !== undefined && isAtStart && Date.parse(first.createdAt) >= branchedAt
  const siblings = useQuery({
    ...branchesQuery({ id: branchedFrom?.sessionId ?? '', projectId }),
    enabled: isBranch,
  }).data?.items
  const startedAt = (seq: number | undefined, list: typeof branches) =>
    list
      .filter((branch) => branch.branchedFrom?.seq === seq)
      .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
      .map(({ id }) => id)
  const own = questions.flatMap(({ seq }) => startedAt(seq, branches))
  if (isBranch && branchedFrom)
    return [branchedFrom.sessionId, ...startedAt(branchedFrom.seq, siblings ?? []), ...own]
  return own.length > 0 ? [conversation.id, ...own] : []
}

/** The model appears on hover and focus. */
function Facts({ run, runId }: { run: Run; runId: string }) {
  const { startedAt, finishedAt, cost, model } = run
  const facts = [
    startedAt && finishedAt && formatDuration(Date.parse(finishedAt) - Date.parse(startedAt)),
    isCostKnown(cost) && formatCost(cost),
  ].filter(Boolean)
  return (
    <span className="ml-auto inline-flex min-w-0 items-center gap-4 px-4 tabular-nums">
      <span className="hidden min-w-0 truncate @medium:group-focus-within/footer:inline @medium:group-hover/footer:inline">
        {model} ·
      </span>
      <Link
        to="/runs/$runId"
        params={{ runId }}
        title={t`Open run · ${model}`}
        className="whitespace-nowrap hover:text-neutral-12 hover:underline"
      >
        {facts.length > 0 ? facts.join(' · ') : t`Run`}
      </Link>
    </span>
  )
}
