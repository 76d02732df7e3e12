import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { PhoneCall, Plus } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { TalkButton } from '../browser-call/talk-button.tsx'
import { callColumns } from '../call-cells.tsx'
import { CallDialog } from '../calls/call-dialog.tsx'
import { ImportDialog } from '../numbers/import-dialog.tsx'
import { NumberPanel } from '../numbers/number-panel.tsx'
import { TelephonyTabs } from '../telephony-pages.tsx'
import { type Call, overviewQuery } from '../telephony-queries.ts'
import { Activity } from './activity.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LiveCalls } from './live-calls.tsx'
import { NumberList } from './number-list.tsx'
import { Problems } from './problems.tsx'
import { SectionTitle } from './section-title.tsx'

const route = getRouteApi('/app/phone/')

export default function TelephonyPage() {
  const { number: numberId, new: opened } = route.useSearch()
  const { role } = useSession()
  const navigate = useNavigate()
  const overview = useQuery(overviewQuery)
  const { data } = overview
  const canImport = role !== 'member' && data?.configured === true
  const canTalk = useCanEditAgents() === true
  const canCall =
    canTalk && data?.numbers.some(({ status, capabilities }) => status !== 'released' && capabilities.voice)
  const open = (value: string | undefined) =>
    void navigate({ to: '/phone', search: (current) => ({ ...current, new: value }) })
  usePageKeys([
    ...(canImport ? [{ label: t`Import number`, keys: 'i', icon: Plus, run: () => open('number') }] : []),
    ...(canCall ? [{ label: t`Make a call`, keys: 'c', icon: PhoneCall, run: () => open('call') }] : []),
  ])
  const number = data?.numbers.find(({ id }) => id === numberId)
  const isUnused = data !== undefined && data.recentCalls.length === 0 && data.days.length === 0
  const isEmpty = isUnused && data.numbers.length === 0
  return (
    <Page
      title="Phone"
      tabs={<TelephonyTabs />}
      action={
        canTalk && (
          <span className="flex gap-8">
            <TalkButton />
            {canCall && (
              <Button look="primary" onClick={() => open('call')}>
                <PhoneCall aria-hidden className="icon" />
                Make a call
              </Button>
            )}
          </span>
        )
      }
      panel={number && <NumberPanel key={number.id} number={number} />}
    >
      {overview.isPending && <SkeletonRows />}
      {overview.error && !data && <Failure error={overview.error} onRetry={() => overview.refetch()} />}
      {isUnused && data.activeCalls.length === 0 && (
        <FirstSteps overview={data} onImport={() => open('number')} />
      )}
      {data && !isEmpty && (
        <>
          <LiveCalls calls={data.activeCalls} />
          <Problems problems={data.problems} />
          <NumberList
            numbers={data.numbers}
            currentId={numberId}
            onImport={canImport ? () => open('number') : undefined}
          />
          {!isUnused && <Activity overview={data} />}
          <RecentCalls calls={data.recentCalls} />
        </>
      )}
      {opened === 'number' && canImport && <ImportDialog onClose={() => open(undefined)} />}
      {opened === 'call' && canCall && <CallDialog onClose={() => open(undefined)} />}
    </Page>
  )
}

const SHOWN_MAX = 8

function RecentCalls({ calls }: { calls: Call[] }) {
  const endedCalls = calls.filter(({ endedAt }) => endedAt !== null).slice(0, SHOWN_MAX)
  if (endedCalls.length === 0) return null
  return (
    <section aria-labelledby="recent-calls">
      <SectionTitle
        id="recent-calls"
        action={
          <Link to="/phone/calls" search={{}} className="text-13 text-neutral-11 hover:underline">
            All calls
          </Link>
        }
      >
        Recent calls
      </SectionTitle>
      <Table
        label="Recent calls"
        columns={callColumns(0)}
        rows={endedCalls}
        rowKey={({ id }) => id}
        version={({ cost }) => String(cost?.amount)}
      />
    </section>
  )
}
