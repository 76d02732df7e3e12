import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Reply } from 'lucide-react'
import { useState } from 'react'
import { ENDPOINT_LIMITS } from '../../../../contract/connections/connector-endpoint-options.ts'
import { t } from '../../../../contract/text.ts'
import {
  connectionApi,
  refreshEndpoints,
  type WaitingReply,
  waitingRepliesQuery,
} from '../../../api/connections.ts'
import { failureMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Mark } from '../../../components/connectors/mark.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'

/** Agent replies to approve before they reach the connected service. */
export function RepliesPage() {
  const list = useInfiniteQuery(waitingRepliesQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Page title="Replies" count={list.data && items.length} tabs={<SectionTabs of="inbox" />}>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <Empty
          icon={Reply}
          title="No replies to approve"
          action={
            <Link to="/integrations" className={buttonClass('plain')}>
              Connections
            </Link>
          }
        >
          Agent replies to events from connected services wait here if the endpoint requires approval.
        </Empty>
      )}
      {items.map((reply) => (
        <ReplyCard key={reply.id} reply={reply} />
      ))}
      <ScrollEnd list={list} loaded={items.length} />
    </Page>
  )
}

function ReplyCard({ reply }: { reply: WaitingReply }) {
  const { id, endpointName, connectorSlug, runId, event, canDecide, createdAt } = reply
  const [text, setText] = useState(reply.text)
  const decide = useMutation({
    mutationFn: (isApproved: boolean) =>
      isApproved
        ? connectionApi.connectorEndpoints.approveReply({ id, text: text === reply.text ? undefined : text })
        : connectionApi.connectorEndpoints.rejectReply({ id }),
    onSuccess: (_, isApproved) => {
      toast(isApproved ? t`Reply approved` : t`Reply rejected`)
      return refreshEndpoints()
    },
  })
  return (
    <article
      aria-label={t`Reply from ${endpointName}`}
      className="flex flex-col gap-12 border-neutral-6 border-b px-16 py-24 *:max-w-reading md:px-24"
    >
      <header className="flex items-center gap-12">
        <Mark slug={connectorSlug} name={endpointName} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">
            <Name>{endpointName}</Name>
          </p>
          <p className="text-12 text-neutral-11">
            <Time at={createdAt} /> ·{' '}
            <Link to="/runs/$runId" params={{ runId }} className="underline hover:text-neutral-12">
              Run
            </Link>
          </p>
        </div>
      </header>
      {event.text && (
        <blockquote className="wrap-anywhere whitespace-pre-wrap border-neutral-7 border-l-2 pl-12 text-13 text-neutral-11">
          {event.actorName && (
            <p className="font-medium">
              <Name>{event.actorName}</Name>
            </p>
          )}
          {event.text}
        </blockquote>
      )}
      <TextArea
        label="Reply"
        rows={4}
        limit={ENDPOINT_LIMITS.reply}
        disabled={!canDecide}
        value={text}
        onChange={(change) => setText(change.target.value)}
      />
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      {canDecide && (
        <div className="flex gap-8">
          <Button
            look="primary"
            busy={decide.isPending && decide.variables}
            disabled={text.trim() === ''}
            onClick={() => decide.mutate(true)}
          >
            Send
          </Button>
          <Button busy={decide.isPending && !decide.variables} onClick={() => decide.mutate(false)}>
            Reject
          </Button>
        </div>
      )}
    </article>
  )
}
