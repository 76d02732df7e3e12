import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { MessageSquareText, Plus } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { TelephonyTabs } from '../telephony-pages.tsx'
import { numbersQuery, smsConversationsQuery } from '../telephony-queries.ts'
import { ConversationList } from './conversation-list.tsx'
import { NewMessage } from './new-message.tsx'
import { Thread } from './thread.tsx'

const route = getRouteApi('/app/phone/messages')

export default function MessagesPage() {
  const { number: numberId, peer, new: opened } = route.useSearch()
  const navigate = useNavigate()
  const numbers = (useQuery(numbersQuery).data ?? []).filter(({ capabilities }) => capabilities.sms)
  const list = useInfiniteQuery(smsConversationsQuery())
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const canSend = useCanEditAgents() === true && numbers.length > 0
  const isNew = opened === 'message' && canSend
  const isOpen = isNew || (numberId !== undefined && peer !== undefined)
  const write = () => void navigate({ to: '/phone/messages', search: { new: 'message' } })
  usePageKeys(canSend ? [{ label: t`New message`, keys: 'c', icon: Plus, run: write }] : [])
  const isEmpty = list.data !== undefined && items.length === 0 && !isOpen
  return (
    <Page
      title="Messages"
      tabs={<TelephonyTabs />}
      action={
        canSend && (
          <Button look="primary" onClick={write}>
            <Plus aria-hidden className="icon" />
            New message
          </Button>
        )
      }
    >
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && <NoMessages hasNumber={numbers.length > 0} canSend={canSend} />}
      {list.data && !isEmpty && (
        <div className="flex h-full min-h-0">
          <div
            data-scroll
            className={`w-full shrink-0 overflow-y-auto border-neutral-6 md:block md:w-list md:border-r ${isOpen ? 'hidden' : ''}`}
          >
            <ConversationList
              items={items}
              numberId={numberId}
              peer={peer}
              showsNumber={numbers.length > 1}
            />
            <ScrollEnd list={list} loaded={items.length} />
          </div>
          <div className={`min-w-0 flex-1 flex-col ${isOpen ? 'flex' : 'hidden md:flex'}`}>
            {isNew && <NewMessage numbers={numbers} />}
            {!isNew && numberId !== undefined && peer !== undefined && (
              <Thread
                key={`${numberId} ${peer}`}
                numberId={numberId}
                peer={peer}
                conversation={items.find((each) => each.numberId === numberId && each.peer === peer)}
              />
            )}
            {!isOpen && (
              <p className="px-24 py-16 text-13 text-neutral-11">Select a conversation to read it.</p>
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

const NoMessages = ({ hasNumber, canSend }: { hasNumber: boolean; canSend: boolean }) => (
  <Empty
    icon={MessageSquareText}
    title="No messages yet"
    action={
      hasNumber ? (
        canSend && (
          <Link to="/phone/messages" search={{ new: 'message' }} className={buttonClass('primary')}>
            New message
          </Link>
        )
      ) : (
        <Link to="/phone" search={{}} className={buttonClass('primary')}>
          Set up a number
        </Link>
      )
    }
    command={canSend ? 'npx atrium telephony sms send +4930123456 "Your order is ready."' : undefined}
  >
    Text messages to your numbers become conversations here. Routing rules decide which agent replies, and you
    can write messages yourself. Recipients who send STOP get no more messages.
  </Empty>
)
