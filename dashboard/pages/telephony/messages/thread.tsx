import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Ban, Ellipsis, MessagesSquare, PhoneCall, Phone as PhoneIcon } from 'lucide-react'
import { useState } from 'react'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { CallDialog } from '../calls/call-dialog.tsx'
import { Phone } from '../phone.tsx'
import {
  allNumbersQuery,
  type PhoneNumber,
  refreshTelephony,
  type SmsConversation,
  telephonyApi,
  threadQuery,
} from '../telephony-queries.ts'
import { Bubbles } from './bubbles.tsx'
import { MessageComposer } from './message-composer.tsx'

interface ThreadProps {
  numberId: string
  peer: string
  /** Absent before the first message. */
  conversation: SmsConversation | undefined
}

export function Thread({ numberId, peer, conversation }: ThreadProps) {
  const thread = useInfiniteQuery(threadQuery(numberId, peer))
  const number = useQuery(allNumbersQuery).data?.find(({ id }) => id === numberId)
  const canEdit = useCanEditAgents()
  const messages = thread.data?.pages.flatMap((page) => page.items).toReversed() ?? []
  const isOptedOut = conversation?.optedOut ?? false
  return (
    <>
      <ThreadHeader numberId={numberId} peer={peer} number={number} conversation={conversation} />
      {thread.isPending && <SkeletonRows rows={4} />}
      {thread.error && !thread.data && <Failure error={thread.error} onRetry={() => thread.refetch()} />}
      {thread.data && <Bubbles messages={messages} list={thread} />}
      {conversation?.pausedAt && !isOptedOut && (
        <PausedNotice numberId={numberId} peer={peer} canResume={canEdit === true} />
      )}
      {isOptedOut && (
        <p
          role="status"
          className="shrink-0 border-warning-line border-t bg-warning-wash px-16 py-8 text-13 md:px-24"
        >
          This recipient opted out of messages from this number, so messages to them are refused.
        </p>
      )}
      {!isOptedOut && canEdit && number && number.status !== 'released' && (
        <MessageComposer number={number} to={peer} />
      )}
    </>
  )
}

interface ThreadHeaderProps {
  numberId: string
  peer: string
  number: PhoneNumber | undefined
  conversation: SmsConversation | undefined
}

function ThreadHeader({ numberId, peer, number, conversation }: ThreadHeaderProps) {
  const navigate = useNavigate()
  const canEdit = useCanEditAgents()
  const [isCalling, setCalling] = useState(false)
  const stop = useMutation({
    mutationFn: () => telephonyApi.sms.addOptOut({ numberId, recipient: peer }),
    onSuccess: () => {
      toast(withNames`${peer} won’t get any more messages`)
      return refreshTelephony()
    },
    onError: toastFailure,
  })
  const sessionId = conversation?.sessionId
  return (
    <header className="flex min-h-48 shrink-0 items-center gap-8 border-neutral-6 border-b px-8 py-8 md:px-24">
      <Link
        to="/phone/messages"
        search={{}}
        aria-label="All conversations"
        className={`${buttonClass('quiet', 'icon')} md:hidden`}
      >
        <ArrowLeft aria-hidden className="icon" />
      </Link>
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-strong">
          <Phone>{peer}</Phone>
        </h2>
        {number && (
          <p className="truncate text-12 text-neutral-11">
            with{' '}
            {number.label && (
              <>
                <Name>{number.label}</Name>{' '}
              </>
            )}
            <Phone>{number.e164}</Phone>
          </p>
        )}
      </div>
      {conversation?.optedOut && <Status meaning="warning">Opted out</Status>}
      <Menu
        trigger={
          <Button look="quiet" size="icon" aria-label="Conversation actions">
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        {sessionId && (
          <MenuAction
            icon={MessagesSquare}
            label="Open in chat"
            onSelect={() => void navigate({ to: '/chat/$sessionId', params: { sessionId }, search: {} })}
          />
        )}
        <MenuAction
          icon={PhoneIcon}
          label="Calls with this number"
          onSelect={() => void navigate({ to: '/phone/calls', search: { peer } })}
        />
        {canEdit && <MenuAction icon={PhoneCall} label="Call" onSelect={() => setCalling(true)} />}
        {canEdit && !conversation?.optedOut && (
          <MenuAction icon={Ban} label="Opt recipient out" onSelect={() => stop.mutate()} />
        )}
      </Menu>
      {isCalling && <CallDialog to={peer} onClose={() => setCalling(false)} />}
    </header>
  )
}

interface PausedNoticeProps {
  numberId: string
  peer: string
  canResume: boolean
}

function PausedNotice({ numberId, peer, canResume }: PausedNoticeProps) {
  const resume = useMutation({
    mutationFn: () => telephonyApi.sms.resumeConversation({ numberId, peer }),
    onSuccess: refreshTelephony,
    onError: toastFailure,
  })
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center gap-8 border-warning-line border-t bg-warning-wash px-16 py-8 text-13 md:px-24"
    >
      <p className="min-w-0 flex-1">
        The agent replied very often within an hour, so it’s paused in this conversation. The other party may
        be an automated system.
      </p>
      {canResume && (
        <Button size="small" busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
      )}
    </div>
  )
}
